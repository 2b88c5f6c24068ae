//! The places of entries in a chain that a checkpoint covers.

use crate::args::{Out, optional_text, read, required, texts};
use crate::call_error::CallError;
use crate::chain_reader::ChainReader;
use crate::checkpoint::Checkpoint;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::places::Places;
use crate::proofs::{Proofs, Watched, proof};
use crate::status::StatusValue;
use dualseal_core::Entry;
use dualseal_core::checkpoint::PlaceProof;
use dualseal_core::krunica::KrunicaHash;
use std::collections::BTreeSet;
use std::ffi::c_char;

/// Watches for the entries with these `krunica_hashes`, as many as `count`, among those that are read below the
/// checkpoint; and for the one by which the log's ring became what the checkpoint states, where it states one: the
/// first that reads so, for anybody may append copies.
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
        let is_wanted = move |entry: &Entry| !wanted.is_empty() && wanted.contains(&entry.krunica_hash());
        reader.watch_places(Out::new("watched", watched)?, is_wanted)
    })
}

/// The proof that the entry with this `krunica_hash` stands in the chain, below the size of the checkpoint; or, with
/// NULL and `of_ring` 1, the entry by which the ring became what the checkpoint states. `DUALSEAL_STATUS_NOT_LOCATED`
/// for an entry that does not stand there, or that was not watched for. `proof_json` is the same for others, who do not
/// have the chain: `{"checkpoint","entry","path"}`. `place` and `proof_json` may be NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_proofs_place(
    proofs: *const Proofs,
    watched: Watched,
    krunica_hash: *const c_char,
    of_ring: i32,
    place: *mut *mut Located,
    proof_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let places: &Places = proof(proofs, watched)?;
        let wanted: Option<KrunicaHash> = optional_text("krunica_hash", krunica_hash)?.map(str::parse).transpose()?;
        // A NULL that somebody forgot to fill must not read as another entry.
        let found = match (wanted, of_ring) {
            (None, 1) => places.of_ring.as_ref(),
            (Some(wanted), 0) => places.found.iter().find(|(_, place)| place.entry().krunica_hash() == wanted),
            (None, 0) => return Err(CallError::null("krunica_hash")),
            _ => return Err(CallError::unknown_value("of_ring")),
        };
        let (shown, located) = found.ok_or_else(CallError::not_located)?;
        if let Some(out) = Out::optional(place) {
            out.handle(Located(located.clone()));
        }
        if let Some(out) = Out::optional(proof_json) {
            out.text(&shown.to_json());
        }
        Ok(())
    })
}

/// Proof that an entry stands at its place in a chain that a verified checkpoint covers. Never changes; threads may
/// share it.
#[derive(Debug)]
pub struct Located(pub(crate) dualseal_core::Located);

/// Verifies a proof of a place that somebody else made (`dualseal_proofs_place`), under the verified checkpoint that
/// came with it, or any other of the same log and size. What it shows is that the entry stands in the log, and not that
/// the chain before it holds together.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_place_proof_verify(
    checkpoint: *const Checkpoint,
    proof_json: *const c_char,
    proof_json_len: usize,
    place: *mut *mut Located,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let checkpoint = required("checkpoint", checkpoint)?;
        let proof = read("proof_json", proof_json, proof_json_len, PlaceProof::from_json)?;
        let out = Out::new("place", place)?;
        out.handle(Located(proof.verify(&checkpoint.0)?));
        Ok(())
    })
}

/// Frees a proof. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_located_free(place: *mut Located) {
    release(|| give_back(place));
}
