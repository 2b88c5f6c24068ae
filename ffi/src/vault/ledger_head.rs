//! Heads of a ledger: all that is needed to seal its next record, or to check it.

use crate::args::{Buffer, Out, required, text};
use crate::call_error::CallError;
use crate::constants::DUALSEAL_ID_TEXT_BYTES;
use crate::guard::{guard, release};
use crate::handle::give_back;
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
pub extern "C" fn dualseal_ledger_head_generate(
    ledger: *mut *mut LedgerHead,
    error: *mut *mut CallError,
) -> StatusValue {
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
pub extern "C" fn dualseal_ledger_head_new(
    ledger_id: *const c_char,
    size: u64,
    top: *const c_char,
    ledger: *mut *mut LedgerHead,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let ledger_id = text("ledger_id", ledger_id)?.parse()?;
        let top = text("top", top)?.parse()?;
        Out::new("ledger", ledger)?.handle(LedgerHead(vault::LedgerHead::from_parts(&ledger_id, size, top)));
        Ok(())
    })
}

/// The parts of a head, to be stored: the name of the ledger, the number of records, which is the `seq` of the next
/// one, and L0 of the last one, zeros when there is none. `ledger_id_len` and `top_len` are `DUALSEAL_ID_TEXT_BYTES`.
/// Whoever wants only some of them gives NULL for the others.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ledger_head_parts(
    ledger: *const LedgerHead,
    ledger_id: *mut c_char,
    ledger_id_len: usize,
    size: *mut u64,
    top: *mut c_char,
    top_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let ledger = required("ledger", ledger)?;
        let id = |name, start: *mut c_char, length| {
            (!start.is_null()).then(|| Buffer::text(name, start, length, DUALSEAL_ID_TEXT_BYTES)).transpose()
        };
        let (ledger_id, top) = (id("ledger_id", ledger_id, ledger_id_len)?, id("top", top, top_len)?);
        if let Some(ledger_id) = ledger_id {
            ledger_id.fill_text(&ledger.0.ledger().to_hex());
        }
        if let Some(size) = Out::optional(size) {
            size.set(ledger.0.size());
        }
        if let Some(top) = top {
            top.fill_text(&ledger.0.top().to_hex());
        }
        Ok(())
    })
}

/// Frees a head. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ledger_head_free(ledger: *mut LedgerHead) {
    release(|| give_back(ledger));
}
