//! Documents taken out again, and what an erasure is of.

use crate::args::{Given, Out, bytes, optional, required};
use crate::call_error::CallError;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::located::Located;
use crate::progress::{ending, running};
use crate::sharing::secret::{Drawn, Secret};
use crate::status::StatusValue;
use crate::vault::record::record;
use crate::vault::report::{Reported, VaultReport, verified_by};
use dualseal_core::stream::KeyMaterial;
use dualseal_core::vault::{self, Provisional};
use self_cell::self_cell;
use std::ffi::c_char;
use std::sync::Arc;

/// Unseals a document in memory, all of it or nothing. `report` is one on its record that is Valid under the operator's
/// policy, else `DUALSEAL_STATUS_NOT_VERIFIED`. `secret` is the vault secret of an encrypted record, and else may be
/// NULL. `payload` is freed with `dualseal_bytes_free`, which overwrites it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_unseal(
    report: *const VaultReport,
    secret: *const Secret,
    stored: *const u8,
    stored_len: usize,
    payload: *mut *mut u8,
    payload_len: *mut usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (report, stored) = (required("report", report)?, bytes("stored", stored, stored_len)?);
        let (place, length) = (Out::new("payload", payload)?, Out::new("payload_len", payload_len)?);
        let document =
            vault::unseal(report.0.operator()?, optional("secret", secret)?.map(|secret| secret.0.key()), stored)?;
        place.bytes(length, &document);
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

/// Begins a second pass over the stored bytes; `report` and `secret` as for `dualseal_vault_unseal`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_unsealer_new(
    report: *const VaultReport,
    secret: *const Secret,
    unsealer: *mut *mut Unsealer,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let reported = Arc::clone(&required("report", report)?.0);
        let secret = optional("secret", secret)?.map(|secret| Arc::clone(&secret.0));
        let out = Out::new("unsealer", unsealer)?;
        let begun = Progress::try_new(Begun { reported, secret }, |begun| {
            Ok::<_, CallError>(Some(vault::Unsealer::new(begun.reported.operator()?, begun.secret())?))
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
    unsealer: *mut Unsealer,
    stored: *const u8,
    stored_len: usize,
    out: *mut *mut u8,
    out_len: *mut usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (unsealer, stored) = (required("unsealer", unsealer)?, bytes("stored", stored, stored_len)?);
        let given = Given::new(out, out_len)?;
        let mut plain = Provisional::new();
        unsealer
            .0
            .with_dependent_mut(|_, unsealer| Ok::<_, CallError>(running(unsealer)?.update(stored, &mut plain)?))?;
        given.set(plain.provisional_bytes());
        Ok(())
    })
}

/// Gives the last plain bytes, and says with 0 that it was the whole document, unchanged since it was verified. It ends
/// the unsealing, whatever comes of it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_unsealer_finish(
    unsealer: *mut Unsealer,
    out: *mut *mut u8,
    out_len: *mut usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (unsealer, given) = (required("unsealer", unsealer)?, Given::new(out, out_len)?);
        let mut plain = Provisional::new();
        unsealer.0.with_dependent_mut(|_, unsealer| Ok::<_, CallError>(ending(unsealer)?.finish(&mut plain)?)).map(
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
pub extern "C" fn dualseal_unsealer_free(unsealer: *mut Unsealer) {
    release(|| give_back(unsealer));
}

/// Tells whether an erasure counts for a record, which must be an encrypted one of the same ledger and identity:
/// `covers` is 1 or 0. `report` is one on the record of the erasure that is Valid, under either policy, `place` the
/// proven place of its entry, without which none counts, and `stored` are its stored bytes: `{"splits","vault_id"}`,
/// which say what was erased. `dualseal_proofs_splits` tells of splits that were made after it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_erasure_covers(
    report: *const VaultReport,
    place: *const Located,
    stored: *const u8,
    stored_len: usize,
    record_json: *const c_char,
    record_json_len: usize,
    covers: *mut i32,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (report, stored) = (required("report", report)?, bytes("stored", stored, stored_len)?);
        let place = &required("place", place)?.0;
        let (record, out) = (record(record_json, record_json_len)?, Out::new("covers", covers)?);
        let erasure = match &*report.0 {
            Reported::Public(report) => vault::Erasure::read(verified_by(report)?, place, stored)?,
            Reported::Operator(report) => vault::Erasure::read(verified_by(report)?, place, stored)?,
        };
        out.set(erasure.covers(&record).into());
        Ok(())
    })
}
