//! Heads of a chain: all that is needed to append to it.

use crate::args::{Buffer, Out, required, text};
use crate::constants::DUALSEAL_CHAIN_HASH_TEXT_BYTES;
use crate::domain::Domain;
use crate::failure::{Failure, guard, release};
use crate::status::StatusValue;
use dualseal_core::krunica::{Appended, ChainHash};
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

/// The head of an empty chain.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_head_empty(head: *mut *mut Head, error: *mut *mut Failure) -> StatusValue {
    guard(error, || {
        Out::new("head", head)?.handle(Head(dualseal_core::Head::EMPTY));
        Ok(())
    })
}

/// A head from its stored parts, to resume from. Nothing is checked here: a wrong head starts another chain.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_head_from_parts(
    size: u64,
    top: *const c_char,
    time_top: *const c_char,
    head: *mut *mut Head,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let top = text("top", top)?.parse()?;
        let time_top = text("time_top", time_top)?.parse()?;
        Out::new("head", head)?.handle(Head(dualseal_core::Head::from_parts(size, top, time_top)));
        Ok(())
    })
}

/// A copy, to come back to when an entry could not be stored.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_head_clone(
    head: Option<&Head>,
    copy: *mut *mut Head,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let head = required("head", head)?;
        Out::new("copy", copy)?.handle(Head(head.0));
        Ok(())
    })
}

/// The number of entries, which is the `seq` of the next one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_head_size(head: Option<&Head>, size: *mut u64, error: *mut *mut Failure) -> StatusValue {
    guard(error, || {
        let head = required("head", head)?;
        Out::new("size", size)?.set(head.0.size());
        Ok(())
    })
}

/// The hash of the last entry, zeros when there is none. `top_len` is `DUALSEAL_CHAIN_HASH_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_head_top(
    head: Option<&Head>,
    top: *mut c_char,
    top_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || chain_hash(head, "top", top, top_len, dualseal_core::Head::top))
}

/// The running hash over the times of all entries. `time_top_len` is `DUALSEAL_CHAIN_HASH_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_head_time_top(
    head: Option<&Head>,
    time_top: *mut c_char,
    time_top_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || chain_hash(head, "time_top", time_top, time_top_len, dualseal_core::Head::time_top))
}

fn chain_hash(
    head: Option<&Head>,
    name: &'static str,
    start: *mut c_char,
    length: usize,
    which: fn(&dualseal_core::Head) -> &ChainHash,
) -> Result<(), Failure> {
    let head = required("head", head)?;
    Buffer::text(name, start, length, DUALSEAL_CHAIN_HASH_TEXT_BYTES)?.fill_text(&which(&head.0).to_hex());
    Ok(())
}

/// Appends a message about an identity and moves the head on. Messages that begin with one of the domain's prefixes and
/// `::` are refused. `time_ms` counts from 1970-01-01T00:00:00Z. The entry is JSON.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_head_append(
    head: Option<&mut Head>,
    domain: Option<&Domain>,
    identity_id: *const c_char,
    message: *const c_char,
    time_ms: i64,
    entry_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (head, domain) = (required("head", head)?, required("domain", domain)?);
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let message = text("message", message)?;
        let entry_json = Out::new("entry_json", entry_json)?;
        let appended = head.0.append(&domain.0, &identity_id, message, Timestamp::from_millis(time_ms)?)?;
        head.advance(appended, entry_json);
        Ok(())
    })
}

/// Frees a head. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_head_free(head: Option<Box<Head>>) {
    release(|| drop(head));
}
