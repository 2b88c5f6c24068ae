//! Files outside the home folder: whole under their names or not there, and pipes and devices, which are written into.

use super::file::{Readers, create, force_folder};
use super::nameless;
use super::unfinished::Unfinished;
use crate::failure::Failure;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// A file outside the home folder, written whole beside its name and not yet there.
#[derive(Debug)]
pub(crate) struct Unpublished {
    path: PathBuf,
    force: bool,
    way: Way,
}

/// How the bytes come to where they belong.
enum Way {
    /// They are in a file that has no name, and gets one.
    Named(File),
    /// They are in a file beside its name, and get the name.
    Renamed(Unfinished),
    /// They are kept until a pipe or device is given them: it cannot give them back.
    Given(Zeroizing<Vec<u8>>),
    /// They are there.
    Done,
}

impl std::fmt::Debug for Way {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Named(file) => f.debug_tuple("Named").field(file).finish(),
            Self::Renamed(temporary) => f.debug_tuple("Renamed").field(temporary).finish(),
            // They may be a secret.
            Self::Given(_) => f.write_str("Given"),
            Self::Done => f.write_str("Done"),
        }
    }
}

impl Unpublished {
    /// Writes the bytes under a temporary name in the same folder, so that what can go wrong goes wrong here. What is
    /// there and is no regular file, a link followed, is written into when it is published.
    pub(crate) fn write(path: &Path, bytes: &[u8], readers: Readers, force: bool) -> Result<Self, Failure> {
        if is_special(path, force)? {
            let way = Way::Given(Zeroizing::new(bytes.to_vec()));
            return Ok(Self { path: path.to_owned(), force, way });
        }
        let write = |file: &mut File| file.write_all(bytes).map_err(|error| Failure::writing(path, &error));
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
            return Self::beside(path, readers, force, |file| write(file));
        }
        write(&mut io::sink())?;
        let mut special = Special::open(path).map_err(|error| Failure::writing(path, &error))?;
        let written = write(&mut special)?;
        Ok((Self { path: path.to_owned(), force, way: Way::Done }, written))
    }

    /// Whether the content of such a path is asked for twice, so that it cannot come from standard input.
    pub(crate) fn asks_twice(path: &Path, force: bool) -> Result<bool, Failure> {
        is_special(path, force)
    }

    fn beside<T>(
        path: &Path,
        readers: Readers,
        force: bool,
        write: impl FnOnce(&mut File) -> Result<T, Failure>,
    ) -> Result<(Self, T), Failure> {
        if !force && path.symlink_metadata().is_ok() {
            return Err(Failure::writing(path, &io::ErrorKind::AlreadyExists.into()));
        }
        let failed = |error: io::Error| Failure::writing(path, &error);
        let (mut file, way) = if let Some(file) = nameless::create(folder_of(path), readers) {
            (file.try_clone().map_err(failed)?, Way::Named(file))
        } else {
            let temporary = Unfinished::begin(&drawn(path)?);
            let file = create(temporary.path(), readers).map_err(failed)?;
            (file, Way::Renamed(temporary))
        };
        let unpublished = Self { path: path.to_owned(), force, way };
        let written = write(&mut file)?;
        file.sync_all().map_err(failed)?;
        Ok((unpublished, written))
    }

    /// Gives it its name, or a pipe or device the bytes.
    pub(crate) fn publish(mut self) -> Result<(), Failure> {
        let published = match &self.way {
            Way::Named(file) => linked(file, &self.path, self.force)?,
            Way::Renamed(temporary) => temporary.finish(|| named(temporary.path(), &self.path, self.force)),
            Way::Given(bytes) => Special::open(&self.path).and_then(|mut special| special.write_all(bytes)),
            Way::Done => Ok(()),
        };
        published.map_err(|error| Failure::writing(&self.path, &error))?;
        self.way = Way::Done;
        Ok(())
    }
}

impl Drop for Unpublished {
    fn drop(&mut self) {
        if let Way::Renamed(temporary) = &self.way {
            let _ = fs::remove_file(temporary.path());
        }
    }
}

/// How the names of what is not finished end; they begin with a point.
pub(crate) const UNFINISHED: &str = ".unfinished";

/// A name beside a path that nobody foresees: in a folder that others write to, a link or a file of theirs would wait
/// there.
pub(super) fn drawn(path: &Path) -> Result<PathBuf, Failure> {
    let drawn = dualseal::secret::Secret::<8>::random(&mut dualseal::SystemRng)?;
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}{UNFINISHED}", dualseal::encoding::hex::encode(drawn.expose())));
    Ok(path.with_file_name(name))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."))
}

fn linked(file: &File, path: &Path, force: bool) -> Result<io::Result<()>, Failure> {
    Ok(match nameless::link(file, path) {
        Ok(()) => force_folder(folder_of(path)),
        // Only a rename replaces.
        Err(error) if force && error.kind() == io::ErrorKind::AlreadyExists => {
            let temporary = Unfinished::begin(&drawn(path)?);
            temporary.finish(|| {
                nameless::link(file, temporary.path())?;
                let renamed = fs::rename(temporary.path(), path);
                if renamed.is_err() {
                    let _ = fs::remove_file(temporary.path());
                }
                renamed.and_then(|()| force_folder(folder_of(path)))
            })
        }
        Err(error) => Err(error),
    })
}

fn named(temporary: &Path, path: &Path, force: bool) -> io::Result<()> {
    // A link fails where somebody else wrote a file of that name meanwhile; a rename would replace it.
    if force || fs::hard_link(temporary, path).is_err() {
        if !force && path.symlink_metadata().is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        fs::rename(temporary, path)?;
    } else {
        fs::remove_file(temporary)?;
    }
    force_folder(folder_of(path))
}

/// Whether there is something that no file may take the place of: a pipe, a terminal, another device. Nothing of it is
/// lost by writing into it, so that it needs no force; only what is on a disk is.
fn is_special(path: &Path, force: bool) -> Result<bool, Failure> {
    // What leads nowhere is a name that is free, or a link to be replaced.
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
