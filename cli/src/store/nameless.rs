//! Files without a name: however the program ends, nothing of them is left.

use super::file::Readers;
use std::fs::File;
use std::io;
use std::path::Path;

/// A file in this folder that nobody sees. `None` where the system or the file system has none.
#[cfg(target_os = "linux")]
pub(super) fn create(folder: &Path, readers: Readers) -> Option<File> {
    use rustix::fs::{Mode, OFlags};
    if !Path::new("/proc/self/fd").exists() {
        return None;
    }
    let mode = if readers == Readers::Owner { 0o600 } else { 0o666 };
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    rustix::fs::open(folder, flags, Mode::from_bits_truncate(mode)).ok().map(File::from)
}

/// Gives it a name that is free.
#[cfg(target_os = "linux")]
pub(super) fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    let open = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, open, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn create(_: &Path, _: Readers) -> Option<File> {
    None
}

#[cfg(not(target_os = "linux"))]
pub(super) fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
