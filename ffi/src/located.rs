//! The places of entries in a chain that a checkpoint covers.

use crate::args::{Out, required, text, texts};
use crate::call_error::CallError;
use crate::chain_reader::ChainReader;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::proofs::{Proofs, Watched, proof};
use crate::status::StatusValue;
use dualseal_core::Entry;
use dualseal_core::krunica::KrunicaHash;
use std::collections::BTreeSet;
use std::ffi::c_char;

/// Watches for the entries with these `krunica_hashes`, as many as `count`, among those that are read below the
/// checkpoint.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_watch_places(
    reader: *mut ChainReader,
    krunica_hashes: *const *const c_char,
    count: usize,
    watched: *mut Watched,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let reader = required("reader", reader)?;
        let wanted = texts("krunica_hashes", krunica_hashes, count)?;
        let wanted: BTreeSet<KrunicaHash> = wanted.into_iter().map(str::parse).collect::<Result<_, _>>()?;
        // Spares a chain in which nothing is sought one hash for each entry.
        let keep = move |entry: &Entry| !wanted.is_empty() && wanted.contains(&entry.krunica_hash());
        reader.watch(Out::new("watched", watched)?, |places| places, |reader| reader.places(keep))
    })
}

/// The proof that the entry with this `krunica_hash` stands in the chain, below the size of the checkpoint.
/// `DUALSEAL_STATUS_NOT_LOCATED` for an entry that does not, or that was not watched for.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_proofs_place(
    proofs: *const Proofs,
    watched: Watched,
    krunica_hash: *const c_char,
    place: *mut *mut Located,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let places: &Vec<dualseal_core::Located> = proof(proofs, watched)?;
        let wanted: KrunicaHash = text("krunica_hash", krunica_hash)?.parse()?;
        let out = Out::new("place", place)?;
        let found = places.iter().find(|place| place.entry().krunica_hash() == wanted);
        out.handle(Located(found.ok_or_else(CallError::not_located)?.clone()));
        Ok(())
    })
}

/// Proof that an entry stands at its place in a chain that a verified checkpoint covers. Never changes; threads may
/// share it.
#[derive(Debug)]
pub struct Located(pub(crate) dualseal_core::Located);

/// The entry as JSON, with its `seq`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_located_entry(
    place: *const Located,
    entry_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let place = required("place", place)?;
        Out::new("entry_json", entry_json)?.text(&place.0.entry().to_json());
        Ok(())
    })
}

/// Frees a proof. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_located_free(place: *mut Located) {
    release(|| give_back(place));
}
