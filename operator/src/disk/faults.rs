//! A disk that fails, or stops with what was not forced to it, at one of its operations.

use super::error::Operation;
use super::nameless;
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// What a disk has lost when it stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Nothing that was done; of what was being written, a half is there. So it is when a process is killed.
    Nothing,
    /// The content of files that was not forced. Their names are there.
    Contents,
    /// That, and every name that was made, changed or removed in a folder that was not forced since.
    Everything,
}

/// Counts operations until one of them fails, and knows what is not on the disk yet.
#[derive(Debug)]
pub(super) struct Faults {
    at: u64,
    /// Another one that fails before.
    first: Option<u64>,
    /// `None`: only that one operation fails.
    lost: Option<Lost>,
    off: bool,
    history: Vec<(Operation, PathBuf)>,
    contents: Vec<Content>,
    names: Vec<Unforced>,
    files: u64,
}

/// What a file had when it was opened to be written.
#[derive(Debug)]
struct Content {
    id: u64,
    file: File,
    before: Zeroizing<Vec<u8>>,
}

/// A name that the power takes back.
#[derive(Debug)]
struct Unforced {
    folder: PathBuf,
    change: Renaming,
}

#[derive(Debug)]
enum Renaming {
    Made(PathBuf),
    Renamed { from: PathBuf, to: PathBuf, replaced: Option<Zeroizing<Vec<u8>>> },
    Removed(PathBuf, Kept),
}

/// What was removed.
#[derive(Debug)]
enum Kept {
    File(Zeroizing<Vec<u8>>),
    Folder(Vec<(PathBuf, Kept)>),
}

/// Why an operation is not done.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    Failed,
    /// Now; whoever writes does half of it first, and calls [`Faults::stop`].
    Stopping,
    Stopped,
}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> Self {
        Self::other(match fault {
            Fault::Failed => "the disk failed",
            Fault::Stopping | Fault::Stopped => "the power went",
        })
    }
}

impl Faults {
    pub(super) fn new(at: u64, lost: Option<Lost>) -> Self {
        let (history, contents, names) = (Vec::new(), Vec::new(), Vec::new());
        Self { at, first: None, lost, off: false, history, contents, names, files: 0 }
    }

    pub(super) fn fail_first(&mut self, at: u64) {
        self.first = Some(at);
    }

    pub(super) fn history(&self) -> &[(Operation, PathBuf)] {
        &self.history
    }

    /// Whether an operation is done.
    pub(super) fn begin(&mut self, operation: Operation, path: &Path) -> Result<(), Fault> {
        if self.off {
            return Err(Fault::Stopped);
        }
        let now = self.history.len() as u64;
        self.history.push((operation, path.to_owned()));
        if self.first == Some(now) {
            return Err(Fault::Failed);
        }
        match self.lost {
            _ if now != self.at => Ok(()),
            None => Err(Fault::Failed),
            Some(_) => Err(Fault::Stopping),
        }
    }

    /// The power goes.
    pub(super) fn stop(&mut self) {
        self.off = true;
        if self.lost != Some(Lost::Nothing) {
            for Content { mut file, before, .. } in self.contents.drain(..).rev() {
                let _ = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(&before));
            }
        }
        if self.lost == Some(Lost::Everything) {
            self.names.drain(..).rev().for_each(Unforced::undo);
        }
    }

    /// A file is open to be written, and had such content.
    pub(super) fn opened(&mut self, file: &File, before: Vec<u8>) -> u64 {
        self.files += 1;
        if let Ok(file) = file.try_clone() {
            self.contents.push(Content { id: self.files, file, before: Zeroizing::new(before) });
        }
        self.files
    }

    pub(super) fn forced(&mut self, id: u64) {
        let Some(at) = self.contents.iter().position(|content| content.id == id) else { return };
        let forced = self.contents.remove(at).file;
        // However often it was opened.
        self.contents.retain(|content| !nameless::is_same(&content.file, &forced));
    }

    pub(super) fn made(&mut self, path: &Path) {
        self.names.push(Unforced { folder: folder_of(path).to_owned(), change: Renaming::Made(path.to_owned()) });
    }

    /// Is told before it happens, and asked to forget it where it does not.
    pub(super) fn renaming(&mut self, from: &Path, to: &Path) {
        let replaced = fs::read(to).ok().map(Zeroizing::new);
        let change = Renaming::Renamed { from: from.to_owned(), to: to.to_owned(), replaced };
        self.names.push(Unforced { folder: folder_of(to).to_owned(), change });
    }

    /// As [`renaming`](Self::renaming). Says whether there is anything to be forgotten.
    pub(super) fn removing(&mut self, path: &Path) -> bool {
        let Ok(kept) = Kept::read(path) else { return false };
        let change = Renaming::Removed(path.to_owned(), kept);
        self.names.push(Unforced { folder: folder_of(path).to_owned(), change });
        true
    }

    /// The last name was not changed after all.
    pub(super) fn forget(&mut self) {
        self.names.pop();
    }

    pub(super) fn forced_folder(&mut self, folder: &Path) {
        let (last, rest): (Vec<_>, Vec<_>) = self.names.drain(..).partition(|name| name.folder == folder);
        self.names = rest;
        for name in last {
            if let Renaming::Renamed { from, to, .. } = name.change {
                // What was made in a folder before it was renamed is lost from under its new name.
                self.names.iter_mut().for_each(|name| name.within(&from, &to));
            }
        }
    }
}

impl Unforced {
    fn undo(self) {
        match self.change {
            Renaming::Made(path) => {
                let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
            }
            Renaming::Renamed { from, to, replaced } => {
                // Where it came from may be gone for good.
                if fs::rename(&to, from).is_err() {
                    let _ = fs::remove_file(&to);
                }
                if let Some(replaced) = replaced {
                    let _ = fs::write(to, replaced);
                }
            }
            Renaming::Removed(path, kept) => kept.write(&path),
        }
    }

    fn within(&mut self, from: &Path, to: &Path) {
        let moved = |path: &mut PathBuf| {
            if let Ok(inside) = path.strip_prefix(from) {
                *path = if inside.as_os_str().is_empty() { to.to_owned() } else { to.join(inside) };
            }
        };
        if self.folder.starts_with(from) {
            moved(&mut self.folder);
            match &mut self.change {
                Renaming::Made(path) | Renaming::Removed(path, _) => moved(path),
                Renaming::Renamed { from, to, .. } => {
                    moved(from);
                    moved(to);
                }
            }
        }
    }
}

impl Kept {
    fn read(path: &Path) -> io::Result<Self> {
        if !path.symlink_metadata()?.is_dir() {
            return fs::read(path).map(|bytes| Self::File(Zeroizing::new(bytes)));
        }
        let paths = fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path()));
        let kept = paths.map(|path| path.and_then(|path| Self::read(&path).map(|kept| (path, kept))));
        kept.collect::<io::Result<_>>().map(Self::Folder)
    }

    fn write(&self, path: &Path) {
        match self {
            Self::File(bytes) => drop(fs::write(path, bytes)),
            Self::Folder(all) => {
                let _ = fs::create_dir(path);
                for (path, kept) in all {
                    kept.write(path);
                }
            }
        }
    }
}

/// The folder that a path names something in.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
