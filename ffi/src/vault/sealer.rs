//! The vault: documents sealed into records of a ledger, and the record of an erasure.

use crate::args::{Out, Text, bytes, optional, required, sized_text, text, texts, unless_no_chain};
use crate::call_error::CallError;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::head::Head;
use crate::proofs::{Proofs, Watched};
use crate::ring::{Ring, of_signer};
use crate::signing_key::{Key, SigningKey};
use crate::status::StatusValue;
use crate::vault::ed25519::Ed25519Key;
use crate::vault::ledger_head::LedgerHead;
use crate::vault::master::VaultMaster;
use crate::vault::policy::{TierValue, tier};
use crate::vault::report::VaultReport;
use crate::vault::sealed::Sealed;
use dualseal_core::ed25519::Ed25519SigningKey;
use dualseal_core::shard::OwnSplits;
use dualseal_core::vault::{self, Destination, ErasedSplits, SealedErasure, Tier};
use dualseal_core::{IdentityId, SystemRng, Timestamp};
use std::ffi::c_char;
use std::ptr;
use std::sync::Arc;

/// Whether what is stored is the document itself, as an argument: a member of [`Encryption`].
pub type EncryptionValue = i32;

/// Whether what is stored is the document itself. 0 is none of them.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// It is: whoever reads the store reads the document.
    None = 1,
    /// It is encrypted under a secret of its own.
    Stream = 2,
}

/// The encryption of an argument `encryption`.
pub(crate) fn encryption(value: EncryptionValue) -> Result<vault::Encryption, CallError> {
    if value == Encryption::None as EncryptionValue {
        Ok(vault::Encryption::None)
    } else if value == Encryption::Stream as EncryptionValue {
        Ok(vault::Encryption::Stream)
    } else {
        Err(CallError::unknown_value("encryption"))
    }
}

/// What records are made with.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    master: Arc<vault::VaultMaster>,
    identity_id: IdentityId,
    key: Arc<Key>,
    access: Option<(Tier, Arc<Ed25519SigningKey>)>,
}

impl Made {
    pub(crate) fn vault(&self) -> vault::VaultSealer<'_> {
        let vault = vault::VaultSealer::new(&self.master, &self.identity_id, self.key.statement_key());
        match &self.access {
            Some((Tier::Native, key)) => vault.native(key),
            Some((_, key)) => vault.noble(key),
            None => vault,
        }
    }
}

/// Seals for one identity, in the domain of the master. Never changes; threads may share it. It keeps what it needs of
/// the keys, which may be freed before it.
#[derive(Debug)]
pub struct VaultSealer(pub(crate) Made);

/// A sealer for `identity_id`. `tier_key` shows the tier, and is NULL for `DUALSEAL_TIER_PUBLIC` alone. One signing key
/// serves one domain. `ring` and `no_ring` as for `dualseal_signature_sign`: the ring is asked now, and not again when
/// the sealer seals, so that no sealer is kept past a change of the ring.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_sealer_new(
    master: *const VaultMaster,
    identity_id: *const c_char,
    key: *const SigningKey,
    ring: *const Ring,
    no_ring: i32,
    tier: TierValue,
    tier_key: *const Ed25519Key,
    sealer: *mut *mut VaultSealer,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let master = Arc::clone(&required("master", master)?.0);
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let key = Arc::clone(&required("key", key)?.0);
        let ring = of_signer(ring, no_ring)?;
        let access = match (self::tier("tier", tier)?, optional("tier_key", tier_key)?) {
            (Tier::Public, None) => None,
            // A key that is given for nothing is a mistake of the caller's, who meant another tier.
            (Tier::Public, Some(_)) => return Err(CallError::unknown_value("tier")),
            (_, None) => return Err(CallError::null("tier_key")),
            (tier, Some(tier_key)) => Some((tier, Arc::clone(&tier_key.0))),
        };
        let sealer = Out::new("sealer", sealer)?;
        if let Some(ring) = ring {
            vault::VaultSealer::current(&master, ring, &identity_id, key.statement_key())?;
        }
        sealer.handle(VaultSealer(Made { master, identity_id, key, access }));
        Ok(())
    })
}

/// Frees a sealer. NULL is ignored. Sealings that were begun with it stay good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_sealer_free(sealer: *mut VaultSealer) {
    release(|| give_back(sealer));
}

/// Where a record goes, and where the heads move on.
pub(crate) struct Ends<'a> {
    ledger: &'a mut LedgerHead,
    head: &'a mut Head,
    note: &'a str,
    time: Timestamp,
}

impl Ends<'_> {
    pub(crate) fn new(
        ledger: *mut LedgerHead,
        head: *mut Head,
        (note, note_len): Text,
        time_ms: i64,
    ) -> Result<Self, CallError> {
        let (ledger, head) = (required("ledger", ledger)?, required("head", head)?);
        Ok(Self { ledger, head, note: sized_text("note", note, note_len)?, time: Timestamp::from_millis(time_ms)? })
    }

    pub(crate) fn place(&self) -> Destination<'_> {
        Destination { ledger: &self.ledger.0, head: &self.head.0, note: self.note, time: self.time }
    }

    /// Both heads, and what was made.
    pub(crate) fn set(self, made: vault::Sealed, sealed: Out<*mut Sealed>) {
        let vault::Sealed { record, secret, decoy, head, ledger, .. } = made;
        sealed.handle(Sealed::new(record, secret, decoy));
        (self.ledger.0, self.head.0) = (ledger, head);
    }

    /// The same, and the entry after the record's, if there is one.
    fn set_erasure(self, made: SealedErasure, sealed: Out<*mut Sealed>, end_json: Out<*mut c_char>) {
        let head = made.head().clone();
        match &made.end {
            Some(end) => end_json.text(&end.entry.to_json()),
            None => end_json.set(ptr::null_mut()),
        }
        self.set(vault::Sealed { head, ..made.sealed }, sealed);
    }
}

/// Seals a document in memory: `kind` is its type, 1 to 255 bytes without control characters and `::`, not beginning
/// with `:`, and not `ERASURE`; `note` is what the network's perimeter reported (L1), empty for nothing. Both heads
/// move on. The caller stores the record, the bytes to be `stored`, the entry and both heads, or none of them.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_sealer_seal(
    sealer: *const VaultSealer,
    payload: *const u8,
    payload_len: usize,
    kind: *const c_char,
    encryption: EncryptionValue,
    ledger: *mut LedgerHead,
    head: *mut Head,
    note: *const c_char,
    note_len: usize,
    time_ms: i64,
    sealed: *mut *mut Sealed,
    stored: *mut *mut u8,
    stored_len: *mut usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (sealer, payload) = (required("sealer", sealer)?, bytes("payload", payload, payload_len)?);
        let (kind, encryption) = (text("kind", kind)?, self::encryption(encryption)?);
        let ends = Ends::new(ledger, head, (note, note_len), time_ms)?;
        let out = Out::new("sealed", sealed)?;
        let (place, length) = (Out::new("stored", stored)?, Out::new("stored_len", stored_len)?);
        let (made, stored) = sealer.0.vault().seal(payload, kind, encryption, &ends.place(), &mut SystemRng)?;
        place.bytes(length, &stored);
        ends.set(made, out);
        Ok(())
    })
}

/// Records that an encrypted record of this identity and ledger was erased. `erased` is the report on it under the
/// operator's policy, which is Valid, or Revoked or Suspended with no layer that fails or was not checked, else
/// `DUALSEAL_STATUS_NOT_VERIFIED`: whoever put another record in its place would choose what is destroyed.
/// `DUALSEAL_STATUS_FOREIGN_LEDGER` for a sealer of another identity, master or domain, and for a record that the
/// ledger up to this head has not.
///
/// `watched` is what `dualseal_chain_reader_watch_own_splits` watched for, of this vault up to this head, and `proofs`
/// what that reader gave. Every split that it found is recorded as erased, with the `count` of `splits`, which were
/// prepared and never committed. Only where no split of the vault was ever committed to a chain is `no_chain` 1,
/// `proofs` NULL, `watched` 0, and `splits` all that there are. `end_json` is the entry after the record's, to be
/// stored with it, after which nothing continues the vault's splits; NULL where `no_chain` is 1 and where an erasure
/// before ended them.
///
/// The rest as for `dualseal_vault_sealer_seal`. The caller destroys the secret and the shards.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_sealer_erase(
    sealer: *const VaultSealer,
    erased: *const VaultReport,
    proofs: *const Proofs,
    watched: Watched,
    no_chain: i32,
    splits: *const *const c_char,
    count: usize,
    ledger: *mut LedgerHead,
    head: *mut Head,
    note: *const c_char,
    note_len: usize,
    time_ms: i64,
    sealed: *mut *mut Sealed,
    stored: *mut *mut u8,
    stored_len: *mut usize,
    end_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (sealer, erased) = (required("sealer", sealer)?, required("erased", erased)?.0.erasable()?);
        let proofs = unless_no_chain("proofs", optional("proofs", proofs)?, no_chain)?;
        let own: Option<&OwnSplits> = proofs.map(|proofs| proofs.find(watched)).transpose()?;
        let named: Vec<_> = texts("splits", splits, count)?.into_iter().map(str::parse).collect::<Result<_, _>>()?;
        let ends = Ends::new(ledger, head, (note, note_len), time_ms)?;
        let (out, end_out) = (Out::new("sealed", sealed)?, Out::new("end_json", end_json)?);
        let (place, length) = (Out::new("stored", stored)?, Out::new("stored_len", stored_len)?);
        let splits = match own {
            Some(own) => ErasedSplits::Walked { own, prepared: &named },
            None => ErasedSplits::NoChain(&named),
        };
        let made = sealer.0.vault().erase(erased, splits, &ends.place(), &mut SystemRng)?;
        place.bytes(length, &made.stored);
        ends.set_erasure(made, out, end_out);
        Ok(())
    })
}
