//! The dealer of a record's secret.

use super::keys::VaultMaster;
use super::layers;
use super::record::{Encryption, VaultRecord};
use super::unseal::unseal;
use super::verifier::OperatorRecord;
use crate::error::{Error, Misuse, Problem};
use crate::field::{Field, Gf2_256};
use crate::secret::Secret;
use crate::shamir::{DrawnSecret, SplitId};
use crate::shard::{Dealer, Prepared, ShardKey};
use crate::verdict::Verified;
use alloc::string::String;
use rand_core::TryCryptoRng;
use zeroize::Zeroize;

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

    /// As [`prepare`](Self::prepare), of the secret that was kept since the record was sealed. Bytes of one's own do
    /// not become a secret that is shared: these open the whole document of the record, so that it was drawn for it.
    ///
    /// # Errors
    /// [`Misuse::OtherVault`] for the record of another vault; [`Misuse::NotEncrypted`] for one that has no secret; as
    /// [`unseal`] and [`prepare`](Self::prepare).
    pub fn prepare_kept<R: TryCryptoRng + ?Sized>(
        &self,
        record: &Verified<OperatorRecord>,
        kept: &Secret<32>,
        stored: &[u8],
        previous: Option<&SplitId>,
        rng: &mut R,
    ) -> Result<Prepared, Error> {
        let header = record.record().record().header();
        if header.vault_id != *self.vault_id() {
            return Err(Misuse::OtherVault.into());
        }
        if header.encryption == Encryption::None {
            return Err(Misuse::NotEncrypted.into());
        }
        drop(unseal(record, Some(kept), stored)?);
        let element: Option<Gf2_256> = Gf2_256::from_bytes(kept.expose()).into();
        let mut element = element.ok_or_else(|| Error::malformed("secret", Problem::Range))?;
        let prepared = self.prepare(&DrawnSecret::from_element(&element), previous, rng);
        element.zeroize();
        prepared
    }
}
