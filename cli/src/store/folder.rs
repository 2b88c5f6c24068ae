//! A folder that is there whole or not at all: everything is written beside its name, and one rename publishes it.

use super::file::{self, Readers, force_folder};
use super::unfinished::Unfinished;
use super::unpublished::drawn;
use crate::failure::Failure;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A folder that nobody sees yet. It is removed when it is dropped, or the program interrupted, before it is published.
#[derive(Debug)]
pub(crate) struct Folder {
    temporary: Unfinished,
    path: PathBuf,
    published: bool,
}

impl Folder {
    /// Begins a folder, for the owner alone. It must not exist yet: shares of two sets in one place are a trap.
    pub(crate) fn begin(path: &Path) -> Result<Self, Failure> {
        if path.symlink_metadata().is_ok() {
            let failure = Failure::writing(path, &io::ErrorKind::AlreadyExists.into());
            return Err(failure.hint("name a folder that does not exist yet, with --out FOLDER"));
        }
        let temporary = Unfinished::begin(&drawn(path)?);
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(temporary.path()).map_err(|error| Failure::writing(path, &error))?;
        Ok(Self { temporary, path: path.to_owned(), published: false })
    }

    /// Begins a file in it.
    pub(crate) fn create(&self, name: impl AsRef<Path>, readers: Readers) -> Result<File, Failure> {
        let name = name.as_ref();
        file::create(&self.temporary.path().join(name), readers).map_err(|error| self.failed(name, &error))
    }

    /// Writes a file in it.
    pub(crate) fn write(&self, name: impl AsRef<Path>, readers: Readers, bytes: &[u8]) -> Result<(), Failure> {
        let name = name.as_ref();
        let mut file = self.create(name, readers)?;
        file.write_all(bytes).and_then(|()| file.sync_all()).map_err(|error| self.failed(name, &error))
    }

    /// Gives it its name.
    pub(crate) fn publish(mut self) -> Result<PathBuf, Failure> {
        let parent = self.path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
        let publish = || -> io::Result<()> {
            force_folder(self.temporary.path())?;
            // A rename replaces an empty folder that somebody made meanwhile, and fails for any other.
            fs::rename(self.temporary.path(), &self.path)?;
            force_folder(parent)
        };
        self.temporary.finish(publish).map_err(|error| Failure::writing(&self.path, &error))?;
        self.published = true;
        Ok(self.path.clone())
    }

    /// A file of it that could not be written.
    pub(crate) fn failed(&self, name: impl AsRef<Path>, error: &io::Error) -> Failure {
        Failure::writing(&self.path.join(name), error)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.published {
            let _ = fs::remove_dir_all(self.temporary.path());
        }
    }
}
