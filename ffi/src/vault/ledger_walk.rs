//! Where the records of a ledger stand in the chain.

use crate::args::{Out, optional, required, text};
use crate::call_error::CallError;
use crate::chain_reader::ChainReader;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::located::Located;
use crate::proofs::{Proofs, Watched, proof};
use crate::status::StatusValue;
use crate::vault::master::VaultMaster;
use crate::vault::record::record;
use dualseal_core::vault::{self, LedgerId};
use std::ffi::c_char;
use std::sync::Arc;

/// Watches for where the records of a ledger stand below the checkpoint. With the master only entries count whose tag
/// it made for their place; anybody who may write to the log can write others. NULL is for whoever is not the operator:
/// entries are then unverified. Or `before` is where they were located with the same master, and the reader begins
/// where the checkpoint ended then: `ledger_id` is NULL. Else `before` is.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_watch_ledger(
    reader: *mut ChainReader,
    ledger_id: *const c_char,
    master: *const VaultMaster,
    before: *const LocatedLedger,
    watched: *mut Watched,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (reader, out) = (required("reader", reader)?, Out::new("watched", watched)?);
        let master = optional("master", master)?.map(|master| &*master.0);
        if let Some(before) = optional("before", before)? {
            if !ledger_id.is_null() {
                return Err(CallError::unknown_value("before"));
            }
            return reader.watch(out, Arc::new, |reader| reader.ledger_since(&before.0, master));
        }
        let ledger: LedgerId = text("ledger_id", ledger_id)?.parse()?;
        reader.watch(out, Arc::new, |reader| reader.ledger(&ledger, master))
    })
}

/// Where they stand. Two entries that the master made for one place of the ledger and different seals are
/// `DUALSEAL_STATUS_LEDGER_FORK`. `ignored_json`, which may be NULL, lists the entries that begin as a record's and
/// count for nothing, with position and reason, up to 1,000: `{"entries":[{"reason":…,"seq":…}],"more":…}`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_proofs_ledger(
    proofs: *const Proofs,
    watched: Watched,
    located_ledger: *mut *mut LocatedLedger,
    ignored_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let found: &Arc<vault::LocatedLedger> = proof(proofs, watched)?;
        let out = Out::new("located_ledger", located_ledger)?;
        if let Some(ignored) = Out::optional(ignored_json) {
            ignored.text(&found.ignored().to_json());
        }
        out.handle(LocatedLedger(Arc::clone(found)));
        Ok(())
    })
}

/// Where the records of a ledger stand in a chain that agrees with a verified checkpoint. Never changes; threads may
/// share it.
#[derive(Debug)]
pub struct LocatedLedger(pub(crate) Arc<vault::LocatedLedger>);

/// The proven place of a record's entry; `DUALSEAL_STATUS_NOT_LOCATED` when the chain vouches for another one, or for
/// none, at its place of the ledger.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_located_ledger_locate(
    located_ledger: *const LocatedLedger,
    record_json: *const c_char,
    record_json_len: usize,
    place: *mut *mut Located,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (ledger, record) = (required("located_ledger", located_ledger)?, record(record_json, record_json_len)?);
        let out = Out::new("place", place)?;
        out.handle(Located(ledger.0.locate(&record).ok_or_else(CallError::not_located)?));
        Ok(())
    })
}

/// Frees the places. NULL is ignored. Checks that were begun with them, and what they located, stay good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_located_ledger_free(located_ledger: *mut LocatedLedger) {
    release(|| give_back(located_ledger));
}
