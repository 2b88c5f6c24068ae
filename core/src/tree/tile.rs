//! Tiles: a tree cut into blocks of up to 256 hashes, as C2SP's `tlog-tiles` lays it out for any web server.

use super::TreeHash;
use super::frontier::fold;
use super::proof::NodeReader;
use crate::error::{Error, Problem};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The levels of a tree that one tile spans; a tree of 64 levels has as many levels of tiles.
pub(super) const HEIGHT: u8 = 8;

/// A block of neighbouring roots of full subtrees: those of 256^`level` leaves each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile {
    /// 0 for the leaves, then every eighth level of the tree: at most 7.
    pub level: u8,
    /// Its place among the tiles of its level.
    pub index: u64,
    /// The number of hashes: 256, or 1 to 255 in the last one of a level (`.p/<width>`).
    pub width: u16,
}

impl Tile {
    /// The tile that has a subtree's root, or what it is made of, in the tree of the first `size` leaves; `None` where
    /// the subtree is not full there.
    #[must_use]
    pub fn of(size: u64, level: u8, index: u64) -> Option<Self> {
        let row = u32::from(level.checked_rem(HEIGHT)?);
        let level = level.checked_div(HEIGHT)?;
        let count = full(size, level);
        let end = index.checked_add(1)?.checked_mul(1_u64.checked_shl(row)?)?;
        if end > count {
            return None;
        }
        let index = end.checked_sub(1)? >> HEIGHT;
        Some(Self { level, index, width: width(count, index) })
    }

    /// The tiles that the tree of `size` leaves has and that of the first `before` had not, or had with fewer hashes:
    /// what is to be written after it has grown. Level by level, left to right.
    pub fn grown(before: u64, size: u64) -> impl Iterator<Item = Self> {
        (0..HEIGHT).flat_map(move |level| {
            let (old, new) = (full(before, level), full(size, level));
            let begin = if new > old { old >> HEIGHT } else { u64::MAX };
            (begin..new.div_ceil(1 << HEIGHT)).map(move |index| Self { level, index, width: width(new, index) })
        })
    }

    /// Its path from the log's folder: `tile/<level>/<index>[.p/<width>]`, the index in groups of three digits, each
    /// but the last behind an `x`.
    #[must_use]
    pub fn path(&self) -> String {
        format!("tile/{}/{}", self.level, place(self.index, self.width))
    }

    /// The bytes of a tile: its hashes, one behind the other.
    #[must_use]
    pub fn encode(hashes: &[TreeHash]) -> Vec<u8> {
        hashes.iter().flat_map(|hash| *hash.as_bytes()).collect()
    }

    /// The hashes of this tile's bytes.
    ///
    /// # Errors
    /// [`Problem::Length`] for `tile`, with its index: not 32 bytes for each hash.
    pub fn decode(&self, bytes: &[u8]) -> Result<Vec<TreeHash>, Error> {
        let (hashes, rest) = bytes.as_chunks();
        if rest.is_empty() && hashes.len() == usize::from(self.width) {
            return Ok(hashes.iter().copied().map(TreeHash::from_bytes).collect());
        }
        let expected = usize::from(self.width).saturating_mul(32);
        Err(Error::malformed_at("tile", self.index, Problem::Length { expected, found: bytes.len() }))
    }
}

/// The end of a path: an index as C2SP writes it, as `x001/x234/067`, and the width of what is not full.
pub(super) fn place(mut index: u64, width: u16) -> String {
    let mut text = format!("{:03}", index.checked_rem(1000).unwrap_or_default());
    while index >= 1000 {
        index = index.checked_div(1000).unwrap_or_default();
        text = format!("x{:03}/{text}", index.checked_rem(1000).unwrap_or_default());
    }
    if width < 256 {
        text = format!("{text}.p/{width}");
    }
    text
}

/// The number of full subtrees at a tile's level.
pub(super) fn full(size: u64, level: u8) -> u64 {
    size.checked_shr(u32::from(level).saturating_mul(u32::from(HEIGHT))).unwrap_or_default()
}

fn width(count: u64, index: u64) -> u16 {
    let left = count.saturating_sub(index.checked_shl(u32::from(HEIGHT)).unwrap_or(u64::MAX));
    u16::try_from(left.min(256)).unwrap_or(256)
}

/// Where tiles are read.
pub trait TileReader {
    /// What can go wrong.
    type Error;

    /// Reads the hashes of a tile, as many as its width says. A store that has a wider one gives its beginning.
    ///
    /// # Errors
    /// The store's own.
    fn tile(&mut self, tile: &Tile) -> Result<Vec<TreeHash>, Self::Error>;
}

/// The tiles of a tree as its subtrees, each read once: a proof takes a few for each 256-fold of the tree's size.
#[derive(Debug)]
pub struct Tiles<R> {
    reader: R,
    size: u64,
    read: BTreeMap<Tile, Vec<TreeHash>>,
}

impl<R: TileReader> Tiles<R> {
    /// Those of the tree of the first `size` leaves.
    #[must_use]
    pub fn new(reader: R, size: u64) -> Self {
        Self { reader, size, read: BTreeMap::new() }
    }
}

/// A subtree that cannot be had from tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileError<E> {
    /// The store's own error.
    Read(E),
    /// The tile has not as many hashes as its width.
    Width(Tile),
    /// The tree has no such subtree.
    None {
        /// Its level.
        level: u8,
        /// Its place within the level.
        index: u64,
    },
}

impl<R: TileReader> NodeReader for Tiles<R> {
    type Error = TileError<R::Error>;

    fn node(&mut self, level: u8, index: u64) -> Result<TreeHash, Self::Error> {
        let none = || TileError::None { level, index };
        let tile = Tile::of(self.size, level, index).ok_or_else(none)?;
        if !self.read.contains_key(&tile) {
            let hashes = self.reader.tile(&tile).map_err(TileError::Read)?;
            if hashes.len() != usize::from(tile.width) {
                return Err(TileError::Width(tile));
            }
            self.read.insert(tile, hashes);
        }
        let row = u32::from(level.checked_rem(HEIGHT).unwrap_or_default());
        let count = 1_usize.checked_shl(row).unwrap_or_default();
        let first = index.checked_shl(row).and_then(|first| usize::try_from(first & 0xff).ok()).unwrap_or_default();
        let hashes = self.read.get(&tile).and_then(|hashes| hashes.get(first..first.checked_add(count)?));
        hashes.map(full_root).ok_or_else(none)
    }
}

/// The root over a power of two of hashes.
pub(super) fn full_root(hashes: &[TreeHash]) -> TreeHash {
    let mut level = hashes.to_vec();
    while level.len() > 1 {
        level = level.chunks(2).map(fold).collect();
    }
    fold(&level)
}

impl<E: fmt::Display> fmt::Display for TileError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Width(tile) => write!(f, "{} has not {} hashes", tile.path(), tile.width),
            Self::None { level, index } => write!(f, "the tree has no full subtree {index} at level {level}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for TileError<E> {}

#[cfg(test)]
mod tests {
    use super::super::proof::{holds_growth, prove_growth, prove_leaf, root_of};
    use super::super::{Frontier, Tree, holds_leaf};
    use super::*;
    use std::collections::BTreeSet;
    use std::vec;

    fn leaf(number: u64) -> TreeHash {
        TreeHash::of_leaf(&number.to_be_bytes())
    }

    /// Every node of a tree of some size, and tiles cut from them; counts what is read.
    #[derive(Default)]
    struct Store {
        nodes: BTreeMap<(u8, u64), TreeHash>,
        reads: usize,
    }

    impl Store {
        fn of(size: u64) -> Self {
            let (mut store, mut frontier) = (Self::default(), Frontier::new());
            for number in 0..size {
                frontier.push_noting(leaf(number), |level, index, root| {
                    store.nodes.insert((level, index), *root);
                });
            }
            store
        }
    }

    impl TileReader for &mut Store {
        type Error = &'static str;

        fn tile(&mut self, tile: &Tile) -> Result<Vec<TreeHash>, &'static str> {
            self.reads += 1;
            let begin = tile.index * 256;
            let hash = |index| self.nodes.get(&(tile.level * 8, index)).copied().ok_or("there is no such node");
            (begin..begin + u64::from(tile.width)).map(hash).collect()
        }
    }

    #[test]
    fn every_proof_between_two_sizes_holds_there_alone() {
        let (mut store, size) = (Store::of(300), 40);
        let roots: Vec<TreeHash> = (0..=size).map(|size| (0..size).map(leaf).collect::<Tree>().root()).collect();
        let root = |size: u64| roots[usize::try_from(size).unwrap()];
        for after in 0..=size {
            let mut tiles = Tiles::new(&mut store, after);
            assert_eq!(root_of(&mut tiles, after), Ok(root(after)));
            assert_eq!(prove_growth(&mut tiles, after + 1, after), Ok(None));
            assert_eq!(prove_leaf(&mut tiles, after, after), Ok(None));
            for before in 0..=after {
                let path = prove_growth(&mut tiles, before, after).unwrap().unwrap();
                let holds = |old: &TreeHash, before, new: &TreeHash, after, path: &[TreeHash]| {
                    holds_growth(old, before, new, after, path)
                };
                let (old, new) = (root(before), root(after));
                assert!(holds(&old, before, &new, after, &path), "{before} {after}");
                assert_eq!(path.is_empty(), before == 0 || before == after);
                for (other, wrong) in (0..size + 3).map(|other| (other, leaf(other + 1000))) {
                    assert!(other == before || !holds(&old, other, &new, after, &path), "{other} {before} {after}");
                    assert!(!holds(&wrong, before, &new, after, &path));
                    assert!(before == 0 || !holds(&old, before, &wrong, after, &path), "{before} {after}");
                }
                let longer: Vec<TreeHash> = path.iter().copied().chain([new]).collect();
                assert!(!holds(&old, before, &new, after, &longer));
                for at in 0..path.len() {
                    assert!(!holds(&old, before, &new, after, &path[..at]));
                    assert!(!holds(&old, before, &new, after, &path[at + 1..]));
                    let mut altered = path.clone();
                    altered[at] = leaf(99);
                    assert!(!holds(&old, before, &new, after, &altered), "{before} {after} {at}");
                }
            }
        }
        assert!(!holds_growth(&root(3), 3, &root(2), 2, &[]));
        assert!(!holds_growth(&leaf(0), u64::MAX - 1, &leaf(0), u64::MAX, &vec![leaf(1); 100]));
    }

    #[test]
    fn every_leaf_of_every_size_is_proved_from_tiles() {
        let mut store = Store::of(600);
        for size in (1..300).chain([511, 512, 513, 600]) {
            let tree: Tree = (0..size).map(leaf).collect();
            for index in (0..size).filter(|index| size < 70 || index % 7 == 0 || *index + 3 > size) {
                let mut tiles = Tiles::new(&mut store, size);
                let path = prove_leaf(&mut tiles, size, index).unwrap().unwrap();
                assert_eq!(tree.path(usize::try_from(index).unwrap()).as_ref(), Some(&path), "{index} of {size}");
                assert!(holds_leaf(&tree.root(), size, index, &leaf(index), &path));
            }
        }
    }

    /// The tree has 2^40 leaves, of which every node is the same: what counts is how much is read.
    #[test]
    fn a_proof_reads_a_few_tiles_whatever_the_size() {
        struct Same(BTreeSet<Tile>);
        impl TileReader for &mut Same {
            type Error = core::convert::Infallible;
            fn tile(&mut self, tile: &Tile) -> Result<Vec<TreeHash>, Self::Error> {
                assert!(self.0.insert(*tile), "{tile:?} was read twice");
                Ok(vec![leaf(0); usize::from(tile.width)])
            }
        }
        let size = (1 << 40) - 1;
        for (index, before, length) in [(0, 1, 40), (12_345_678, 87_654_321, 40), (size - 1, size - 2, 39)] {
            let mut read = Same(BTreeSet::new());
            assert_eq!(prove_leaf(&mut Tiles::new(&mut read, size), size, index).unwrap().unwrap().len(), length);
            assert!(read.0.len() <= 10, "{}", read.0.len());
            let mut read = Same(BTreeSet::new());
            prove_growth(&mut Tiles::new(&mut read, size), before, size).unwrap().unwrap();
            assert!(read.0.len() <= 10, "{}", read.0.len());
        }
    }

    #[test]
    fn a_store_that_gives_too_little_is_told() {
        struct Short;
        impl TileReader for Short {
            type Error = &'static str;
            fn tile(&mut self, tile: &Tile) -> Result<Vec<TreeHash>, &'static str> {
                if tile.level == 0 { Ok(vec![leaf(0); 3]) } else { Err("no such file") }
            }
        }
        let tile = Tile { level: 0, index: 0, width: 5 };
        let told = root_of(&mut Tiles::new(Short, 5), 5).unwrap_err();
        assert_eq!((told, std::format!("{told}")), (TileError::Width(tile), "tile/0/000.p/5 has not 5 hashes".into()));
        let told = root_of(&mut Tiles::new(Short, 256), 256).unwrap_err();
        assert_eq!((told, std::format!("{told}")), (TileError::Read("no such file"), "no such file".into()));
        let none = TileError::None { level: 2, index: 1 };
        assert_eq!(Tiles::new(Short, 7).node(2, 1), Err(none));
        assert_eq!(std::format!("{none}"), "the tree has no full subtree 1 at level 2");
        assert_eq!(
            Tiles::new(Short, u64::MAX).node(255, u64::MAX),
            Err(TileError::None { level: 255, index: u64::MAX })
        );
    }

    #[test]
    fn tiles_and_their_paths() {
        let tile = |level, index, width| Tile { level, index, width };
        let path = |index| tile(1, index, 256).path();
        assert_eq!([0, 67, 999].map(path), ["tile/1/000", "tile/1/067", "tile/1/999"]);
        assert_eq!([1000, 1_234_067].map(path), ["tile/1/x001/000", "tile/1/x001/x234/067"]);
        assert_eq!(tile(0, 1, 7).path(), "tile/0/001.p/7");
        // 70,000 leaves: 273 tiles and one of 112; 273 hashes above, so one tile and one of 17; one hash above these.
        let all: Vec<Tile> = Tile::grown(0, 70_000).collect();
        assert_eq!(all.len(), 274 + 2 + 1);
        assert_eq!(all[273], tile(0, 273, 112));
        assert_eq!(all[274..], [tile(1, 0, 256), tile(1, 1, 17), tile(2, 0, 1)]);
        let more: Vec<Tile> = Tile::grown(70_000, 70_001).collect();
        assert_eq!(more, [tile(0, 273, 113)]);
        let more: Vec<Tile> = Tile::grown(70_000, 70_400).collect();
        assert_eq!(more, [tile(0, 273, 256), tile(0, 274, 256), tile(1, 1, 19)]);
        assert_eq!(Tile::grown(7, 7).count(), 0);
        assert_eq!(Tile::grown(0, 256).collect::<Vec<_>>(), [tile(0, 0, 256), tile(1, 0, 1)]);
    }
}
