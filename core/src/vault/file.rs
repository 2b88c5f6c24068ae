//! Sealing and unsealing from files to files: what is written is whole under its name, or not there.
#![cfg(feature = "std")]

use super::io::{IoError, unseal_to};
use super::record::Encryption;
use super::sealing::{Destination, Sealed, VaultSealer};
use super::unseal::Unsealed;
use super::verifier::OperatorRecord;
use crate::stream::KeyMaterial;
use crate::verdict::Verified;
use alloc::boxed::Box;
use core::fmt;
use rand_core::TryCryptoRng;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

impl VaultSealer<'_> {
    /// Seals a file, and writes the bytes to be stored to another one. They are written beside it, as
    /// `<name>.unfinished`, forced to the disk, and renamed: whenever the power goes, what was there is there, or all
    /// of what is new. Only the owner may read them. The folder must be one that can be read: it is opened before
    /// anything is written, to be forced to the disk at the end.
    ///
    /// # Errors
    /// [`FileError::NotForced`], with what was made, where the file has its name and only forcing the folder failed. On
    /// every other error what was there is there: as [`seal_from`](VaultSealer::seal_from), and
    /// [`ErrorKind::AlreadyExists`] where the unfinished file is there: somebody else is writing it, or a crash left
    /// it, and whoever knows that removes it. [`ErrorKind::InvalidInput`] has [`SameFile`] inside it where both files
    /// are one, and [`NotAFile`] where what is there is not a regular file.
    pub fn seal_file<R: TryCryptoRng + ?Sized>(
        &self,
        kind: &str,
        encryption: Encryption,
        destination: &Destination<'_>,
        rng: &mut R,
        from: &Path,
        to: &Path,
    ) -> Result<Sealed, FileError<Sealed>> {
        let mut document = open(from, to)?;
        replace(to, &mut |_| Ok(()), |file| self.seal_from(kind, encryption, destination, rng, &mut document, file))
    }
}

/// Unseals a file of stored bytes to another file, which gets its name after the last byte was checked. It is written
/// as by [`VaultSealer::seal_file`].
///
/// # Errors
/// As [`unseal_to`] and [`VaultSealer::seal_file`]. What was written is removed again, but on [`FileError::NotForced`]:
/// then the whole document has its name.
pub fn unseal_file(
    record: &Verified<OperatorRecord>,
    secret: Option<&dyn KeyMaterial>,
    from: &Path,
    to: &Path,
) -> Result<Unsealed, FileError<Unsealed>> {
    let mut stored = open(from, to)?;
    replace(to, &mut |_| Ok(()), |file| unseal_to(record, secret, &mut stored, file))
}

/// Opens what is read, which must not be what is replaced: a document that is sealed in place is gone for whoever loses
/// the secret before it is kept, and unsealing in place would take the ledger's stored bytes.
fn open(from: &Path, to: &Path) -> Result<File, IoError> {
    let file = File::open(from).map_err(IoError::Read)?;
    match (fs::canonicalize(from), fs::canonicalize(to)) {
        (Ok(from), Ok(to)) if from == to => Err(IoError::Write(io::Error::new(ErrorKind::InvalidInput, SameFile))),
        _ => Ok(file),
    }
}

/// What went wrong between two files.
#[derive(Debug)]
pub enum FileError<T> {
    /// Nothing was replaced.
    Failed(IoError),
    /// The new file has its name, whole, and only forcing the folder to the disk failed: when the power goes, the name
    /// may be that of what was there before. What was made is kept like every other result, for the file may last.
    NotForced {
        /// What would have been returned.
        made: Box<T>,
        /// Why the folder was not forced to the disk.
        error: io::Error,
    },
}

impl<T> From<IoError> for FileError<T> {
    fn from(error: IoError) -> Self {
        Self::Failed(error)
    }
}

impl<T> fmt::Display for FileError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(error) => error.fmt(f),
            Self::NotForced { error, .. } => {
                write!(f, "the file is written, but its folder not forced to the disk: {error}")
            }
        }
    }
}

impl<T: fmt::Debug> std::error::Error for FileError<T> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Failed(error) => Some(error),
            Self::NotForced { error, .. } => Some(error),
        }
    }
}

/// Both files are one: sealed in place, a document is gone with a secret that was not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SameFile;

impl fmt::Display for SameFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is the file that is read, and is not replaced")
    }
}

impl std::error::Error for SameFile {}

/// What has the name that was to be written is a device, a pipe, a socket, a folder or a link. A renamed file would
/// take its place: whoever writes to the null device as root would have replaced it for the whole machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAFile;

impl fmt::Display for NotAFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what is there is not a regular file, and is not replaced")
    }
}

impl std::error::Error for NotAFile {}

/// A link is refused wherever it leads: what is renamed takes the place of the link itself, and the link is then gone.
fn replaceable(to: &Path) -> io::Result<()> {
    match fs::symlink_metadata(to) {
        Ok(there) if !there.is_file() => Err(io::Error::new(ErrorKind::InvalidInput, NotAFile)),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// What is done to the disk, in the order in which it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    OpenFolder,
    Create,
    Write,
    Force,
    Rename,
    ForceFolder,
    Remove,
}

/// Is asked before each step; a test says no, as a disk without power does.
type Ask<'a> = &'a mut dyn FnMut(Step) -> io::Result<()>;

/// A file that has not its name yet. Dropped unfinished, it is removed.
struct Unfinished<'a> {
    folder: Folder,
    file: File,
    path: PathBuf,
    ask: Ask<'a>,
    named: bool,
}

fn replace<T>(
    to: &Path,
    ask: Ask<'_>,
    write: impl FnOnce(&mut dyn Write) -> Result<T, IoError>,
) -> Result<T, FileError<T>> {
    let mut file = Unfinished::create(to, ask).map_err(IoError::Write)?;
    let written = write(&mut file)?;
    file.name(to).map_err(IoError::Write)?;
    match file.force_folder() {
        Ok(()) => Ok(written),
        // What had the name is gone: without the record and the secret, what has it now would be worth nothing.
        Err(error) => Err(FileError::NotForced { made: Box::new(written), error }),
    }
}

impl<'a> Unfinished<'a> {
    fn create(to: &Path, ask: Ask<'a>) -> io::Result<Self> {
        let mut name = to.file_name().ok_or(ErrorKind::InvalidInput)?.to_os_string();
        replaceable(to)?;
        name.push(".unfinished");
        let path = to.with_file_name(name);
        let mut options = OpenOptions::new();
        // New: two writers would name each other's halves, and a link that lies there would lead the document away.
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        ask(Step::OpenFolder)?;
        let folder = Folder::of(to)?;
        ask(Step::Create)?;
        Ok(Self { folder, file: options.open(&path)?, path, ask, named: false })
    }

    /// The order matters: a name that is on the disk before the bytes would be that of a file with holes.
    fn name(&mut self, to: &Path) -> io::Result<()> {
        (self.ask)(Step::Force)?;
        self.file.sync_all()?;
        (self.ask)(Step::Rename)?;
        fs::rename(&self.path, to)?;
        self.named = true;
        Ok(())
    }

    fn force_folder(&mut self) -> io::Result<()> {
        (self.ask)(Step::ForceFolder)?;
        self.folder.force()
    }
}

impl Write for Unfinished<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (self.ask)(Step::Write)?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        if !self.named && (self.ask)(Step::Remove).is_ok() {
            // The error that led here is the one to be told.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The folder that a rename is in. It may be one that can be written to and not be read: that is known before the
/// rename, and not after it.
#[cfg(unix)]
struct Folder(File);

#[cfg(unix)]
impl Folder {
    fn of(to: &Path) -> io::Result<Self> {
        let parent = to.parent().filter(|parent| !parent.as_os_str().is_empty());
        File::open(parent.unwrap_or(Path::new("."))).map(Self)
    }

    fn force(&self) -> io::Result<()> {
        self.0.sync_all()
    }
}

/// Elsewhere folders cannot be opened, and the system orders renames itself.
#[cfg(not(unix))]
struct Folder;

#[cfg(not(unix))]
impl Folder {
    #[allow(clippy::unnecessary_wraps, reason = "it opens a folder on Unix")]
    fn of(_: &Path) -> io::Result<Self> {
        Ok(Self)
    }

    #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "it forces a folder on Unix")]
    fn force(&self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
