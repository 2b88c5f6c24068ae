//! What must not stay when the program is interrupted: a file or folder under a name that nobody asked for.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static PATHS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// For as long as it lives, a signal that ends the program removes the file or folder first. Whoever made it removes it
/// otherwise.
#[derive(Debug)]
pub(crate) struct Unfinished(PathBuf);

impl Unfinished {
    /// Begins, before the path is made.
    pub(crate) fn begin(path: &Path) -> Self {
        signals::watch();
        paths().insert(path.to_owned());
        Self(path.to_owned())
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Does what makes it last. No signal removes half of it meanwhile.
    pub(crate) fn finish<T>(&self, last: impl FnOnce() -> T) -> T {
        let mut paths = paths();
        paths.remove(&self.0);
        last()
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        paths().remove(&self.0);
    }
}

fn paths() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PATHS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
mod signals {
    use super::{fs, paths};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::path::Path;
    use std::sync::{Once, mpsc};
    use std::thread;
    use std::time::Duration;

    static WATCHED: Once = Once::new();

    /// From here on, what ends the program waits until nothing unfinished is left.
    pub(super) fn watch() {
        WATCHED.call_once(|| {
            let (ready, watching) = mpsc::channel();
            let watch = move || {
                let ignored = ignored();
                let asked = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
                let signals = Signals::new(asked);
                let _ = ready.send(());
                if let Ok(mut signals) = signals
                    && let Some(signal) = signals.forever().next()
                {
                    end(signal);
                }
            };
            // Without the thread signals end the program as ever.
            if thread::Builder::new().spawn(watch).is_ok() {
                let _ = watching.recv();
            }
        });
    }

    fn end(signal: i32) {
        // Kept to the end: nothing gets its name any more.
        let paths = paths();
        for path in &*paths {
            // A file may come into a folder while it is removed.
            for _ in 0..100 {
                remove(path);
                if path.symlink_metadata().is_err() {
                    break;
                }
                thread::sleep(Duration::from_millis(2));
            }
        }
        // Whoever waits for the program sees the signal.
        let _ = emulate_default_handler(signal);
        std::process::exit(128 + signal);
    }

    fn remove(path: &Path) {
        let _ = if path.is_dir() && !path.is_symlink() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }

    /// The signals that whoever started the program had it ignore, as `nohup` does: they stay ignored.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
    }
}

/// There are no such signals here.
#[cfg(not(unix))]
mod signals {
    pub(super) fn watch() {}
}
