//! Vault records: read, written, redacted, and named by what leaked of them.

use crate::args::{Buffer, Out, json, required, text};
use crate::constants::DUALSEAL_ID_TEXT_BYTES;
use crate::failure::{Failure, guard, release};
use crate::ledger_head::LedgerHead;
use crate::status::StatusValue;
use crate::vault_master::VaultMaster;
use crate::verdict::Verdict;
use dualseal_core::vault::{self, Fragment};
use std::ffi::c_char;

/// A vault record, without the bytes that are stored beside it. Holding one says nothing about its validity. Never
/// changes; threads may share it. Its fragment is overwritten when it is freed.
#[derive(Debug)]
pub struct VaultRecord(pub(crate) vault::VaultRecord);

/// Reads a record. The caller overwrites its own copy of the text where that has its fragment.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_record_from_json(
    record_json: *const c_char,
    record: *mut *mut VaultRecord,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let out = Out::new("record", record)?;
        out.handle(VaultRecord(vault::VaultRecord::from_json(json("record_json", record_json)?)?));
        Ok(())
    })
}

/// The record as it is stored: a secret where it has its fragment. Whatever leaves the store is
/// `dualseal_vault_record_redacted`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_record_to_json(
    record: Option<&VaultRecord>,
    record_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let record = required("record", record)?;
        Out::new("record_json", record_json)?.text(&record.0.to_json());
        Ok(())
    })
}

/// A new handle on the record without its fragment, which verifies as well.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_record_redacted(
    record: Option<&VaultRecord>,
    redacted: *mut *mut VaultRecord,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let record = required("record", record)?;
        Out::new("redacted", redacted)?.handle(VaultRecord(record.0.redacted()));
        Ok(())
    })
}

fn id(
    record: Option<&VaultRecord>,
    name: &'static str,
    start: *mut c_char,
    length: usize,
    which: fn(&vault::VaultRecord) -> String,
) -> Result<(), Failure> {
    let record = required("record", record)?;
    Buffer::text(name, start, length, DUALSEAL_ID_TEXT_BYTES)?.fill_text(&which(&record.0));
    Ok(())
}

/// The identifier that the record gives itself. `vault_id_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_record_vault_id(
    record: Option<&VaultRecord>,
    vault_id: *mut c_char,
    vault_id_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || id(record, "vault_id", vault_id, vault_id_len, |record| record.header().vault_id.to_hex()))
}

/// Whose record it says that it is. `identity_id_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_record_identity_id(
    record: Option<&VaultRecord>,
    identity_id: *mut c_char,
    identity_id_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        id(record, "identity_id", identity_id, identity_id_len, |record| record.header().identity_id.to_hex())
    })
}

/// The record's entry in the chain, as JSON with its `seq`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_record_entry(
    record: Option<&VaultRecord>,
    entry_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let record = required("record", record)?;
        Out::new("entry_json", entry_json)?.text(&record.0.entry().to_json());
        Ok(())
    })
}

/// A new handle on the head of the ledger after this record: what the next one is verified with, or sealed at.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_record_ledger_head(
    record: Option<&VaultRecord>,
    ledger: *mut *mut LedgerHead,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let record = required("record", record)?;
        Out::new("ledger", ledger)?.handle(LedgerHead(record.0.ledger_head()));
        Ok(())
    })
}

/// Tells whether a fragment that somebody found, in hexadecimal, is this record's: `found` is 1 when it is, else 0.
/// Redacted records do as well as stored ones.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_record_trace(
    record: Option<&VaultRecord>,
    fragment_hex: *const c_char,
    found: *mut i32,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let record = required("record", record)?;
        let fragment = Fragment::from_hex(text("fragment_hex", fragment_hex)?)?;
        Out::new("found", found)?.set(vault::trace(&fragment, [&record.0]).is_some().into());
        Ok(())
    })
}

/// Tells whether somebody signed with this record's fragment, by a verdict `DUALSEAL_STATUS_DECOY`: `found` is 1 or 0.
/// The fragment is computed again from the master.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_record_trace_decoy(
    record: Option<&VaultRecord>,
    master: Option<&VaultMaster>,
    verdict: Option<&Verdict>,
    found: *mut i32,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (record, master) = (required("record", record)?, required("master", master)?);
        let ticket = required("verdict", verdict)?.ticket()?;
        Out::new("found", found)?.set(vault::trace_decoy(&master.0, ticket, [&record.0]).is_some().into());
        Ok(())
    })
}

/// Overwrites and frees a record. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_record_free(record: Option<Box<VaultRecord>>) {
    release(|| drop(record));
}
