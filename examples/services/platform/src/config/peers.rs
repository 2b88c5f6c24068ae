//! Other services, whose peers are pulled.

use super::Seconds;
use crate::near::is_private;
use serde::Deserialize;
use std::path::PathBuf;
use url::Url;

/// Other services, whose peers are pulled.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PeersConfig {
    /// Their addresses.
    pub from: Vec<Url>,
    /// The folder of the logins that they are asked with, each in a file of its host's name: of noble tier, with the
    /// scope `ops`.
    pub logins: Option<PathBuf>,
    /// How often they are asked.
    pub every: Seconds,
}

impl Default for PeersConfig {
    fn default() -> Self {
        Self { from: Vec::new(), logins: None, every: Seconds(600) }
    }
}

/// What is wrong with them.
pub(super) fn faults(config: &PeersConfig) -> Vec<&'static str> {
    let rules = [
        (config.from.iter().all(is_private), "peers.from: one is not https"),
        (config.from.is_empty() || config.logins.is_some(), "peers.from: needs logins"),
        ((1..=86_400).contains(&config.every.0), "peers.every: is not between 1s and 24h"),
    ];
    rules.iter().filter(|(holds, _)| !holds).map(|(_, fault)| *fault).collect()
}
