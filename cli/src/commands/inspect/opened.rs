//! A file of any size, of which no more is read than is needed.

use crate::failure::Failure;
use crate::input;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// What is read to tell what a file is.
pub(super) const BEGINNING: usize = 64 << 10;

/// A file with its beginning.
pub(super) struct Opened {
    path: PathBuf,
    reader: Box<dyn Read>,
    /// It may be a secret.
    begins: Zeroizing<Vec<u8>>,
    /// `None` for what has no size, as a pipe that was not read to its end.
    size: Option<u64>,
}

impl Opened {
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let reader = input::reader(path)?;
        let standard = input::is_standard(path);
        let regular = std::fs::metadata(path).ok().filter(|metadata| !standard && metadata.is_file());
        let size = regular.map(|metadata| metadata.len());
        let mut opened = Self { path: path.to_owned(), reader, begins: Zeroizing::default(), size };
        opened.more(BEGINNING as u64)?;
        if opened.begins.len() < BEGINNING {
            opened.size = Some(opened.begins.len() as u64);
        }
        Ok(opened)
    }

    /// What was read so far.
    pub(super) fn begins(&self) -> &[u8] {
        &self.begins
    }

    /// How many bytes it has, where that is known.
    pub(super) fn size(&self) -> Option<u64> {
        self.size
    }

    /// Reads all of it, if it has at most so many bytes.
    pub(super) fn read_whole(&mut self, most: u64) -> Result<bool, Failure> {
        if self.size.is_some_and(|size| size > most) {
            return Ok(false);
        }
        let left = (most + 1).saturating_sub(self.begins.len() as u64);
        self.more(left)?;
        let read = self.begins.len() as u64;
        if read <= most {
            self.size = Some(read);
        }
        Ok(read <= most)
    }

    /// Hands all of it to `each` in parts, in memory for one of them, until `each` has enough.
    pub(super) fn parts(&mut self, mut each: impl FnMut(&[u8]) -> bool) -> Result<(), Failure> {
        let mut goes_on = each(&self.begins);
        let mut size = self.begins.len() as u64;
        let mut buffer = Zeroizing::new(vec![0; 256 << 10]);
        while goes_on {
            match self.reader.read(&mut buffer) {
                Ok(0) => {
                    self.size = Some(size);
                    return Ok(());
                }
                Ok(count) => {
                    goes_on = each(&buffer[..count]);
                    size += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Failure::reading(&self.path, &error)),
            }
        }
        Ok(())
    }

    fn more(&mut self, most: u64) -> Result<(), Failure> {
        let read = self.reader.by_ref().take(most).read_to_end(&mut self.begins);
        read.map(drop).map_err(|error| Failure::reading(&self.path, &error))
    }
}
