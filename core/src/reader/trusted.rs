//! Where a reader may begin.

use super::cursor::Cursor;
use crate::checkpoint::{Checkpoint, agree};
use crate::error::Error;
use crate::key::{RingFile, RingHead};
use crate::krunica::Head;
use crate::verdict::Verified;

/// A place in a chain that its reader trusts already, and goes on from. What stands before it is not read.
#[derive(Clone, Debug)]
pub struct TrustedHead {
    pub(super) cursor: Cursor,
    /// Whether a ring file names it.
    pub(super) is_of_ring: bool,
    pub(super) ring: RingThere,
}

/// What the reader trusts of the ring, where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RingThere {
    Stated(Option<RingHead>),
    Unknown,
}

impl TrustedHead {
    /// Seq 0: the whole chain is read.
    #[must_use]
    pub fn beginning() -> Self {
        Self::stored(&Head::EMPTY)
    }

    /// A head that the caller stored where nobody else writes.
    #[must_use]
    pub fn stored(head: &Head) -> Self {
        let ring = if head.size() == 0 { RingThere::Stated(None) } else { RingThere::Unknown };
        Self { cursor: Cursor::at(head.clone()), is_of_ring: false, ring }
    }

    /// Where a verified checkpoint ends, with the head that was stored for it, whose tree the checkpoint alone does not
    /// tell. The ring that it states is trusted there as well.
    ///
    /// # Errors
    /// [`CheckpointFault`](crate::error::CheckpointFault) when it is not the head that was signed.
    pub fn checkpoint(checkpoint: &Verified<Checkpoint>, head: &Head) -> Result<Self, Error> {
        agree(checkpoint.record().tree_head(), head)?;
        Ok(Self { ring: RingThere::Stated(checkpoint.record().ring().copied()), ..Self::stored(head) })
    }

    /// Where the chain ended when a ring file was written, as the file says: its MAC is over that, and is looked at
    /// when the ring is watched. Only the links go on from there, so that nothing is shown under a checkpoint, or of a
    /// head. A chain that does not go on from there, or ends elsewhere than its reader says, is another than the
    /// ring's ([`RingFault::Forged`](crate::error::RingFault::Forged)).
    #[must_use]
    pub fn ring_file(file: &RingFile) -> Self {
        Self { cursor: Cursor::Links(file.end()), is_of_ring: true, ring: RingThere::Unknown }
    }
}
