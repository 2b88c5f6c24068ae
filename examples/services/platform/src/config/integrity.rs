//! Files that are watched for changes.

use super::Seconds;
use glob::Pattern;
use serde::Deserialize;
use std::path::PathBuf;

/// Files that are watched for changes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct IntegrityConfig {
    /// Which, as absolute paths with `*`, `?`, `[…]` and `**`; the program alone where none is named.
    pub files: Vec<String>,
    /// Which of them not.
    pub except: Vec<String>,
    /// The manifest that the deployer signed.
    pub manifest: Option<PathBuf>,
    /// The file, root's alone to write, of the deployer's key.
    pub key_file: Option<PathBuf>,
    /// How often it is looked.
    pub every: Seconds,
}

impl Default for IntegrityConfig {
    fn default() -> Self {
        Self { files: Vec::new(), except: Vec::new(), manifest: None, key_file: None, every: Seconds(600) }
    }
}

/// What is wrong with them.
pub(super) fn faults(config: &IntegrityConfig) -> Vec<&'static str> {
    let is_glob = |text: &String| text.starts_with('/') && Pattern::new(text).is_ok();
    let rules = [
        (config.files.iter().all(is_glob), "integrity.files: one is no absolute path, or has ** beside other signs"),
        (config.except.iter().all(is_glob), "integrity.except: one is no absolute path, or has ** beside other signs"),
        (
            config.manifest.is_some() == config.key_file.is_some(),
            "integrity.manifest: needs key_file, and key_file needs it",
        ),
        ((1..=86_400).contains(&config.every.0), "integrity.every: is not between 1s and 24h"),
    ];
    rules.iter().filter(|(holds, _)| !holds).map(|(_, fault)| *fault).collect()
}
