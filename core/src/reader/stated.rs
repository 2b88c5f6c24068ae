//! The ring that a checkpoint states, for whoever reads the chain without the ring key.

use super::chain::ChainReader;
use super::cursor::Cursor;
use super::proofs::Watched;
use super::watcher::{Ended, Watcher};
use crate::domain::Domain;
use crate::error::{Error, Misuse, RingFault};
use crate::key::{RingHead, claims_ring, stated_ring};
use crate::krunica::{Entry, Ignored, IgnoredReason, Located};

/// Looks for the entry that says what the checkpoint states.
struct Stated {
    domain: Domain,
    ring: Option<RingHead>,
    /// The size of the checkpoint.
    covered: u64,
    begun: u64,
    found: Option<Entry>,
    unverified: Ignored,
}

/// The entry of the ring that a checkpoint states, and what stands after it in the form of a ring's change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedRing {
    entry: Option<Located>,
    unverified: Ignored,
}

impl StatedRing {
    /// The first entry that names the revision and the root: nobody knows a root before the ring key's holder shows it.
    /// `None` where the checkpoint states no ring.
    #[must_use]
    pub fn entry(&self) -> Option<&Located> {
        self.entry.as_ref()
    }

    /// What begins as a ring entry and stands after it, or anywhere where no ring is stated. Anybody who may write to
    /// the log can write one, and only the ring key tells whether it is a change that the checkpoint keeps quiet, or
    /// one that was made since.
    #[must_use]
    pub fn unverified(&self) -> &Ignored {
        &self.unverified
    }
}

impl ChainReader<'_> {
    /// The entry of the ring that the checkpoint states, found without the ring key: it proves that the chain has such
    /// an entry, and no more. Whoever holds the ring key asks [`ring`](Self::ring), which compares the last change.
    ///
    /// Its fault is [`RingFault::Misstated`] where no entry below the checkpoint's size says so, and
    /// [`Misuse::LateStart`] where that is not known because the reader began after the first entry.
    ///
    /// # Errors
    /// [`Misuse::NoEnd`] without a checkpoint, [`Misuse::LateStart`] after the first entry that is read.
    pub fn stated_ring(&mut self) -> Result<Watched<StatedRing>, Error> {
        let (covered, domain, begun) = (self.covered()?, self.domain().clone(), self.begun().size());
        let ring = self.checkpoint().and_then(|checkpoint| checkpoint.ring().copied());
        self.watch(Stated { domain, ring, covered, begun, found: None, unverified: Ignored::default() })
    }
}

impl Watcher for Stated {
    type Proof = StatedRing;

    fn take(&mut self, entry: &Entry, _after: &Cursor) {
        if !claims_ring(&self.domain, entry) {
            return;
        }
        let says = stated_ring(&self.domain, entry);
        if self.ring.is_some() && self.found.is_none() {
            // What stands before is the ring's past.
            if entry.seq() < self.covered && says == self.ring {
                self.found = Some(entry.clone());
            }
            return;
        }
        let reason = if says.is_some() { IgnoredReason::Unverified } else { IgnoredReason::Form };
        self.unverified.push(entry.seq(), reason);
    }

    fn finish(self, ended: &Ended<'_>) -> Result<StatedRing, Error> {
        let agreed = ended.agreed.ok_or(Misuse::NoEnd)?;
        match (&self.ring, self.found) {
            (Some(_), None) if self.begun > 0 => Err(Misuse::LateStart.into()),
            (Some(_), None) => Err(RingFault::Misstated { size: self.covered }.into()),
            (_, found) => {
                let entry = found.map(|entry| Located::new(agreed.origin(), entry));
                Ok(StatedRing { entry, unverified: self.unverified })
            }
        }
    }
}
