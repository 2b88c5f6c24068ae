//! What a chain proves that agrees with a checkpoint: its head, and the places of entries.

use crate::args::{Out, required, text};
use crate::call_error::CallError;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::status::StatusValue;
use dualseal_core::checkpoint;
use dualseal_core::krunica::KrunicaHash;
use std::ffi::c_char;

/// A chain that was shown to agree with a verified checkpoint of its log. Never changes; threads may share it.
#[derive(Debug)]
pub struct AgreedChain {
    pub(crate) chain: checkpoint::AgreedChain,
    pub(crate) places: Vec<dualseal_core::Located>,
}

/// The proof that the entry with this `krunica_hash` stands in the chain, below the size of the checkpoint.
/// `DUALSEAL_STATUS_NOT_LOCATED` for an entry that does not, or that the reader was not asked for.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_agreed_chain_locate(
    agreed: *const AgreedChain,
    krunica_hash: *const c_char,
    place: *mut *mut Located,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let agreed = required("agreed", agreed)?;
        let wanted: KrunicaHash = text("krunica_hash", krunica_hash)?.parse()?;
        let out = Out::new("place", place)?;
        let found = agreed.places.iter().find(|place| place.entry().krunica_hash() == wanted);
        out.handle(Located(found.ok_or_else(CallError::not_located)?.clone()));
        Ok(())
    })
}

/// Frees an agreed chain. NULL is ignored. What it located stays good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_agreed_chain_free(agreed: *mut AgreedChain) {
    release(|| give_back(agreed));
}

/// Proof that an entry stands at its place in a chain that a verified checkpoint covers. Never changes; threads may
/// share it.
#[derive(Debug)]
pub struct Located(pub(crate) dualseal_core::Located);

/// The entry as JSON, with its `seq`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_located_entry(
    place: *const Located,
    entry_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let place = required("place", place)?;
        Out::new("entry_json", entry_json)?.text(&place.0.entry().to_json());
        Ok(())
    })
}

/// Frees a proof. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_located_free(place: *mut Located) {
    release(|| give_back(place));
}
