//! The monitor of the service, which runs beside it.

use super::Seconds;
use crate::near::is_private;
use serde::Deserialize;
use std::path::PathBuf;
use url::Url;

/// The monitor of the service, which runs beside it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MeshConfig {
    /// What it calls this machine; its own name without it.
    pub node: Option<String>,
    /// The chat at the relay that alerts go to.
    pub relay_to: Option<String>,
    /// The address of e-mail that they go to where the relay does not take them.
    pub mail_to: Option<String>,
    /// How often it runs: peers miss it after two runs.
    pub every: Seconds,
    /// The portal.
    pub portal: Option<Url>,
    /// Other services with a monitor, by their addresses.
    pub peers: Vec<Url>,
    /// Whose time is compared with.
    pub clock: Option<Url>,
    /// How far the clock may be off.
    pub skew: Seconds,
    /// How many days the certificate of the base address is to hold still.
    pub certificate_days: u32,
    /// The certificate (PEM) by which addresses are known that no public authority vouches for.
    pub ca_file: Option<PathBuf>,
    /// Percent of the disk that are to be free.
    pub disk_free: u8,
    /// How long a message may wait.
    pub outbox_age: Seconds,
    /// The folder of the shipped sources.
    pub sources: Option<PathBuf>,
    /// What is asked for after each run, so that somebody outside misses it.
    pub ping_url: Option<Url>,
    /// The page that alerts link to.
    pub docs_url: Url,
}

const DOCS: &str = "https://github.com/dualseal/dualseal/blob/main/docs/OPERATIONS.md";

impl Default for MeshConfig {
    fn default() -> Self {
        Self {
            node: None,
            relay_to: None,
            mail_to: None,
            every: Seconds(3600),
            portal: None,
            peers: Vec::new(),
            clock: None,
            skew: Seconds(5),
            certificate_days: 14,
            ca_file: None,
            disk_free: 10,
            outbox_age: Seconds(3600),
            sources: None,
            ping_url: None,
            docs_url: Url::parse(DOCS).unwrap_or_else(|_| unreachable!("it is an address")),
        }
    }
}

/// What is wrong with them.
pub(super) fn faults(config: &MeshConfig) -> Vec<&'static str> {
    let rules = [
        (config.peers.iter().all(is_private), "mesh.peers: one is not https"),
        (config.portal.as_ref().is_none_or(is_private), "mesh.portal: is not https"),
        (config.clock.as_ref().is_none_or(is_private), "mesh.clock: is not https"),
        (config.ping_url.as_ref().is_none_or(is_private), "mesh.ping_url: is not https"),
        ((1..=86_400).contains(&config.every.0), "mesh.every: is not between 1s and 24h"),
        ((1..=3600).contains(&config.skew.0), "mesh.skew: is not between 1s and 1h"),
        (config.disk_free <= 100, "mesh.disk_free: is more than 100 percent"),
    ];
    rules.iter().filter(|(holds, _)| !holds).map(|(_, fault)| *fault).collect()
}
