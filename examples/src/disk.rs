//! Writing that survives a crash: a file or a folder is made under another name, forced to the disk, and renamed when
//! it is whole. Tests take a disk whose power goes at any one of its operations.

use crate::Fallible;
use crate::files::Readers;
use std::cell::RefCell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What the name of something unfinished ends with.
const UNFINISHED: &str = ".unfinished";

/// Where things are written.
#[derive(Clone, Debug, Default)]
pub struct Disk(Option<Rc<RefCell<Power>>>);

/// Power that goes after so many operations.
#[derive(Debug)]
struct Power {
    left: u64,
    /// What was written and not forced to the disk yet: the crash takes it.
    unforced: Vec<PathBuf>,
}

impl Disk {
    /// The disk of this machine.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A disk whose power goes after `operations` operations: the next one is done by half, and all later ones fail.
    /// What was not forced to the disk by then is lost.
    #[must_use]
    pub fn with_power_for(operations: u64) -> Self {
        Self(Some(Rc::new(RefCell::new(Power { left: operations, unforced: Vec::new() }))))
    }

    /// Writes a file: all of it or none, also where one of that name exists.
    ///
    /// # Errors
    /// One line that names the file, and what `write` says.
    pub fn replace<T>(
        &self,
        path: &Path,
        readers: Readers,
        write: impl FnOnce(&mut dyn Write) -> Fallible<T>,
    ) -> Fallible<T> {
        let unfinished = unfinished(path);
        let mut file = self.create(&unfinished, readers)?;
        let written = write(&mut file)?;
        file.force()?;
        self.rename(&unfinished, path)?;
        Ok(written)
    }

    /// Begins a folder, whose parent exists. What an earlier try left is removed.
    ///
    /// # Errors
    /// One line that names the folder; also when it exists already.
    pub fn begin_folder(&self, path: &Path) -> Fallible<NewFolder> {
        let unfinished = unfinished(path);
        if fs::exists(path)? {
            return Err(format!("{} exists already and is left as it is", path.display()).into());
        }
        self.remove_folder(&unfinished)?;
        self.make_folder(&unfinished)?;
        Ok(NewFolder { disk: self.clone(), unfinished, path: path.to_path_buf() })
    }

    /// Makes a folder where there is none.
    ///
    /// # Errors
    /// One line that names the folder.
    pub fn make_folder(&self, path: &Path) -> Fallible<()> {
        if !fs::exists(path)? {
            self.operation(|_| fs::create_dir(path)).map_err(|error| describe("make", path, &error))?;
        }
        Ok(())
    }

    /// Removes a file, and says whether there was one.
    ///
    /// # Errors
    /// One line that names the file.
    pub fn remove(&self, path: &Path) -> Fallible<bool> {
        if !fs::exists(path)? {
            return Ok(false);
        }
        self.operation(|_| fs::remove_file(path)).map_err(|error| describe("remove", path, &error))?;
        Ok(true)
    }

    /// Removes whatever in a folder was left unfinished by a crash.
    ///
    /// # Errors
    /// One line that names what cannot be removed.
    pub fn remove_unfinished(&self, folder: &Path) -> Fallible<()> {
        for entry in fs::read_dir(folder).map_err(|error| describe("read", folder, &error))? {
            let path = entry?.path();
            if path.as_os_str().to_string_lossy().ends_with(UNFINISHED) {
                if path.is_dir() { self.remove_folder(&path)? } else { self.remove(&path).map(drop)? }
            }
        }
        Ok(())
    }

    fn remove_folder(&self, path: &Path) -> Fallible<()> {
        if fs::exists(path)? {
            self.operation(|_| fs::remove_dir_all(path)).map_err(|error| describe("remove", path, &error))?;
        }
        Ok(())
    }

    fn create(&self, path: &Path, readers: Readers) -> Fallible<NewFile> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        if readers == Readers::Owner {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        #[cfg(not(unix))]
        let _ = readers;
        let file = self.operation(|power| {
            if let Some(power) = power {
                power.unforced.push(path.to_path_buf());
            }
            options.open(path)
        });
        let file = file.map_err(|error| describe("write", path, &error))?;
        Ok(NewFile { disk: self.clone(), path: path.to_path_buf(), file })
    }

    /// Renames, and forces the folder's own entry to the disk.
    fn rename(&self, from: &Path, to: &Path) -> Fallible<()> {
        self.operation(|power| {
            for path in power.into_iter().flat_map(|power| &mut power.unforced) {
                if let Ok(inside) = path.strip_prefix(from) {
                    *path = if inside.as_os_str().is_empty() { to.to_path_buf() } else { to.join(inside) };
                }
            }
            fs::rename(from, to)
        })
        .map_err(|error| describe("rename", from, &error))?;
        let parent = to.parent().unwrap_or(Path::new("."));
        self.operation(|_| File::open(parent)?.sync_all()).map_err(|error| describe("write", parent, &error))?;
        Ok(())
    }

    /// One operation, if there is power for it.
    fn operation<T>(&self, act: impl FnOnce(Option<&mut Power>) -> io::Result<T>) -> io::Result<T> {
        let Some(power) = &self.0 else { return act(None) };
        let mut power = power.borrow_mut();
        power.spend()?;
        act(Some(&mut power))
    }
}

impl Power {
    fn spend(&mut self) -> io::Result<()> {
        if let Some(left) = self.left.checked_sub(1) {
            self.left = left;
            return Ok(());
        }
        for path in self.unforced.drain(..) {
            // It may not even have been made yet.
            let _ = OpenOptions::new().write(true).truncate(true).open(path);
        }
        Err(io::Error::other("the power went"))
    }
}

/// A file in the making.
#[derive(Debug)]
pub struct NewFile {
    disk: Disk,
    path: PathBuf,
    file: File,
}

impl NewFile {
    /// Forces what was written to the disk.
    ///
    /// # Errors
    /// One line that names the file.
    pub fn force(&mut self) -> Fallible<()> {
        let (file, path) = (&self.file, &self.path);
        self.disk
            .operation(|power| {
                if let Some(power) = power {
                    power.unforced.retain(|unforced| unforced != path);
                }
                file.sync_all()
            })
            .map_err(|error| describe("write", path, &error).into())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let file = &mut self.file;
        // Without power the first half may or may not reach the disk; what reaches it is lost again.
        self.disk.operation(|_| file.write(bytes)).inspect_err(|_| {
            let _ = file.write(&bytes[..bytes.len() / 2]);
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A folder in the making. Dropped without [`commit`](Self::commit), it is no folder.
#[derive(Debug)]
pub struct NewFolder {
    disk: Disk,
    unfinished: PathBuf,
    path: PathBuf,
}

impl NewFolder {
    /// Begins a file in it. It is forced to the disk by its writer.
    ///
    /// # Errors
    /// One line that names the file.
    pub fn file(&self, name: &str, readers: Readers) -> Fallible<NewFile> {
        self.disk.create(&self.unfinished.join(name), readers)
    }

    /// Writes a text into it.
    ///
    /// # Errors
    /// One line that names the file.
    pub fn write(&self, name: &str, text: &str, readers: Readers) -> Fallible<()> {
        let mut file = self.file(name, readers)?;
        file.write_all(text.as_bytes()).map_err(|error| describe("write", &file.path, &error))?;
        file.force()
    }

    /// Opens a file of it for reading, before anybody else can.
    ///
    /// # Errors
    /// One line that names the file.
    pub fn open(&self, name: &str) -> Fallible<File> {
        crate::files::open(&self.unfinished.join(name))
    }

    /// Gives it its name: from here on it is there, whole.
    ///
    /// # Errors
    /// One line that names the folder.
    pub fn commit(self) -> Fallible<()> {
        self.disk.operation(|_| File::open(&self.unfinished)?.sync_all())?;
        self.disk.rename(&self.unfinished, &self.path)
    }
}

fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(UNFINISHED);
    path.with_file_name(name)
}

fn describe(act: &str, path: &Path, error: &io::Error) -> String {
    format!("cannot {act} {}: {error}", path.display())
}

#[cfg(test)]
mod tests;
