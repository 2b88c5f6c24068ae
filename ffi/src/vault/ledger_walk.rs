//! Where the records of a ledger stand in the chain.

use crate::agreed_chain::Located;
use crate::args::{Out, optional, required, text};
use crate::call_error::CallError;
use crate::chain_reader::{ChainReader, Reading, under};
use crate::checkpoint::Checkpoint;
use crate::domain::Domain;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::status::StatusValue;
use crate::vault::master::VaultMaster;
use crate::vault::record::record;
use dualseal_core::vault::{self, LedgerId};
use std::ffi::c_char;
use std::sync::Arc;

/// Begins at the first entry of the chain that a ledger's records stand in, and remembers where each stands. With the
/// master only entries count whose tag it made for their place; anybody who may write to the log can write others. NULL
/// is for whoever is not the operator: entries are then unverified.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_new_ledger(
    domain: *const Domain,
    ledger_id: *const c_char,
    master: *const VaultMaster,
    checkpoint: *const Checkpoint,
    reader: *mut *mut ChainReader,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let ledger: LedgerId = text("ledger_id", ledger_id)?.parse()?;
        let checkpoint = required("checkpoint", checkpoint)?;
        let master = optional("master", master)?.map(|master| &*master.0);
        let out = Out::new("reader", reader)?;
        let reading = under(&domain.0, &checkpoint.0)?;
        out.handle(ChainReader::new(Reading::begin(reading, |reader| reader.ledger(&ledger, master))?));
        Ok(())
    })
}

/// Ends the chain that `dualseal_chain_reader_new_ledger` began, whatever comes of it. `ignored_json`, which may be
/// NULL, lists the entries that begin as a record's and count for nothing, with position and reason, up to 1,000:
/// `{"entries":[{"reason":…,"seq":…}],"more":…}`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_finish_ledger(
    reader: *mut ChainReader,
    located_ledger: *mut *mut LocatedLedger,
    ignored_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (reader, out) = (required("reader", reader)?, Out::new("located_ledger", located_ledger)?);
        let (found, _) = reader.walk::<Reading<vault::LocatedLedger>>()?.end()?;
        if let Some(ignored) = Out::optional(ignored_json) {
            ignored.text(&found.ignored().to_json());
        }
        out.handle(LocatedLedger(Arc::new(found)));
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
