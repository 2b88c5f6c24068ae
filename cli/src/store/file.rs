//! A new file, by who may read it.

use crate::failure::Failure;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Who may read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readers {
    /// As the user's own settings say.
    All,
    /// The owner alone (mode 0600 where modes exist).
    Owner,
}

/// A file for what comes slowly, before the lock on a folder is taken. Nobody finds it by a name, and no crash leaves
/// it.
pub(crate) fn spool(folder: &Path) -> Result<File, Failure> {
    let drawn = dualseal::secret::Secret::<8>::random(&mut dualseal::SystemRng)?;
    let path = folder.join(format!(".{}.spool", dualseal::encoding::hex::encode(drawn.expose())));
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let opened = options.open(&path).and_then(|file| fs::remove_file(&path).map(|()| file));
    opened.map_err(|error| Failure::writing(folder, &error))
}

/// A file that was not there.
pub(super) fn create(path: &Path, readers: Readers) -> io::Result<File> {
    let mut options = OpenOptions::new();
    // Exclusive, so that no link is followed and no file of somebody else's, with other readers, is filled.
    options.write(true).create_new(true);
    #[cfg(unix)]
    if readers == Readers::Owner {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = readers;
    options.open(path)
}

/// A rename is on the disk when its folder is.
pub(super) fn force_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
