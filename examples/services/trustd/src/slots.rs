//! How much is under way at once, of all and of one subject: whoever asks for what takes long keeps nobody else from
//! it.

use dualseal::IdentityId;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The slots of a process.
pub(crate) struct Slots {
    all: Arc<Semaphore>,
    of_one: usize,
    taken: Mutex<BTreeMap<IdentityId, usize>>,
}

/// One that is taken, until it is dropped.
pub(crate) struct Slot {
    slots: Arc<Slots>,
    subject: IdentityId,
    _permit: OwnedSemaphorePermit,
}

impl Slots {
    /// So many of all, and so many of one subject.
    pub(crate) fn new(most: usize, of_one: usize) -> Arc<Self> {
        Arc::new(Self { all: Arc::new(Semaphore::new(most)), of_one, taken: Mutex::default() })
    }

    fn taken(&self) -> MutexGuard<'_, BTreeMap<IdentityId, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes one; none where all are taken, or as many of this subject as it may have.
    pub(crate) fn take(self: &Arc<Self>, subject: &IdentityId) -> Option<Slot> {
        let mut taken = self.taken();
        if taken.get(subject).is_some_and(|own| *own >= self.of_one) {
            return None;
        }
        let permit = Arc::clone(&self.all).try_acquire_owned().ok()?;
        *taken.entry(*subject).or_default() += 1;
        Some(Slot { slots: Arc::clone(self), subject: *subject, _permit: permit })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut taken = self.slots.taken();
        let left = taken.get(&self.subject).map_or(0, |own| own.saturating_sub(1));
        if left == 0 {
            taken.remove(&self.subject);
        } else {
            taken.insert(self.subject, left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_subject_does_not_take_all() {
        let (one, other) = (IdentityId::from_bytes([1; 32]), IdentityId::from_bytes([2; 32]));
        let slots = Slots::new(6, 4);
        let mut held: Vec<_> = (0..4).map(|_| slots.take(&one).unwrap()).collect();
        assert!(slots.take(&one).is_none());
        let of_other = [slots.take(&other).unwrap(), slots.take(&other).unwrap()];
        assert!(slots.take(&other).is_none(), "all are taken");
        drop(of_other);
        held.pop();
        held.push(slots.take(&one).unwrap());
        assert!(slots.take(&one).is_none());
        drop(held);
        assert!(slots.taken().is_empty(), "nobody is remembered");
    }
}
