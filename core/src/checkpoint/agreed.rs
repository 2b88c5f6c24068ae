//! A chain that agrees with a verified checkpoint.

use super::growth::Growth;
use super::record::Checkpoint;
use crate::error::CheckpointFault;
use crate::krunica::Head;
use alloc::string::String;

/// A chain that was shown to agree with a verified checkpoint of its log. Only a
/// [`ChainReader`](crate::reader::ChainReader) makes one.
#[derive(Clone, Debug)]
pub struct AgreedChain {
    origin: String,
    there: Head,
    head: Head,
}

impl AgreedChain {
    /// Of a chain that ends at `head`, and agreed `there`, where it had the checkpoint's size; it never had where it is
    /// shorter.
    pub(crate) fn new(checkpoint: &Checkpoint, there: Option<&Head>, head: &Head) -> Result<Self, CheckpointFault> {
        let (size, found) = (checkpoint.head.size, head.size());
        let there = there.ok_or(CheckpointFault::Truncated { size, found })?.clone();
        Ok(Self { origin: checkpoint.origin.clone(), there, head: head.clone() })
    }

    /// The name of the log.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The number of entries that the checkpoint covers.
    #[must_use]
    pub fn covered(&self) -> u64 {
        self.there.size()
    }

    /// The head that the checkpoint signed: what a later reader begins with.
    #[must_use]
    pub fn signed_head(&self) -> &Head {
        &self.there
    }

    /// That the whole chain goes on from what the checkpoint signed.
    #[must_use]
    pub fn growth(&self) -> Growth {
        Growth::new(self.there.tree_head(), self.head.clone())
    }

    /// The head of the whole chain, entries beyond the checkpoint included.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.head
    }
}
