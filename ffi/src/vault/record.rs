//! Vault records as text: redacted, and named by what leaked of them.

use crate::args::{Out, read, required};
use crate::call_error::CallError;
use crate::guard::guard;
use crate::status::StatusValue;
use crate::vault::ledger_head::LedgerHead;
use crate::vault::master::VaultMaster;
use crate::verdict::Verdict;
use dualseal_core::vault::{self, VaultRecord};
use std::ffi::c_char;

/// The argument `record_json`.
pub(crate) fn record(record_json: *const c_char, record_json_len: usize) -> Result<VaultRecord, CallError> {
    read("record_json", record_json, record_json_len, VaultRecord::from_json)
}

/// The record without its fragment, which verifies as well: the only form that leaves the store. The caller overwrites
/// its own copy of a text that has a fragment.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_record_redact(
    record_json: *const c_char,
    record_json_len: usize,
    redacted_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let record = record(record_json, record_json_len)?;
        Out::new("redacted_json", redacted_json)?.text(&record.to_json());
        Ok(())
    })
}

/// The head of the ledger after this record: what the next one is verified with, or sealed at.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_record_ledger_head(
    record_json: *const c_char,
    record_json_len: usize,
    ledger: *mut *mut LedgerHead,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let record = record(record_json, record_json_len)?;
        Out::new("ledger", ledger)?.handle(LedgerHead(record.ledger_head()));
        Ok(())
    })
}

/// Tells whether somebody signed with this record's fragment, by a verdict `DUALSEAL_STATUS_DECOY`: `found` is 1 or 0.
/// The fragment is computed again from the master. Of a fragment that was found the caller makes such a verdict
/// himself: it is the seed of the decoy's key.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_record_trace_decoy(
    record_json: *const c_char,
    record_json_len: usize,
    master: *const VaultMaster,
    verdict: *const Verdict,
    found: *mut i32,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (record, master) = (record(record_json, record_json_len)?, required("master", master)?);
        let ticket = required("verdict", verdict)?.ticket()?;
        Out::new("found", found)?.set(vault::trace_decoy(&master.0, ticket, [&record]).is_some().into());
        Ok(())
    })
}
