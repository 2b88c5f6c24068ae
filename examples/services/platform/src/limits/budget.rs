//! The bytes of all requests in flight.

use std::sync::atomic::{AtomicU64, Ordering};

/// How many bytes of bodies are held at once, counted as they come: whoever promises much and sends little holds
/// little. Bodies of anybody's get half of it, so that they leave room for callers with a token.
#[derive(Debug)]
pub(super) struct Budget {
    most: u64,
    all: AtomicU64,
    public: AtomicU64,
}

impl Budget {
    pub(super) fn new(most: u64) -> Self {
        Self { most, all: AtomicU64::new(0), public: AtomicU64::new(0) }
    }

    /// Takes bytes, or none of them.
    pub(super) fn take(&self, bytes: u64, is_public: bool) -> bool {
        if is_public && !add(&self.public, bytes, self.most / 2) {
            return false;
        }
        if add(&self.all, bytes, self.most) {
            return true;
        }
        if is_public {
            self.public.fetch_sub(bytes, Ordering::Relaxed);
        }
        false
    }

    /// Gives back what was taken.
    pub(super) fn give_back(&self, bytes: u64, is_public: bool) {
        self.all.fetch_sub(bytes, Ordering::Relaxed);
        if is_public {
            self.public.fetch_sub(bytes, Ordering::Relaxed);
        }
    }

    pub(super) fn taken(&self) -> u64 {
        self.all.load(Ordering::Relaxed)
    }
}

fn add(to: &AtomicU64, bytes: u64, most: u64) -> bool {
    let added = |taken: u64| taken.checked_add(bytes).filter(|sum| *sum <= most);
    to.fetch_update(Ordering::Relaxed, Ordering::Relaxed, added).is_ok()
}

#[cfg(test)]
mod tests {
    use super::Budget;

    #[test]
    fn anybody_gets_half_of_it() {
        let budget = Budget::new(100);
        assert!(budget.take(50, true));
        assert!(!budget.take(1, true));
        assert!(budget.take(50, false));
        assert!(!budget.take(1, false));
        budget.give_back(50, false);
        assert!(!budget.take(1, true));
        budget.give_back(50, true);
        assert_eq!(budget.taken(), 0);
        assert!(budget.take(60, false));
        assert!(!budget.take(50, true), "not all of it fits");
        assert!(budget.take(40, true), "and what did not fit was given back");
    }
}
