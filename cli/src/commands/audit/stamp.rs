//! What tells a file from another one in its place, and from itself after a change.

use std::fs::Metadata;
use std::io;

/// A file as it was found. Whoever may write to it can restore its length and its time of writing; the time of its last
/// change is the system's alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    length: u64,
    place: Place,
}

impl Stamp {
    pub(super) fn of(metadata: &Metadata) -> Self {
        Self { length: metadata.len(), place: place(metadata) }
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Refuses what is not the same file any more, or not unchanged.
    pub(super) fn still(&self, now: &Metadata) -> io::Result<()> {
        if now.is_file() && Self::of(now) == *self {
            Ok(())
        } else {
            Err(io::Error::other("it was changed meanwhile: run the audit again when nobody writes to the folder"))
        }
    }
}

/// Device, inode, and the times of writing and of the last change with their nanoseconds.
#[cfg(unix)]
type Place = [i128; 4];

#[cfg(unix)]
fn place(metadata: &Metadata) -> Place {
    use std::os::unix::fs::MetadataExt;
    let time = |seconds: i64, nanoseconds: i64| (i128::from(seconds) << 64) + i128::from(nanoseconds);
    [
        metadata.dev().into(),
        metadata.ino().into(),
        time(metadata.mtime(), metadata.mtime_nsec()),
        time(metadata.ctime(), metadata.ctime_nsec()),
    ]
}

#[cfg(not(unix))]
type Place = Option<std::time::SystemTime>;

#[cfg(not(unix))]
fn place(metadata: &Metadata) -> Place {
    metadata.modified().ok()
}
