//! Documents of any size, sealed in parts.

use crate::args::{Given, Out, bytes, required, text};
use crate::call_error::CallError;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::head::Head;
use crate::progress::{ending, running};
use crate::status::StatusValue;
use crate::vault::ledger_head::LedgerHead;
use crate::vault::sealed::Sealed;
use crate::vault::sealer::{EncryptionValue, Ends, Made, VaultSealer, encryption};
use dualseal_core::SystemRng;
use dualseal_core::vault;
use self_cell::self_cell;
use std::ffi::c_char;

type Running<'a> = Option<vault::Sealing<'a>>;

self_cell! {
    struct Progress {
        owner: Made,
        #[not_covariant]
        dependent: Running,
    }
}

/// A record in the making. For one thread at a time.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct Sealing(Progress);

/// Begins a record; `kind` and `encryption` as for `dualseal_vault_sealer_seal`. `out` is set to the first bytes to be
/// stored, perhaps none, and freed with `dualseal_bytes_free`, as are those of the functions below. All of them are
/// worth nothing until `dualseal_sealing_finish`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_sealing_new(
    sealer: *const VaultSealer,
    kind: *const c_char,
    encryption: EncryptionValue,
    sealing: *mut *mut Sealing,
    out: *mut *mut u8,
    out_len: *mut usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let made = required("sealer", sealer)?.0.clone();
        let (kind, encryption) = (text("kind", kind)?, self::encryption(encryption)?);
        let (place, given) = (Out::new("sealing", sealing)?, Given::new(out, out_len)?);
        let mut stored = Vec::new();
        let begun = Progress::try_new(made, |made| {
            made.vault().begin(kind, encryption, &mut SystemRng, &mut stored).map(Some)
        })?;
        place.handle(Sealing(begun));
        given.set(&stored);
        Ok(())
    })
}

/// Takes the next part of the document, and gives the next bytes to be stored, perhaps none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_sealing_update(
    sealing: *mut Sealing,
    payload: *const u8,
    payload_len: usize,
    out: *mut *mut u8,
    out_len: *mut usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (sealing, payload) = (required("sealing", sealing)?, bytes("payload", payload, payload_len)?);
        let given = Given::new(out, out_len)?;
        let mut stored = Vec::new();
        sealing
            .0
            .with_dependent_mut(|_, sealing| Ok::<_, CallError>(running(sealing)?.update(payload, &mut stored)?))?;
        given.set(&stored);
        Ok(())
    })
}

/// Makes the record at its place, which is needed now and not before, and gives the last bytes to be stored. It ends
/// the sealing, whatever comes of it. The rest as for `dualseal_vault_sealer_seal`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_sealing_finish(
    sealing: *mut Sealing,
    ledger: *mut LedgerHead,
    head: *mut Head,
    note: *const c_char,
    note_len: usize,
    time_ms: i64,
    sealed: *mut *mut Sealed,
    out: *mut *mut u8,
    out_len: *mut usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let sealing = required("sealing", sealing)?;
        let ends = Ends::new(ledger, head, (note, note_len), time_ms)?;
        let (place, given) = (Out::new("sealed", sealed)?, Given::new(out, out_len)?);
        let mut stored = Vec::new();
        let made = sealing.0.with_dependent_mut(|_, sealing| {
            Ok::<_, CallError>(ending(sealing)?.finish(&ends.place(), &mut SystemRng, &mut stored)?)
        })?;
        given.set(&stored);
        ends.set(made, place);
        Ok(())
    })
}

/// Frees a sealing. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_sealing_free(sealing: *mut Sealing) {
    release(|| give_back(sealing));
}
