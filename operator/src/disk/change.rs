//! A change of several files of a locked folder: all of it happens, or nothing.
//!
//! It is staged as `staged/0`, `staged/1`…, forced to the disk, and then written down in the journal, which has what is
//! appended and put in it: from there on it has happened. What the journal says is then done and forced, all of it at
//! once, and the journal removed. Whoever locks the folder after a crash does what a journal says, or clears what was
//! only staged.

use super::error::{Error, Operation, Refused};
use super::journal::{Append, Journal, Put, recover};
use super::lock::{Hold, Lock};
use super::parts::Parts;
use super::readers::Readers;
use super::unfinished::Unfinished;
use super::within::{JOURNAL, STAGED, Within};
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use zeroize::Zeroizing;

/// The longest content that a journal holds of a file that is put: what is longer would be written twice for nothing.
const MOST_PUT: usize = 64 << 10;

impl Lock {
    /// Begins a change of the folder. One that was written down before and not done is done first.
    ///
    /// # Errors
    /// [`Refused::ReadOnly`], [`Refused::Changing`], and as [`Disk::lock`](super::Disk::lock).
    pub fn change(&self) -> Result<Change<'_>, Error> {
        let refuse = |refused| Err(Error::refusing(Operation::MakeFolder, &self.folder, refused));
        if self.hold != Hold::Exclusive {
            return refuse(Refused::ReadOnly);
        }
        if self.changing.swap(true, Ordering::Relaxed) {
            return refuse(Refused::Changing);
        }
        let staged = Unfinished::begin(&self.folder.join(STAGED));
        let change = Change {
            lock: self,
            staged,
            is_staged: false,
            journal: Journal::default(),
            appended: Vec::new(),
            put: Vec::new(),
            broken: false,
        };
        recover(&self.disk, &self.folder)?;
        Ok(change)
    }

    /// Does what a change under this lock has written down and not done ([`CommitError::Unfinished`]): nothing is read
    /// before. While another one is being made there is none.
    pub(crate) fn finish(&self) -> Result<(), Error> {
        if self.hold == Hold::Shared || self.changing.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        let finished = recover(&self.disk, &self.folder);
        self.changing.store(false, Ordering::Relaxed);
        finished
    }
}

/// What a change of several files of a folder will be. Dropped without [`commit`](Self::commit), it is nothing.
#[derive(Debug)]
pub struct Change<'a> {
    lock: &'a Lock,
    staged: Unfinished,
    /// Whether there is something to be cleared.
    is_staged: bool,
    journal: Journal,
    /// What is appended to each file of the journal, in parts that never move: it may be secret.
    appended: Vec<Vec<Zeroizing<Vec<u8>>>>,
    /// What each file holds that is put.
    put: Vec<Zeroizing<Vec<u8>>>,
    broken: bool,
}

impl Change<'_> {
    /// Puts a file in the place of what has its name, or where there is none. Names are relative and may have folders
    /// in them, which are made.
    ///
    /// # Errors
    /// What the system says; [`Refused::Outside`]; [`Refused::NotAFile`] or [`Refused::NotAFolder`] where something
    /// else is in the way. The change cannot be committed then.
    pub fn file(&mut self, name: &str, readers: Readers, bytes: &[u8]) -> Result<(), Error> {
        let path = self.path(name);
        self.streamed(name, readers, |file| {
            file.write_all(bytes).map_err(|error| Error::new(Operation::Write, &path, error))
        })
    }

    /// As [`file`](Self::file), for content that comes in parts. Gives what the writer gave.
    ///
    /// # Errors
    /// As [`file`](Self::file), and what the writer says. The change cannot be committed then.
    pub fn streamed<T, E: From<Error>>(
        &mut self,
        name: &str,
        readers: Readers,
        write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
    ) -> Result<T, E> {
        let path = self.path(name);
        self.part(&path)?;
        let about = |error: Error| E::from(error.about(&path));
        let disk = &self.lock.disk;
        Within::new(disk, &self.lock.folder).regular(name)?;
        if !self.is_staged {
            disk.create_folder(self.staged.path(), Readers::Owner).map_err(about)?;
            self.is_staged = true;
        }
        let staged = self.staged.path().join(self.journal.files.len().to_string());
        let mut file = disk.create(&staged, readers).map_err(about)?;
        let made = write(&mut file)?;
        file.force().map_err(about)?;
        // The last of one name counts.
        if let Some(before) = self.journal.puts.iter().position(|put| put.file == name) {
            self.journal.puts.remove(before);
            self.put.remove(before);
        }
        self.journal.files.push(name.to_owned());
        self.broken = false;
        Ok(made)
    }

    /// As [`file`](Self::file), for a short content that is not secret: the journal holds it, which saves a forced file
    /// and leaves a second copy of it behind on the disk, where nobody wipes it.
    ///
    /// # Errors
    /// As [`file`](Self::file).
    pub fn put(&mut self, name: &str, readers: Readers, bytes: &[u8]) -> Result<(), Error> {
        if bytes.len() > MOST_PUT || self.journal.files.iter().any(|staged| staged == name) {
            return self.file(name, readers, bytes);
        }
        self.part(&self.path(name))?;
        Within::new(&self.lock.disk, &self.lock.folder).regular(name)?;
        let put = Put { file: name.to_owned(), readers, bytes: bytes.len() as u64 };
        let content = Zeroizing::new(bytes.to_vec());
        let mut before = self.journal.puts.iter_mut().zip(&mut self.put);
        if let Some(before) = before.find(|(before, _)| before.file == name) {
            (*before.0, *before.1) = (put, content);
        } else {
            self.journal.puts.push(put);
            self.put.push(content);
        }
        self.broken = false;
        Ok(())
    }

    /// Appends to a file, which has so many bytes now; 0 also where there is none. What is appended to one file twice
    /// must follow each other. The copy of it that the change keeps is wiped.
    ///
    /// # Errors
    /// As [`file`](Self::file); [`Refused::Length`] where it has another length, and [`Refused::Linked`] where it has
    /// another name too.
    pub fn append(&mut self, name: &str, at: u64, bytes: &[u8]) -> Result<(), Error> {
        self.part(&self.path(name))?;
        let more = bytes.len() as u64;
        let part = || Zeroizing::new(bytes.to_vec());
        let found = Within::new(&self.lock.disk, &self.lock.folder).alone(name)?.unwrap_or_default();
        let mut before = self.journal.appends.iter_mut().zip(&mut self.appended);
        let before = before.find(|(append, _)| append.file == name);
        match before {
            Some((append, parts)) if append.at.checked_add(append.bytes) == Some(at) => {
                append.bytes = append.bytes.saturating_add(more);
                parts.push(part());
            }
            None if found == at => {
                self.journal.appends.push(Append { file: name.to_owned(), at, bytes: more });
                self.appended.push(vec![part()]);
            }
            _ => return Err(Error::refusing(Operation::Write, &self.path(name), Refused::Length)),
        }
        self.broken = false;
        Ok(())
    }

    /// All of it happens, or, on an error that says so, nothing.
    ///
    /// # Errors
    /// [`CommitError`] says what has become of the change; [`Refused::Twice`], [`Refused::Many`] and
    /// [`Refused::Broken`] that nothing happened.
    pub fn commit(mut self) -> Result<(), CommitError> {
        let lock = self.lock;
        self.write_down()?;
        lock.disk.force_folder(&lock.folder).map_err(CommitError::Unknown)?;
        // From here on it has happened: what cannot be done now is done by whoever opens the folder next.
        let bytes = Parts::new(self.appended.iter().flatten().chain(&self.put).map(|part| part.as_slice()));
        self.journal.finish(&lock.disk, &lock.folder, bytes).map_err(CommitError::Unfinished)
    }

    fn write_down(&mut self) -> Result<(), CommitError> {
        let Self { lock, staged, is_staged, journal, appended, put, broken } = self;
        let (disk, folder) = (&lock.disk, &lock.folder);
        if *broken {
            return Err(CommitError::Not(Error::refusing(Operation::Rename, folder, Refused::Broken)));
        }
        if let Some(name) = journal.in_the_way() {
            return Err(CommitError::Not(Error::refusing(Operation::Rename, &folder.join(name), Refused::Twice)));
        }
        let line = journal.line(folder).map_err(CommitError::Not)?;
        let (from, to) = (staged.path().join(JOURNAL), folder.join(JOURNAL));
        let about = |error: Error| CommitError::Not(error.about(folder));
        let failed = |error| CommitError::Not(Error::new(Operation::Write, folder, error));
        if !*is_staged {
            disk.create_folder(staged.path(), Readers::Owner).map_err(about)?;
            *is_staged = true;
        }
        let mut file = disk.create(&from, Readers::Owner).map_err(about)?;
        file.write_all(line.as_bytes()).map_err(failed)?;
        // In the order of the files.
        appended.iter().flatten().try_for_each(|part| file.write_all(part)).map_err(failed)?;
        put.iter().try_for_each(|content| file.write_all(content)).map_err(failed)?;
        file.force().map_err(about)?;
        // Its own name there counts for nothing.
        if !journal.files.is_empty() {
            disk.force_folder(staged.path()).map_err(about)?;
        }
        staged.finish(|| {
            let error = match disk.rename_new(&from, &to) {
                Ok(()) => {
                    *is_staged = false;
                    return Ok(());
                }
                Err(error) => error,
            };
            // A disk that fails may have done it.
            if matches!(disk.look(&to), Ok(None)) {
                return Err(about(error));
            }
            *is_staged = false;
            Err(CommitError::Unknown(error.about(folder)))
        })
    }

    /// Begins a part: the change is broken until that is whole.
    fn part(&mut self, path: &Path) -> Result<(), Error> {
        if std::mem::replace(&mut self.broken, true) {
            return Err(Error::refusing(Operation::Create, path, Refused::Broken));
        }
        Ok(())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.lock.folder.join(name)
    }
}

impl Drop for Change<'_> {
    /// What was staged and not written down goes away: on a full disk it is in the way.
    fn drop(&mut self) {
        if self.is_staged {
            let _ = self.lock.disk.remove_folder(self.staged.path());
        }
        self.lock.changing.store(false, Ordering::Relaxed);
    }
}

/// What has become of a change that was not committed as it should be.
#[derive(Debug)]
pub enum CommitError {
    /// Nothing happened.
    Not(Error),
    /// It is written down and has happened: what is missing of it is done by whoever locks the folder next. Nothing may
    /// be read there before.
    Unfinished(Error),
    /// Only the disk knows: it happened or it did not, as a whole, which is seen when the folder is locked again.
    Unknown(Error),
}

impl CommitError {
    /// Why.
    #[must_use]
    pub fn error(&self) -> &Error {
        match self {
            Self::Not(error) | Self::Unfinished(error) | Self::Unknown(error) => error,
        }
    }

    /// What to do next, for a person.
    #[must_use]
    pub fn next(&self) -> &'static str {
        match self {
            Self::Not(error) => error.next(),
            Self::Unfinished(_) => {
                "the change is written down and will be finished by the next command; free some space first"
            }
            Self::Unknown(_) => "check the disk, and see by the next command whether the change was made",
        }
    }
}

impl fmt::Display for CommitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Not(error) => error.fmt(f),
            Self::Unfinished(error) => write!(f, "the change is not finished: {error}"),
            Self::Unknown(error) => write!(f, "the change was made or not: {error}"),
        }
    }
}

impl std::error::Error for CommitError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(self.error())
    }
}
