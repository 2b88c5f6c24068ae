//! The path of one leaf, found while the leaves go by.

use super::TreeHash;
use super::frontier::Frontier;
use super::proof::{NodeReader, prove_leaf};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// Keeps of the leaves that go by what the path of one of them needs: at most some 2,000 hashes.
///
/// ```
/// use dualseal::tree::{PathFinder, TreeHash, holds_leaf};
///
/// let leaves = [b"one", b"two", b"six"].map(|leaf| TreeHash::of_leaf(leaf));
/// let mut finder = PathFinder::new(3, 1).expect("1 is below 3");
/// leaves.iter().for_each(|leaf| finder.push(*leaf));
/// let path = finder.finish().expect("all have gone by");
/// # let tree: dualseal::tree::Tree = leaves.into_iter().collect();
/// assert!(holds_leaf(&tree.root(), 3, 1, &leaves[1], &path));
/// ```
#[derive(Clone, Debug)]
pub struct PathFinder {
    index: u64,
    paths: PathsFinder,
}

impl PathFinder {
    /// For the leaf at `index` of the tree of the first `size` leaves; `None` where there is no such leaf.
    #[must_use]
    pub fn new(size: u64, index: u64) -> Option<Self> {
        (index < size).then(|| Self { index, paths: PathsFinder::new(size, Frontier::new()) })
    }

    /// Takes the next leaf. Those beyond the size are not looked at.
    pub fn push(&mut self, leaf: TreeHash) {
        if self.paths.frontier.size() == self.index {
            self.paths.want();
        }
        self.paths.push(leaf);
    }

    /// The path, from the leaf's sibling to the root's child; `None` where too few leaves went by.
    #[must_use]
    pub fn finish(mut self) -> Option<Vec<TreeHash>> {
        self.paths.path(self.index)
    }
}

/// The same for leaves of which it shows only when they come that their paths are wanted.
#[derive(Clone, Debug)]
pub(crate) struct PathsFinder {
    size: u64,
    frontier: Frontier,
    wanted: BTreeMap<(u8, u64), Option<TreeHash>>,
}

impl PathsFinder {
    /// In the tree of the first `size` leaves, of which those before the frontier have gone by.
    pub(crate) fn new(size: u64, frontier: Frontier) -> Self {
        Self { size, frontier, wanted: BTreeMap::new() }
    }

    /// Asks for the path of the leaf that comes next.
    pub(crate) fn want(&mut self) {
        let next = self.frontier.size();
        let mut wanted = Wanted(BTreeMap::new());
        let Ok(_) = prove_leaf(&mut wanted, self.size, next);
        for (place, _) in wanted.0 {
            // What lies to the left of a path is full, and one of the roots at the right edge.
            let left = self.frontier.full(place);
            self.wanted.entry(place).or_insert(left);
        }
    }

    /// Takes the next leaf. Those beyond the size are not looked at.
    pub(crate) fn push(&mut self, leaf: TreeHash) {
        if self.frontier.size() < self.size {
            let wanted = &mut self.wanted;
            self.frontier.push_noting(leaf, |level, index, root| {
                if let Some(place) = wanted.get_mut(&(level, index)) {
                    *place = Some(*root);
                }
            });
        }
    }

    /// The path of a leaf that was asked for.
    pub(crate) fn path(&mut self, index: u64) -> Option<Vec<TreeHash>> {
        prove_leaf(self, self.size, index).ok().flatten()
    }
}

impl NodeReader for PathsFinder {
    type Error = ();

    fn node(&mut self, level: u8, index: u64) -> Result<TreeHash, ()> {
        self.wanted.get(&(level, index)).copied().flatten().ok_or(())
    }
}

/// What a proof asks for.
struct Wanted(BTreeMap<(u8, u64), Option<TreeHash>>);

impl NodeReader for Wanted {
    type Error = core::convert::Infallible;

    fn node(&mut self, level: u8, index: u64) -> Result<TreeHash, Self::Error> {
        self.0.insert((level, index), None);
        Ok(TreeHash::empty())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Tree;
    use super::*;

    #[test]
    fn every_path_is_that_of_the_tree() {
        let leaf = |number: u64| TreeHash::of_leaf(&number.to_be_bytes());
        for size in 0..70 {
            let tree: Tree = (0..size).map(leaf).collect();
            assert!(PathFinder::new(size, size).is_none());
            for index in 0..size {
                let mut finder = PathFinder::new(size, index).unwrap();
                (0..size - 1).for_each(|number| finder.push(leaf(number)));
                assert!(size == 1 || finder.clone().finish().is_none() || index + 1 == size);
                (size - 1..size + 3).for_each(|number| finder.push(leaf(number)));
                assert_eq!(finder.finish(), tree.path(usize::try_from(index).unwrap()), "{index} of {size}");
            }
        }
    }

    #[test]
    fn several_paths_are_found_at_once_also_by_whoever_begins_later() {
        let leaf = |number: u64| TreeHash::of_leaf(&number.to_be_bytes());
        for size in 1..40 {
            let tree: Tree = (0..size).map(leaf).collect();
            for begun in 0..size {
                let mut frontier = Frontier::new();
                (0..begun).for_each(|number| assert!(frontier.push(leaf(number))));
                let mut finder = PathsFinder::new(size, frontier);
                for number in begun..size + 2 {
                    if number % 3 != 1 {
                        finder.want();
                    }
                    finder.push(leaf(number));
                }
                for index in (begun..size).filter(|index| index % 3 != 1) {
                    assert_eq!(finder.path(index), tree.path(usize::try_from(index).unwrap()), "{index} of {size}");
                }
                assert_eq!(finder.path(size), None);
            }
        }
    }
}
