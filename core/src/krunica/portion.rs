//! Entries that are read one after the other, and hashed together.

use super::{Entry, Line};
use crate::encoding::json::Raw;
use crate::encoding::record::{self, Form};
use alloc::vec::Vec;

/// Entries of a portion: enough for the lanes to be full for most of them, and little memory, since long messages are
/// not copied.
pub(super) const ENTRIES: usize = 64;

/// Bytes of text with which a portion ends, since a line has no bound that is as small.
const BYTES: usize = 1 << 18;

/// Entries that were read and not checked yet. Who gathers them checks them in their order, and one that cannot be read
/// after all before it.
#[derive(Debug, Default)]
pub(crate) struct Portion {
    entries: Vec<Entry>,
    bytes: usize,
}

impl Portion {
    /// Reads the next entry of a chain that has so many and those that are here. Whether it can be read.
    pub(crate) fn read(&mut self, size: u64, text: &[u8]) -> bool {
        self.push(size, text.len(), record::from_json::<Line>(text).ok())
    }

    /// As [`read`](Self::read), of a text that was checked.
    pub(super) fn read_raw(&mut self, size: u64, raw: Raw<'_>) -> bool {
        self.push(size, raw.len(), Line::read(raw, "entry").ok())
    }

    fn push(&mut self, size: u64, bytes: usize, line: Option<Line>) -> bool {
        let Some(line) = line else { return false };
        let seq = size.saturating_add(self.count());
        self.entries.push(Entry { seq, line });
        self.bytes = self.bytes.saturating_add(bytes);
        true
    }

    /// Whether they are to be checked now.
    pub(crate) fn is_full(&self) -> bool {
        self.entries.len() >= ENTRIES || self.bytes >= BYTES
    }

    /// The number of entries.
    pub(crate) fn count(&self) -> u64 {
        u64::try_from(self.entries.len()).unwrap_or(u64::MAX)
    }

    /// Takes all of them, each with whether its hash holds.
    pub(crate) fn take(&mut self) -> impl Iterator<Item = (Entry, bool)> + use<> {
        self.bytes = 0;
        let entries = core::mem::take(&mut self.entries);
        let hold = Entry::hashes_hold(&entries);
        entries.into_iter().zip(hold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Domain, Head, IdentityId};

    /// What anybody may write fills no memory: a portion ends with the entries or with the bytes.
    #[test]
    fn a_portion_ends_with_either_measure() {
        let time = "2026-11-21T09:00:00.000Z".parse().unwrap();
        let identity_id = IdentityId::from_bytes([1; 32]);
        let entry = Head::EMPTY.append(&Domain::default(), &identity_id, "a", time).unwrap().entry;
        let line = || Some(entry.line.clone());
        let mut portion = Portion::default();
        for _ in 0..ENTRIES {
            assert!(!portion.is_full());
            assert!(portion.push(0, 1, line()));
        }
        assert!(portion.is_full());
        assert_eq!(portion.take().count(), ENTRIES);
        assert!(!portion.is_full());
        assert!(portion.push(0, BYTES - 1, line()) && !portion.is_full());
        assert!(portion.push(0, 1, line()) && portion.is_full());
        assert!(!portion.push(0, 1, None));
    }
}
