//! A ring against the chain that vouches for it, so that an old ring or an edited one is found out.

use super::agreement::{AgreedChain, ChainCheck};
use super::record::Checkpoint;
use crate::error::{Error, Misuse, RingFault};
use crate::id::IdentityId;
use crate::key::{KeyRing, RingKey};
use crate::krunica::Entry;
use crate::verdict::Verified;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use core::fmt;
use subtle::ConstantTimeEq;

/// Streams the chain past a checkpoint and remembers each identity's last ring entry. Entries beyond the checkpoint
/// count too: a ring that is older than they are is old.
pub struct RingCheck<'a> {
    authority: &'a RingKey,
    chain: ChainCheck<'a>,
    last: BTreeMap<IdentityId, LastEntry>,
    revision: u64,
    /// Whether the revisions were 1, 2, 3 and so on. An old entry that is repeated, or a change that was made on a
    /// restored ring, breaks the order: its tag alone would still hold.
    ordered: bool,
}

struct LastEntry {
    message: String,
    /// `None` when the message has the beginning of a ring entry and not its form.
    revision: Option<u64>,
}

impl<'a> RingCheck<'a> {
    /// Begins at seq 0.
    #[must_use]
    pub fn new(authority: &'a RingKey, checkpoint: &'a Verified<Checkpoint>) -> Self {
        Self { authority, chain: ChainCheck::new(checkpoint), last: BTreeMap::new(), revision: 0, ordered: true }
    }

    /// Takes the next entry.
    ///
    /// # Errors
    /// As [`ChainCheck::push`].
    pub fn push(&mut self, entry: &Entry) -> Result<(), Error> {
        self.chain.push(entry)?;
        self.note(entry);
        Ok(())
    }

    /// Takes the next entry as JSON text, without `seq`.
    ///
    /// # Errors
    /// As [`ChainCheck::push`].
    pub fn push_json(&mut self, text: &[u8]) -> Result<Entry, Error> {
        let entry = self.chain.push_json(text)?;
        self.note(&entry);
        Ok(entry)
    }

    /// Ends the chain and compares the ring with what it says.
    ///
    /// # Errors
    /// [`RingFault::Rollback`] when the chain holds a greater revision than the ring, [`RingFault::Forged`] for
    /// every other difference, [`Misuse::OtherOrigin`] for the ring of another log, and as [`ChainCheck::finish`].
    pub fn finish(self, ring: &KeyRing) -> Result<AgreedChain, Error> {
        let agreed = self.chain.finish()?;
        if ring.origin() != Some(agreed.origin()) {
            return Err(Misuse::OtherOrigin.into());
        }
        if self.revision > ring.revision() {
            return Err(RingFault::Rollback { ring: ring.revision(), chain: self.revision }.into());
        }
        let forged = |identity_id: Option<&IdentityId>| {
            Err(RingFault::Forged { identity_id: identity_id.map(ToString::to_string) }.into())
        };
        for (identity_id, last) in &self.last {
            let expected = last.revision.and_then(|revision| ring.expected(self.authority, identity_id, revision));
            let same = expected.is_some_and(|e| e.as_bytes().ct_eq(last.message.as_bytes()).into());
            if !same {
                return forged(Some(identity_id));
            }
        }
        if let Some(unknown) = ring.identities().find(|identity_id| !self.last.contains_key(identity_id)) {
            return forged(Some(unknown));
        }
        if !self.ordered || self.revision != ring.revision() {
            return forged(None);
        }
        Ok(agreed)
    }

    fn note(&mut self, entry: &Entry) {
        if self.authority.is_ring_entry(entry.message()) {
            let revision = self.authority.revision(entry.message());
            self.ordered &= revision.is_some() && revision == self.revision.checked_add(1);
            self.revision = self.revision.max(revision.unwrap_or(0));
            let last = LastEntry { message: entry.message().to_string(), revision };
            self.last.insert(*entry.identity_id(), last);
        }
    }
}

impl fmt::Debug for RingCheck<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RingCheck").field("chain", &self.chain).finish_non_exhaustive()
    }
}
