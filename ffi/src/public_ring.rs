//! Public rings: what an operator gives to others.

use crate::args::{Out, optional, read, unless};
use crate::call_error::CallError;
use crate::checkpoint::Checkpoint;
use crate::guard::guard;
use crate::ring::Ring;
use crate::status::StatusValue;
use dualseal_core::PublicRing;
use dualseal_core::checkpoint::AttestedRing;
use dualseal_core::key::AnyRing;
use std::ffi::c_char;

/// Reads a public ring, which cannot be changed, and holds it against the checkpoint that states it:
/// `DUALSEAL_STATUS_RING_FOREIGN` for the ring of another log, `DUALSEAL_STATUS_RING_ROLLBACK` for an older one,
/// `DUALSEAL_STATUS_RING_MISMATCH` for one that was edited, or is newer. Only a ring that nothing attests has no
/// `checkpoint`, and `unattested` is 1: whoever hands it over can write in it what he likes. What it calls valid is its
/// operator's word. The operator's own file is read by `dualseal_chain_reader_watch_ring`, which holds it against its
/// chain.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ring_from_public_json(
    ring_json: *const c_char,
    ring_json_len: usize,
    checkpoint: *const Checkpoint,
    unattested: i32,
    ring: *mut *mut Ring,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let checkpoint = unless("checkpoint", optional("checkpoint", checkpoint)?, "unattested", unattested)?;
        let ring = Out::new("ring", ring)?;
        let read = read("ring_json", ring_json, ring_json_len, PublicRing::from_json)?;
        let read = match checkpoint {
            Some(checkpoint) => AttestedRing::new(read, &checkpoint.0)?.public().clone(),
            None => read,
        };
        ring.handle(Ring(AnyRing::Public(read)));
        Ok(())
    })
}
