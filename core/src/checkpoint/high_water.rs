//! What a signer of checkpoints signed last, kept apart from the log's store: a restored store signs no fork.

use super::growth::Growth;
use super::record::{Checkpoint, check_head};
use crate::encoding::Label;
use crate::encoding::record::{self, record};
use crate::error::{Error, Misuse, ProofFault, RingFault};
use crate::id::check_label;
use crate::key::{CheckedRing, RingHead};
use crate::krunica::{ChainHash, Head, TreeHead};
use crate::tree::TreeHash;
use crate::verdict::Verified;
use alloc::string::{String, ToString};

/// The greatest state of a log that its signer has signed or is about to: `{"origin","ring","root","size","top"}`. It
/// is written, where a backup of the store does not reach, **before** the checkpoint is signed; a signer signs what is
/// equal to it or goes on from it, and nothing else.
///
/// Who lost it takes the last checkpoint that somebody else has seen, a witness before all: [`of`](Self::of).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HighWaterMark {
    pub(super) origin: String,
    pub(super) head: TreeHead,
    pub(super) ring: Option<RingHead>,
}

impl HighWaterMark {
    /// The mark of a log that never had a checkpoint (`origin`: 1 to 255 bytes, no control characters, no `::`, no
    /// leading `:`). Nothing is compared with anything: a caller who makes a first mark twice can sign a fork. `ring`
    /// is the log's own where it has one.
    ///
    /// # Errors
    /// [`Problem`](crate::error::Problem) `Range`, `Ambiguous` or `Control` for `origin`; [`Misuse::OtherOrigin`] for a
    /// ring of another log, [`Misuse::StaleRing`] for one that was not [followed](CheckedRing::follow) to `head`,
    /// [`Misuse::StaleHead`] for one that is past it.
    pub fn first(origin: &str, head: &Head, ring: Option<&CheckedRing>) -> Result<Self, Error> {
        check_label("origin", origin)?;
        let ring = ring_at(origin, head, ring)?;
        Ok(Self { origin: origin.to_string(), head: head.tree_head(), ring })
    }

    /// The mark of a log whose last checkpoint is this.
    #[must_use]
    pub fn of(checkpoint: &Verified<Checkpoint>) -> Self {
        let Checkpoint { origin, head, ring, .. } = checkpoint.record();
        Self { origin: origin.clone(), head: *head, ring: *ring }
    }

    /// The mark of a chain that was shown to go on from this one.
    ///
    /// # Errors
    /// [`ProofFault::NotGrown`] when it was shown of another head than this mark's; [`RingFault::Rollback`] for a
    /// ring that is older than the mark's, [`RingFault::Forged`] for another one of its revision, or of a chain that
    /// has not grown; as [`first`](Self::first) for a ring that is not this log's or head's.
    pub fn next(&self, growth: &Growth, ring: Option<&CheckedRing>) -> Result<Self, Error> {
        let head = growth.head();
        if *growth.from() != self.head {
            return Err(ProofFault::NotGrown { size: self.head.size, found: head.size() }.into());
        }
        let next =
            Self { ring: ring_at(&self.origin, head, ring)?, head: head.tree_head(), origin: self.origin.clone() };
        next.check_ring_after(self)?;
        Ok(next)
    }

    /// The name of the log.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Where the chain ends.
    #[must_use]
    pub fn tree_head(&self) -> &TreeHead {
        &self.head
    }

    /// The ring there.
    #[must_use]
    pub fn ring(&self) -> Option<&RingHead> {
        self.ring.as_ref()
    }

    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }

    /// Reads the JSON, in any spacing and member order.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form; as
    /// [`Checkpoint::from_json`](super::Checkpoint::from_json) for a size that does not fit the others.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }

    fn check_ring_after(&self, mark: &Self) -> Result<(), Error> {
        let revision = |mark: &Self| mark.ring.map_or(0, |ring| ring.revision);
        let (now, before) = (revision(self), revision(mark));
        if now < before {
            return Err(RingFault::Rollback { ring: now, chain: before }.into());
        }
        // A ring changes by entries alone: without any it is the same, and so it is at the same revision.
        if (now == before || self.head.size == mark.head.size) && self.ring != mark.ring {
            return Err(RingFault::Forged { identity_id: None }.into());
        }
        Ok(())
    }
}

record! {
    |mark: HighWaterMark| "high-water mark" {
        "origin" origin: Label,
        "ring" ring: Option<RingHead>,
        "root" root: TreeHash = mark.head.root,
        "size" size: u64 = mark.head.size,
        "top" top: ChainHash = mark.head.top,
    } => {
        let head = TreeHead { size, top, root };
        check_head(&head, ring.as_ref())?;
        Ok(Self { origin, head, ring })
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(HighWaterMark);

/// What a checkpoint at this head says of the log's ring.
fn ring_at(origin: &str, head: &Head, ring: Option<&CheckedRing>) -> Result<Option<RingHead>, Error> {
    let Some(ring) = ring else { return Ok(None) };
    if ring.origin() != Some(origin) {
        return Err(Misuse::OtherOrigin.into());
    }
    // An entry that was not looked at may be another process's revocation.
    ring.check_followed(head)?;
    Ok(ring.ring_head())
}
