//! A ring compared with the chain that vouches for it, and taken past what others append to it.

use crate::args::{Out, handles, json, read, required};
use crate::call_error::CallError;
use crate::chain_reader::ChainReader;
use crate::guard::guard;
use crate::proofs::{Proofs, Watched};
use crate::ring::Ring;
use crate::ring_key::RingKey;
use crate::status::StatusValue;
use crate::vault::master::VaultMaster;
use dualseal_core::Entry;
use dualseal_core::key::{AnyRing, RingFile};
use dualseal_core::reader::FoundRing;
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

/// Watches for the changes of a ring file's ring, with its authority and every vault master of the log, in an array of
/// `masters_count`: a file from before one of their records is an old one. Only where no vault has a record there are
/// they NULL and 0. The reader begins at the first entry, or anywhere that is not after the file's end. Entries beyond
/// the checkpoint count too.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_watch_ring(
    reader: *mut ChainReader,
    ring_json: *const c_char,
    ring_json_len: usize,
    ring_key: *const RingKey,
    masters: *const *const VaultMaster,
    masters_count: usize,
    watched: *mut Watched,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let reader = required("reader", reader)?;
        let file = read("ring_json", ring_json, ring_json_len, RingFile::from_json)?;
        let (ring_key, is_record) = (required("ring_key", ring_key)?, by_any_of(masters, masters_count)?);
        let out = Out::new("watched", watched)?;
        reader.watch(out, |found| found, |reader| reader.ring(file, &ring_key.0, is_record))
    })
}

/// The ring, compared with what the chain says, once: it is the caller's to change. An old ring is
/// `DUALSEAL_STATUS_RING_ROLLBACK`, every other difference `DUALSEAL_STATUS_RING_FORGED`, and
/// `DUALSEAL_STATUS_RING_MISSTATED` a checkpoint that states another ring than its chain. `ignored_json` may be NULL;
/// else it is set to what counts for nothing, `{"entries":[{"reason":…,"seq":…},…],"more":…}`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_proofs_ring(
    proofs: *mut Proofs,
    watched: Watched,
    ring: *mut *mut Ring,
    ignored_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (proofs, ring) = (required("proofs", proofs)?, Out::new("ring", ring)?);
        let found: FoundRing = proofs.take(watched)?;
        if let Some(out) = Out::optional(ignored_json) {
            out.text(&found.ignored().to_json());
        }
        ring.handle(Ring(AnyRing::Checked(found.into_ring())));
        Ok(())
    })
}

/// Takes the ring past an entry that was appended since: one line of a file of JSON lines, without `seq`
/// (`dualseal_entry_parts`), the chain's next one. A ring is changed, stored and stated where it was taken past every
/// entry up to the head, each in its turn (`DUALSEAL_STATUS_STALE_RING` is one that was not); its own changes, and
/// `dualseal_ring_add_decoy`, take it past theirs. `masters`, `masters_count` of them, are every vault master of the
/// log, and only where no vault has a record there NULL and 0.
///
/// A change of this ring that was made elsewhere, and a vault record whose decoy it lacks, are
/// `DUALSEAL_STATUS_RING_ROLLBACK`: the ring is then read again, against its chain
/// (`dualseal_chain_reader_from_ring_file`). Of a line that does not go on from the chain so far the error's index is
/// the entry. On an error the ring is as it was.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ring_follow(
    ring: *mut Ring,
    line: *const c_char,
    line_len: usize,
    masters: *const *const VaultMaster,
    masters_count: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (ring, line) = (required("ring", ring)?, json("line", line, line_len)?);
        let is_record = by_any_of(masters, masters_count)?;
        Ok(ring.0.checked_mut()?.follow_json(line, is_record).map(drop)?)
    })
}
