//! What stands where in the folder.

use dualseal::IdentityId;

/// The chain, one entry a line.
pub(super) const CHAIN: &str = "chain.jsonl";
/// For each entry where its line begins, and where that of its record does, [`NO_RECORD`] where there is none: 8 bytes
/// each, big-endian.
pub(super) const INDEX: &str = "chain.index";
pub(super) const INDEX_BYTES: u64 = 16;
pub(super) const NO_RECORD: u64 = u64::MAX;
/// The nodes of the log's tree in the order in which they are made, 32 bytes each.
pub(super) const TREE: &str = "chain.tree";
/// Two lines: the state, and what seals the ring. They are always written together.
pub(super) const STATE: &str = "state.jsonl";
pub(super) const RING: &str = "ring";
pub(super) const DECOYS: &str = "decoys.jsonl";
pub(super) const CHECKPOINT: &str = "checkpoint.json";
/// Signed records and vault records, one a line.
pub(super) const RECORDS: &str = "records.jsonl";
pub(super) const SECRETS: &str = "secrets";
/// The list of secrets, in the order in which they were kept: of each the hash of its place, that of its stored bytes
/// (zeros where it was forgotten) and the top of the list after it, 32 bytes each.
pub(super) const LIST: &str = "secrets.list";
pub(super) const LIST_BYTES: u64 = 96;
/// The first mark, until it is in its place.
pub(super) const FOUNDING: &str = "founding.json";

/// The most bytes of a line: what is longer is not written, since nobody could read it again.
pub(super) const LONGEST_LINE: u64 = 16 << 20;
/// The most bytes of each of the small files.
pub(super) const LONGEST_FILE: u64 = 64 << 20;

/// The file of an identity's row.
pub(super) fn row(identity_id: &IdentityId) -> String {
    format!("{RING}/{identity_id}.json")
}

/// How many nodes the first so many entries make: each makes its leaf, and one for each pair that it completes.
pub(super) fn nodes(entries: u64) -> u64 {
    entries.saturating_mul(2).saturating_sub(entries.count_ones().into())
}

/// The place of a node among all: it is made with the last of its leaves, after those below it.
pub(super) fn node(level: u8, index: u64) -> Option<u64> {
    let last = index.checked_add(1)?.checked_mul(1_u64.checked_shl(level.into())?)?.checked_sub(1)?;
    nodes(last).checked_add(level.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dualseal::tree::{Frontier, TreeHash};

    #[test]
    fn nodes_stand_where_they_are_looked_for() {
        let (mut frontier, mut made) = (Frontier::new(), 0);
        for leaf in 0..1000_u64 {
            assert_eq!(nodes(leaf), made);
            frontier.push_noting(TreeHash::of_leaf(&leaf.to_be_bytes()), |level, index, _| {
                assert_eq!(node(level, index), Some(made));
                made += 1;
            });
        }
        assert_eq!(node(63, 1), None);
    }
}
