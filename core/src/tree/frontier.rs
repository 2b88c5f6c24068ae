//! What of a growing tree must be kept to go on: the roots of the full subtrees at its right edge.

use super::TreeHash;
use alloc::vec::Vec;

/// The right edge of a tree: the roots of the full subtrees that the leaves so far make, as many as the size has ones
/// in binary, left to right, the largest first. It takes at most 64 hashes; a leaf is added in O(1) hashes on average.
///
/// ```
/// use dualseal::tree::{Frontier, Tree, TreeHash};
///
/// let leaves = [b"one", b"two", b"six"].map(|leaf| TreeHash::of_leaf(leaf));
/// let mut frontier = Frontier::new();
/// leaves.iter().for_each(|leaf| assert!(frontier.push(*leaf)));
/// assert_eq!(frontier.root(), leaves.into_iter().collect::<Tree>().root());
/// assert_eq!(frontier.hashes().len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    hashes: Vec<TreeHash>,
}

impl Frontier {
    /// That of no leaves.
    #[must_use]
    pub const fn new() -> Self {
        Self { size: 0, hashes: Vec::new() }
    }

    /// One that was kept: `None` unless there are as many hashes as `size` has ones in binary. Whose tree it is, its
    /// [`root`](Self::root) tells.
    #[must_use]
    pub fn from_parts(size: u64, hashes: &[TreeHash]) -> Option<Self> {
        let full = usize::try_from(size.count_ones()).is_ok_and(|ones| ones == hashes.len());
        full.then(|| Self { size, hashes: hashes.to_vec() })
    }

    /// The number of leaves.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The roots of the full subtrees, left to right.
    #[must_use]
    pub fn hashes(&self) -> &[TreeHash] {
        &self.hashes
    }

    /// The root of the whole.
    #[must_use]
    pub fn root(&self) -> TreeHash {
        fold(&self.hashes)
    }

    /// Adds a leaf behind the others, and says whether there was room: a tree has at most 2^64-1 leaves.
    pub fn push(&mut self, leaf: TreeHash) -> bool {
        self.push_noting(leaf, |_, _, _| {})
    }

    /// The same; `note` gets each subtree that is full now, the leaf first, by its level, its index within the level
    /// and its root: what a store of the tree's nodes keeps.
    pub fn push_noting(&mut self, leaf: TreeHash, mut note: impl FnMut(u8, u64, &TreeHash)) -> bool {
        let Some(size) = self.size.checked_add(1) else { return false };
        let (mut node, mut index) = (leaf, self.size);
        note(0, index, &node);
        // As in a binary counter: each one at the end of the old size is carried.
        for level in 1..=u8::try_from(self.size.trailing_ones()).unwrap_or(u8::MAX) {
            let Some(left) = self.hashes.pop() else { break };
            node = TreeHash::of_node(&left, &node);
            index >>= 1;
            note(level, index, &node);
        }
        self.hashes.push(node);
        self.size = size;
        true
    }

    /// The root of one of the full subtrees, by its level and its index within the level; `None` where it is none.
    pub(super) fn full(&self, (level, index): (u8, u64)) -> Option<TreeHash> {
        let within = self.size.checked_shr(level.into())?;
        // The larger ones stand before it, one for each one in binary.
        let before = usize::try_from(within.checked_shr(1)?.count_ones()).ok()?;
        let is_one = within & 1 == 1 && within.checked_sub(1) == Some(index);
        self.hashes.get(before).copied().filter(|_| is_one)
    }
}

/// The root over full subtrees, left to right, the largest first.
pub(super) fn fold(hashes: &[TreeHash]) -> TreeHash {
    let mut rest = hashes.iter().rev();
    let Some(last) = rest.next() else { return TreeHash::empty() };
    rest.fold(*last, |node, left| TreeHash::of_node(left, &node))
}

#[cfg(test)]
mod tests {
    use super::super::Tree;
    use super::*;
    use std::collections::BTreeMap;

    fn leaf(number: u64) -> TreeHash {
        TreeHash::of_leaf(&number.to_be_bytes())
    }

    #[test]
    fn every_size_has_the_root_of_its_tree() {
        let (mut frontier, mut tree) = (Frontier::new(), Tree::new());
        for size in 0..300 {
            assert_eq!((frontier.size(), frontier.root()), (size, tree.root()));
            assert_eq!(Frontier::from_parts(size, frontier.hashes()), Some(frontier.clone()));
            assert_eq!(
                Frontier::from_parts(size + 1, frontier.hashes()).is_some(),
                (size + 1).count_ones() == size.count_ones()
            );
            assert!(frontier.push(leaf(size)));
            tree.push(leaf(size));
        }
        let full = vec_of(64);
        assert_eq!(Frontier::from_parts(u64::MAX, &full[1..]), None);
        let mut full = Frontier::from_parts(u64::MAX, &full).unwrap();
        assert!(!full.clone().push(leaf(0)));
        assert_eq!(full.size(), u64::MAX);
        assert!(!full.push_noting(leaf(0), |_, _, _| panic!("nothing is full")));
    }

    fn vec_of(count: u64) -> Vec<TreeHash> {
        (0..count).map(leaf).collect()
    }

    #[test]
    fn every_full_subtree_is_noted_once() {
        let (mut frontier, mut nodes) = (Frontier::new(), BTreeMap::new());
        for number in 0..200 {
            frontier.push_noting(leaf(number), |level, index, root| {
                assert_eq!(nodes.insert((level, index), *root), None);
            });
        }
        for (&(level, index), root) in &nodes {
            let (first, count) = (index << level, 1 << level);
            assert_eq!((first..first + count).map(leaf).collect::<Tree>().root(), *root, "{level} {index}");
        }
        assert_eq!(nodes.len() as u64, (0..8).map(|level| 200 >> level).sum::<u64>());
    }
}
