//! What stands where beside a record in the log's folder.

use dualseal::VaultId;
use dualseal_operator::secrets::Place;

/// The nodes that hold the shards: labels that nothing dials.
pub(crate) const NODES: [&str; 3] = ["https://one.example", "https://two.example", "https://three.example"];
/// The file of a record's stored bytes.
pub(crate) const STORED: &str = "stored";

/// What stands beside the record of an entry, within the log's folder.
pub(crate) fn beside(seq: u64, name: &str) -> String {
    format!("documents/{seq:06}/{name}")
}

/// The file of a shard.
pub(crate) fn shard(number: usize) -> String {
    format!("shard-{number}")
}

/// What a shard is bound to.
pub(crate) fn shard_place(vault_id: &VaultId, number: usize) -> Result<Place, dualseal::Error> {
    Place::new("shards", vault_id.as_bytes(), &number.to_string())
}
