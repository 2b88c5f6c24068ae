//! What a path names.

use dualseal::tree::{EntryBundle, Tile};

/// A file of the log as C2SP's `tlog-tiles` lays it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// A block of the tree.
    Tile(Tile),
    /// The leaves of a block.
    Bundle(EntryBundle),
}

/// The file of a path below `tile/`, in the one spelling that it has; `None` for what no log has.
pub(super) fn named(path: &str) -> Option<Named> {
    let (level, place) = path.split_once('/')?;
    let (place, width) = match place.split_once(".p/") {
        Some((place, width)) => (place, width.parse().ok().filter(|width| (1..256).contains(width))?),
        None => (place, 256),
    };
    let digits: String = place.split('/').map(|group| group.strip_prefix('x').unwrap_or(group)).collect();
    let index = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let named = match level {
        "entries" => Named::Bundle(EntryBundle { index, width }),
        level => Named::Tile(Tile { level: level.parse().ok()?, index, width }),
    };
    (named.path() == format!("tile/{path}")).then_some(named)
}

impl Named {
    fn path(&self) -> String {
        match self {
            Self::Tile(tile) => tile.path(),
            Self::Bundle(bundle) => bundle.path(),
        }
    }

    /// The nodes of the tree that it is made of: their level, the first, and how many.
    pub(super) fn nodes(&self) -> Option<(u8, u64, u64)> {
        match self {
            Self::Tile(Tile { level, index, width }) => {
                Some((level.checked_mul(8)?, index.checked_mul(256)?, u64::from(*width)))
            }
            Self::Bundle(EntryBundle { index, width }) => Some((0, index.checked_mul(256)?, u64::from(*width))),
        }
    }

    /// Whether the tree of so many leaves has it.
    pub(super) fn is_within(&self, size: u64) -> bool {
        let end = self.nodes().and_then(|(level, first, count)| {
            let end = first.checked_add(count)?;
            end.checked_mul(1_u64.checked_shl(u32::from(level))?)
        });
        end.is_some_and(|end| end <= size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_path() {
        let tile = |level, index, width| Some(Named::Tile(Tile { level, index, width }));
        assert_eq!(named("0/000"), tile(0, 0, 256));
        assert_eq!(named("1/x001/234.p/7"), tile(1, 1234, 7));
        assert_eq!(named("entries/x001/234"), Some(Named::Bundle(EntryBundle { index: 1234, width: 256 })));
        for wrong in
            ["0/0", "0/x000/001", "0/001/234", "00/000", "0/000.p/0", "0/000.p/256", "0/000.p/07", "x/000", "0", ""]
        {
            assert_eq!(named(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_file_is_there_when_its_leaves_are() {
        assert!(named("0/000.p/3").unwrap().is_within(3));
        assert!(!named("0/000.p/3").unwrap().is_within(2));
        assert!(named("1/000.p/1").unwrap().is_within(256));
        assert!(!named("1/000.p/1").unwrap().is_within(255));
        assert!(!named("7/x999/x999/999").unwrap().is_within(u64::MAX));
    }
}
