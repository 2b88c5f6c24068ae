//! Formal proofs.

use serde::Deserialize;
use std::path::PathBuf;

/// Formal proofs.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProofConfig {
    /// The program that prints their pages; `proof-pdf` beside this program unless it is set.
    pub printer: Option<PathBuf>,
}

/// What is wrong with them.
pub(super) fn faults(config: &ProofConfig) -> Vec<&'static str> {
    let is_absolute = config.printer.as_ref().is_none_or(|path| path.is_absolute());
    if is_absolute { Vec::new() } else { vec!["proof.printer: is no absolute path"] }
}
