//! Each change switched on in turn, until a test notices.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::change::Change;
use crate::copy::read;
use crate::run::{End, Run};
use crate::trace::Measured;

/// Tests that take less are run first.
const QUICK: Duration = Duration::from_millis(300);
/// As often the time of the clean run, and so long besides, counts as noticed.
const PATIENCE: u32 = 10;
const BESIDES: Duration = Duration::from_secs(10);
const WORKERS: usize = 2;

/// What became of a change. The words are those of the file of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Core's own tests notice.
    Own,
    /// Others do.
    Other,
    /// Tests come past it, and none notices.
    None,
    /// No test comes past it.
    Unreached,
    /// It does not compile.
    Unviable,
    /// It cannot be switched.
    Left,
}

const WORDS: &[(Outcome, &str)] = &[
    (Outcome::Own, "own"),
    (Outcome::Other, "other"),
    (Outcome::None, "none"),
    (Outcome::Unreached, "unreached"),
    (Outcome::Unviable, "unviable"),
    (Outcome::Left, "left"),
];

impl Outcome {
    pub(crate) fn word(self) -> &'static str {
        WORDS.iter().find(|(outcome, _)| *outcome == self).map_or("", |(_, word)| word)
    }
}

/// A file that keeps what is known of each change.
pub(crate) struct Results {
    known: BTreeMap<String, String>,
    file: Mutex<File>,
}

impl Results {
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        let text = if path.exists() { read(path)? } else { String::new() };
        let rows = text.lines().filter_map(|line| line.split_once('\t'));
        let known = rows.map(|(word, name)| (name.to_owned(), word.to_owned())).collect();
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(|error| error.to_string())?;
        Ok(Self { known, file: Mutex::new(file) })
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    pub(crate) fn keep(&self, name: &str, outcome: Outcome) -> Result<(), String> {
        let mut file = self.file.lock().map_err(|_| "a worker ended early")?;
        file.write_all(format!("{}\t{name}\n", outcome.word()).as_bytes()).map_err(|error| error.to_string())
    }
}

/// Whether tests notice a change, core's own first, of both the quick ones first.
pub(crate) fn one(number: u32, programs: &[Measured]) -> Result<Outcome, String> {
    let mut outcome = Outcome::Unreached;
    for is_quick in [true, false] {
        for program in programs {
            let past = program.past(number);
            let chosen: Vec<_> = past.iter().filter(|(_, time)| (*time < QUICK) == is_quick).collect();
            if chosen.is_empty() {
                continue;
            }
            outcome = Outcome::None;
            let names: Vec<_> = chosen.iter().map(|(name, _)| *name).collect();
            let limit = chosen.iter().map(|(_, time)| *time).sum::<Duration>() * PATIENCE + BESIDES;
            let run = Run { tests: &program.tests, names: &names, change: Some(number), limit };
            if run.run(|_, _| ())? != End::Passed {
                return Ok(if program.tests.is_core { Outcome::Own } else { Outcome::Other });
            }
        }
    }
    Ok(outcome)
}

/// Tries those that are not known yet.
pub(crate) fn all(changes: &[&Change], programs: &[Measured], results: &Results) -> Result<(), String> {
    let left: Vec<_> = changes.iter().filter(|change| !results.has(&change.name)).collect();
    let queue = Mutex::new(left.iter().enumerate());
    let is_wrong = AtomicBool::new(false);
    let work = || -> Result<(), String> {
        while !is_wrong.load(Ordering::Relaxed) {
            let next = queue.lock().map_err(|_| "a worker ended early")?.next();
            let Some((place, change)) = next else { break };
            let outcome = one(change.number, programs).inspect_err(|_| is_wrong.store(true, Ordering::Relaxed))?;
            results.keep(&change.name, outcome)?;
            println!("{} of {}: {:<9} {}", place + 1, left.len(), outcome.word(), change.name);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| "a worker ended early".to_owned())?)
    })
}
