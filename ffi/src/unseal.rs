//! Documents taken out again, and what a record of an erasure says.

use crate::args::{Buffer, Out, bytes, required};
use crate::constants::DUALSEAL_ID_TEXT_BYTES;
use crate::failure::{Failure, guard, release};
use crate::progress::{ending, running};
use crate::public_key::hand_over;
use crate::secret::{Drawn, Secret};
use crate::status::StatusValue;
use crate::stream::Given;
use crate::vault_record::VaultRecord;
use crate::vault_report::{Reported, VerifiedRecord, verified_by};
use dualseal_core::stream::KeyMaterial;
use dualseal_core::vault::{self, Provisional};
use self_cell::self_cell;
use std::ffi::c_char;
use std::sync::Arc;

/// Unseals a document in memory, all of it or nothing, from a record that the operator's policy verified. `secret` is
/// the vault secret of an encrypted record, and else may be NULL. `payload` is freed with `dualseal_bytes_free`, which
/// overwrites it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_unseal(
    verified: Option<&VerifiedRecord>,
    secret: Option<&Secret>,
    stored: *const u8,
    stored_len: usize,
    payload: *mut *mut u8,
    payload_len: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (verified, stored) = (required("verified", verified)?, bytes("stored", stored, stored_len)?);
        let (place, length) = (Out::new("payload", payload)?, Out::new("payload_len", payload_len)?);
        let document = vault::unseal(verified.0.operator()?, secret.map(|secret| secret.0.key()), stored)?;
        hand_over(place, length, &document);
        Ok(())
    })
}

struct Begun {
    reported: Arc<Reported>,
    secret: Option<Arc<Drawn>>,
}

impl Begun {
    fn secret(&self) -> Option<&dyn KeyMaterial> {
        self.secret.as_ref().map(|secret| secret.key())
    }
}

type Running<'a> = Option<vault::Unsealer<'a>>;

self_cell! {
    struct Progress {
        owner: Begun,
        #[not_covariant]
        dependent: Running,
    }
}

/// Unseals a document whose stored bytes come in parts of any size. For one thread at a time.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct Unsealer(Progress);

/// Begins a second pass over the stored bytes; `verified` and `secret` as for `dualseal_unseal`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_unsealer_new(
    verified: Option<&VerifiedRecord>,
    secret: Option<&Secret>,
    unsealer: *mut *mut Unsealer,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let reported = Arc::clone(&required("verified", verified)?.0);
        let secret = secret.map(|secret| Arc::clone(&secret.0));
        let out = Out::new("unsealer", unsealer)?;
        let begun = Progress::try_new(Begun { reported, secret }, |begun| {
            Ok::<_, Failure>(Some(vault::Unsealer::new(begun.reported.operator()?, begun.secret())?))
        })?;
        out.handle(Unsealer(begun));
        Ok(())
    })
}

/// Takes the next part of the stored bytes, and gives the next plain bytes, perhaps none. **They are provisional**
/// until `dualseal_unsealer_finish` returns 0: whoever writes a file writes it under another name, and renames it then.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_unsealer_update(
    unsealer: Option<&mut Unsealer>,
    stored: *const u8,
    stored_len: usize,
    out: *mut *mut u8,
    out_len: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (unsealer, stored) = (required("unsealer", unsealer)?, bytes("stored", stored, stored_len)?);
        let given = Given::new(out, out_len)?;
        let mut plain = Provisional::new();
        unsealer
            .0
            .with_dependent_mut(|_, unsealer| Ok::<_, Failure>(running(unsealer)?.update(stored, &mut plain)?))?;
        given.set(plain.provisional_bytes());
        Ok(())
    })
}

/// Gives the last plain bytes, and says with 0 that it was the whole document, unchanged since it was verified. It ends
/// the unsealing, whatever comes of it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_unsealer_finish(
    unsealer: Option<&mut Unsealer>,
    out: *mut *mut u8,
    out_len: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (unsealer, given) = (required("unsealer", unsealer)?, Given::new(out, out_len)?);
        let mut plain = Provisional::new();
        unsealer.0.with_dependent_mut(|_, unsealer| Ok::<_, Failure>(ending(unsealer)?.finish(&mut plain)?)).map(
            |whole| {
                let _: vault::Unsealed = whole;
            },
        )?;
        given.set(plain.provisional_bytes());
        Ok(())
    })
}

/// Frees an unsealer. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_unsealer_free(unsealer: Option<Box<Unsealer>>) {
    release(|| drop(unsealer));
}

/// What a verified record of type `ERASURE` says. Never changes; threads may share it.
#[derive(Debug)]
pub struct Erasure(vault::Erasure);

/// Reads the stored bytes of a record that was verified, under either policy.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_erasure_read(
    verified: Option<&VerifiedRecord>,
    stored: *const u8,
    stored_len: usize,
    erasure: *mut *mut Erasure,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (verified, stored) = (required("verified", verified)?, bytes("stored", stored, stored_len)?);
        let out = Out::new("erasure", erasure)?;
        out.handle(Erasure(match &*verified.0 {
            Reported::Public(report) => vault::Erasure::read(verified_by(report)?, stored)?,
            Reported::Operator(report) => vault::Erasure::read(verified_by(report)?, stored)?,
        }));
        Ok(())
    })
}

/// The record that was erased. `vault_id_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_erasure_vault_id(
    erasure: Option<&Erasure>,
    vault_id: *mut c_char,
    vault_id_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let erasure = required("erasure", erasure)?;
        let out = Buffer::text("vault_id", vault_id, vault_id_len, DUALSEAL_ID_TEXT_BYTES)?;
        out.fill_text(&erasure.0.vault_id().to_hex());
        Ok(())
    })
}

/// The number of splits whose shards were destroyed.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_erasure_split_count(
    erasure: Option<&Erasure>,
    count: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let erasure = required("erasure", erasure)?;
        Out::new("count", count)?.set(erasure.0.splits().len());
        Ok(())
    })
}

/// The split at a position, from 0, ascending. `split_id_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_erasure_split(
    erasure: Option<&Erasure>,
    position: usize,
    split_id: *mut c_char,
    split_id_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let erasure = required("erasure", erasure)?;
        let out = Buffer::text("split_id", split_id, split_id_len, DUALSEAL_ID_TEXT_BYTES)?;
        let split = erasure.0.splits().get(position).ok_or_else(|| Failure::out_of_range("position"))?;
        out.fill_text(&split.to_hex());
        Ok(())
    })
}

/// Tells whether it counts for this record, an encrypted one of the same ledger and identity: `covers` is 1 or 0.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_erasure_covers(
    erasure: Option<&Erasure>,
    record: Option<&VaultRecord>,
    covers: *mut i32,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (erasure, record) = (required("erasure", erasure)?, required("record", record)?);
        Out::new("covers", covers)?.set(erasure.0.covers(&record.0).into());
        Ok(())
    })
}

/// Frees what was read. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_erasure_free(erasure: Option<Box<Erasure>>) {
    release(|| drop(erasure));
}
