//! Checkpoints: signed and verified.

use crate::args::{Buffer, Out, optional, optional_text, read, required, text};
use crate::cache::{KeyCache, keys};
use crate::call_error::CallError;
use crate::constants::DUALSEAL_ID_TEXT_BYTES;
use crate::domain::Domain;
use crate::guard::{guard, guard_verdict, release};
use crate::handle::give_back;
use crate::head::Head;
use crate::proofs::Proofs;
use crate::ring::{Ring, of_log, of_signer};
use crate::signing_key::SigningKey;
use crate::status::StatusValue;
use crate::verdict::Verdict;
use dualseal_core::checkpoint::{self, CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
use dualseal_core::{SystemRng, Timestamp, Verified};
use std::ffi::c_char;
use std::sync::Arc;

/// A checkpoint whose verification was Valid. Only `dualseal_checkpoint_verify` makes one. Never changes; threads may
/// share it.
#[derive(Debug)]
pub struct Checkpoint(pub(crate) Arc<Verified<checkpoint::Checkpoint>>);

/// Verifies a checkpoint against what is known of its log beforehand: its name, its signer's identity, the hash of its
/// signer's public key, and the least size that is accepted, which is that of the last checkpoint seen. The status is
/// the verdict. `ring` adds the state of the signer's key: for whoever has no ring, and is told nothing of a key that
/// was called back, it is NULL, and `no_ring` 1. `cache` may be NULL. `checkpoint` is set when the status is 0.
/// `verdict` may be NULL; else it is set with each of the five verdicts.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_checkpoint_verify(
    domain: *const Domain,
    origin: *const c_char,
    identity_id: *const c_char,
    key_hash: *const c_char,
    least_size: u64,
    ring: *const Ring,
    no_ring: i32,
    cache: *const KeyCache,
    checkpoint_json: *const c_char,
    checkpoint_json_len: usize,
    checkpoint: *mut *mut Checkpoint,
    verdict: *mut *mut Verdict,
    error: *mut *mut CallError,
) -> StatusValue {
    guard_verdict(error, || {
        let domain = required("domain", domain)?;
        let pins = Pins {
            origin: text("origin", origin)?.to_owned(),
            identity_id: text("identity_id", identity_id)?.parse()?,
            key_hash: text("key_hash", key_hash)?.parse()?,
            least_size,
        };
        let ring = of_signer(ring, no_ring)?;
        let record = read("checkpoint_json", checkpoint_json, checkpoint_json_len, checkpoint::Checkpoint::from_json)?;
        let checkpoint = Out::new("checkpoint", checkpoint)?;
        let verifier = CheckpointVerifier::new(&domain.0, &pins, ring, keys(optional("cache", cache)?));
        let outcome = verifier.verify(record);
        let status = outcome.kind().code().into();
        if let Some(verdict) = Out::optional(verdict) {
            verdict.handle(Verdict::of(&outcome));
        }
        if let Some(verified) = outcome.valid() {
            checkpoint.handle(Checkpoint(Arc::new(verified)));
        }
        Ok(status)
    })
}

/// The fingerprint of the log that a checkpoint says to be of, verified or not: what people compare, and what evidence
/// is verified by. It pins the log's name, its signer, the signer's key and the domain at once. `log_len` is
/// `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_checkpoint_fingerprint(
    domain: *const Domain,
    checkpoint_json: *const c_char,
    checkpoint_json_len: usize,
    log: *mut c_char,
    log_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let record = read("checkpoint_json", checkpoint_json, checkpoint_json_len, checkpoint::Checkpoint::from_json)?;
        let out = Buffer::text("log", log, log_len, DUALSEAL_ID_TEXT_BYTES)?;
        out.fill_text(&record.fingerprint(&domain.0).to_hex());
        Ok(())
    })
}

/// What was signed, which is the mark of a log whose last checkpoint this is (`dualseal_mark_first`):
/// `{"origin","ring","root","size","top"}`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_checkpoint_mark(
    checkpoint: *const Checkpoint,
    mark_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let checkpoint = required("checkpoint", checkpoint)?;
        Out::new("mark_json", mark_json)?.text(&HighWaterMark::of(&checkpoint.0).to_json());
        Ok(())
    })
}

/// Frees a checkpoint. NULL is ignored. Readers that were begun with it stay good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_checkpoint_free(checkpoint: *mut Checkpoint) {
    release(|| give_back(checkpoint));
}

/// The high-water mark of a log that never had a checkpoint, named `origin`: 1 to 255 bytes without control characters
/// and `::`, not beginning with `:`. `ring` is the log's own, read up to `head` or changed there; for a log that has
/// none it is NULL, and `no_ring` 1. Nothing is compared with anything: a caller who makes a first mark twice can sign
/// a fork.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_mark_first(
    origin: *const c_char,
    head: *const Head,
    ring: *const Ring,
    no_ring: i32,
    mark_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (head, ring) = (required("head", head)?, of_log(ring, no_ring)?);
        let mark = HighWaterMark::first(text("origin", origin)?, &head.0, ring)?;
        Out::new("mark_json", mark_json)?.text(&mark.to_json());
        Ok(())
    })
}

/// The mark of a chain that was shown to go on from what `mark_json` says: `proofs` are those of a reader under the
/// checkpoint of that mark, which began anywhere up to there. A ring that is older than the mark's, or another one, is
/// refused. `ring` and `no_ring` as for `dualseal_mark_first`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_mark_next(
    mark_json: *const c_char,
    mark_json_len: usize,
    proofs: *const Proofs,
    ring: *const Ring,
    no_ring: i32,
    next_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let mark = read("mark_json", mark_json, mark_json_len, HighWaterMark::from_json)?;
        let (proofs, ring) = (required("proofs", proofs)?, of_log(ring, no_ring)?);
        let next = mark.next(&proofs.agreed()?.growth(), ring)?;
        Out::new("next_json", next_json)?.text(&next.to_json());
        Ok(())
    })
}

/// Signs what a mark says, once it is written where a restored backup does not take it back. `note_key` is the Ed25519
/// public key of the log's notes, 64 hexadecimal characters, or NULL. `ring` and `no_ring` as for
/// `dualseal_signature_sign`: it is the log's own ring that says who signs for it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_checkpoint_sign(
    domain: *const Domain,
    identity_id: *const c_char,
    key: *const SigningKey,
    ring: *const Ring,
    no_ring: i32,
    note_key: *const c_char,
    mark_json: *const c_char,
    mark_json_len: usize,
    time_ms: i64,
    checkpoint_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (domain, key) = (required("domain", domain)?, required("key", key)?);
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let ring = of_signer(ring, no_ring)?;
        let mark = read("mark_json", mark_json, mark_json_len, HighWaterMark::from_json)?;
        let note_key = optional_text("note_key", note_key)?.map(str::parse).transpose()?;
        let key = key.0.statement_key();
        let signer = match ring {
            Some(ring) => CheckpointSigner::current(&domain.0, ring, mark.origin(), &identity_id, key)?,
            None => CheckpointSigner::new(&domain.0, mark.origin(), &identity_id, key)?,
        };
        let signer = match &note_key {
            Some(note_key) => signer.with_note_key(note_key),
            None => signer,
        };
        let out = Out::new("checkpoint_json", checkpoint_json)?;
        out.text(&signer.sign(&mark, Timestamp::from_millis(time_ms)?, &mut SystemRng)?.to_json());
        Ok(())
    })
}
