//! A file that is there whole under its name, or not there.

use super::error::{Error, FileError, Operation, Refused};
use super::machine::{Disk, Folder, Writable};
use super::readers::Readers;
use super::unfinished::{Unfinished, is_unfinished};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What becomes of a regular file that has the name. Everything else that has it, a device, a pipe, a socket, a folder
/// or a link, is refused in both cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and the new one is refused.
    Kept,
    /// The new one takes its place.
    Replaced,
}

impl Disk {
    /// Writes a file in the place of one that exists, or where there is none: all of it, or what was there is there.
    ///
    /// # Errors
    /// [`FileError::NotForced`], with what `write` made, where the file has its name and only forcing the folder
    /// failed. On every other error what was there is there: [`Refused::NotAFile`] where it is no regular file, and
    /// what `write` says.
    pub fn replace<T, E: From<Error>>(
        &self,
        path: &Path,
        readers: Readers,
        write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
    ) -> Result<T, FileError<T, E>> {
        self.write(path, readers, Existing::Replaced, write)
    }

    /// As [`replace`](Self::replace), where nothing has the name.
    ///
    /// # Errors
    /// As [`replace`](Self::replace), and [`Refused::Exists`] where a file has the name.
    pub fn create_whole<T, E: From<Error>>(
        &self,
        path: &Path,
        readers: Readers,
        write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
    ) -> Result<T, FileError<T, E>> {
        self.write(path, readers, Existing::Kept, write)
    }

    fn write<T, E: From<Error>>(
        &self,
        path: &Path,
        readers: Readers,
        existing: Existing,
        write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
    ) -> Result<T, FileError<T, E>> {
        let mut file = self.new_file(path, readers, existing).map_err(E::from)?;
        let made = write(&mut file)?;
        match file.publish() {
            Ok(()) => Ok(made),
            Err(error) => Err(error.map(|()| made, E::from)),
        }
    }

    /// Begins a file that gets its name later, by [`NewFile::publish`]. Its folder must be one that can be read: it is
    /// opened before anything is written, to be forced to the disk at the end.
    ///
    /// # Errors
    /// What the system says, and [`Refused`] where the path names nothing, or something that is not replaced.
    pub fn new_file(&self, path: &Path, readers: Readers, existing: Existing) -> Result<NewFile, Error> {
        if path.file_name().is_none() {
            return Err(Error::refusing(Operation::Create, path, Refused::NoName));
        }
        self.free_for(path, existing)?;
        let folder = Folder::of(self, path)?;
        let about = |error: Error| error.about(path);
        let (file, way) = if let Some(file) = self.create_nameless(folder.path(), readers).map_err(about)? {
            (file, Way::Nameless)
        } else {
            let temporary = beside(path)?;
            (self.create(temporary.path(), readers).map_err(about)?, Way::Beside(temporary))
        };
        Ok(NewFile { path: path.to_owned(), existing, folder, file, way, forced: false })
    }

    fn free_for(&self, path: &Path, existing: Existing) -> Result<(), Error> {
        match self.regular(path)? {
            Some(_) if existing == Existing::Kept => Err(Error::refusing(Operation::Look, path, Refused::Exists)),
            _ => Ok(()),
        }
    }

    /// A file for what comes slowly, in a folder that it may be linked into later or never. Nobody finds it by a name,
    /// its owner alone reads it, and no crash leaves it.
    ///
    /// # Errors
    /// What the system says.
    pub fn spool(&self, folder: &Path) -> Result<Spool, Error> {
        if let Some(file) = self.create_nameless(folder, Readers::Owner)? {
            return Ok(Spool(file));
        }
        let temporary = beside(&folder.join("spool"))?;
        let file = self.create(temporary.path(), Readers::Owner)?;
        self.remove_file(temporary.path())?;
        Ok(Spool(file))
    }

    /// Removes a file for good: when this returns, no loss of power brings it back. Says whether there was one.
    ///
    /// # Errors
    /// What the system says, and [`Refused::NotAFile`]; [`FileError::NotForced`] where the power may bring it back.
    pub fn remove(&self, path: &Path) -> Result<bool, FileError<bool>> {
        let folder = Folder::of(self, path)?;
        if self.regular(path)?.is_none() {
            return Ok(false);
        }
        let removed = self.remove_file(path)?;
        match folder.force() {
            Ok(()) => Ok(removed),
            Err(error) => Err(FileError::NotForced { made: Box::new(removed), error: error.into_io() }),
        }
    }

    /// Makes a folder and those above it, where there are none.
    ///
    /// # Errors
    /// What the system says, and [`Refused::NotAFolder`].
    pub fn make_folder(&self, path: &Path, readers: Readers) -> Result<(), Error> {
        let mut missing = Vec::new();
        for path in path.ancestors().filter(|path| !path.as_os_str().is_empty()) {
            match self.look(path)? {
                None => missing.push(path),
                // What is there already may be a link to a folder: whoever names the path chose it.
                Some(_) if path.is_dir() => break,
                Some(_) => return Err(Error::refusing(Operation::MakeFolder, path, Refused::NotAFolder)),
            }
        }
        for path in missing.into_iter().rev() {
            let folder = Folder::of(self, path)?;
            match self.create_folder(path, readers) {
                // Somebody else makes it at the same time.
                Err(error) if error.io().kind() == ErrorKind::AlreadyExists && self.is_folder(path)? => {}
                made => made?,
            }
            folder.force()?;
        }
        Ok(())
    }

    /// Removes from a folder what a crash left there unfinished. Whoever calls it holds the folder alone: what another
    /// process is writing looks the same.
    ///
    /// # Errors
    /// What the system says.
    pub fn clear_unfinished(&self, folder: &Path) -> Result<(), Error> {
        for path in self.names(folder)? {
            if path.file_name().is_some_and(is_unfinished) {
                match self.look(&path)? {
                    Some(found) if found.is_dir() => self.remove_folder(&path)?,
                    Some(_) => self.remove_file(&path)?,
                    None => false,
                };
            }
        }
        Ok(())
    }
}

/// A name beside a path, drawn.
pub(super) fn beside(path: &Path) -> Result<Unfinished, Error> {
    Unfinished::beside(path).map_err(|error| Error::new(Operation::Create, path, error))
}

/// A file that has not its name yet. Dropped without [`publish`](Self::publish), it is gone.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    existing: Existing,
    folder: Folder,
    file: Writable,
    way: Way,
    /// Whether all that was written is on the disk.
    forced: bool,
}

/// How it gets its name.
#[derive(Debug)]
enum Way {
    /// It has none, and is linked.
    Nameless,
    /// It has a drawn one beside it, and is renamed.
    Beside(Unfinished),
    /// It has it.
    Named,
}

impl NewFile {
    /// Forces what was written to the disk, so that what can go wrong with it goes wrong here.
    /// [`publish`](Self::publish) does it otherwise.
    ///
    /// # Errors
    /// What the system says.
    pub fn force(&mut self) -> Result<(), Error> {
        if !self.forced {
            self.file.force().map_err(|error| error.about(&self.path))?;
            self.forced = true;
        }
        Ok(())
    }

    /// Gives it its name. The order matters: a name that is on the disk before the bytes would be that of a file with
    /// holes.
    ///
    /// # Errors
    /// As [`Disk::replace`].
    pub fn publish(mut self) -> Result<(), FileError<()>> {
        self.force()?;
        let disk = self.file.disk().clone();
        disk.free_for(&self.path, self.existing)?;
        let named = match &self.way {
            Way::Nameless => self.link(&disk),
            Way::Beside(temporary) => temporary.finish(|| match self.existing {
                Existing::Kept => disk.rename_new(temporary.path(), &self.path),
                Existing::Replaced => disk.rename(temporary.path(), &self.path),
            }),
            Way::Named => Ok(()),
        };
        named.map_err(|error| taken(error, &self.path))?;
        self.way = Way::Named;
        match self.folder.force() {
            Ok(()) => Ok(()),
            Err(error) => Err(FileError::NotForced { made: Box::new(()), error: error.into_io() }),
        }
    }

    fn link(&self, disk: &Disk) -> Result<(), Error> {
        match disk.link(&self.file, &self.path) {
            // Only a rename replaces.
            Err(error) if self.existing == Existing::Replaced && error.io().kind() == ErrorKind::AlreadyExists => {
                let temporary = beside(&self.path)?;
                temporary.finish(|| {
                    disk.link(&self.file, temporary.path())?;
                    disk.rename(temporary.path(), &self.path).inspect_err(|_| {
                        // The error that led here is the one to be told.
                        let _ = disk.remove_file(temporary.path());
                    })
                })
            }
            linked => linked,
        }
    }
}

/// Somebody else took the name meanwhile.
pub(super) fn taken(error: Error, path: &Path) -> Error {
    match error.io().kind() {
        ErrorKind::AlreadyExists => Error::refusing(error.operation(), path, Refused::Exists),
        _ => error.about(path),
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.forced = false;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Way::Beside(temporary) = &self.way {
            let _ = self.file.disk().remove_file(temporary.path());
        }
    }
}

/// A file without a name; see [`Disk::spool`].
#[derive(Debug)]
pub struct Spool(Writable);

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Read for Spool {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.file().read(buffer)
    }
}

impl Seek for Spool {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.file().seek(to)
    }
}
