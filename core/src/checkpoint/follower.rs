//! Following a log by its checkpoints, without its entries.

use super::consistency::{Comparison, Fork, compare};
use super::growth::grown;
use super::record::Checkpoint;
use crate::error::{Error, ProofFault};
use crate::tree::TreeHash;
use crate::verdict::Verified;
use alloc::boxed::Box;

/// Follows one log: the greatest checkpoint that was seen of it, which each new one must go on from.
///
/// After a rotation of the log's key the caller pins the new key for its checkpoints, and keeps the follower: a fork
/// across the rotation shows as it does anywhere.
#[derive(Clone, Debug)]
pub struct Follower {
    last: Verified<Checkpoint>,
}

/// What a checkpoint is to what was seen before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Followed {
    /// It goes on from the last, which it replaces.
    Grown,
    /// The log has not changed. The last one stays; of the two the newer time may be shown.
    Same,
    /// The last one goes on from it: an old one, and no harm but its age.
    Older,
    /// The signer signed two logs of one name. Keep it: it convinces anybody who knows the signer's key.
    Fork(Box<Fork>),
    /// As for a fork, by two signers: see [`Comparison::Contradiction`].
    Contradiction,
}

impl Follower {
    /// Begins with the first checkpoint that is seen, or with the last one that was stored.
    #[must_use]
    pub fn new(first: Verified<Checkpoint>) -> Self {
        Self { last: first }
    }

    /// The greatest that was seen: what is stored, whenever it changes and before anything relies on it.
    #[must_use]
    pub fn last(&self) -> &Verified<Checkpoint> {
        &self.last
    }

    /// Looks at a checkpoint. `path` is the consistency proof (RFC 9162, section 2.1.4) from the smaller of the two
    /// sizes to the larger; for one size it is empty.
    ///
    /// # Errors
    /// [`Misuse::OtherOrigin`](crate::error::Misuse::OtherOrigin) for another log's; [`ProofFault::NotGrown`] when
    /// the proof does not hold. Whoever made it may be at fault and not the log: with the entries themselves
    /// [`ChainReader::consistency`](crate::reader::ChainReader::consistency) tells a fork. The follower is then as it
    /// was.
    pub fn follow(&mut self, next: Verified<Checkpoint>, path: &[TreeHash]) -> Result<Followed, Error> {
        match compare(&self.last, &next)? {
            Comparison::Fork(fork) => return Ok(Followed::Fork(fork)),
            Comparison::Contradiction => return Ok(Followed::Contradiction),
            Comparison::Equal => return Ok(Followed::Same),
            Comparison::SizesDiffer => {}
        }
        let (last, new) = (self.last.record().tree_head(), next.record().tree_head());
        let is_older = new.size < last.size;
        let (from, to) = if is_older { (new, last) } else { (last, new) };
        if !grown(from, to, path) {
            return Err(ProofFault::NotGrown { size: from.size, found: to.size }.into());
        }
        if is_older {
            return Ok(Followed::Older);
        }
        self.last = next;
        Ok(Followed::Grown)
    }
}
