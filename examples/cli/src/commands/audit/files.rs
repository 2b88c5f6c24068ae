//! The files of a folder. Nothing outside it is read: links are listed, and never followed.

use crate::failure::Failure;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// One name in the folder.
#[derive(Debug)]
pub(super) struct Found {
    /// Where it is.
    pub(super) path: PathBuf,
    /// The same from the folder on, for people.
    pub(super) shown: PathBuf,
    pub(super) sort: Sort,
}

/// What has that name.
#[derive(Debug)]
pub(super) enum Sort {
    /// A file of so many bytes.
    File(u64),
    /// A link, to wherever.
    Link,
    /// A socket, a pipe or a device: to open one could block, or do something.
    Special,
    /// It cannot even be looked at.
    Unreadable(io::Error),
}

impl Found {
    /// Opens it, if it is still the file that was found: one that was put in its place may be a link.
    pub(super) fn open(&self) -> io::Result<File> {
        let before = fs::symlink_metadata(&self.path)?;
        if !before.is_file() {
            return Err(io::Error::other("it is no longer a file"));
        }
        let file = File::open(&self.path)?;
        if same(&before, &file.metadata()?) { Ok(file) } else { Err(io::Error::other("it was changed meanwhile")) }
    }

    /// Hands it to `each` in parts.
    pub(super) fn read(&self, mut each: impl FnMut(&[u8])) -> io::Result<()> {
        let mut file = self.open()?;
        let mut buffer = vec![0; 256 << 10];
        loop {
            match file.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(count) => each(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Its first bytes, at most so many.
    pub(super) fn beginning(&self, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open()?.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// Everything below a folder, by path.
pub(super) fn walk(folder: &Path) -> Result<Vec<Found>, Failure> {
    let mut found = Vec::new();
    // The folder itself may be named by a link; what is in it may not.
    let mut pending = vec![PathBuf::new()];
    while let Some(below) = pending.pop() {
        let path = folder.join(&below);
        let entries = match fs::read_dir(&path) {
            Err(error) if below == Path::new("") => {
                let hint = match error.kind() {
                    io::ErrorKind::NotADirectory => "give a folder; a single record is for `dualseal verify`",
                    _ => "check the path, and whether you may read it",
                };
                return Err(Failure::reading(folder, &error).hint(hint));
            }
            Err(error) => {
                found.push(Found { path, shown: below, sort: Sort::Unreadable(error) });
                continue;
            }
            Ok(entries) => entries,
        };
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    found.push(Found { path: path.clone(), shown: below.clone(), sort: Sort::Unreadable(error) });
                    break;
                }
            };
            let (path, shown) = (entry.path(), below.join(entry.file_name()));
            match fs::symlink_metadata(&path) {
                Ok(metadata) if metadata.is_dir() => pending.push(shown),
                Ok(metadata) => found.push(Found { path, shown, sort: sort(&metadata) }),
                Err(error) => found.push(Found { path, shown, sort: Sort::Unreadable(error) }),
            }
        }
    }
    found.sort_by(|one, other| one.shown.cmp(&other.shown));
    Ok(found)
}

fn sort(metadata: &Metadata) -> Sort {
    if metadata.is_symlink() {
        Sort::Link
    } else if metadata.is_file() {
        Sort::File(metadata.len())
    } else {
        Sort::Special
    }
}

#[cfg(unix)]
fn same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    one.dev() == other.dev() && one.ino() == other.ino()
}

#[cfg(not(unix))]
fn same(_: &Metadata, other: &Metadata) -> bool {
    other.is_file()
}
