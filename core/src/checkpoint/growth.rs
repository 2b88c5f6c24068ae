//! That one head goes on from another: by the entries between them, or by a proof over their trees.

use crate::error::{CheckpointFault, Error, ProofFault};
use crate::krunica::{Checker, Entry, Head, TreeHead};
use crate::tree::{TreeHash, holds_growth};

/// A head of one's own chain, shown to go on from an earlier one. Nothing else can make one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    from: TreeHead,
    head: Head,
}

impl Growth {
    /// By the entries since `before`, the whole head that was stored for the earlier one.
    ///
    /// # Errors
    /// [`CheckpointFault`] when `before` is not the head that `from` is of; [`ChainFault`](crate::error::ChainFault)
    /// for an entry that does not go on from the one before it.
    pub fn by_entries<'e>(
        from: &TreeHead,
        before: Head,
        entries: impl IntoIterator<Item = &'e Entry>,
    ) -> Result<Self, Error> {
        agree(from, &before)?;
        let mut checker = Checker::resume(before);
        for entry in entries {
            checker.push(entry)?;
        }
        Ok(Self { from: *from, head: checker.into_head() })
    }

    /// By a consistency proof (RFC 9162, section 2.1.4.1) from the size of `from` to that of `head`, which a store of
    /// the tree's nodes makes in O(log n) reads ([`prove_growth`](crate::tree::prove_growth)).
    ///
    /// # Errors
    /// [`ProofFault::NotGrown`].
    pub fn by_proof(from: &TreeHead, head: &Head, path: &[TreeHash]) -> Result<Self, Error> {
        let to = head.tree_head();
        if !grown(from, &to, path) {
            return Err(ProofFault::NotGrown { size: from.size, found: to.size }.into());
        }
        Ok(Self { from: *from, head: head.clone() })
    }

    /// For a walk that has shown it.
    pub(super) fn new(from: TreeHead, head: Head) -> Self {
        Self { from, head }
    }

    /// The earlier head.
    #[must_use]
    pub fn from(&self) -> &TreeHead {
        &self.from
    }

    /// The head that goes on from it.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.head
    }
}

/// Of equal sizes the tops are the same too: the tree binds them, by its last leaf.
pub(super) fn grown(from: &TreeHead, to: &TreeHead, path: &[TreeHash]) -> bool {
    holds_growth(&from.root, from.size, &to.root, to.size, path) && (from.size != to.size || from == to)
}

/// Whether a chain that ends at `head` is the one that was signed.
pub(crate) fn agree(signed: &TreeHead, head: &Head) -> Result<(), CheckpointFault> {
    let size = signed.size;
    if head.size() < size {
        Err(CheckpointFault::Truncated { size, found: head.size() })
    } else if head.size() != size || *head.top() != signed.top {
        Err(CheckpointFault::Rewritten { size })
    } else if head.root() != signed.root {
        Err(CheckpointFault::TreeDisagrees { size })
    } else {
        Ok(())
    }
}
