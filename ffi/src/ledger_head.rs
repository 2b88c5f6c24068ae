//! Heads of a ledger: all that is needed to seal its next record, or to check it.

use crate::args::{Buffer, Out, required, text};
use crate::constants::DUALSEAL_ID_TEXT_BYTES;
use crate::failure::{Failure, guard, release};
use crate::status::StatusValue;
use dualseal_core::SystemRng;
use dualseal_core::vault::{self, LedgerId};
use std::ffi::c_char;

/// Where a ledger ends. Functions that seal take it and move it on: the caller stores it with the record, or neither.
/// For one thread at a time.
#[derive(Debug)]
pub struct LedgerHead(pub(crate) vault::LedgerHead);

/// The head of a new ledger, whose name is drawn with the system's random number generator.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ledger_head_draw(ledger: *mut *mut LedgerHead, error: *mut *mut Failure) -> StatusValue {
    guard(error, || {
        let out = Out::new("ledger", ledger)?;
        out.handle(LedgerHead(vault::LedgerHead::new(&LedgerId::draw(&mut SystemRng)?)));
        Ok(())
    })
}

/// A head from its stored parts, to resume from: the ledger's name, the number of records, and L0 of the last one (64
/// zeros for none). Nothing is checked here: a wrong head forks the ledger.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ledger_head_from_parts(
    ledger_id: *const c_char,
    size: u64,
    top: *const c_char,
    ledger: *mut *mut LedgerHead,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let ledger_id = text("ledger_id", ledger_id)?.parse()?;
        let top = text("top", top)?.parse()?;
        Out::new("ledger", ledger)?.handle(LedgerHead(vault::LedgerHead::from_parts(&ledger_id, size, top)));
        Ok(())
    })
}

/// A copy, to come back to when a record could not be stored.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ledger_head_clone(
    ledger: Option<&LedgerHead>,
    copy: *mut *mut LedgerHead,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let ledger = required("ledger", ledger)?;
        Out::new("copy", copy)?.handle(LedgerHead(ledger.0));
        Ok(())
    })
}

/// The name of the ledger. `ledger_id_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ledger_head_id(
    ledger: Option<&LedgerHead>,
    ledger_id: *mut c_char,
    ledger_id_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let ledger = required("ledger", ledger)?;
        let out = Buffer::text("ledger_id", ledger_id, ledger_id_len, DUALSEAL_ID_TEXT_BYTES)?;
        out.fill_text(&ledger.0.ledger().to_hex());
        Ok(())
    })
}

/// The number of records, which is the `seq` of the next one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ledger_head_size(
    ledger: Option<&LedgerHead>,
    size: *mut u64,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let ledger = required("ledger", ledger)?;
        Out::new("size", size)?.set(ledger.0.size());
        Ok(())
    })
}

/// L0 of the last record, zeros when there is none. `top_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ledger_head_top(
    ledger: Option<&LedgerHead>,
    top: *mut c_char,
    top_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let ledger = required("ledger", ledger)?;
        Buffer::text("top", top, top_len, DUALSEAL_ID_TEXT_BYTES)?.fill_text(&ledger.0.top().to_hex());
        Ok(())
    })
}

/// Frees a head. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ledger_head_free(ledger: Option<Box<LedgerHead>>) {
    release(|| drop(ledger));
}
