//! Writing that nothing interrupts by half: single files by rename, and changes of several files of the home folder by
//! a journal. A crash leaves the old state or the new one; a lock keeps two writers apart.
//!
//! A change is staged as `staged/0`, `staged/1`…, forced to the disk, and then written down in `journal`
//! (`{"append":text, "at":bytes, "files":[names]}`): from there on it has happened. What it says is then done, and the
//! journal removed. Whoever opens the folder after a crash does what a journal says, or clears what was only staged.

mod file;
mod folder;
mod nameless;
mod unfinished;
mod unpublished;

pub(crate) use file::{Readers, spool};
pub(crate) use folder::Folder;
pub(crate) use unpublished::{UNFINISHED, Unpublished};

use crate::failure::{BUSY, Failure};
use crate::output::{canonical, integer, object, text};
use dualseal::encoding::json::Value;
use file::{create, force_folder};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use unfinished::Unfinished;

const JOURNAL: &str = "journal";
const STAGED: &str = "staged";
const LOCK: &str = "lock";
/// The file that a change appends to.
pub(crate) const CHAIN: &str = "chain.jsonl";

/// A lock on a folder, for as long as it lives.
#[derive(Debug)]
pub(crate) struct Lock {
    /// `None` on a read-only copy of a folder that has no lock file: nobody can write there.
    _file: Option<File>,
}

impl Lock {
    /// Locks a folder against writers, and for writing against readers as well, and finishes or clears what a crash
    /// left. Waits for others at most so long.
    pub(crate) fn take(folder: &Path, to_write: bool, wait: Duration) -> Result<Self, Failure> {
        let lock = Self::hold(folder, to_write, wait)?;
        if !folder.join(JOURNAL).exists() && !to_write {
            return Ok(lock);
        }
        // To finish a change is to write.
        let lock = if to_write {
            lock
        } else {
            drop(lock);
            Self::hold(folder, true, wait)?
        };
        recover(folder)?;
        Ok(lock)
    }

    fn hold(folder: &Path, to_write: bool, wait: Duration) -> Result<Self, Failure> {
        let path = folder.join(LOCK);
        let opened = if to_write {
            OpenOptions::new().write(true).create(true).truncate(false).open(&path)
        } else {
            File::open(&path)
        };
        let file = match opened {
            Err(error) if !to_write && error.kind() == io::ErrorKind::NotFound => return Ok(Self { _file: None }),
            opened => opened.map_err(|error| Failure::writing(&path, &error))?,
        };
        let start = Instant::now();
        loop {
            let locked = if to_write { fs4::FileExt::try_lock(&file) } else { fs4::FileExt::try_lock_shared(&file) };
            match locked {
                Ok(()) => return Ok(Self { _file: Some(file) }),
                Err(fs4::TryLockError::WouldBlock) if start.elapsed() < wait => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(fs4::TryLockError::WouldBlock) => {
                    let message = format!("another process is writing to {}", folder.display());
                    return Err(Failure::new(BUSY, message, "wait until it is done, or give a longer --lock-wait"));
                }
                Err(fs4::TryLockError::Error(error)) => return Err(Failure::writing(&path, &error)),
            }
        }
    }
}

/// A change of several files of a locked folder.
#[derive(Debug)]
pub(crate) struct Change<'a> {
    folder: &'a Path,
    names: Vec<String>,
    append: Option<(u64, String)>,
    staged: Unfinished,
}

impl<'a> Change<'a> {
    /// Nothing yet. The caller holds the lock for writing.
    pub(crate) fn new(folder: &'a Path) -> Self {
        Self { folder, names: Vec::new(), append: None, staged: Unfinished::begin(&folder.join(STAGED)) }
    }

    /// Puts a file in place of what has its name. Names may have folders in them.
    pub(crate) fn file(&mut self, name: &str, readers: Readers, bytes: &[u8]) -> Result<(), Failure> {
        self.streamed(name, readers, |file| file.write_all(bytes))
    }

    /// As [`file`](Self::file), for content that comes in parts.
    pub(crate) fn streamed(
        &mut self,
        name: &str,
        readers: Readers,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let path = self.folder.join(STAGED).join(self.names.len().to_string());
        let written = operation().and_then(|()| {
            let staged = self.folder.join(STAGED);
            refuse_link(&staged)?;
            fs::create_dir_all(&staged)?;
            remove(&path)?;
            let mut file = create(&path, readers)?;
            write(&mut file)?;
            file.sync_all()
        });
        written.map_err(|error| Failure::writing(&self.folder.join(name), &error))?;
        self.names.push(name.to_owned());
        Ok(())
    }

    /// Appends to the chain, which has so many bytes now.
    pub(crate) fn append(&mut self, at: u64, lines: String) {
        self.append = Some((at, lines));
    }

    /// All of it happens, or, on an error, none.
    pub(crate) fn commit(mut self) -> Result<(), Failure> {
        let folder = self.folder;
        let (at, lines) =
            self.append.take().map_or((Value::Null, Value::Null), |(at, lines)| (integer(at), text(lines)));
        let files = Value::Array(std::mem::take(&mut self.names).into_iter().map(Value::String).collect());
        let journal = canonical(&object([("append", lines), ("at", at), ("files", files)]));
        let (to, from) = (folder.join(JOURNAL), folder.join(STAGED).join(JOURNAL));
        let written = self.staged.finish(|| replace(&to, &from, journal.as_bytes()));
        written.map_err(|error| Failure::writing(folder, &error))?;
        // From here on it has happened: what cannot be done now is done by whoever opens the folder next.
        recover(folder).map_err(|failure| {
            failure.hint("the change is written down and will be finished by the next command; free some space first")
        })
    }
}

impl Drop for Change<'_> {
    /// What was staged and not written down goes away: on a full disk it is in the way.
    fn drop(&mut self) {
        if operation().is_ok() && !self.folder.join(JOURNAL).exists() {
            let _ = fs::remove_dir_all(self.folder.join(STAGED));
        }
    }
}

/// Does what a journal says, or clears what was staged without one.
fn recover(folder: &Path) -> Result<(), Failure> {
    let (journal, staged) = (folder.join(JOURNAL), folder.join(STAGED));
    let done = || -> io::Result<()> {
        match fs::read(&journal) {
            Ok(text) => apply(folder, &text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        if staged.exists() {
            operation()?;
            fs::remove_dir_all(&staged)?;
        }
        if journal.exists() {
            operation()?;
            fs::remove_file(&journal)?;
            force_folder(folder)?;
        }
        Ok(())
    };
    done().map_err(|error| Failure::writing(folder, &error))
}

/// Can be done again from any point at which it was interrupted.
fn apply(folder: &Path, journal: &[u8]) -> io::Result<()> {
    let broken = || io::Error::new(io::ErrorKind::InvalidData, "its journal is not as this program writes it");
    let Ok(Value::Object(members)) = Value::parse(journal) else { return Err(broken()) };
    match (members.get("at"), members.get("append")) {
        (Some(Value::Integer(at)), Some(Value::String(lines))) => {
            operation()?;
            let path = folder.join(CHAIN);
            refuse_link(&path)?;
            let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
            let at = u64::try_from(*at).map_err(|_| broken())?;
            if file.metadata()?.len() < at {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "its chain was cut off by somebody else"));
            }
            file.set_len(at)?;
            io::Seek::seek(&mut file, io::SeekFrom::End(0))?;
            file.write_all(lines.as_bytes())?;
            operation()?;
            file.sync_all()?;
        }
        (Some(Value::Null), Some(Value::Null)) => {}
        _ => return Err(broken()),
    }
    let Some(Value::Array(names)) = members.get("files") else { return Err(broken()) };
    for (index, name) in names.iter().enumerate() {
        let Value::String(name) = name else { return Err(broken()) };
        // A folder that came from somebody else may have a journal of his: it moves nothing but its own files.
        if !is_within(name) {
            return Err(broken());
        }
        let (from, to) = (folder.join(STAGED).join(index.to_string()), folder.join(name));
        if from.exists() {
            operation()?;
            let parent = to.parent().unwrap_or(folder);
            // From the outermost in: what is made within a link would be made elsewhere.
            for outer in parent.ancestors().take_while(|outer| *outer != folder) {
                refuse_link(outer)?;
            }
            refuse_link(&from)?;
            fs::create_dir_all(parent)?;
            fs::rename(from, &to)?;
            force_folder(parent)?;
        }
    }
    Ok(())
}

/// A relative name that leads nowhere but down.
fn is_within(name: &str) -> bool {
    let mut components = Path::new(name).components().peekable();
    components.peek().is_some() && components.all(|component| matches!(component, std::path::Component::Normal(_)))
}

fn refuse_link(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(found) if found.is_symlink() => {
            Err(io::Error::new(io::ErrorKind::InvalidData, format!("{} is a link to another place", path.display())))
        }
        _ => Ok(()),
    }
}

fn replace(path: &Path, temporary: &Path, bytes: &[u8]) -> io::Result<()> {
    operation()?;
    if let Some(parent) = temporary.parent() {
        fs::create_dir_all(parent)?;
    }
    remove(temporary)?;
    let mut file = create(temporary, Readers::Owner)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    operation()?;
    fs::rename(temporary, path)?;
    force_folder(path.parent().unwrap_or(Path::new(".")))
}

/// What a crash left.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Where the tests let the power go.
#[cfg(not(test))]
#[allow(clippy::unnecessary_wraps, reason = "in the tests it fails")]
fn operation() -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
use tests::operation;

#[cfg(test)]
mod tests;
