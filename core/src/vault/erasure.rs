//! Erasure: the secret of an encrypted record and every shard of it are destroyed, and the ledger says so. The stored
//! bytes stay, so that L0 and L3 of every record still verify.
//!
//! It holds once fewer than m shards of every split and no copy of the secret remain. That nobody can prove: the record
//! says what the operator promised to have done.

use super::record::{Encryption, Header, LedgerId, VaultRecord};
use super::sealing::{Destination, ERASURE, Sealed, VaultSealer};
use super::verifier::Erasable;
use crate::encoding::record::{self, Ascending, record};
use crate::error::{Error, Misuse, VaultFault};
use crate::hash::Sha3_256;
use crate::id::{IdentityId, VaultId};
use crate::krunica::{Appended, Head, Located};
use crate::shamir::SplitId;
use crate::shard::{FoundSplit, OwnSplits, ShardKey, Splits};
use crate::verdict::Verified;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use rand_core::TryCryptoRng;

/// The splits of the secret that is destroyed.
#[derive(Clone, Copy, Debug)]
pub enum ErasedSplits<'a> {
    /// All that the operator's own walk found, whatever became of them.
    Walked {
        /// Read from the record's entry on, or from before it, up to the head that the erasure extends.
        own: &'a OwnSplits,
        /// Splits that were prepared and never committed, of which no chain tells.
        prepared: &'a [SplitId],
    },
    /// No split of this vault was ever committed to a chain, so the caller says; these are all there are.
    NoChain(&'a [SplitId]),
}

/// An erasure with all that belongs to it: stored together, or none of it.
#[derive(Debug)]
pub struct SealedErasure {
    /// The record that says so, and its entry.
    pub sealed: Sealed,
    /// The bytes to be stored beside it.
    pub stored: Vec<u8>,
    /// The entry after the record's, after which nothing continues the vault's splits, and the head of the chain after
    /// it. `None` where there is no chain of them, and where an erasure before ended it.
    pub end: Option<Appended>,
}

impl SealedErasure {
    /// The head of the chain after all that was appended.
    #[must_use]
    pub fn head(&self) -> &Head {
        self.end.as_ref().map_or(&self.sealed.head, |end| &end.head)
    }
}

impl VaultSealer<'_> {
    /// Records that a record of this identity and ledger was erased, with every split of its secret, and ends the
    /// chain of its splits. The record of the erasure is not encrypted. The caller destroys the secret and the shards:
    /// each node is given the operator's word
    /// ([`Statement::drop_older`](crate::presence::Statement::drop_older)).
    ///
    /// It takes what the operator's policy let pass: whoever put another record in the place of the one that is
    /// meant would have the operator destroy a secret of their choice. A record that was only read does not compile:
    ///
    /// ```compile_fail,E0308
    /// use dualseal::vault::{Destination, ErasedSplits, VaultSealer, VaultRecord};
    ///
    /// fn erase(vault: &VaultSealer<'_>, read: &VaultRecord, splits: ErasedSplits<'_>, destination: &Destination<'_>) {
    ///     let _ = vault.erase(read, splits, destination, &mut dualseal::SystemRng);
    /// }
    /// ```
    ///
    /// ```
    /// use dualseal::shard::OwnSplits;
    /// use dualseal::vault::{OperatorRecord, Destination, ErasedSplits, VaultSealer, VaultReport};
    ///
    /// fn erase(
    ///     vault: &VaultSealer<'_>,
    ///     report: &VaultReport<OperatorRecord>,
    ///     own: &OwnSplits,
    ///     destination: &Destination<'_>,
    /// ) {
    ///     if let Some(erasable) = report.erasable() {
    ///         let splits = ErasedSplits::Walked { own, prepared: &[] };
    ///         let _ = vault.erase(erasable, splits, destination, &mut dualseal::SystemRng);
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    /// [`Misuse::NotEncrypted`] for a record whose stored bytes are the document; [`Misuse::ForeignLedger`] for one of
    /// another ledger, identity, master or domain, and for one that comes after the head of the ledger;
    /// [`Misuse::OtherVault`] for the splits of another vault, or that were read with another key;
    /// [`Misuse::UnreadChain`]; otherwise as [`seal`](Self::seal).
    pub fn erase<R: TryCryptoRng + ?Sized>(
        &self,
        erased: &Erasable,
        splits: ErasedSplits<'_>,
        destination: &Destination<'_>,
        rng: &mut R,
    ) -> Result<SealedErasure, Error> {
        let header = erased.header();
        if header.encryption == Encryption::None {
            return Err(Misuse::NotEncrypted.into());
        }
        // The name of a master is derived in its domain. The record of a vault with other keys would verify nowhere in
        // this ledger, and with it none that comes after.
        let ours = header.identity_id == *self.identity_id() && header.key_id == *self.master().key_id();
        let placed = header.ledger == *destination.ledger.ledger() && header.seq < destination.ledger.size();
        if !ours || !placed {
            return Err(Misuse::ForeignLedger.into());
        }
        let all = self.every_split(erased, splits, destination)?;
        let said = Erased { splits: all.into_iter().collect(), vault_id: header.vault_id };
        let payload = record::to_json::<Erased>(&said);
        let mut stored = Vec::new();
        let mut sealing = self.begin_any(ERASURE, Encryption::None, rng, &mut stored, 0)?;
        sealing.update(payload.as_bytes(), &mut stored)?;
        let sealed = sealing.finish(destination, rng, &mut stored)?;
        let end = match splits {
            ErasedSplits::Walked { own, .. } => own.end(self.identity_id(), &sealed.head, destination.time)?,
            ErasedSplits::NoChain(_) => None,
        };
        Ok(SealedErasure { sealed, stored, end })
    }

    fn every_split(
        &self,
        erased: &Erasable,
        splits: ErasedSplits<'_>,
        destination: &Destination<'_>,
    ) -> Result<BTreeSet<SplitId>, Error> {
        let (own, mut all) = match splits {
            ErasedSplits::NoChain(named) => return Ok(named.iter().copied().collect()),
            ErasedSplits::Walked { own, prepared } => (own, prepared.iter().copied().collect::<BTreeSet<_>>()),
        };
        let (header, master) = (erased.header(), self.master());
        let key = ShardKey::derive(master.domain(), master.secret(), &header.identity_id);
        if !own.are_of(master.domain(), &key, &header.vault_id) {
            return Err(Misuse::OtherVault.into());
        }
        // The vault's identifier stands in its record: no split of it can be before the record's entry.
        let from_record_on = own.began() <= erased.entry().saturating_add(1);
        if !from_record_on || own.head() != destination.head {
            return Err(Misuse::UnreadChain.into());
        }
        all.extend(own.splits().found().iter().map(|split| split.split_id));
        Ok(all)
    }
}

/// What a verified record of type `ERASURE` says: `{splits, vault_id}`, for its own ledger and identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erasure {
    identity_id: IdentityId,
    ledger: LedgerId,
    seq: u64,
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

/// Whether a record is that of an erasure.
pub(crate) fn is_erasure(header: &Header) -> bool {
    header.kind == ERASURE && header.encryption == Encryption::None
}

/// The record that was erased, by stored bytes that were verified.
///
/// # Errors
/// As [`Erasure::read`] for stored bytes that are none.
pub(crate) fn erased_vault(stored: &[u8]) -> Result<VaultId, Error> {
    record::from_json::<Erased>(stored).map(|erased| erased.vault_id)
}

impl Erasure {
    /// Reads the stored bytes of a record that was verified and located: what no checkpoint covers may have been
    /// written by whoever holds the keys today, and be taken back tomorrow.
    ///
    /// # Errors
    /// [`Misuse::NotErasure`] for a record of another type; [`VaultFault::OtherPlace`] for the place of another entry
    /// than the record's; [`VaultFault::StoredChanged`] for other bytes than those
    /// that were verified; [`Order`](crate::error::Problem::Order) for splits that do not ascend; names the member that
    /// is missing, unknown or of the wrong form.
    pub fn read<T: AsRef<VaultRecord>>(record: &Verified<T>, located: &Located, stored: &[u8]) -> Result<Self, Error> {
        let record = record.record().as_ref();
        let header = record.header();
        if !is_erasure(header) {
            return Err(Misuse::NotErasure.into());
        }
        if located.entry() != record.entry() {
            return Err(VaultFault::OtherPlace.into());
        }
        if Sha3_256::digest(stored) != *record.baseline().as_bytes() {
            return Err(VaultFault::StoredChanged.into());
        }
        let erased = record::from_json::<Erased>(stored)?;
        Ok(Self { identity_id: header.identity_id, ledger: header.ledger, seq: located.entry().seq(), erased })
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

    /// The position of its entry in the chain.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// The splits that the operator made of the erased vault and that the erasure does not name, in chain order: made
    /// after it, or kept from it. Their shards were not destroyed with the others.
    ///
    /// # Errors
    /// [`Misuse::OtherVault`] for the splits of another vault.
    pub fn spared(&self, splits: &Splits) -> Result<Vec<FoundSplit>, Error> {
        if splits.vault_id() != self.vault_id() {
            return Err(Misuse::OtherVault.into());
        }
        let named = |split: &FoundSplit| self.splits().binary_search(&split.split_id).is_ok();
        Ok(splits.found().iter().copied().filter(|split| !named(split)).collect())
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
