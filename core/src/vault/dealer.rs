//! The dealer of a record's secret.

use super::keys::VaultMaster;
use super::layers;
use super::record::VaultRecord;
use crate::error::{Error, Misuse};
use crate::shard::{Dealer, ShardKey};
use alloc::string::String;

impl Dealer {
    /// For the secret of a record, under the record's own master, by which its erasure finds the split again. `m`
    /// shards, 2 to n, rebuild the secret; `node_urls` are the labels of the nodes, one for each shard, in shard order:
    /// n of them, 2 to 255. The record need not be verified: master, identity, ledger and vault are compared with its
    /// digest (L7), which only that master could make, so that a record in which one of them was replaced is refused.
    ///
    /// # Errors
    /// [`Misuse::ForeignLedger`] for a record of another master or domain, and for one whose digest the master did not
    /// make for its identity, ledger and vault.
    pub fn new(record: &VaultRecord, master: &VaultMaster, m: u8, node_urls: &[String]) -> Result<Self, Error> {
        let header = record.header();
        let fragment = layers::fragment(master, &header.identity_id, &header.ledger, &header.vault_id);
        if header.key_id != *master.key_id() || !bool::from(fragment.is_of(record.digest())) {
            return Err(Misuse::ForeignLedger.into());
        }
        let key = ShardKey::derive(master.domain(), master.secret(), &header.identity_id);
        Ok(Self::without_record(master.domain(), &key, &header.vault_id, &header.identity_id, m, node_urls))
    }
}
