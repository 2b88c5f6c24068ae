//! The files of a folder. Nothing outside it is read: links are listed, and never followed.

use super::stamp::Stamp;
use crate::failure::Failure;
use dualseal::Error;
use dualseal::hash::{HashFunction, Sha3_256};
use dualseal::krunica::JsonLines;
use dualseal_operator::chain::{ChainText, Portions};
use dualseal_operator::paths::Show;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// One name in the folder.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    /// Where it is.
    pub(super) path: PathBuf,
    /// The same from the folder on, for people.
    pub(super) shown: PathBuf,
    pub(super) sort: Sort,
}

/// What has that name.
#[derive(Clone, Debug)]
pub(super) enum Sort {
    /// A file, as it was when it was found.
    File(Stamp),
    /// A link, to wherever.
    Link,
    /// A socket, a pipe or a device: to open one could block, or do something.
    Special,
    /// It cannot even be looked at.
    Unreadable(Rc<io::Error>),
}

impl Listed {
    /// How many bytes it has, if it is a file.
    pub(super) fn length(&self) -> u64 {
        if let Sort::File(stamp) = &self.sort { stamp.length() } else { 0 }
    }

    /// Hands it to `each` in parts.
    pub(super) fn read(&self, mut each: impl FnMut(&[u8])) -> io::Result<()> {
        self.parts(
            |error| error,
            |part| {
                each(part);
                Ok(())
            },
        )
    }

    /// Its first bytes, at most so many.
    pub(super) fn beginning(&self, most: u64) -> io::Result<Vec<u8>> {
        let (mut file, stamp) = self.open()?;
        let mut bytes = Vec::new();
        file.by_ref().take(most).read_to_end(&mut bytes)?;
        stamp.still(&file.metadata()?)?;
        Ok(bytes)
    }

    /// Hands the entries of a chain to `each`, several at a time.
    pub(super) fn entries(&self, mut each: impl FnMut(&[&[u8]]) -> Result<(), Error>) -> Result<(), Failure> {
        let (mut text, mut portions) = (ChainText::new(), Portions::new());
        let read = self.text(|part| text.push(part, |json| portions.push(json, &mut each)));
        let read = read.and_then(|()| text.finish().map_err(|error| self.about(error)));
        // What is wrong with an entry comes before what is wrong with the text behind it.
        portions.end(each).map_err(|error| self.about(error)).and(read)
    }

    /// Hands each line of JSON lines to `each`.
    pub(super) fn lines(&self, mut each: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Failure> {
        let mut lines = JsonLines::new();
        self.text(|part| lines.push(part, &mut each))?;
        lines.finish().map_err(|error| self.about(error))
    }

    fn text(&self, mut each: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Failure> {
        let failed = |error| Failure::reading(&self.path, &error);
        self.parts(failed, |part| each(part).map_err(|error| self.about(error)))
    }

    fn about(&self, error: Error) -> Failure {
        Failure::from(error).about(self.path.shown())
    }

    /// SHA3-256 over its bytes, if it is still the file that was found.
    pub(super) fn sha3_256(&self) -> io::Result<[u8; 32]> {
        let mut hash = Sha3_256::default();
        self.read(|part| hash.update(part))?;
        Ok(hash.finish())
    }

    /// Opens it, if it is still the file that was found: what it was taken for is what is judged.
    fn open(&self) -> io::Result<(File, &Stamp)> {
        let Sort::File(stamp) = &self.sort else { return Err(io::Error::other("it is no file")) };
        // Before it is opened, because to open a pipe blocks.
        stamp.still(&fs::symlink_metadata(&self.path)?)?;
        let file = File::open(&self.path)?;
        stamp.still(&file.metadata()?)?;
        Ok((file, stamp))
    }

    fn parts<E>(&self, failed: impl Fn(io::Error) -> E, mut each: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let (mut file, stamp) = self.open().map_err(&failed)?;
        let mut buffer = vec![0; 256 << 10];
        loop {
            match file.read(&mut buffer) {
                // What was read is the file that was found only if nobody wrote to it meanwhile.
                Ok(0) => return file.metadata().and_then(|now| stamp.still(&now)).map_err(failed),
                Ok(count) => each(&buffer[..count])?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(error)),
            }
        }
    }
}

/// Everything below a folder, by path.
pub(super) fn walk(folder: &Path) -> Result<Vec<Listed>, Failure> {
    let mut found = Vec::new();
    // The folder itself may be named by a link; what is in it may not.
    let mut pending = vec![PathBuf::new()];
    while let Some(below) = pending.pop() {
        let path = folder.join(&below);
        let entries = match fs::read_dir(&path) {
            Err(error) if below == Path::new("") => {
                let hint = match error.kind() {
                    io::ErrorKind::NotADirectory => "give a folder; a single record is for `dualseal verify`",
                    _ => "check the path, and whether you may read it",
                };
                return Err(Failure::reading(folder, &error).hint(hint));
            }
            Err(error) => {
                found.push(Listed { path, shown: below, sort: Sort::Unreadable(error.into()) });
                continue;
            }
            Ok(entries) => entries,
        };
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    found.push(Listed {
                        path: path.clone(),
                        shown: below.clone(),
                        sort: Sort::Unreadable(error.into()),
                    });
                    break;
                }
            };
            let (path, shown) = (entry.path(), below.join(entry.file_name()));
            match fs::symlink_metadata(&path) {
                Ok(metadata) if metadata.is_dir() => pending.push(shown),
                Ok(metadata) => found.push(Listed { path, shown, sort: sort(&metadata) }),
                Err(error) => found.push(Listed { path, shown, sort: Sort::Unreadable(error.into()) }),
            }
        }
    }
    found.sort_by(|one, other| one.shown.cmp(&other.shown));
    Ok(found)
}

fn sort(metadata: &Metadata) -> Sort {
    if metadata.is_symlink() {
        Sort::Link
    } else if metadata.is_file() {
        Sort::File(Stamp::of(metadata))
    } else {
        Sort::Special
    }
}
