//! What the standard library has no words for: files without a name, renaming that replaces nothing, opening that waits
//! for nobody. However a program ends, nothing of a file without a name is left.

use super::readers::Readers;
use std::fs::{File, Metadata, OpenOptions};
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
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
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

/// How many names a file has.
#[cfg(unix)]
pub(super) fn names(found: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(found)
}

#[cfg(not(unix))]
pub(super) fn names(_: &Metadata) -> u64 {
    1
}

/// Whether two were opened of one file.
#[cfg(unix)]
pub(super) fn is_same(one: &File, other: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let of = |file: &File| file.metadata().map(|found| (found.dev(), found.ino())).ok();
    of(one).is_some_and(|one| of(other) == Some(one))
}

#[cfg(not(unix))]
pub(super) fn is_same(_: &File, _: &File) -> bool {
    false
}

/// Renames to a name that nothing has: a plain rename would replace what somebody put there meanwhile, an empty folder
/// too.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
pub(super) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => rename_where_free(from, to),
        renamed => Ok(renamed?),
    }
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
pub(super) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    rename_where_free(from, to)
}

/// What a file system can do that knows no more.
fn rename_where_free(from: &Path, to: &Path) -> io::Result<()> {
    if to.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    std::fs::rename(from, to)
}

/// No link is followed, and no pipe or device waited for.
#[cfg(unix)]
pub(super) fn no_follow(options: &mut OpenOptions) {
    use rustix::fs::OFlags;
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags);
}

#[cfg(not(unix))]
pub(super) fn no_follow(_: &mut OpenOptions) {}
