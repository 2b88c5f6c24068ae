//! Entry bundles: the leaves themselves, in blocks that lie beside the tiles of their hashes (C2SP `tlog-tiles`).

use super::tile::{Tile, place};
use crate::error::{Error, Problem};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A block of neighbouring leaves: those whose hashes are in the tile of level 0 at the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryBundle {
    /// Its place among the bundles.
    pub index: u64,
    /// The number of leaves: 256, or 1 to 255 in the last one (`.p/<width>`).
    pub width: u16,
}

impl EntryBundle {
    /// The bundle of a tile; `None` above level 0.
    #[must_use]
    pub fn of(tile: &Tile) -> Option<Self> {
        (tile.level == 0).then_some(Self { index: tile.index, width: tile.width })
    }

    /// The tile of its leaves' hashes.
    #[must_use]
    pub fn tile(&self) -> Tile {
        Tile { level: 0, index: self.index, width: self.width }
    }

    /// Its path from the log's folder: `tile/entries/<index>[.p/<width>]`, the index as that of a tile.
    #[must_use]
    pub fn path(&self) -> String {
        format!("tile/entries/{}", place(self.index, self.width))
    }

    /// The bytes of a bundle: each leaf behind its length (u16, big-endian).
    ///
    /// # Errors
    /// [`Problem::Range`] for `leaf`, with its place, where it has more than 65,535 bytes.
    pub fn encode<L: AsRef<[u8]>>(leaves: &[L]) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        for (place, leaf) in (0..).zip(leaves) {
            let leaf = leaf.as_ref();
            let length = u16::try_from(leaf.len()).map_err(|_| Error::malformed_at("leaf", place, Problem::Range))?;
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(leaf);
        }
        Ok(bytes)
    }

    /// The leaves of this bundle's bytes. Whose they are, their hashes tell ([`of_leaf`](super::TreeHash::of_leaf)).
    ///
    /// # Errors
    /// [`Problem::Length`] for `entries`, with the place of the leaf, where the bytes end within one, and with the
    /// width where more of them follow.
    pub fn decode<'a>(&self, mut bytes: &'a [u8]) -> Result<Vec<&'a [u8]>, Error> {
        let cut = |place: u16, expected, found| {
            Error::malformed_at("entries", place.into(), Problem::Length { expected, found })
        };
        let mut leaves = Vec::new();
        for place in 0..self.width {
            let (length, rest) = bytes.split_first_chunk().ok_or_else(|| cut(place, 2, bytes.len()))?;
            let length = u16::from_be_bytes(*length).into();
            let (leaf, rest) = rest.split_at_checked(length).ok_or_else(|| cut(place, length, rest.len()))?;
            leaves.push(leaf);
            bytes = rest;
        }
        if bytes.is_empty() { Ok(leaves) } else { Err(cut(self.width, 0, bytes.len())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Malformed;
    use std::vec;

    fn refused<T: core::fmt::Debug>(result: Result<T, Error>) -> (&'static str, Option<u64>, Problem) {
        match result.unwrap_err() {
            Error::Malformed(Malformed { field, index, problem }) => (field, index, problem),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_bundle_is_its_leaves_and_nothing_else() {
        let leaves = [vec![], vec![7], vec![8; 300], vec![9; 65_535]];
        let bytes = EntryBundle::encode(&leaves).unwrap();
        assert_eq!(bytes[..5], [0, 0, 0, 1, 7]);
        assert_eq!(bytes[5..8], [1, 44, 8]);
        let bundle = EntryBundle { index: 3, width: 4 };
        assert_eq!(bundle.decode(&bytes).unwrap(), leaves);
        let ends = [(0, 0, 2, 0), (1, 0, 2, 1), (2, 1, 2, 0), (4, 1, 1, 0), (6, 2, 2, 1), (100, 2, 300, 93)];
        for (cut, place, expected, found) in ends {
            let problem = Problem::Length { expected, found };
            assert_eq!(refused(bundle.decode(&bytes[..cut])), ("entries", Some(place), problem), "{cut}");
        }
        let fewer = EntryBundle { index: 3, width: 3 };
        let problem = Problem::Length { expected: 0, found: 65_537 };
        assert_eq!(refused(fewer.decode(&bytes)), ("entries", Some(3), problem));
        let long = EntryBundle::encode(&[vec![], vec![0; 65_536]]);
        assert_eq!(refused(long), ("leaf", Some(1), Problem::Range));
    }

    #[test]
    fn bundles_lie_beside_their_tiles() {
        let path = |index, width| EntryBundle { index, width }.path();
        assert_eq!(path(0, 256), "tile/entries/000");
        assert_eq!(path(1_234_067, 7), "tile/entries/x001/x234/067.p/7");
        let of: Vec<_> = Tile::grown(0, 600).filter_map(|tile| EntryBundle::of(&tile)).collect();
        assert_eq!(
            of.iter().map(|bundle| (bundle.index, bundle.width)).collect::<Vec<_>>(),
            [(0, 256), (1, 256), (2, 88)]
        );
        assert_eq!(of[2].tile(), Tile { level: 0, index: 2, width: 88 });
    }
}
