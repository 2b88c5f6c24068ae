//! Names within a folder that somebody else may have made: they lead down, through folders and no links.

use super::error::{Error, Operation, Refused};
use super::machine::{Disk, Readable};
use super::readers::Readers;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// The names that a locked folder has for itself.
pub(super) const JOURNAL: &str = "journal";
pub(super) const STAGED: &str = "staged";
pub(super) const LOCK: &str = "lock";

impl Disk {
    /// Opens a regular file within a folder, to read it; `None` where there is nothing. A name whose folders are links
    /// or anything else is refused: it would lead elsewhere.
    pub(crate) fn open_within(&self, folder: &Path, name: &str) -> Result<Option<Readable>, Error> {
        Within::new(self, folder).open(name)
    }
}

/// A path within a folder.
#[derive(Debug)]
pub(super) struct Within<'a> {
    disk: &'a Disk,
    folder: &'a Path,
}

impl<'a> Within<'a> {
    pub(super) fn new(disk: &'a Disk, folder: &'a Path) -> Self {
        Self { disk, folder }
    }

    /// The bytes of the regular file that has such a name, and `None` where nothing has it. A name that leads elsewhere
    /// is refused, and one whose folders are anything else.
    pub(super) fn regular(&self, name: &str) -> Result<Option<u64>, Error> {
        self.found(name, |path| self.disk.regular(path))
    }

    /// The same of a file that is appended to, which has no other name.
    pub(super) fn alone(&self, name: &str) -> Result<Option<u64>, Error> {
        self.found(name, |path| self.disk.alone(path))
    }

    /// Opens the regular file that has such a name, to read it.
    pub(super) fn open(&self, name: &str) -> Result<Option<Readable>, Error> {
        self.found(name, |path| self.disk.open(path))
    }

    fn found<T>(&self, name: &str, find: impl FnOnce(&Path) -> Result<Option<T>, Error>) -> Result<Option<T>, Error> {
        let path = self.folder.join(name);
        if !leads_down(name) {
            return Err(Error::refusing(Operation::Look, &path, Refused::Outside));
        }
        for folder in self.parents(&path) {
            if !self.disk.is_folder(folder)? {
                return Ok(None);
            }
        }
        find(&path)
    }

    /// Makes the folders of such a name, as far as there are none, and adds to those that are to be forced.
    pub(super) fn make_parents(&self, name: &str, changed: &mut BTreeSet<PathBuf>) -> Result<(), Error> {
        let path = self.folder.join(name);
        let mut outer = self.folder;
        for folder in self.parents(&path) {
            if !self.disk.is_folder(folder)? {
                self.disk.create_folder(folder, Readers::All)?;
                changed.insert(outer.to_owned());
            }
            outer = folder;
        }
        changed.insert(outer.to_owned());
        Ok(())
    }

    /// Adds the folders of such a name, as far as they are there.
    pub(super) fn parents_there(&self, name: &str, there: &mut BTreeSet<PathBuf>) -> Result<(), Error> {
        for folder in self.parents(&self.folder.join(name)) {
            if !self.disk.is_folder(folder)? {
                break;
            }
            there.insert(folder.to_owned());
        }
        Ok(())
    }

    /// From the outermost in: what is made within a link would be made elsewhere.
    fn parents<'p>(&self, path: &'p Path) -> impl Iterator<Item = &'p Path> {
        let mut parents: Vec<_> = path.ancestors().skip(1).take_while(|outer| *outer != self.folder).collect();
        parents.reverse();
        parents.into_iter()
    }
}

/// Whether it is a relative name of plain parts, as this module writes it, and none of the folder's own.
fn leads_down(name: &str) -> bool {
    let mut parts = name.split('/');
    let own = parts.next().is_none_or(|first| [JOURNAL, STAGED, LOCK].contains(&first));
    !own && name.split('/').all(is_one)
}

/// Whether it is one plain name.
pub(crate) fn is_one(name: impl AsRef<Path>) -> bool {
    let name = name.as_ref();
    let mut parts = name.components();
    matches!(parts.next(), Some(Component::Normal(part)) if part == name.as_os_str()) && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_down() {
        for name in ["ring.json", "keys/ana.pem", "a/b/c", "...", "journals", "keys/lock", ".x"] {
            assert!(leads_down(name), "{name}");
        }
        for name in [
            "", "/", ".", "..", "a/..", "a/../b", "../a", "/a", "a/", "a//b", "./a", "a/./b", "journal", "staged/0",
            "lock",
        ] {
            assert!(!leads_down(name), "{name}");
        }
        assert!(is_one("a") && !is_one("a/b") && !is_one("a/") && !is_one("") && !is_one(".."));
    }
}
