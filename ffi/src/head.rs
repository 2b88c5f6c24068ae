//! Heads of a chain: all that is needed to append to it.

use crate::args::{Buffer, Out, read, required, sized_text, text};
use crate::call_error::CallError;
use crate::constants::{DUALSEAL_CHAIN_HASH_TEXT_BYTES, DUALSEAL_ID_TEXT_BYTES};
use crate::domain::Domain;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::status::StatusValue;
use dualseal_core::krunica::Appended;
use dualseal_core::{Entry, Timestamp};
use std::ffi::c_char;

/// Where a chain ends. Functions that append take it, move it on, and return the new entry: the caller stores both or
/// neither. For one thread at a time.
#[derive(Debug)]
pub struct Head(pub(crate) dualseal_core::Head);

impl Head {
    /// Moves on to the head after an entry, and hands the entry over.
    pub(crate) fn advance(&mut self, appended: Appended, entry_json: Out<*mut c_char>) {
        let Appended { entry, head } = appended;
        self.advance_over(&entry, head, entry_json);
    }

    pub(crate) fn advance_over(&mut self, entry: &Entry, head: dualseal_core::Head, entry_json: Out<*mut c_char>) {
        entry_json.text(&entry.to_json());
        self.0 = head;
    }
}

/// A head as it was stored (`dualseal_head_parts`), to resume from; that of an empty chain when `head_json` is NULL.
/// Only its form is checked here: a wrong head starts another chain.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_head_new(
    head_json: *const c_char,
    head_json_len: usize,
    head: *mut *mut Head,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let out = Out::new("head", head)?;
        out.handle(Head(if head_json.is_null() {
            dualseal_core::Head::EMPTY
        } else {
            read("head_json", head_json, head_json_len, dualseal_core::Head::from_json)?
        }));
        Ok(())
    })
}

/// What a checkpoint signs of a head: the number of entries, the hash of the last one (zeros when there is none), and
/// the root of the tree over all; and the head as its holder stores it, at most 4 kB of JSON. `top_len` is
/// `DUALSEAL_CHAIN_HASH_TEXT_BYTES`, `root_len` `DUALSEAL_ID_TEXT_BYTES`. Whoever wants only some of them gives NULL
/// for the others.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_head_parts(
    head: *const Head,
    size: *mut u64,
    top: *mut c_char,
    top_len: usize,
    root: *mut c_char,
    root_len: usize,
    head_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let head = required("head", head)?;
        let hash = |name, start: *mut c_char, length, expected| {
            (!start.is_null()).then(|| Buffer::text(name, start, length, expected)).transpose()
        };
        let top = hash("top", top, top_len, DUALSEAL_CHAIN_HASH_TEXT_BYTES)?;
        let root = hash("root", root, root_len, DUALSEAL_ID_TEXT_BYTES)?;
        if let Some(size) = Out::optional(size) {
            size.set(head.0.size());
        }
        if let Some(top) = top {
            top.fill_text(&head.0.top().to_hex());
        }
        if let Some(root) = root {
            root.fill_text(&head.0.root().to_hex());
        }
        if let Some(head_json) = Out::optional(head_json) {
            head_json.text(&head.0.to_json());
        }
        Ok(())
    })
}

/// Appends a message about an identity and moves the head on. Messages that begin with one of the domain's prefixes and
/// `::` are refused. `time_ms` counts from 1970-01-01T00:00:00Z. The entry is JSON.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_head_append(
    head: *mut Head,
    domain: *const Domain,
    identity_id: *const c_char,
    message: *const c_char,
    message_len: usize,
    time_ms: i64,
    entry_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (head, domain) = (required("head", head)?, required("domain", domain)?);
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let message = sized_text("message", message, message_len)?;
        let entry_json = Out::new("entry_json", entry_json)?;
        let appended = head.0.append(&domain.0, &identity_id, message, Timestamp::from_millis(time_ms)?)?;
        head.advance(appended, entry_json);
        Ok(())
    })
}

/// Frees a head. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_head_free(head: *mut Head) {
    release(|| give_back(head));
}
