//! What must not stay when a program ends before it is done: a file or folder under a name that nobody asked for.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use dualseal::SystemRng;
use dualseal::encoding::hex;
use dualseal::secret::Secret;

static PATHS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
static WATCH: OnceLock<fn()> = OnceLock::new();

/// Has something called each time before anything is made that must not stay: a program that removes it at signals, by
/// [`abandon`], need not heed them before. The first one that is given stays.
pub fn when_unfinished(watch: fn()) {
    let _ = WATCH.set(watch);
}

/// How the names of what is not finished end; they begin with a point.
const ENDING: &str = ".unfinished";
/// Characters of what is drawn for such a name.
const DRAWN: usize = 16;

/// A file or folder that is not finished, for as long as this lives. Whoever made it removes it, or [`abandon`] does.
#[derive(Debug)]
pub(super) struct Unfinished(PathBuf);

impl Unfinished {
    /// Begins, before the path is made.
    pub(super) fn begin(path: &Path) -> Self {
        if let Some(watch) = WATCH.get() {
            watch();
        }
        paths().insert(path.to_owned());
        Self(path.to_owned())
    }

    /// Begins under a name beside a path that nobody foresees: in a folder that others write to, a link or a file of
    /// theirs would wait there.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        let drawn = Secret::<{ DRAWN / 2 }>::random(&mut SystemRng).map_err(io::Error::other)?;
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{}{ENDING}", hex::encode(drawn.expose())));
        Ok(Self::begin(&path.with_file_name(name)))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Does what makes it last. Nobody abandons half of it meanwhile.
    pub(super) fn finish<T>(&self, last: impl FnOnce() -> T) -> T {
        let mut paths = paths();
        forget(&mut paths, &self.0);
        last()
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        forget(&mut paths(), &self.0);
    }
}

/// The last one takes the set's memory along, of which an empty one keeps a part: a library that does nothing holds
/// nothing.
fn forget(paths: &mut BTreeSet<PathBuf>, path: &Path) {
    paths.remove(path);
    if paths.is_empty() {
        *paths = BTreeSet::new();
    }
}

fn paths() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PATHS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a name is one that this module gives to what is not finished. A crash leaves it; nobody needs it.
#[must_use]
pub fn is_unfinished(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let drawn =
        name.strip_prefix('.').and_then(|name| name.strip_suffix(ENDING)).and_then(|name| name.rsplit_once('.'));
    drawn.is_some_and(|(_, drawn)| drawn.len() == DRAWN && drawn.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Removes everything that this process has begun and not finished: for a program that a signal ends. As long as what
/// it gives lives, nothing gets its name any more; whoever is about to give it one waits.
#[must_use = "what is in the making goes on when it is dropped"]
pub fn abandon() -> Abandoned {
    let paths = paths();
    for path in &*paths {
        // Another thread may put a file into a folder while it is removed.
        for _ in 0..100 {
            let _ = if path.is_dir() && !path.is_symlink() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
            if path.symlink_metadata().is_err() {
                break;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
    Abandoned(paths)
}

/// Holds back what would get its name; see [`abandon`].
#[derive(Debug)]
pub struct Abandoned(#[allow(dead_code, reason = "it is held, not read")] MutexGuard<'static, BTreeSet<PathBuf>>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_drawn() {
        let key = Path::new("folder/key.pem");
        let (first, second) = (Unfinished::beside(key).unwrap(), Unfinished::beside(key).unwrap());
        assert_ne!(first.path(), second.path());
        assert_eq!(first.path().parent(), key.parent());
        assert!(is_unfinished(first.path().file_name().unwrap()));
        for other in
            ["unfinished", "x.unfinished", ".x.unfinished", ".x.0123456789abcdeg.unfinished", ".0123456789abcdef"]
        {
            assert!(!is_unfinished(OsStr::new(other)), "{other}");
        }
    }
}
