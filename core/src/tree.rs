//! Merkle trees of RFC 9162, section 2.1, over SHA-256: one hash commits to a list of leaves, and a path of at most
//! log2(n) hashes shows one leaf in it, or that it begins with an earlier one.

mod bundle;
mod finder;
mod frontier;
mod growth;
mod proof;
mod tile;

pub use bundle::EntryBundle;
pub use finder::PathFinder;
pub use frontier::Frontier;
pub use growth::TileGrowth;
pub use proof::{NodeReader, holds_growth, prove_growth, prove_leaf, root_of};
pub use tile::{Tile, TileError, TileReader, Tiles};

pub(crate) use finder::PathsFinder;

use crate::encoding::hex_newtype;
use alloc::vec::Vec;
use sha2::{Digest, Sha256};

hex_newtype! {
    /// A SHA-256 within a tree, or the root of one: 32 bytes, 64 hexadecimal characters.
    TreeHash, 32, "root"
}

impl TreeHash {
    /// The root of no leaves: SHA-256 of nothing.
    #[must_use]
    pub fn empty() -> Self {
        hashed(&[])
    }

    /// The hash of a leaf: `SHA-256(00 ‖ leaf)`.
    #[must_use]
    pub fn of_leaf(leaf: &[u8]) -> Self {
        hashed(&[&[0], leaf])
    }

    /// Of a leaf that has its 0 before it already: in one piece it is hashed where it is.
    pub(crate) fn of_begun_leaf(text: &[u8]) -> Self {
        Self::from_bytes(Sha256::digest(text).into())
    }

    fn of_node(left: &Self, right: &Self) -> Self {
        let mut node = [1; 65];
        let (_, hashes) = node.split_at_mut(1);
        for (to, hash) in hashes.chunks_exact_mut(32).zip([left, right]) {
            to.copy_from_slice(hash.as_bytes());
        }
        Self::from_bytes(Sha256::digest(node).into())
    }
}

/// The parts as one message. What begins with a byte of its own can be no leaf and no node.
pub(crate) fn hashed(parts: &[&[u8]]) -> TreeHash {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    TreeHash::from_bytes(hash.finalize().into())
}

/// A tree in memory, which takes about 64 bytes for each leaf: a leaf is added or changed in log2(n) hashes.
///
/// ```
/// use dualseal::tree::{Tree, TreeHash, holds_leaf};
///
/// let leaves = [b"one", b"two", b"six"].map(|leaf| TreeHash::of_leaf(leaf));
/// let tree: Tree = leaves.into_iter().collect();
/// let path = tree.path(2).expect("there are three");
/// assert!(holds_leaf(&tree.root(), 3, 2, &leaves[2], &path));
/// assert!(!holds_leaf(&tree.root(), 3, 2, &leaves[1], &path));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The leaves, then each level of nodes above them up to the root. The last node of a level that has no sibling is
    /// the last one of the level above as it is, which gives the tree of the standard.
    levels: Vec<Vec<TreeHash>>,
}

impl Tree {
    /// A tree without leaves.
    #[must_use]
    pub const fn new() -> Self {
        Self { levels: Vec::new() }
    }

    /// The number of leaves.
    #[must_use]
    pub fn len(&self) -> usize {
        self.levels.first().map_or(0, Vec::len)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> TreeHash {
        self.levels.last().and_then(|level| level.first()).copied().unwrap_or_else(TreeHash::empty)
    }

    /// Adds a leaf behind the others.
    pub fn push(&mut self, leaf: TreeHash) {
        self.put(self.len(), leaf);
    }

    /// Puts another leaf in the place of one, and says whether there is such a place.
    pub fn set(&mut self, index: usize, leaf: TreeHash) -> bool {
        let within = index < self.len();
        if within {
            self.put(index, leaf);
        }
        within
    }

    /// The path of a leaf, from its sibling to the root's child; `None` where there is no such leaf.
    #[must_use]
    pub fn path(&self, index: usize) -> Option<Vec<TreeHash>> {
        if index >= self.len() {
            return None;
        }
        let siblings = (0_u32..).zip(&self.levels).map(|(level, nodes)| nodes.get(index.checked_shr(level)? ^ 1));
        Some(siblings.flatten().copied().collect())
    }

    /// Sets the leaf at an index that is at most the number of leaves, and what is above it.
    fn put(&mut self, mut index: usize, mut node: TreeHash) {
        for level in 0.. {
            if self.levels.len() == level {
                self.levels.push(Vec::new());
            }
            let Some(nodes) = self.levels.get_mut(level) else { return };
            match nodes.get_mut(index) {
                Some(old) => *old = node,
                None => nodes.push(node),
            }
            if nodes.len() == 1 {
                return;
            }
            node = match (nodes.get(index & !1), nodes.get(index | 1)) {
                (Some(left), Some(right)) => TreeHash::of_node(left, right),
                _ => node,
            };
            index >>= 1;
        }
    }
}

impl FromIterator<TreeHash> for Tree {
    fn from_iter<I: IntoIterator<Item = TreeHash>>(leaves: I) -> Self {
        let mut levels = Vec::new();
        let mut level: Vec<TreeHash> = leaves.into_iter().collect();
        while level.len() > 1 {
            let above = level.chunks(2).filter_map(|pair| match pair {
                [left, right] => Some(TreeHash::of_node(left, right)),
                rest => rest.first().copied(),
            });
            let above = above.collect();
            levels.push(core::mem::replace(&mut level, above));
        }
        if !level.is_empty() {
            levels.push(level);
        }
        Self { levels }
    }
}

/// Whether the leaf with this hash stands at `index` among `size` leaves under a root. The path has exactly the length
/// that it must have (RFC 9162, section 2.1.3.2). All of it is public: nothing here is compared in constant time.
#[must_use]
pub fn holds_leaf(root: &TreeHash, size: u64, index: u64, leaf: &TreeHash, path: &[TreeHash]) -> bool {
    leaf_root(size, index, leaf, path).as_ref() == Some(root)
}

/// The root to which a path leads from the leaf at `index` among `size` leaves; `None` where there is no such leaf, or
/// the path has another length than [`path_length`].
#[must_use]
pub fn leaf_root(size: u64, index: u64, leaf: &TreeHash, path: &[TreeHash]) -> Option<TreeHash> {
    if index >= size {
        return None;
    }
    let (mut here, mut last, mut node) = (index, size.saturating_sub(1), *leaf);
    for sibling in path {
        if last == 0 {
            return None;
        }
        if here & 1 == 1 || here == last {
            node = TreeHash::of_node(sibling, &node);
            // A node without a sibling is handed up as it is.
            while here & 1 == 0 && here != 0 {
                (here, last) = (here >> 1, last >> 1);
            }
        } else {
            node = TreeHash::of_node(&node, sibling);
        }
        (here, last) = (here >> 1, last >> 1);
    }
    (last == 0).then_some(node)
}

/// The number of hashes in the path of the leaf at `index` among `size` leaves: one for each level at which it, or what
/// it is part of, has a sibling. `None` where there is no such leaf.
#[must_use]
pub fn path_length(size: u64, index: u64) -> Option<usize> {
    let last = size.checked_sub(1).filter(|last| index <= *last)?;
    let levels = (0..u64::BITS).map(|level| (index >> level, last >> level)).take_while(|(_, last)| *last > 0);
    Some(levels.filter(|(here, last)| here ^ 1 <= *last).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(number: usize) -> TreeHash {
        TreeHash::of_leaf(&number.to_be_bytes())
    }

    /// Of three leaves, from the reference implementation of RFC 6962: which hash stands on which side.
    #[test]
    fn a_known_root() {
        let leaves = [&b""[..], &[0x00], &[0x10]].map(TreeHash::of_leaf);
        let root = "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77";
        assert_eq!(Tree::from_iter(leaves).root().to_hex(), root);
    }

    /// The definition of the standard: the left subtree is the greatest full one.
    fn defined(leaves: &[TreeHash]) -> TreeHash {
        match leaves {
            [] => TreeHash::empty(),
            [one] => *one,
            _ => {
                let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
                TreeHash::of_node(&defined(left), &defined(right))
            }
        }
    }

    /// However it came about, a tree is that of its leaves.
    #[test]
    fn every_way_to_a_tree_gives_that_of_the_standard() {
        let mut grown = Tree::new();
        for size in 0..70 {
            let leaves: Vec<TreeHash> = (0..size).map(leaf).collect();
            let root = defined(&leaves);
            assert_eq!((grown.len(), grown.is_empty(), grown.root()), (size, size == 0, root));
            assert_eq!(leaves.iter().copied().collect::<Tree>(), grown);
            for index in 0..size {
                let mut changed = grown.clone();
                assert!(changed.set(index, leaf(1000)));
                assert_ne!(changed.root(), root);
                assert!(changed.set(index, leaf(index)));
                assert_eq!(changed, grown);
            }
            assert!(!grown.clone().set(size, leaf(size)));
            grown.push(leaf(size));
        }
    }

    #[test]
    fn a_path_fits_its_leaf_at_its_place_alone() {
        let number = |number: u64| usize::try_from(number).unwrap();
        for size in 1..40_u64 {
            let tree: Tree = (0..number(size)).map(leaf).collect();
            assert_eq!(tree.path(number(size)), None);
            for index in 0..size {
                let (path, of) = (tree.path(number(index)).unwrap(), leaf(number(index)));
                assert_eq!(path_length(size, index), Some(path.len()), "{index} of {size}");
                assert!(holds_leaf(&tree.root(), size, index, &of, &path), "{index} of {size}");
                for other in (0..size + 3).filter(|other| *other != index) {
                    assert!(!holds_leaf(&tree.root(), size, other, &of, &path), "{index} of {size} as {other}");
                }
                let longer: Vec<TreeHash> = path.iter().copied().chain([of]).collect();
                assert!(!holds_leaf(&tree.root(), size, index, &of, &longer));
                assert!(path.is_empty() || !holds_leaf(&tree.root(), size, index, &of, &path[1..]));
                assert!(!holds_leaf(&tree.root(), size, index, &leaf(99), &path));
                for at in 0..path.len() {
                    let mut altered = path.clone();
                    altered[at] = leaf(99);
                    assert!(!holds_leaf(&tree.root(), size, index, &of, &altered));
                }
            }
        }
        assert!(!holds_leaf(&TreeHash::empty(), 0, 0, &TreeHash::empty(), &[]));
        assert_eq!([path_length(0, 0), path_length(3, 3), path_length(1, 0)], [None, None, Some(0)]);
        assert_eq!([path_length(u64::MAX, 0), path_length(u64::MAX, u64::MAX - 1)], [Some(64), Some(63)]);
        assert!(!holds_leaf(&leaf(0), u64::MAX, u64::MAX, &leaf(0), &[leaf(1)]));
    }
}
