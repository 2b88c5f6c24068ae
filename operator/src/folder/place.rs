//! Where a folder is, and whose log is in it.

use dualseal::Domain;
use std::path::PathBuf;
use std::time::Duration;

/// Where a folder is, and what it is.
#[derive(Clone, Debug)]
pub struct Place {
    /// The folder.
    pub path: PathBuf,
    /// The file of the signer's high-water mark: outside of the folder, and of its backups.
    pub mark: PathBuf,
    /// The domain of the log.
    pub domain: Domain,
    /// The name of the log.
    pub origin: String,
    /// How long to wait for other processes.
    pub wait: Duration,
}
