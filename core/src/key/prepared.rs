//! Where a verifier finds public keys expanded for verification. Expanding one costs more than a verification with it,
//! and takes some 40 KB, so a ring does not hold them.

use crate::mldsa::{KeyHash, PreparedKey, PublicKey};
use alloc::collections::BTreeMap;
use alloc::sync::Arc;

/// A source of prepared keys. A verifier asks only for keys of its ring, for decoys, which the ring knows by their
/// hashes, and for one dummy, and prepares the key itself when the answer is for another one. A source that keeps the
/// ring's keys keeps the decoys' and the dummy as well: else its time tells decoys from the ring's keys, and unknown
/// identities from known ones.
pub trait PreparedKeys: Sync {
    /// The prepared form of this key.
    fn prepared(&self, key: &PublicKey) -> Arc<PreparedKey>;
}

/// No cache: every verification expands the key.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unprepared;

impl PreparedKeys for Unprepared {
    fn prepared(&self, key: &PublicKey) -> Arc<PreparedKey> {
        Arc::new(key.prepare())
    }
}

/// Keys that the caller prepared beforehand, for programs without `std`. Others are expanded each time, but for the
/// dummy, which is there from the beginning: an unknown identity's record is answered as fast as a known one's.
///
/// A ring's decoys are for the caller to insert, who made them: it holds their hashes alone. One that is expanded each
/// time takes more than twice as long as a key that is kept, which tells it from one.
#[derive(Clone, Debug)]
pub struct PreparedKeySet {
    keys: BTreeMap<KeyHash, Arc<PreparedKey>>,
    dummy: Arc<PreparedKey>,
}

impl PreparedKeySet {
    /// An empty set.
    #[must_use]
    pub fn new() -> Self {
        Self { keys: BTreeMap::new(), dummy: Arc::new(dummy_key().prepare()) }
    }

    /// Expands a key and keeps it.
    pub fn insert(&mut self, key: &PublicKey) {
        self.keys.insert(*key.hash(), Arc::new(key.prepare()));
    }

    /// Lets a key go.
    pub fn remove(&mut self, key: &PublicKey) {
        self.keys.remove(key.hash());
    }

    /// The number of keys that were inserted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

impl Default for PreparedKeySet {
    fn default() -> Self {
        Self::new()
    }
}

impl PreparedKeys for PreparedKeySet {
    fn prepared(&self, key: &PublicKey) -> Arc<PreparedKey> {
        let dummy = (key.hash() == self.dummy.hash()).then_some(&self.dummy);
        self.keys.get(key.hash()).or(dummy).cloned().unwrap_or_else(|| Unprepared.prepared(key))
    }
}

/// Asks a source, and does not trust it for which key it gives.
pub(crate) fn prepared(source: &dyn PreparedKeys, key: &PublicKey) -> Arc<PreparedKey> {
    let prepared = source.prepared(key);
    if prepared.hash() == key.hash() { prepared } else { Unprepared.prepared(key) }
}

/// What an unknown identity's record is checked against, so that the answer takes as long.
pub(crate) fn dummy_key() -> PublicKey {
    PublicKey::dummy()
}

#[cfg(feature = "std")]
pub use shared::PreparedKeyCache;

#[cfg(feature = "std")]
mod shared {
    use super::{Arc, BTreeMap, KeyHash, PreparedKey, PreparedKeys, PublicKey, Unprepared};
    use core::fmt;
    use std::collections::{BTreeSet, VecDeque};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    /// For each key that there is room for, the hashes of so many that were let go: a twentieth of what it takes.
    const REMEMBERED: usize = 64;

    /// A cache that threads share, which lets the least recently used keys go when its budget of bytes is full.
    ///
    /// A key that is not in it is expanded when it is asked for: whoever times the first answer about an identity
    /// learns that the ring has it. Where that is a secret, ask for all of the ring's keys beforehand, with room for
    /// each.
    ///
    /// ```
    /// use dualseal::key::{PreparedKeyCache, PreparedKeys};
    /// use dualseal::SigningKey;
    ///
    /// let cache = PreparedKeyCache::default();
    /// let key = SigningKey::from_seed(&[7; 32])?;
    /// cache.prepared(key.public_key());
    /// cache.prepared(key.public_key());
    /// assert_eq!((cache.len(), cache.hits(), cache.misses()), (1, 1, 1));
    /// # Ok::<(), dualseal::Error>(())
    /// ```
    pub struct PreparedKeyCache {
        budget: usize,
        slots: Mutex<Slots>,
    }

    #[derive(Default)]
    struct Slots {
        /// With when it was last used.
        keys: BTreeMap<KeyHash, (Arc<PreparedKey>, u64)>,
        /// By when they were last used, so that the one to let go is found without looking at all.
        ages: BTreeMap<u64, KeyHash>,
        clock: u64,
        hits: u64,
        misses: u64,
        /// Those that were let go last: by their hashes, and in order.
        gone: BTreeSet<KeyHash>,
        gone_since: VecDeque<KeyHash>,
        again: u64,
    }

    impl PreparedKeyCache {
        /// The keys that [`default`](Self::default) has room for.
        pub const DEFAULT_KEYS: usize = 1000;

        /// A cache of at most `budget` bytes. Below [`PreparedKey::BYTES`] it keeps nothing.
        #[must_use]
        pub fn new(budget: usize) -> Self {
            Self { budget, slots: Mutex::default() }
        }

        /// The number of keys in the cache.
        #[must_use]
        pub fn len(&self) -> usize {
            self.lock().keys.len()
        }

        /// Whether the cache is empty.
        #[must_use]
        pub fn is_empty(&self) -> bool {
            self.len() == 0
        }

        /// How often a key was asked for that was there.
        #[must_use]
        pub fn hits(&self) -> u64 {
            self.lock().hits
        }

        /// How often a key was asked for that was expanded then. Where this goes on growing among the same identities,
        /// the budget is too small for them.
        #[must_use]
        pub fn misses(&self) -> u64 {
            self.lock().misses
        }

        /// How often a key was asked for that had been let go, and was expanded again. As often as there is room for
        /// keys, the cache is too small for those that are asked for in turn: give it more, or sort what is verified.
        #[must_use]
        pub fn expanded_again(&self) -> u64 {
            self.lock().again
        }

        /// The keys that it has room for.
        #[must_use]
        pub fn room(&self) -> usize {
            self.budget.checked_div(PreparedKey::BYTES).unwrap_or(0)
        }

        /// A thread that panicked in here can have left the two maps apart by one key at most, which costs its place.
        fn lock(&self) -> MutexGuard<'_, Slots> {
            self.slots.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }

    /// Room for [`DEFAULT_KEYS`](PreparedKeyCache::DEFAULT_KEYS) keys: some 40 MB once that many were asked for.
    impl Default for PreparedKeyCache {
        fn default() -> Self {
            Self::new(Self::DEFAULT_KEYS.saturating_mul(PreparedKey::BYTES))
        }
    }

    impl PreparedKeys for PreparedKeyCache {
        fn prepared(&self, key: &PublicKey) -> Arc<PreparedKey> {
            if let Some(found) = self.lock().touch(key.hash()) {
                return found;
            }
            // Expanded outside the lock, so that other threads do not wait for it.
            let prepared = Unprepared.prepared(key);
            self.lock().insert(Arc::clone(&prepared), self.room());
            prepared
        }
    }

    impl Slots {
        fn touch(&mut self, hash: &KeyHash) -> Option<Arc<PreparedKey>> {
            let Some((key, used)) = self.keys.get_mut(hash) else {
                self.misses = self.misses.saturating_add(1);
                self.again = self.again.saturating_add(self.gone.contains(hash).into());
                return None;
            };
            // The one that was used last stays that: threads that verify for one identity wait for one another here.
            if *used != self.clock {
                self.clock = self.clock.saturating_add(1);
                self.ages.remove(used);
                self.ages.insert(self.clock, *hash);
                *used = self.clock;
            }
            self.hits = self.hits.saturating_add(1);
            Some(Arc::clone(key))
        }

        fn insert(&mut self, key: Arc<PreparedKey>, most: usize) {
            // Another thread may have been as fast.
            if most == 0 || self.keys.contains_key(key.hash()) {
                return;
            }
            while self.keys.len() >= most
                && let Some((_, oldest)) = self.ages.pop_first()
            {
                self.keys.remove(&oldest);
                self.let_go(oldest, most);
            }
            self.clock = self.clock.saturating_add(1);
            self.ages.insert(self.clock, *key.hash());
            self.keys.insert(*key.hash(), (key, self.clock));
        }

        fn let_go(&mut self, hash: KeyHash, most: usize) {
            if self.gone.insert(hash) {
                self.gone_since.push_back(hash);
            }
            while self.gone_since.len() > most.saturating_mul(REMEMBERED)
                && let Some(forgotten) = self.gone_since.pop_front()
            {
                self.gone.remove(&forgotten);
            }
        }
    }

    impl fmt::Debug for PreparedKeyCache {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_struct("PreparedKeyCache")
                .field("budget", &self.budget)
                .field("len", &self.len())
                .field("hits", &self.hits())
                .field("misses", &self.misses())
                .finish_non_exhaustive()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expanding a key costs more than a verification with it.
    #[test]
    fn a_set_expands_the_dummy_beforehand() {
        let set = PreparedKeySet::new();
        assert!(set.is_empty());
        let [one, again] = [(); 2].map(|()| prepared(&set, &dummy_key()));
        let mut filled = PreparedKeySet::new();
        filled.insert(&dummy_key());
        assert!(!filled.is_empty());
        assert!(Arc::ptr_eq(&one, &again) && one.hash() == dummy_key().hash());
    }

    #[cfg(feature = "std")]
    #[test]
    fn keys_that_come_again_after_they_were_let_go_are_counted() {
        let keys: alloc::vec::Vec<_> =
            (0..40_u8).map(|seed| crate::SigningKey::from_seed(&[seed + 1; 32]).unwrap()).collect();
        let cache = PreparedKeyCache::new(4 * PreparedKey::BYTES);
        assert_eq!(cache.room(), 4);
        let ask = |from: usize, to: usize| keys[from..to].iter().for_each(|key| drop(cache.prepared(key.public_key())));
        // Each once: it is as small as it should be.
        ask(0, 40);
        assert_eq!((cache.misses(), cache.expanded_again()), (40, 0));
        // Those that are there.
        ask(36, 40);
        assert_eq!((cache.misses(), cache.expanded_again()), (40, 0));
        // In turn, more than it holds.
        ask(0, 40);
        assert_eq!((cache.misses(), cache.expanded_again()), (80, 40));
        // What is not let go is not counted.
        ask(36, 40);
        assert_eq!((cache.hits(), cache.expanded_again()), (8, 40));
    }

    #[cfg(feature = "std")]
    #[test]
    fn keys_that_were_let_go_are_remembered_up_to_a_number() {
        let keys: alloc::vec::Vec<_> =
            (0..66_u8).map(|seed| crate::SigningKey::from_seed(&[seed + 1; 32]).unwrap()).collect();
        let cache = PreparedKeyCache::new(PreparedKey::BYTES);
        assert!(cache.is_empty());
        // 65 of them were let go.
        for key in &keys {
            drop(cache.prepared(key.public_key()));
        }
        assert!(!cache.is_empty());
        assert_eq!((cache.misses(), cache.expanded_again()), (66, 0));
        cache.prepared(keys[1].public_key());
        assert_eq!(cache.expanded_again(), 1);
        cache.prepared(keys[0].public_key());
        assert_eq!((cache.misses(), cache.expanded_again()), (68, 1));
    }
}
