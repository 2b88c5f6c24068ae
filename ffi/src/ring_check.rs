//! A ring compared with the chain that vouches for it.

use crate::args::{Out, handles, json, required};
use crate::call_error::CallError;
use crate::chain_reader::{ChainReader, Reading, under};
use crate::checkpoint::Checkpoint;
use crate::guard::guard;
use crate::head::Head;
use crate::ring::Ring;
use crate::ring_key::RingKey;
use crate::status::StatusValue;
use crate::vault::master::VaultMaster;
use dualseal_core::key::{AnyRing, RingFile};
use dualseal_core::reader::{self, FoundRing, TrustedHead};
use dualseal_core::{Domain, Entry};
use std::ffi::c_char;
use std::sync::Arc;

/// Whether an entry is that of a vault record, by one of the masters of the log.
fn by_any_of(
    masters: *const *const VaultMaster,
    masters_count: usize,
) -> Result<impl FnMut(&Entry) -> bool + Send + 'static, CallError> {
    let masters = handles("masters", masters, masters_count)?;
    let masters: Vec<_> = masters.into_iter().map(|master| Arc::clone(&master.0)).collect();
    Ok(move |entry: &Entry| masters.iter().any(|master| master.vouches_for(entry)))
}

/// Reads a ring file and begins at the first entry of the chain that vouches for it, with the ring's authority and
/// every vault master of the log, in an array of `masters_count`: a file from before one of their records is an old
/// one. Only where no vault has a record there are they NULL and 0.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_new_ring(
    ring_json: *const c_char,
    ring_json_len: usize,
    ring_key: *const RingKey,
    masters: *const *const VaultMaster,
    masters_count: usize,
    checkpoint: *const Checkpoint,
    reader: *mut *mut ChainReader,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let file = RingFile::from_json(json("ring_json", ring_json, ring_json_len)?)?;
        let (ring_key, checkpoint) = (required("ring_key", ring_key)?, required("checkpoint", checkpoint)?);
        let is_record = by_any_of(masters, masters_count)?;
        let out = Out::new("reader", reader)?;
        let reading = under(&Domain::default(), &checkpoint.0)?;
        let reading = Reading::begin(reading, |reader| reader.ring(file, &ring_key.0, is_record))?;
        out.handle(ChainReader::new(reading));
        Ok(())
    })
}

/// Reads a ring file and begins where the chain ended when it was written: what a change needs. The entries from that
/// size on are pushed, and end at `head`, which the caller keeps with the chain. The masters are as for
/// `dualseal_chain_reader_new_ring`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_resume_ring(
    ring_json: *const c_char,
    ring_json_len: usize,
    ring_key: *const RingKey,
    masters: *const *const VaultMaster,
    masters_count: usize,
    head: *const Head,
    reader: *mut *mut ChainReader,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let file = RingFile::from_json(json("ring_json", ring_json, ring_json_len)?)?;
        let (ring_key, head) = (required("ring_key", ring_key)?, required("head", head)?);
        let is_record = by_any_of(masters, masters_count)?;
        let out = Out::new("reader", reader)?;
        let reading = reader::ChainReader::new(&Domain::default(), &TrustedHead::ring_file(&file)).up_to(&head.0);
        let reading = Reading::begin(reading, |reader| reader.ring(file, &ring_key.0, is_record))?;
        out.handle(ChainReader::new(reading));
        Ok(())
    })
}

/// Ends the chain that `dualseal_chain_reader_new_ring` or `dualseal_chain_reader_resume_ring` began, whatever comes of
/// it, compares the ring with what the chain says, and hands it over to be changed: an old ring is
/// `DUALSEAL_STATUS_RING_ROLLBACK`, every other difference `DUALSEAL_STATUS_RING_FORGED`. `ignored_json` may be NULL;
/// else it is set to what counts for nothing, `{"entries":[{"reason":…,"seq":…},…],"more":…}`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_finish_ring(
    reader: *mut ChainReader,
    ring: *mut *mut Ring,
    ignored_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (reader, ring) = (required("reader", reader)?, Out::new("ring", ring)?);
        let (found, _) = reader.walk::<Reading<FoundRing>>()?.end()?;
        if let Some(out) = Out::optional(ignored_json) {
            out.text(&found.ignored().to_json());
        }
        ring.handle(Ring(AnyRing::Checked(found.into_ring())));
        Ok(())
    })
}
