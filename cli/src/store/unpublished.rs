//! Files outside the home folder: whole under their names or not there, and pipes and devices, which are written into.

use super::{disk, unwritten};
use crate::failure::Failure;
use dualseal_operator::disk::{Existing, NewFile, Readers};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// A file outside the home folder, written whole and not yet there.
#[derive(Debug)]
pub(crate) struct Unpublished {
    path: PathBuf,
    way: Way,
}

/// How the bytes come to where they belong.
enum Way {
    /// They are in a file that gets its name.
    File(Box<NewFile>),
    /// They are kept until a pipe or device is given them: it cannot give them back.
    Given(Zeroizing<Vec<u8>>),
    /// They are there.
    Done,
}

impl std::fmt::Debug for Way {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(file) => f.debug_tuple("File").field(file).finish(),
            // They may be a secret.
            Self::Given(_) => f.write_str("Given"),
            Self::Done => f.write_str("Done"),
        }
    }
}

impl Unpublished {
    /// Writes the bytes to the disk, so that what can go wrong goes wrong here. A pipe or device that is there, a link
    /// followed, is written into when it is published; anything else but a file, and a link to one, is refused.
    pub(crate) fn write(path: &Path, bytes: &[u8], readers: Readers, force: bool) -> Result<Self, Failure> {
        if is_special(path, force)? {
            return Ok(Self { path: path.to_owned(), way: Way::Given(Zeroizing::new(bytes.to_vec())) });
        }
        let write = |file: &mut dyn Write| file.write_all(bytes).map_err(|error| Failure::writing(path, &error));
        Self::beside(path, readers, force, write).map(|(unpublished, ())| unpublished)
    }

    /// As [`write`](Self::write), for content that comes in parts. Gives what the writer gave as well. The writer is
    /// asked twice for a pipe or device, first for nobody: what was refused is not taken back from there.
    pub(crate) fn streamed<T>(
        path: &Path,
        readers: Readers,
        force: bool,
        mut write: impl FnMut(&mut dyn Write) -> Result<T, Failure>,
    ) -> Result<(Self, T), Failure> {
        if !is_special(path, force)? {
            return Self::beside(path, readers, force, write);
        }
        write(&mut io::sink())?;
        let mut special = Special::open(path).map_err(|error| Failure::writing(path, &error))?;
        let written = write(&mut special)?;
        Ok((Self { path: path.to_owned(), way: Way::Done }, written))
    }

    /// Whether the content of such a path is asked for twice, so that it cannot come from standard input.
    pub(crate) fn asks_twice(path: &Path, force: bool) -> Result<bool, Failure> {
        is_special(path, force)
    }

    fn beside<T>(
        path: &Path,
        readers: Readers,
        force: bool,
        write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
    ) -> Result<(Self, T), Failure> {
        let existing = if force { Existing::Replaced } else { Existing::Kept };
        let mut file = disk().new_file(path, readers, existing)?;
        let written = write(&mut file)?;
        file.force()?;
        Ok((Self { path: path.to_owned(), way: Way::File(Box::new(file)) }, written))
    }

    /// Whether it gets a name, and is nothing that is written into.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.way, Way::File(_))
    }

    /// Where it belongs.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives it its name, or a pipe or device the bytes.
    pub(crate) fn publish(self) -> Result<(), Failure> {
        let Self { path, way } = self;
        match way {
            Way::File(file) => file.publish().map_err(|error| unwritten(&path, error)),
            Way::Given(bytes) => {
                let given = Special::open(&path).and_then(|mut special| special.write_all(&bytes));
                given.map_err(|error| Failure::writing(&path, &error))
            }
            Way::Done => Ok(()),
        }
    }
}

/// Whether there is something that no file may take the place of: a pipe, a terminal, another device. Nothing of it is
/// lost by writing into it, so that it needs no force; only what is on a disk is.
fn is_special(path: &Path, force: bool) -> Result<bool, Failure> {
    // What leads nowhere is a name that is free, or a link, which is refused.
    let Ok(found) = fs::metadata(path) else { return Ok(false) };
    let refuse = |kind: io::ErrorKind| Err(Failure::writing(path, &kind.into()));
    if found.is_dir() {
        return refuse(io::ErrorKind::IsADirectory);
    }
    if found.is_file() {
        if names_a_descriptor(path) {
            let failure = Failure::writing(path, &io::ErrorKind::InvalidInput.into());
            return Err(failure.hint("name the file itself, or `-` for standard output"));
        }
        return Ok(false);
    }
    if is_disk(&found) && !force { refuse(io::ErrorKind::AlreadyExists) } else { Ok(true) }
}

/// Whether a name stands for what the shell opened. A file in its place would be in everybody's way, /dev/stdout say.
fn names_a_descriptor(path: &Path) -> bool {
    let leads = |to: PathBuf| to.starts_with("/proc/self/fd") || to.starts_with("fd");
    let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
    path.read_link().is_ok_and(leads) || parent.is_some_and(|parent| parent.starts_with("/proc"))
}

#[cfg(unix)]
fn is_disk(found: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_block_device(&found.file_type())
}

#[cfg(not(unix))]
fn is_disk(_: &Metadata) -> bool {
    false
}

/// A pipe or device that is written into.
struct Special(File);

impl Special {
    fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().write(true).open(path)?;
        // Somebody else's file may lie there by now, which is not to be overwritten.
        if file.metadata()?.is_file() { Err(io::ErrorKind::AlreadyExists.into()) } else { Ok(Self(file)) }
    }
}

impl Write for Special {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            // A reader that went away is no failure.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
