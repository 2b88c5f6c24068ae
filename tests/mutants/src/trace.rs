//! Which test comes past which change, and how long each takes: a change that a test does not come past makes no
//! difference to it, so that it need not be run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use crate::compile::Tests;
use crate::copy::{read, write};
use crate::run::{End, Run};

/// For clean runs.
const LIMIT: Duration = Duration::from_mins(30);
/// A thread that no test is named by.
const UNKNOWN: [&str; 2] = ["?", "main"];

/// One program, and of each of its tests the time.
pub(crate) struct Measured {
    pub(crate) tests: Tests,
    pub(crate) times: BTreeMap<String, Duration>,
    /// Of each change the tests that come past it.
    reached: BTreeMap<u32, BTreeSet<String>>,
    /// What threads come past that could be of any test.
    by_any: BTreeSet<u32>,
}

impl Measured {
    /// Runs the program twice with no change: all must pass. What was measured of one state is kept in its folder.
    pub(crate) fn measure(tests: Tests, folder: &Path) -> Result<Self, String> {
        let file = |what: &str| folder.join(format!("{what}-{}", tests.name));
        let (kept, trace) = (file("times"), file("trace"));
        if !kept.exists() {
            let mut rows = String::new();
            let clean = Run { tests: &tests, names: &[], change: None, limit: LIMIT };
            let heard = |name: &str, time: Duration| rows.extend([&time.as_micros().to_string(), " ", name, "\n"]);
            if clean.run(heard)? != End::Passed {
                return Err(format!("{} fails although no change is on", tests.name));
            }
            write(&trace, b"")?;
            clean.trace(&trace)?;
            write(&kept, rows.as_bytes())?;
        }
        let times = read(&kept)?;
        let times: BTreeMap<_, _> = times.lines().filter_map(time).collect();
        let (reached, by_any) = sorted(&read(&trace)?, &times);
        println!("{}: {} tests, {:.1?}", tests.name, times.len(), times.values().sum::<Duration>());
        Ok(Self { tests, times, reached, by_any })
    }

    /// The tests that come past a change, the quickest first.
    pub(crate) fn past(&self, change: u32) -> Vec<(&str, Duration)> {
        let reached = self.reached.get(&change);
        let is_past = |name: &String| self.by_any.contains(&change) || reached.is_some_and(|of| of.contains(name));
        let mut past: Vec<_> = self.times.iter().filter(|(name, _)| is_past(name)).collect();
        past.sort_by_key(|(_, time)| **time);
        past.into_iter().map(|(name, time)| (name.as_str(), *time)).collect()
    }
}

fn time(row: &str) -> Option<(String, Duration)> {
    let (time, name) = row.split_once(' ')?;
    Some((name.to_owned(), Duration::from_micros(time.parse().ok()?)))
}

fn sorted(trace: &str, times: &BTreeMap<String, Duration>) -> (BTreeMap<u32, BTreeSet<String>>, BTreeSet<u32>) {
    let (mut reached, mut by_any) = (BTreeMap::<u32, BTreeSet<String>>::new(), BTreeSet::new());
    for (name, number) in trace.lines().filter_map(|line| line.rsplit_once(' ')) {
        let Ok(number) = number.parse() else { continue };
        if UNKNOWN.contains(&name) || !times.contains_key(name) {
            by_any.insert(number);
        } else {
            reached.entry(number).or_default().insert(name.to_owned());
        }
    }
    (reached, by_any)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::time::Duration;

    use super::sorted;

    #[test]
    fn what_an_unknown_thread_comes_past_is_of_every_test() {
        let times = BTreeMap::from([("a::b".to_owned(), Duration::ZERO)]);
        let (reached, by_any) = sorted("a::b 3\n? 4\npool-1 5\nmain 6\na::b 7\n", &times);
        assert_eq!(reached.keys().copied().collect::<Vec<_>>(), [3, 7]);
        assert_eq!(by_any, BTreeSet::from([4, 5, 6]));
    }
}
