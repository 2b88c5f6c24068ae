//! Where a folder is, and whose log is in it.

use super::error::FolderError;
use crate::disk::Error;
use dualseal::Domain;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where a folder is, and what it is.
#[derive(Clone, Debug)]
pub struct Place {
    /// The folder.
    pub path: PathBuf,
    /// The file of the signer's high-water mark: outside of the folder, and of its backups. Its lock, a file of its
    /// name and `.lock`, stays beside it.
    pub mark: PathBuf,
    /// The domain of the log.
    pub domain: Domain,
    /// The name of the log.
    pub origin: String,
    /// How long to wait for other processes.
    pub wait: Duration,
}

impl Place {
    /// A backup of the folder would bring back a mark within it, and a restored folder sign a fork.
    pub(super) fn check_mark(&self) -> Result<(), FolderError> {
        let reading = |path: &Path| {
            let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
            path.canonicalize().map_err(|error| FolderError::Disk(Error::reading(path, error)))
        };
        let parent = reading(self.mark.parent().unwrap_or(Path::new(".")))?;
        if parent.starts_with(reading(&self.path)?) { Err(FolderError::MarkWithin(self.mark.clone())) } else { Ok(()) }
    }
}
