//! Proofs made from a store of full subtrees, and the check of one between two sizes.

use super::TreeHash;
use super::frontier::fold;
use alloc::vec::Vec;

/// Where the roots of full subtrees are read: the one of 2^`level` leaves that begins at leaf `index` · 2^`level`.
pub trait NodeReader {
    /// What can go wrong.
    type Error;

    /// Reads one.
    ///
    /// # Errors
    /// The store's own.
    fn node(&mut self, level: u8, index: u64) -> Result<TreeHash, Self::Error>;
}

/// The root of the first `size` leaves, in at most 64 reads.
///
/// # Errors
/// The reader's own.
pub fn root_of<R: NodeReader + ?Sized>(nodes: &mut R, size: u64) -> Result<TreeHash, R::Error> {
    range(nodes, 0, size)
}

/// The path of the leaf at `index` in the tree of the first `size` leaves (RFC 9162, section 2.1.3.1), from its sibling
/// to the root's child; `None` where there is no such leaf.
///
/// # Errors
/// The reader's own.
pub fn prove_leaf<R: NodeReader + ?Sized>(
    nodes: &mut R,
    size: u64,
    index: u64,
) -> Result<Option<Vec<TreeHash>>, R::Error> {
    if index >= size {
        return Ok(None);
    }
    let (mut first, mut end, mut path) = (0, size, Vec::new());
    while let Some(middle) = split(first, end) {
        path.push(if index < middle { range(nodes, middle, end) } else { range(nodes, first, middle) }?);
        (first, end) = if index < middle { (first, middle) } else { (middle, end) };
    }
    path.reverse();
    Ok(Some(path))
}

/// The proof that the tree of the first `size` leaves begins with that of the first `before` (RFC 9162, section
/// 2.1.4.1); `None` where `before` is above `size`. From 0, and between equal sizes, it is empty.
///
/// # Errors
/// The reader's own.
pub fn prove_growth<R: NodeReader + ?Sized>(
    nodes: &mut R,
    before: u64,
    size: u64,
) -> Result<Option<Vec<TreeHash>>, R::Error> {
    if before > size {
        return Ok(None);
    }
    let (mut first, mut end, mut path) = (0, size, Vec::new());
    if before == 0 {
        return Ok(Some(path));
    }
    while before != end {
        let Some(middle) = split(first, end) else { break };
        path.push(if before <= middle { range(nodes, middle, end) } else { range(nodes, first, middle) }?);
        (first, end) = if before <= middle { (first, middle) } else { (middle, end) };
    }
    // What the old tree ends with; where that is the old tree itself, the verifier has it.
    if first != 0 {
        path.push(range(nodes, first, end)?);
    }
    path.reverse();
    Ok(Some(path))
}

/// Whether a tree of `size` leaves with root `root` begins with the one of `before` leaves with root `old` (RFC 9162,
/// section 2.1.4.2). From 0, and between equal sizes, the proof is empty and the roots are as they must be.
#[must_use]
pub fn holds_growth(old: &TreeHash, before: u64, root: &TreeHash, size: u64, path: &[TreeHash]) -> bool {
    if before == 0 || before == size {
        let (of_nothing, same) = (*old == TreeHash::empty(), old == root);
        return path.is_empty() && (before != 0 || of_nothing) && (before != size || same);
    }
    let (Some(mut here), Some(mut last)) = (before.checked_sub(1), size.checked_sub(1)) else { return false };
    if here >= last {
        return false;
    }
    // A full subtree at the end of the old tree is handed up as it is: its root is where the proof begins.
    let full = here.trailing_ones();
    (here, last) = (here.checked_shr(full).unwrap_or_default(), last.checked_shr(full).unwrap_or_default());
    let (begin, rest) = match path.split_first() {
        _ if before.is_power_of_two() => (old, path),
        Some((begin, rest)) => (begin, rest),
        None => return false,
    };
    let (mut of_old, mut of_new) = (*begin, *begin);
    for sibling in rest {
        if last == 0 {
            return false;
        }
        if here & 1 == 1 || here == last {
            of_old = TreeHash::of_node(sibling, &of_old);
            of_new = TreeHash::of_node(sibling, &of_new);
            while here & 1 == 0 && here != 0 {
                (here, last) = (here >> 1, last >> 1);
            }
        } else {
            of_new = TreeHash::of_node(&of_new, sibling);
        }
        (here, last) = (here >> 1, last >> 1);
    }
    last == 0 && of_old == *old && of_new == *root
}

/// Where the standard splits a range of leaves: behind the largest power of two that is smaller than it.
fn split(first: u64, end: u64) -> Option<u64> {
    let below = end.checked_sub(first)?.checked_sub(1)?;
    let largest = 1_u64.checked_shl(below.checked_ilog2()?)?;
    first.checked_add(largest)
}

/// The root of a range that begins where a subtree as large as it may begin: its full subtrees, the largest first.
fn range<R: NodeReader + ?Sized>(nodes: &mut R, mut first: u64, end: u64) -> Result<TreeHash, R::Error> {
    let mut hashes = Vec::new();
    while let Some(level) = end.checked_sub(first).and_then(u64::checked_ilog2) {
        let index = first.checked_shr(level).unwrap_or_default();
        hashes.push(nodes.node(u8::try_from(level).unwrap_or(u8::MAX), index)?);
        first = first.saturating_add(1_u64.checked_shl(level).unwrap_or_default());
    }
    Ok(fold(&hashes))
}
