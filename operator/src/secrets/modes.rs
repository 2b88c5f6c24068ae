//! Files and folders that others may read or write. Nothing is refused here: whoever asks tells people.

use std::path::Path;

/// The mode of a secret file that others than its owner may read or change; `None` for one that is its owner's alone,
/// and where modes say nothing: of pipes and descriptors, and on systems without them.
#[must_use]
pub fn others_may_read(path: &Path) -> Option<u32> {
    mode(path, 0o077).filter(|_| path.is_file())
}

/// The mode of a folder that others than its owner may write to: they put files of theirs in the place of those in it.
#[must_use]
pub fn others_may_write(folder: &Path) -> Option<u32> {
    mode(folder, 0o022)
}

/// The mode, where it lets others do what they should not.
#[cfg(unix)]
fn mode(path: &Path, others: u32) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(path).ok()?.permissions().mode() & 0o777;
    (mode & others != 0).then_some(mode)
}

/// There are no modes here that would say something.
#[cfg(not(unix))]
fn mode(_: &Path, _: u32) -> Option<u32> {
    None
}
