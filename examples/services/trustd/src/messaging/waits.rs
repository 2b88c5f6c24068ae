//! What failed and is tried again: not at once, and each time later.

use super::rules::next_attempt;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What failed in this process, by its name.
#[derive(Debug, Default)]
pub(crate) struct Waits(Mutex<BTreeMap<String, Failed>>);

#[derive(Clone, Copy, Debug, Default)]
struct Failed {
    attempts: i64,
    due_at: i64,
}

impl Waits {
    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Failed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is not to be tried yet. A clock that was set back has nothing wait for longer than it did.
    pub(super) fn waits(&self, name: &str, now: i64) -> bool {
        let found = self.all().get(name).copied();
        found.is_some_and(|one| now < one.due_at && one.due_at <= next_attempt(now, one.attempts, None, 0))
    }

    /// It failed once more.
    pub(super) fn failed(&self, name: &str, now: i64) {
        let mut all = self.all();
        let one = all.entry(name.to_owned()).or_default();
        one.attempts = one.attempts.saturating_add(1);
        one.due_at = next_attempt(now, one.attempts, None, 0);
    }

    /// Forgets all but these.
    pub(super) fn keep(&self, names: &BTreeSet<String>) {
        self.all().retain(|name, _| names.contains(name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_waits_longer_each_time_and_no_longer_than_it_says() {
        let (waits, mut now) = (Waits::default(), 1_000_000);
        assert!(!waits.waits("a", now));
        let mut last = 0;
        for _ in 0..20 {
            waits.failed("a", now);
            let wait = (1..1000).map(|seconds| seconds * 1000).find(|wait| !waits.waits("a", now + wait)).unwrap();
            assert!(wait > last || wait == 450_000, "{wait}");
            (last, now) = (wait, now + wait);
        }
        assert_eq!(last, 450_000);
        assert!(!waits.waits("b", now));
        waits.failed("a", now);
        assert!(waits.waits("a", now) && !waits.waits("a", now - 1000), "the clock was set back");
        waits.keep(&BTreeSet::from(["b".to_owned()]));
        assert!(!waits.waits("a", now));
    }
}
