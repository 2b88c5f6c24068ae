//! Tiles of a log that grows: what is to be written for each leaf, from no more than the right edge.

use super::TreeHash;
use super::frontier::Frontier;
use super::tile::{HEIGHT, Tile, TileError, TileReader, full, full_root};
use alloc::vec::Vec;

/// The tiles that are not full yet, one a level, and the frontier: what a writer of tiles goes on from. It holds at
/// most 64 KiB.
///
/// ```
/// use dualseal::tree::{TileGrowth, TreeHash};
///
/// let mut growth = TileGrowth::new();
/// let mut written = Vec::new();
/// for number in 0..300_u32 {
///     let leaf = TreeHash::of_leaf(&number.to_be_bytes());
///     assert!(growth.push(leaf, |tile, hashes| written.push((tile.path(), hashes.len()))));
/// }
/// written.extend(growth.partial().map(|(tile, hashes)| (tile.path(), hashes.len())));
/// let paths = ["tile/0/000", "tile/0/001.p/44", "tile/1/000.p/1"];
/// assert_eq!(written.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), paths);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TileGrowth {
    frontier: Frontier,
    /// By the level of the tiles, the hashes of the last one, which are fewer than 256.
    edge: [Vec<TreeHash>; 8],
}

impl TileGrowth {
    /// That of no leaves.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Goes on from tiles that were written for `size` leaves. Whose they are, the frontier's root tells, which the
    /// caller compares with what he knows: a tile that was altered has another.
    ///
    /// # Errors
    /// As [`Tiles`](super::Tiles).
    pub fn resume<R: TileReader + ?Sized>(reader: &mut R, size: u64) -> Result<Self, TileError<R::Error>> {
        let (mut edge, mut hashes): ([Vec<TreeHash>; 8], Vec<TreeHash>) = Default::default();
        for (level, kept) in (0..HEIGHT).zip(&mut edge).rev() {
            let Some(tile) = last(size, level) else { continue };
            let read = reader.tile(&tile).map_err(TileError::Read)?;
            if read.len() != usize::from(tile.width) {
                return Err(TileError::Width(tile));
            }
            // The subtrees of the frontier are those of the width's ones in binary, the largest first.
            let mut rest = read.as_slice();
            for row in (0..HEIGHT).rev().filter(|row| tile.width.checked_shr((*row).into()).is_some_and(odd)) {
                let subtree = 1_usize.checked_shl(row.into()).and_then(|count| rest.split_at_checked(count));
                let Some((subtree, after)) = subtree else { return Err(TileError::Width(tile)) };
                hashes.push(full_root(subtree));
                rest = after;
            }
            *kept = read;
        }
        let frontier = Frontier::from_parts(size, &hashes).ok_or(TileError::None { level: 0, index: size })?;
        Ok(Self { frontier, edge })
    }

    /// The frontier, whose root is the log's.
    #[must_use]
    pub fn frontier(&self) -> &Frontier {
        &self.frontier
    }

    /// Adds a leaf behind the others, and says whether there was room. `write` gets each tile that is full now, which
    /// is never written again.
    pub fn push(&mut self, leaf: TreeHash, mut write: impl FnMut(&Tile, &[TreeHash])) -> bool {
        let edge = &mut self.edge;
        self.frontier.push_noting(leaf, |level, index, root| {
            let (level, row) = (level.checked_div(HEIGHT), level.checked_rem(HEIGHT));
            let (Some(level), Some(0)) = (level, row) else { return };
            let Some(hashes) = edge.get_mut(usize::from(level)) else { return };
            hashes.push(*root);
            if hashes.len() == 256 {
                write(&Tile { level, index: index >> HEIGHT, width: 256 }, hashes);
                hashes.clear();
            }
        })
    }

    /// The tiles that are not full, which a checkpoint of this size needs beside the full ones.
    pub fn partial(&self) -> impl Iterator<Item = (Tile, &[TreeHash])> {
        let size = self.frontier.size();
        (0..HEIGHT).zip(&self.edge).filter_map(move |(level, hashes)| Some((last(size, level)?, hashes.as_slice())))
    }
}

/// The tile of a level that is not full; `None` where there is none.
fn last(size: u64, level: u8) -> Option<Tile> {
    let count = full(size, level);
    let width = u16::try_from(count & 0xff).ok().filter(|width| *width > 0)?;
    Some(Tile { level, index: count >> HEIGHT, width })
}

fn odd(number: u16) -> bool {
    number & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn leaf(number: u64) -> TreeHash {
        TreeHash::of_leaf(&number.to_be_bytes())
    }

    type Files = BTreeMap<Tile, Vec<TreeHash>>;

    impl TileReader for &Files {
        type Error = Tile;
        fn tile(&mut self, tile: &Tile) -> Result<Vec<TreeHash>, Tile> {
            self.get(tile).cloned().ok_or(*tile)
        }
    }

    /// Whoever goes on from what was written writes what somebody writes who never stopped, and each tile once.
    #[test]
    fn growing_on_from_tiles_writes_what_growing_at_once_does() {
        let (mut files, mut whole) = (Files::new(), TileGrowth::new());
        let mut size = 0;
        for step in [1, 1, 5, 100, 148, 1, 1, 255, 256, 3, 65_000, 400] {
            let mut growth = TileGrowth::resume(&mut &files, size).unwrap();
            assert_eq!(growth, whole);
            let expected: Vec<Tile> = Tile::grown(size, size + step).collect();
            let mut written = Vec::new();
            for number in size..size + step {
                assert!(growth.push(leaf(number), |tile, hashes| written.push((*tile, hashes.to_vec()))));
                whole.push(leaf(number), |_, _| {});
            }
            written.extend(growth.partial().map(|(tile, hashes)| (tile, hashes.to_vec())));
            for (tile, hashes) in written {
                assert_eq!(hashes.len(), usize::from(tile.width));
                let new = files.insert(tile, hashes.clone()).is_none_or(|old| old == hashes);
                assert!(new, "{tile:?} was written otherwise");
            }
            size += step;
            assert!(expected.iter().all(|tile| files.contains_key(tile)));
            let root = super::super::proof::root_of(&mut super::super::Tiles::new(&files, size), size).unwrap();
            assert_eq!((growth.frontier().root(), growth.frontier().size()), (root, size));
        }
    }

    #[test]
    fn tiles_that_are_not_there_or_too_short_are_told() {
        let mut files = Files::new();
        let tile = Tile { level: 0, index: 1, width: 3 };
        let above = Tile { level: 1, index: 0, width: 1 };
        assert_eq!(TileGrowth::resume(&mut &files, 259), Err(TileError::Read(above)));
        files.insert(above, [leaf(0)].into());
        files.insert(tile, [leaf(1), leaf(2)].into());
        assert_eq!(TileGrowth::resume(&mut &files, 259), Err(TileError::Width(tile)));
        assert_eq!(TileGrowth::resume(&mut &files, 0), Ok(TileGrowth::new()));
        // An altered tile has another root.
        let right = TileGrowth::resume(&mut &BTreeMap::from([(above, [leaf(0)].into())]), 256).unwrap();
        let wrong = TileGrowth::resume(&mut &BTreeMap::from([(above, [leaf(9)].into())]), 256).unwrap();
        assert_ne!(right.frontier().root(), wrong.frontier().root());
    }
}
