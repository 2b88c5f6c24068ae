//! What the service finds when it looks at itself: the last outcome of each self-check.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The last outcome of each self-check of this process.
#[derive(Clone, Debug, Default)]
pub struct SelfChecks(Arc<Mutex<BTreeMap<&'static str, bool>>>);

impl SelfChecks {
    /// Notes the outcome of a check, in the place of its last one.
    pub fn record(&self, name: &'static str, ok: bool) {
        if !ok {
            tracing::error!(name, "a self-check failed");
        }
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name, ok);
    }

    /// The share of these checks that passed last, from 0 to 1; one that was never made did not.
    #[must_use]
    pub fn share(&self, names: &[&str]) -> f64 {
        let checks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = names.iter().filter(|name| checks.get(**name).is_some_and(|ok| *ok)).count();
        let count = |part: usize| f64::from(u32::try_from(part).unwrap_or(u32::MAX));
        if names.is_empty() { 0.0 } else { count(passed) / count(names.len()) }
    }

    /// Each check with its outcome.
    #[must_use]
    pub fn all(&self) -> Vec<(&'static str, bool)> {
        let checks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        checks.iter().map(|(name, ok)| (*name, *ok)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::SelfChecks;

    #[test]
    fn a_share_is_of_what_passed_last() {
        let checks = SelfChecks::default();
        let is = |share: f64| (checks.share(&["chain", "tokens", "secrets", "mark"]) - share).abs() < 1e-9;
        assert!(is(0.0));
        checks.record("chain", true);
        assert!(is(0.25));
        for name in ["tokens", "secrets", "mark"] {
            checks.record(name, name != "mark");
        }
        assert!(is(0.75));
        checks.record("mark", true);
        checks.record("chain", false);
        assert!(is(0.75));
        assert_eq!(checks.all(), [("chain", false), ("mark", true), ("secrets", true), ("tokens", true)]);
    }
}
