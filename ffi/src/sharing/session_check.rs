//! Which record of a session is in force.

use crate::args::{Out, optional, required, text};
use crate::call_error::CallError;
use crate::chain_reader::ChainReader;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::list::list;
use crate::proofs::{Proofs, Watched, proof};
use crate::ring::Ring;
use crate::status::StatusValue;
use dualseal_core::KeyRing;
use dualseal_core::threshold::{self, LocatedSession};
use std::borrow::Cow;
use std::ffi::c_char;
use std::ptr;
use std::sync::Mutex;

/// Watches for the entries of a session. `founder` is the handle of the founding's entry (`krunica_hash`), which the
/// caller pinned then. Or `before` is the session as it was found in force, and the reader begins where the checkpoint
/// ended then: `session_id` and `founder` are NULL. Else `before` is.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_watch_session(
    reader: *mut ChainReader,
    session_id: *const c_char,
    founder: *const c_char,
    before: *const SessionInForce,
    watched: *mut Watched,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (reader, out) = (required("reader", reader)?, Out::new("watched", watched)?);
        if let Some(before) = optional("before", before)? {
            if !session_id.is_null() || !founder.is_null() {
                return Err(CallError::unknown_value("before"));
            }
            return reader.watch(out, |located| located, |reader| reader.session_since(&before.found));
        }
        let (session_id, founder) = (text("session_id", session_id)?.parse()?, text("founder", founder)?.parse()?);
        reader.watch(out, |located| located, |reader| reader.session(&session_id, &founder))
    })
}

/// The session as its chain says below the checkpoint. `records_json` is a list of records of the session: the
/// founder's, and those of the generations since. An entry of which none is there is listed as ignored. `ring` is the
/// ring that the caller trusts: a quorum's key that was revoked authorises nothing from there on. It may be NULL for an
/// HMAC session, which has no key; `DUALSEAL_STATUS_SESSION_KEY_UNKNOWN` where it does not hold the session's. It may
/// be asked again, with other records.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_proofs_session(
    proofs: *const Proofs,
    watched: Watched,
    records_json: *const c_char,
    records_json_len: usize,
    ring: *const Ring,
    in_force: *mut *mut SessionInForce,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let located: &LocatedSession = proof(proofs, watched)?;
        let records = list(("records_json", records_json, records_json_len), threshold::Session::from_json)?;
        let ring = optional("ring", ring)?;
        let out = Out::new("in_force", in_force)?;
        let found = located.in_force(&records, &trusted(ring))?;
        out.handle(SessionInForce { found, prepared: Mutex::new(None) });
        Ok(())
    })
}

/// The ring that was given; none knows nobody.
pub(crate) fn trusted(ring: Option<&Ring>) -> Cow<'_, KeyRing> {
    ring.map_or_else(|| Cow::Owned(KeyRing::nobody()), |ring| Cow::Borrowed(&*ring.0))
}

/// What a chain says of a session below a verified checkpoint: its pinned founder, and the generations that continue
/// it. Threads may share it. It holds at most one preparation, from `dualseal_session_prepare` until it is committed,
/// another is prepared, or it is freed.
#[derive(Debug)]
pub struct SessionInForce {
    pub(crate) found: threshold::SessionInForce,
    pub(crate) prepared: Mutex<Option<threshold::Prepared>>,
}

/// What the chain says: `session_json` is the record in force and `seq` the position of its entry, where the chain
/// alone tells it. Of an HMAC session that is continued it does not: then they are NULL and `UINT64_MAX`, and
/// `dualseal_session_quorum` tells of shares by which record they hold. `candidates_json` is a list of the founder's
/// record, which was pinned and holds what a session never changes, and of those that may continue it:
/// `[{"seq","session"},…]`, in the order of the chain. Of an HMAC session anybody may have written any but the first.
/// `ignored_json` lists the entries of the session that count for nothing: `{"entries":[{"reason","seq"},…],"more"}`.
/// Each may be NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_in_force_record(
    in_force: *const SessionInForce,
    session_json: *mut *mut c_char,
    seq: *mut u64,
    candidates_json: *mut *mut c_char,
    ignored_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let found = &required("in_force", in_force)?.found;
        let told = found.session();
        if let Some(out) = Out::optional(session_json) {
            match told {
                Some((session, _)) => out.text(&session.to_json()),
                None => out.set(ptr::null_mut()),
            }
        }
        if let Some(out) = Out::optional(seq) {
            out.set(told.map_or(u64::MAX, |(_, seq)| seq));
        }
        if let Some(out) = Out::optional(candidates_json) {
            let candidate = |(session, seq): (&threshold::Session, u64)| {
                format!("{{\"seq\":{seq},\"session\":{}}}", session.to_json())
            };
            let candidates: Vec<String> = found.candidates().map(candidate).collect();
            out.text(&format!("[{}]", candidates.join(",")));
        }
        if let Some(out) = Out::optional(ignored_json) {
            out.text(&found.ignored().to_json());
        }
        Ok(())
    })
}

/// Frees a session in force. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_in_force_free(in_force: *mut SessionInForce) {
    release(|| give_back(in_force));
}
