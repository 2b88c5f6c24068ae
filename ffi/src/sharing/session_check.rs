//! Which record of a session is in force.

use crate::args::{Out, json, required, text};
use crate::call_error::CallError;
use crate::chain_reader::{ChainReader, Walk};
use crate::checkpoint::Checkpoint;
use crate::domain::Domain;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::list::list;
use crate::progress::{ending, running};
use crate::status::StatusValue;
use dualseal_core::{Verified, checkpoint, threshold};
use self_cell::self_cell;
use std::ffi::c_char;
use std::sync::Arc;

struct Begun {
    domain: dualseal_core::Domain,
    checkpoint: Arc<Verified<checkpoint::Checkpoint>>,
}

type Running<'a> = Option<threshold::SessionCheck<'a>>;

self_cell! {
    struct Found {
        owner: Begun,
        #[not_covariant]
        dependent: Running,
    }
}

impl Walk for Found {
    fn push(&mut self, line: &[u8]) -> Result<(), CallError> {
        self.with_dependent_mut(|_, check| Ok(running(check)?.push_json(line).map(drop)?))
    }
}

/// Begins at the first entry of the chain that a session stands in. `anchor` is the one that the caller pinned when the
/// session was founded (`javni_sidro`).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_new_session(
    domain: *const Domain,
    session_id: *const c_char,
    anchor: *const c_char,
    checkpoint: *const Checkpoint,
    reader: *mut *mut ChainReader,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?.0.clone();
        let session_id = text("session_id", session_id)?.parse()?;
        let anchor = text("anchor", anchor)?.parse()?;
        let checkpoint = Arc::clone(&required("checkpoint", checkpoint)?.0);
        let out = Out::new("reader", reader)?;
        out.handle(ChainReader::new(Found::new(Begun { domain, checkpoint }, |begun| {
            Some(threshold::SessionCheck::new(&begun.domain, &session_id, &anchor, &begun.checkpoint))
        })));
        Ok(())
    })
}

/// Ends the chain that `dualseal_chain_reader_new_session` began, whatever comes of it. `records_json` is a list of
/// records of the session, at least the first and the last that the chain has entries of.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_finish_session(
    reader: *mut ChainReader,
    records_json: *const c_char,
    records_json_len: usize,
    in_force: *mut *mut SessionInForce,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let reader = required("reader", reader)?;
        let records = list(json("records_json", records_json, records_json_len)?, threshold::Session::from_json)?;
        let out = Out::new("in_force", in_force)?;
        let walk = reader.walk::<Found>()?;
        let found = walk.with_dependent_mut(|_, check| Ok::<_, CallError>(ending(check)?.finish(&records)?))?;
        out.handle(SessionInForce(found));
        Ok(())
    })
}

/// A session record that was shown to be the last one of its session below a verified checkpoint. Never changes;
/// threads may share it.
#[derive(Debug)]
pub struct SessionInForce(pub(crate) threshold::SessionInForce);

/// The record in force as JSON, and the position of its chain entry; each may be NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_in_force_record(
    in_force: *const SessionInForce,
    session_json: *mut *mut c_char,
    seq: *mut u64,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let in_force = required("in_force", in_force)?;
        if let Some(out) = Out::optional(session_json) {
            out.text(&in_force.0.session().to_json());
        }
        if let Some(out) = Out::optional(seq) {
            out.set(in_force.0.seq());
        }
        Ok(())
    })
}

/// Frees a session in force. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_session_in_force_free(in_force: *mut SessionInForce) {
    release(|| give_back(in_force));
}
