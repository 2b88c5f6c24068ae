//! Erasure: the secret of an encrypted record and every shard of it are destroyed, and the ledger says so. The stored
//! bytes stay, so that L0 and L3 of every record still verify.
//!
//! It holds once fewer than m shards of every split and no copy of the secret remain. That nobody can prove: the record
//! says what the operator promised to have done.

use super::record::{Encryption, LedgerId, VaultRecord};
use super::sealing::{Destination, ERASURE, Sealed, VaultSealer};
use super::verifier::Erasable;
use crate::encoding::record::{self, Ascending, record};
use crate::error::{Error, Misuse, VaultFault};
use crate::hash::Sha3_256;
use crate::id::{IdentityId, VaultId};
use crate::shamir::SplitId;
use crate::verdict::Verified;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use rand_core::TryCryptoRng;

impl VaultSealer<'_> {
    /// Records that a record of this identity and ledger was erased, with every split of its secret. The record of the
    /// erasure is not encrypted. The caller destroys the secret and the shards.
    ///
    /// It takes what the operator's policy let pass: whoever put another record in the place of the one that is
    /// meant would have the operator destroy a secret of their choice. A record that was only read does not compile:
    ///
    /// ```compile_fail,E0308
    /// use dualseal::vault::{Destination, VaultSealer, VaultRecord};
    ///
    /// fn erase(vault: &VaultSealer<'_>, read: &VaultRecord, destination: &Destination<'_>) {
    ///     let _ = vault.erase(read, &[], destination, &mut dualseal::SystemRng);
    /// }
    /// ```
    ///
    /// ```
    /// use dualseal::vault::{OperatorRecord, Destination, VaultSealer, VaultReport};
    ///
    /// fn erase(vault: &VaultSealer<'_>, report: &VaultReport<OperatorRecord>, destination: &Destination<'_>) {
    ///     if let Some(erasable) = report.erasable() {
    ///         let _ = vault.erase(erasable, &[], destination, &mut dualseal::SystemRng);
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    /// [`Misuse::NotEncrypted`] for a record whose stored bytes are the document; [`Misuse::ForeignLedger`] for one of
    /// another ledger, identity, master or domain, and for one that comes after the head of the ledger; otherwise as
    /// [`seal`](Self::seal).
    pub fn erase<R: TryCryptoRng + ?Sized>(
        &self,
        erased: &Erasable,
        splits: &[SplitId],
        destination: &Destination<'_>,
        rng: &mut R,
    ) -> Result<(Sealed, Vec<u8>), Error> {
        let header = erased.header();
        if header.encryption == Encryption::None {
            return Err(Misuse::NotEncrypted.into());
        }
        // The name of a master is derived in its domain. The record of a vault with other keys would verify nowhere in
        // this ledger, and with it none that comes after.
        let ours = header.identity_id == *self.identity_id() && header.key_id == *self.key_id();
        let placed = header.ledger == *destination.ledger.ledger() && header.seq < destination.ledger.size();
        if !ours || !placed {
            return Err(Misuse::ForeignLedger.into());
        }
        let splits: BTreeSet<SplitId> = splits.iter().copied().collect();
        let erased = Erased { splits: splits.into_iter().collect(), vault_id: header.vault_id };
        let payload = record::to_json::<Erased>(&erased);
        let mut stored = Vec::new();
        let mut sealing = self.begin_any(ERASURE, Encryption::None, rng, &mut stored, 0)?;
        sealing.update(payload.as_bytes(), &mut stored)?;
        let sealed = sealing.finish(destination, rng, &mut stored)?;
        Ok((sealed, stored))
    }
}

/// What a verified record of type `ERASURE` says: `{splits, vault_id}`, for its own ledger and identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erasure {
    identity_id: IdentityId,
    ledger: LedgerId,
    erased: Erased,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Erased {
    splits: Vec<SplitId>,
    vault_id: VaultId,
}

record! {
    |erased: Erased| "erasure" {
        "splits" splits: Ascending<SplitId, { u64::MAX }>,
        "vault_id" vault_id: VaultId,
    }
}

impl Erasure {
    /// Reads the stored bytes of a record that was verified.
    ///
    /// # Errors
    /// [`Misuse::NotErasure`] for a record of another type; [`VaultFault::StoredChanged`] for other bytes than those
    /// that were verified; [`Order`](crate::error::Problem::Order) for splits that do not ascend; names the member that
    /// is missing, unknown or of the wrong form.
    pub fn read<T: AsRef<VaultRecord>>(record: &Verified<T>, stored: &[u8]) -> Result<Self, Error> {
        let record = record.record().as_ref();
        let header = record.header();
        if header.kind != ERASURE || header.encryption != Encryption::None {
            return Err(Misuse::NotErasure.into());
        }
        if Sha3_256::digest(stored) != *record.baseline().as_bytes() {
            return Err(VaultFault::StoredChanged.into());
        }
        let erased = record::from_json::<Erased>(stored)?;
        Ok(Self { identity_id: header.identity_id, ledger: header.ledger, erased })
    }

    /// The record that was erased.
    #[must_use]
    pub fn vault_id(&self) -> &VaultId {
        &self.erased.vault_id
    }

    /// The splits whose shards were destroyed, ascending.
    #[must_use]
    pub fn splits(&self) -> &[SplitId] {
        &self.erased.splits
    }

    /// Whether it counts for this record: an encrypted one, of the same ledger and identity. Otherwise anybody could
    /// say of somebody else's record that it was erased.
    #[must_use]
    pub fn covers(&self, record: &VaultRecord) -> bool {
        let header = record.header();
        header.encryption == Encryption::Stream
            && header.vault_id == self.erased.vault_id
            && header.ledger == self.ledger
            && header.identity_id == self.identity_id
    }
}
