//! What is done to a disk, and why it was not done.

use crate::paths::Show;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// One thing that is done to a disk. [`Disk::stopping_at`](super::Disk::stopping_at) and
/// [`Disk::failing_at`](super::Disk::failing_at) count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// To see what has a name, a link not followed.
    Look,
    /// To open a file that is read.
    Open,
    /// To read from it.
    Read,
    /// To open a folder that is forced later.
    OpenFolder,
    /// To make a file, or to open one that is appended to.
    Create,
    /// To write to it.
    Write,
    /// To cut it off.
    Truncate,
    /// To force its content to the disk.
    Force,
    /// To give a nameless file a name.
    Link,
    /// To give a file or folder another name.
    Rename,
    /// To make a folder.
    MakeFolder,
    /// To force the names in a folder to the disk.
    ForceFolder,
    /// To remove a file.
    Remove,
    /// To remove a folder and what is in it.
    RemoveFolder,
    /// To lock a folder.
    Lock,
}

impl Operation {
    fn verb(self) -> &'static str {
        match self {
            Self::Look | Self::Open | Self::Read => "read",
            Self::Remove | Self::RemoveFolder => "remove",
            Self::Lock => "lock",
            _ => "write",
        }
    }
}

/// What was not done, to what, and why.
#[derive(Debug)]
pub struct Error {
    operation: Operation,
    path: PathBuf,
    error: io::Error,
}

impl Error {
    /// What a reader of [`Disk::open`](super::Disk::open) says where it cannot read.
    #[must_use]
    pub fn reading(path: &Path, error: io::Error) -> Self {
        Self::new(Operation::Read, path, error)
    }

    /// What a writer of [`Disk::replace`](super::Disk::replace) and its like says where it cannot write.
    #[must_use]
    pub fn writing(path: &Path, error: io::Error) -> Self {
        Self::new(Operation::Write, path, error)
    }

    pub(super) fn new(operation: Operation, path: &Path, error: io::Error) -> Self {
        Self { operation, path: path.to_owned(), error }
    }

    pub(super) fn refusing(operation: Operation, path: &Path, refused: Refused) -> Self {
        Self::new(operation, path, io::Error::new(refused.kind(), refused))
    }

    /// The same of the file that was asked for, where it happened to one that nobody knows of.
    pub(super) fn about(mut self, path: &Path) -> Self {
        path.clone_into(&mut self.path);
        self
    }

    /// What was to be done.
    #[must_use]
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// The file or folder that the caller named, or the one within a locked folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the system says; a refusal of this module's own is inside it.
    #[must_use]
    pub fn io(&self) -> &io::Error {
        &self.error
    }

    /// The same without the path, for what knows it.
    #[must_use]
    pub fn into_io(self) -> io::Error {
        self.error
    }

    /// Why, where it is this module that refuses.
    #[must_use]
    pub fn refused(&self) -> Option<Refused> {
        self.error.get_ref().and_then(|inner| inner.downcast_ref()).copied()
    }

    /// What to do next, for a person.
    #[must_use]
    pub fn next(&self) -> &'static str {
        if let Some(refused) = self.refused() {
            return refused.next();
        }
        match self.error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                "free some space and try again; what was there before is unchanged"
            }
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                "name a place that you may write to; nothing was changed"
            }
            ErrorKind::NotFound => "check the path: a folder of it is missing",
            _ => "check the disk and try again; what was there before is unchanged",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} {}: {}", self.operation.verb(), self.path.shown(), self.error)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// Why this module does not do what the system would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refused {
    /// What has the name is a device, a pipe, a socket, a folder or a link. A renamed file would take its place:
    /// whoever writes to the null device as root would have replaced it for the whole machine.
    NotAFile,
    /// A file that is written in its place has another name too: what that is of would be written with it.
    Linked,
    /// Where a folder must be is something else, or a link to one.
    NotAFolder,
    /// There is something of that name.
    Exists,
    /// A path that ends in no name.
    NoName,
    /// A name that does not lead down from the folder, or one that the journal and the lock have.
    Outside,
    /// Another process has the folder.
    Busy,
    /// The folder is locked for reading only.
    ReadOnly,
    /// The last change of this lock has not ended yet.
    Changing,
    /// A part of it could not be written: without that part it is not to be seen.
    Broken,
    /// Two parts of a change are in each other's way: a file that is replaced and appended to, or one that is a folder
    /// of another's name.
    Twice,
    /// A change names so many files that its journal would not be read again.
    Many,
    /// A file that is appended to has another length than it must have: somebody else wrote to it, or cut it off.
    Length,
    /// The journal is not as this module writes it.
    Journal,
    /// A file that the journal names is gone.
    Gone,
    /// A file is longer than this program writes it.
    Long,
}

impl Refused {
    fn kind(self) -> ErrorKind {
        match self {
            Self::Exists => ErrorKind::AlreadyExists,
            Self::NotAFile | Self::Linked | Self::NoName | Self::Outside | Self::Twice | Self::Many => {
                ErrorKind::InvalidInput
            }
            Self::NotAFolder => ErrorKind::NotADirectory,
            Self::Busy | Self::Changing => ErrorKind::ResourceBusy,
            Self::ReadOnly => ErrorKind::PermissionDenied,
            Self::Broken | Self::Length | Self::Journal | Self::Gone | Self::Long => ErrorKind::InvalidData,
        }
    }

    fn next(self) -> &'static str {
        match self {
            Self::NotAFile => "name a regular file, or move away what is there",
            Self::Linked => "put a copy of the file in its place, or remove its other name",
            Self::NotAFolder => "name a folder itself, or move away what is there",
            Self::Exists => "name another one, or have it replaced",
            Self::NoName => "name a file or folder, not a root and not `..`",
            Self::Outside => "give a name that leads down from the folder, such as `keys/ana.pem`",
            Self::Busy => "wait until the other process is done, or wait longer for it",
            Self::ReadOnly => "lock the folder for writing",
            Self::Changing => "end the change before it, or drop it",
            Self::Twice => "replace the file or append to it, and give each its own name; nothing was changed",
            Self::Many => "change fewer files at once; nothing was changed",
            Self::Broken => "begin again; nothing was changed",
            Self::Length => "see who else writes there, and restore the folder from a copy that is as new as this one",
            Self::Journal | Self::Gone | Self::Long => {
                "keep the folder as it is, and restore a copy that is as new as this one"
            }
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotAFile => "what is there is not a regular file, and is not replaced",
            Self::Linked => "it has another name too (a hard link), and is not written in its place",
            Self::NotAFolder => "what is there is not a folder, or only a link to one",
            Self::Exists => "there is something of that name already",
            Self::NoName => "the path ends in no name",
            Self::Outside => "the name does not lead down from its folder, or is not free for this",
            Self::Busy => "another process is writing to it",
            Self::ReadOnly => "it is locked for reading only",
            Self::Changing => "a change of it has not ended",
            Self::Twice => "another part of the same change is in its way",
            Self::Many => "its journal would be longer than one is read",
            Self::Broken => "a part of it could not be written",
            Self::Length => "it was cut off or appended to by somebody else",
            Self::Journal => "its journal is not as this program writes it",
            Self::Long => "it is longer than this program writes it",
            Self::Gone => "its journal names a file that is gone",
        })
    }
}

impl std::error::Error for Refused {}

/// What went wrong with a file or folder that is there whole or not at all.
#[derive(Debug)]
pub enum FileError<T, E = Error> {
    /// What was there is there.
    Failed(E),
    /// The new one has its name, whole, and only forcing the folder to the disk failed: when the power goes, the name
    /// may be that of what was there before. What was made is kept like every other result, for the file may last.
    NotForced {
        /// What would have been returned.
        made: Box<T>,
        /// Why the folder was not forced to the disk.
        error: io::Error,
    },
}

impl<T, E> FileError<T, E> {
    /// The same with another result and another error.
    pub(super) fn map<U, F>(self, made: impl FnOnce(T) -> U, failed: impl FnOnce(E) -> F) -> FileError<U, F> {
        match self {
            Self::Failed(error) => FileError::Failed(failed(error)),
            Self::NotForced { made: old, error } => FileError::NotForced { made: Box::new(made(*old)), error },
        }
    }
}

impl<T, E> From<E> for FileError<T, E> {
    fn from(error: E) -> Self {
        Self::Failed(error)
    }
}

impl<T, E: fmt::Display> fmt::Display for FileError<T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(error) => error.fmt(f),
            Self::NotForced { error, .. } => {
                write!(f, "the file is written, but its folder not forced to the disk: {error}")
            }
        }
    }
}

impl<T: fmt::Debug, E: std::error::Error + 'static> std::error::Error for FileError<T, E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Failed(error) => Some(error),
            Self::NotForced { error, .. } => Some(error),
        }
    }
}
