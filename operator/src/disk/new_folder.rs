//! A folder that is there whole or not at all.

use super::error::{Error, FileError, Operation, Refused};
use super::machine::{Disk, Folder};
use super::new_file::{beside, taken};
use super::readers::Readers;
use super::unfinished::Unfinished;
use super::within;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

impl Disk {
    /// Begins a folder, for the owner alone, whose parent exists. It gets its name by [`NewFolder::publish`].
    ///
    /// # Errors
    /// What the system says, and [`Refused::Exists`] where anything has the name.
    pub fn new_folder(&self, path: &Path) -> Result<NewFolder, Error> {
        if path.file_name().is_none() {
            return Err(Error::refusing(Operation::MakeFolder, path, Refused::NoName));
        }
        if self.look(path)?.is_some() {
            return Err(Error::refusing(Operation::MakeFolder, path, Refused::Exists));
        }
        let parent = Folder::of(self, path)?;
        let temporary = beside(path)?;
        self.create_folder(temporary.path(), Readers::Owner).map_err(|error| error.about(path))?;
        let disk = self.clone();
        Ok(NewFolder { disk, path: path.to_owned(), parent, temporary, broken: false, published: false })
    }
}

/// A folder that nobody sees yet. Dropped without [`publish`](Self::publish), it is gone.
#[derive(Debug)]
pub struct NewFolder {
    disk: Disk,
    path: PathBuf,
    parent: Folder,
    temporary: Unfinished,
    broken: bool,
    published: bool,
}

impl NewFolder {
    /// The name that it will have.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file into it, and forces it to the disk.
    ///
    /// # Errors
    /// What the system says, and [`Refused::Outside`] for what is not one name. The folder cannot be published then.
    pub fn write(&mut self, name: impl AsRef<Path>, readers: Readers, bytes: &[u8]) -> Result<(), Error> {
        let shown = self.path.join(&name);
        self.streamed(name, readers, |file| file.write_all(bytes).map_err(|error| Error::writing(&shown, error)))
    }

    /// As [`write`](Self::write), for content that comes in parts. Gives what the writer gave.
    ///
    /// # Errors
    /// As [`write`](Self::write), and what the writer says. The folder cannot be published then.
    pub fn streamed<T, E: From<Error>>(
        &mut self,
        name: impl AsRef<Path>,
        readers: Readers,
        write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
    ) -> Result<T, E> {
        let name = name.as_ref();
        let shown = self.path.join(name);
        if std::mem::replace(&mut self.broken, true) {
            return Err(Error::refusing(Operation::Create, &shown, Refused::Broken).into());
        }
        if !within::is_one(name) {
            return Err(Error::refusing(Operation::Create, &shown, Refused::Outside).into());
        }
        let about = |error: Error| E::from(error.about(&shown));
        let mut file = self.disk.create(&self.temporary.path().join(name), readers).map_err(about)?;
        let made = write(&mut file)?;
        file.force().map_err(about)?;
        self.broken = false;
        Ok(made)
    }

    /// Opens a file of it for reading, before anybody else can.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(&self, name: impl AsRef<Path>) -> std::io::Result<File> {
        File::open(self.temporary.path().join(name))
    }

    /// Gives it its name: from here on it is there, whole.
    ///
    /// # Errors
    /// [`FileError::NotForced`] where it has its name and only forcing the folder around it failed. On every other
    /// error it is gone: [`Refused::Exists`] where somebody else took the name, and [`Refused::Broken`] where a file of
    /// it could not be written.
    pub fn publish(mut self) -> Result<PathBuf, FileError<PathBuf>> {
        if self.broken {
            return Err(Error::refusing(Operation::Rename, &self.path, Refused::Broken).into());
        }
        self.disk.force_folder(self.temporary.path()).map_err(|error| error.about(&self.path))?;
        self.temporary
            .finish(|| self.disk.rename_new(self.temporary.path(), &self.path))
            .map_err(|error| taken(error, &self.path))?;
        self.published = true;
        match self.parent.force() {
            Ok(()) => Ok(self.path.clone()),
            Err(error) => Err(FileError::NotForced { made: Box::new(self.path.clone()), error: error.into_io() }),
        }
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if !self.published {
            let _ = self.disk.remove_folder(self.temporary.path());
        }
    }
}
