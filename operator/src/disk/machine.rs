//! The disk: each thing that is done to it is one operation, which a test can let fail.

use super::error::{Error, Operation, Refused};
use super::faults::{Fault, Faults, Lost, folder_of};
use super::nameless;
use super::readers::Readers;
use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use zeroize::Zeroizing;

/// How many files are forced at once.
const MOST_AT_ONCE: usize = 8;

/// The disk of this machine, or one for tests that fails or loses its power. Copies are one disk.
#[derive(Clone, Debug)]
pub struct Disk {
    faults: Option<Arc<Mutex<Faults>>>,
    nameless: bool,
}

impl Default for Disk {
    fn default() -> Self {
        Self::new()
    }
}

impl Disk {
    /// The disk of this machine.
    #[must_use]
    pub const fn new() -> Self {
        Self { faults: None, nameless: true }
    }

    /// A disk whose operation `at`, counted from 0, fails; those before and after it do not.
    #[must_use]
    pub fn failing_at(at: u64) -> Self {
        Self { faults: Some(Arc::new(Mutex::new(Faults::new(at, None)))), nameless: true }
    }

    /// A disk that stops at operation `at`, counted from 0: that one and all later ones fail, nothing is cleared away,
    /// and what is in `lost` is gone. The folder is then opened again with [`Disk::new`].
    #[must_use]
    pub fn stopping_at(at: u64, lost: Lost) -> Self {
        Self { faults: Some(Arc::new(Mutex::new(Faults::new(at, Some(lost))))), nameless: true }
    }

    /// The same disk, one operation of which fails before it stops: whoever comes next goes on from what that left, of
    /// which not all is forced.
    #[must_use]
    pub fn failing_first_at(self, at: u64) -> Self {
        if let Some(mut faults) = self.faults() {
            faults.fail_first(at);
        }
        self
    }

    /// The same disk under a system that has no files without a name.
    #[must_use]
    pub fn with_names_only(mut self) -> Self {
        self.nameless = false;
        self
    }

    /// What was done or tried so far on a disk that fails or stops, in its order.
    #[must_use]
    pub fn history(&self) -> Vec<(Operation, PathBuf)> {
        self.faults().map(|faults| faults.history().to_vec()).unwrap_or_default()
    }

    fn faults(&self) -> Option<MutexGuard<'_, Faults>> {
        self.faults.as_ref().map(|faults| faults.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Everything that touches the disk goes through here. On a disk that stops meanwhile, `half` is what of a write is
    /// still done.
    fn operation<T>(
        &self,
        operation: Operation,
        path: &Path,
        half: impl FnOnce(),
        act: impl FnOnce(Option<&mut Faults>) -> io::Result<T>,
    ) -> Result<T, Error> {
        let mut faults = self.faults();
        let done = match faults.as_deref_mut().map(|faults| faults.begin(operation, path)) {
            Some(Err(fault)) => {
                if let (Fault::Stopping, Some(faults)) = (fault, faults.as_deref_mut()) {
                    half();
                    faults.stop();
                }
                Err(fault.into())
            }
            _ => act(faults.as_deref_mut()),
        };
        done.map_err(|error| Error::new(operation, path, error))
    }

    fn whole<T>(
        &self,
        operation: Operation,
        path: &Path,
        act: impl FnOnce(Option<&mut Faults>) -> io::Result<T>,
    ) -> Result<T, Error> {
        self.operation(operation, path, || (), act)
    }

    /// What has a name, a link not followed.
    pub(super) fn look(&self, path: &Path) -> Result<Option<Metadata>, Error> {
        self.whole(Operation::Look, path, |_| match path.symlink_metadata() {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        })
    }

    /// The bytes of a regular file, or `None` where there is nothing. Everything else is refused, a link wherever it
    /// leads: what is renamed takes the place of the link itself, and the link is then gone.
    pub(super) fn regular(&self, path: &Path) -> Result<Option<u64>, Error> {
        match self.look(path)? {
            None => Ok(None),
            Some(found) if found.is_file() => Ok(Some(found.len())),
            Some(_) => Err(Error::refusing(Operation::Look, path, Refused::NotAFile)),
        }
    }

    /// Whether there is a folder. Something else is refused, and a link to one.
    pub(crate) fn is_folder(&self, path: &Path) -> Result<bool, Error> {
        match self.look(path)? {
            None => Ok(false),
            Some(found) if found.is_dir() => Ok(true),
            Some(_) => Err(Error::refusing(Operation::Look, path, Refused::NotAFolder)),
        }
    }

    /// Opens a regular file to read it; `None` where there is nothing.
    ///
    /// # Errors
    /// What the system says; [`Refused::NotAFile`] for anything else, which is not opened: a pipe would be waited on.
    pub fn open(&self, path: &Path) -> Result<Option<Readable>, Error> {
        let Some(length) = self.regular(path)? else { return Ok(None) };
        let mut options = OpenOptions::new();
        options.read(true);
        let file = self.whole(Operation::Open, path, |_| regular(&options, path))?;
        Ok(Some(Readable { disk: self.clone(), path: path.to_owned(), file, length }))
    }

    /// Reads a regular file of at most so many bytes; `None` where there is nothing.
    ///
    /// # Errors
    /// As [`open`](Self::open); [`Refused::Long`] for a longer one.
    pub fn read(&self, path: &Path, most: u64) -> Result<Option<Zeroizing<Vec<u8>>>, Error> {
        let Some(mut file) = self.open(path)? else { return Ok(None) };
        let long = || Error::refusing(Operation::Read, path, Refused::Long);
        if file.length() > most {
            return Err(long());
        }
        // Room for all of it, so that what may be a secret never moves.
        let room = usize::try_from(file.length()).map_err(|_| long())?;
        let mut bytes = Zeroizing::new(Vec::with_capacity(room.saturating_add(1)));
        let read = (&mut file).take(most.saturating_add(1)).read_to_end(&mut bytes);
        let read = read.map_err(|error| Error::new(Operation::Read, path, error))?;
        if u64::try_from(read).is_ok_and(|read| read <= most) { Ok(Some(bytes)) } else { Err(long()) }
    }

    /// A file that was not there: no link is followed and no file of somebody else's, with other readers, is filled.
    pub(super) fn create(&self, path: &Path, readers: Readers) -> Result<Writable, Error> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        readers.of_file(&mut options);
        self.whole(Operation::Create, path, |faults| {
            let file = options.open(path)?;
            let id = faults.map_or(0, |faults| {
                faults.made(path);
                faults.opened(&file, Vec::new())
            });
            Ok(Writable { disk: self.clone(), path: path.to_owned(), file, id })
        })
    }

    /// A file in a folder that nobody sees, and that no crash leaves. `None` where the system has none.
    pub(super) fn create_nameless(&self, folder: &Path, readers: Readers) -> Result<Option<Writable>, Error> {
        if !self.nameless {
            return Ok(None);
        }
        self.whole(Operation::Create, folder, |faults| {
            let Some(file) = nameless::create(folder, readers) else { return Ok(None) };
            let id = faults.map_or(0, |faults| faults.opened(&file, Vec::new()));
            Ok(Some(Writable { disk: self.clone(), path: folder.to_owned(), file, id }))
        })
    }

    /// The bytes of a regular file that is written in its place, as [`regular`](Self::regular): one with another name
    /// is refused, since whatever that is of would be written too.
    pub(super) fn alone(&self, path: &Path) -> Result<Option<u64>, Error> {
        match self.look(path)? {
            Some(found) if found.is_file() && nameless::names(&found) > 1 => {
                Err(Error::refusing(Operation::Look, path, Refused::Linked))
            }
            _ => self.regular(path),
        }
    }

    /// A regular file that is there and has no other name, to be written in its place. Whoever may read it stays.
    pub(super) fn reopen_alone(&self, path: &Path) -> Result<Option<Writable>, Error> {
        if self.alone(path)?.is_none() {
            return Ok(None);
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        self.whole(Operation::Create, path, |faults| {
            let file = regular(&options, path)?;
            // It may have got one meanwhile.
            if nameless::names(&file.metadata()?) > 1 {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, Refused::Linked));
            }
            let id = match faults {
                Some(faults) => faults.opened(&file, fs::read(path)?),
                None => 0,
            };
            Ok(Some(Writable { disk: self.clone(), path: path.to_owned(), file, id }))
        })
    }

    /// Gives a nameless file a name that is free.
    pub(super) fn link(&self, file: &Writable, path: &Path) -> Result<(), Error> {
        self.whole(Operation::Link, path, |faults| {
            nameless::link(&file.file, path)?;
            if let Some(faults) = faults {
                faults.made(path);
            }
            Ok(())
        })
    }

    /// Gives a file the name of another one, which is then gone.
    pub(super) fn rename(&self, from: &Path, to: &Path) -> Result<(), Error> {
        self.renamed(from, to, || fs::rename(from, to))
    }

    /// Gives a file or folder a name that is free.
    pub(super) fn rename_new(&self, from: &Path, to: &Path) -> Result<(), Error> {
        self.renamed(from, to, || nameless::rename_new(from, to))
    }

    fn renamed(&self, from: &Path, to: &Path, act: impl FnOnce() -> io::Result<()>) -> Result<(), Error> {
        self.whole(Operation::Rename, to, |faults| match faults {
            None => act(),
            Some(faults) => {
                faults.renaming(from, to);
                act().inspect_err(|_| faults.forget())
            }
        })
    }

    /// Removes a file; says whether there was one.
    pub(super) fn remove_file(&self, path: &Path) -> Result<bool, Error> {
        self.removed(Operation::Remove, path, || fs::remove_file(path))
    }

    /// Removes a folder and what is in it, links as links; says whether there was one.
    pub(super) fn remove_folder(&self, path: &Path) -> Result<bool, Error> {
        self.removed(Operation::RemoveFolder, path, || fs::remove_dir_all(path))
    }

    fn removed(&self, operation: Operation, path: &Path, act: impl FnOnce() -> io::Result<()>) -> Result<bool, Error> {
        let remove = |faults: Option<&mut Faults>| match faults {
            None => act(),
            Some(faults) => {
                let known = faults.removing(path);
                act().inspect_err(|_| {
                    if known {
                        faults.forget();
                    }
                })
            }
        };
        self.whole(operation, path, |faults| match remove(faults) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            removed => removed.map(|()| true),
        })
    }

    /// Makes a folder that was not there.
    pub(super) fn create_folder(&self, path: &Path, readers: Readers) -> Result<(), Error> {
        let mut builder = DirBuilder::new();
        readers.of_folder(&mut builder);
        self.whole(Operation::MakeFolder, path, |faults| {
            builder.create(path)?;
            if let Some(faults) = faults {
                faults.made(path);
            }
            Ok(())
        })
    }

    /// Forces the names in a folder to the disk.
    pub(super) fn force_folder(&self, path: &Path) -> Result<(), Error> {
        Folder::open(self, path)?.force()
    }

    /// Forces the content of files and the names in folders to the disk, all at once: each alone waits for the disk,
    /// and nothing tells which of them is there first.
    pub(super) fn force_all(&self, files: &mut [Writable], folders: &BTreeSet<PathBuf>) -> Result<(), Error> {
        let files = files.iter_mut().map(Unforced::File);
        let all: Vec<_> = files.chain(folders.iter().map(|folder| Unforced::Folder(folder))).collect();
        // A disk that fails does so in the same order each time.
        let beside = if self.faults.is_some() { 0 } else { all.len().min(MOST_AT_ONCE).saturating_sub(1) };
        let queue = Mutex::new(all.into_iter());
        let work = || {
            loop {
                let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                match next {
                    None => return Ok(()),
                    Some(Unforced::File(file)) => file.force()?,
                    Some(Unforced::Folder(folder)) => self.force_folder(folder)?,
                }
            }
        };
        thread::scope(|scope| {
            // Where the system has no thread for it, this one does all.
            let spawn = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
            let beside: Vec<_> = (0..beside).filter_map(spawn).collect();
            let mut forced = work();
            for one in beside {
                forced = forced.and(one.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            forced
        })
    }

    /// One of the two kinds of a lock on a file, which is made for the exclusive one. `Ok(None)` where there is no file
    /// for the other one: nobody can write there.
    pub(super) fn lock_file(&self, path: &Path, exclusive: bool) -> Result<Option<File>, Error> {
        let found = self.regular(path)?;
        let mut options = OpenOptions::new();
        if exclusive {
            options.write(true).create(true).truncate(false);
        } else if found.is_none() {
            return Ok(None);
        }
        options.read(true);
        self.whole(Operation::Lock, path, |_| regular(&options, path)).map(Some)
    }

    /// Every name in a folder.
    pub(crate) fn names(&self, folder: &Path) -> Result<Vec<PathBuf>, Error> {
        self.whole(Operation::Look, folder, |_| fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect())
    }
}

/// What is written and not forced.
enum Unforced<'a> {
    File(&'a mut Writable),
    Folder(&'a Path),
}

/// Opens what is found to be a regular file, also where something else took its place meanwhile: a pipe would keep this
/// program waiting.
fn regular(options: &OpenOptions, path: &Path) -> io::Result<File> {
    let mut options = options.clone();
    nameless::no_follow(&mut options);
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, Refused::NotAFile))
    }
}

/// An open file that is read.
#[derive(Debug)]
pub struct Readable {
    disk: Disk,
    path: PathBuf,
    file: File,
    length: u64,
}

impl Readable {
    /// Its bytes when it was opened.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }
}

impl Read for Readable {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Self { disk, path, file, .. } = self;
        disk.whole(Operation::Read, path, |_| file.read(buffer)).map_err(Error::into_io)
    }
}

impl Seek for Readable {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// An open file that is written.
#[derive(Debug)]
pub(super) struct Writable {
    disk: Disk,
    path: PathBuf,
    file: File,
    id: u64,
}

impl Writable {
    /// Makes it so long.
    pub(super) fn truncate(&mut self, length: u64) -> Result<(), Error> {
        self.disk.whole(Operation::Truncate, &self.path, |_| self.file.set_len(length))
    }

    /// Forces its content to the disk.
    pub(super) fn force(&mut self) -> Result<(), Error> {
        self.disk.whole(Operation::Force, &self.path, |faults| match faults {
            None => self.file.sync_all(),
            // Whose power goes only in a test forces nothing, which takes time.
            Some(faults) => {
                faults.forced(self.id);
                Ok(())
            }
        })
    }

    /// Goes on behind its last byte.
    pub(super) fn seek_end(&mut self) -> io::Result<()> {
        self.file.seek(SeekFrom::End(0)).map(drop)
    }

    /// The file itself, to be read.
    pub(super) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Where it was made.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The disk that it is on.
    pub(super) fn disk(&self) -> &Disk {
        &self.disk
    }
}

impl Write for Writable {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut file = &self.file;
        let half = || drop((&self.file).write(bytes.get(..bytes.len() / 2).unwrap_or_default()));
        let written = self.disk.operation(Operation::Write, &self.path, half, |_| file.write(bytes));
        written.map_err(Error::into_io)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The folder that something gets a name in. It may be one that can be written to and not be read: that is known before
/// the name is given, and not after it.
#[derive(Debug)]
pub(super) struct Folder {
    disk: Disk,
    path: PathBuf,
    #[cfg(unix)]
    file: File,
}

impl Folder {
    /// Of what a path names.
    pub(super) fn of(disk: &Disk, path: &Path) -> Result<Self, Error> {
        Self::open(disk, folder_of(path)).map_err(|error| error.about(path))
    }

    /// Elsewhere than on Unix folders cannot be opened, and the system orders renames itself.
    pub(super) fn open(disk: &Disk, path: &Path) -> Result<Self, Error> {
        disk.whole(Operation::OpenFolder, path, |_| {
            Ok(Self {
                disk: disk.clone(),
                path: path.to_owned(),
                #[cfg(unix)]
                file: File::open(path)?,
            })
        })
    }

    /// Forces the names in it to the disk.
    pub(super) fn force(&self) -> Result<(), Error> {
        self.disk.whole(Operation::ForceFolder, &self.path, |faults| match faults {
            #[cfg(unix)]
            None => self.file.sync_all(),
            #[cfg(not(unix))]
            None => Ok(()),
            Some(faults) => {
                faults.forced_folder(&self.path);
                Ok(())
            }
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// What is planted between the look and what follows it.
#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use std::os::unix::fs::symlink;

    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("dualseal-machine-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir(&path).unwrap();
            Self(path)
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// Nobody waits for a pipe, nothing is written through a link, and a device is no file.
    #[test]
    fn what_is_opened_is_a_file() {
        let place = Place::new("opened");
        let [file, link, pipe] = ["file", "link", "pipe"].map(|name| place.0.join(name));
        fs::write(&file, "mine").unwrap();
        symlink(&file, &link).unwrap();
        mknodat(CWD, &pipe, FileType::Fifo, Mode::from_bits_truncate(0o600), 0).unwrap();
        let device = PathBuf::from("/dev/null");
        for write in [false, true] {
            let mut options = OpenOptions::new();
            options.read(true).write(write);
            regular(&options, &file).unwrap();
            for path in [&link, &pipe, &device, &place.0] {
                assert!(regular(&options, path).is_err(), "{} {write}", path.display());
            }
            let refused = regular(&options, &device).unwrap_err();
            assert_eq!(refused.get_ref().and_then(|inner| inner.downcast_ref()), Some(&Refused::NotAFile));
        }
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let nothing = place.0.join("nothing");
        symlink(place.0.join("made"), &nothing).unwrap();
        assert!(regular(&options, &nothing).is_err() && !place.0.join("made").exists());
    }

    #[test]
    fn a_name_that_is_taken_stays_whose_it_is() {
        let place = Place::new("taken");
        let [new, theirs, nothing] = ["new", "theirs", "nothing"].map(|name| place.0.join(name));
        fs::write(&new, "new").unwrap();
        fs::write(&theirs, "theirs").unwrap();
        symlink("nowhere", &nothing).unwrap();
        for taken in [&theirs, &nothing] {
            let error = Disk::new().rename_new(&new, taken).unwrap_err();
            assert_eq!(error.io().kind(), io::ErrorKind::AlreadyExists);
        }
        assert_eq!((fs::read(&theirs).unwrap(), fs::read(&new).unwrap()), (b"theirs".to_vec(), b"new".to_vec()));
        Disk::new().rename_new(&new, &place.0.join("free")).unwrap();
    }
}
