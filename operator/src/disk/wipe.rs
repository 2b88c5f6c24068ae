//! What a file held before another one took its place.

use super::error::{Error, Operation, Refused};
use super::machine::{Disk, Writable};
use std::io::{self, Read, Write};
use std::path::Path;

impl Disk {
    /// Takes hold of a file whose name another one is about to get, so that it can be overwritten then; `None` where
    /// there is no regular file.
    ///
    /// # Errors
    /// What the system says; [`Refused::NotAFile`]; [`Refused::Linked`] for one that has another name too, which
    /// somebody else may have given to a file of another kind: that would be overwritten.
    pub fn doomed(&self, path: &Path) -> Result<Option<Doomed>, Error> {
        Ok(self.reopen_alone(path)?.map(Doomed))
    }

    /// The same, but for a file that has another name: that is left alone.
    pub(crate) fn doomed_alone(&self, path: &Path) -> Result<Option<Doomed>, Error> {
        self.doomed(path).or_else(|error| if error.refused() == Some(Refused::Linked) { Ok(None) } else { Err(error) })
    }
}

/// A file that is to be overwritten once it has no name.
#[derive(Debug)]
pub struct Doomed(Writable);

impl Doomed {
    /// Overwrites it where the file system writes in place; elsewhere it is only given up.
    ///
    /// # Errors
    /// What the system says.
    pub fn wipe(mut self) -> Result<(), Error> {
        let failed = |file: &Writable, error| Error::new(Operation::Write, file.path(), error);
        let length = self.0.file().metadata().map_err(|error| failed(&self.0, error))?.len();
        let wiped = io::copy(&mut io::repeat(0).take(length), &mut self.0).and_then(|_| self.0.flush());
        wiped.map_err(|error| failed(&self.0, error))?;
        self.0.force()
    }
}
