//! Checkpoints: signed and verified.

use crate::agreed_chain::AgreedChain;
use crate::args::{Out, json, optional, required, text};
use crate::cache::{KeyCache, keys};
use crate::call_error::CallError;
use crate::domain::Domain;
use crate::guard::{guard, guard_verdict, release};
use crate::handle::give_back;
use crate::head::Head;
use crate::ring::Ring;
use crate::signing_key::SigningKey;
use crate::status::StatusValue;
use crate::verdict::Verdict;
use dualseal_core::checkpoint::{self, CheckpointSigner, CheckpointVerifier, Pins};
use dualseal_core::{Error, SystemRng, Timestamp, Verified};
use std::ffi::c_char;
use std::sync::Arc;

/// A checkpoint whose verification was Valid. Only `dualseal_checkpoint_verify` makes one. Never changes; threads may
/// share it.
#[derive(Debug)]
pub struct Checkpoint(pub(crate) Arc<Verified<checkpoint::Checkpoint>>);

/// Verifies a checkpoint against what is known of its log beforehand: its name, its signer's identity, the hash of its
/// signer's public key, and the least size that is accepted, which is that of the last checkpoint seen. The status is
/// the verdict. `ring` may be NULL; else it adds the state of the signer's key. `cache` may be NULL. `checkpoint` is
/// set when the status is 0. `verdict` may be NULL; else it is set with each of the five verdicts.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_checkpoint_verify(
    domain: *const Domain,
    origin: *const c_char,
    identity_id: *const c_char,
    key_hash: *const c_char,
    least_size: u64,
    ring: *const Ring,
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
        let record = checkpoint::Checkpoint::from_json(json("checkpoint_json", checkpoint_json, checkpoint_json_len)?)?;
        let checkpoint = Out::new("checkpoint", checkpoint)?;
        let verifier = CheckpointVerifier::new(
            &domain.0,
            &pins,
            optional("ring", ring)?.map(|ring| &*ring.0),
            keys(optional("cache", cache)?),
        );
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

/// A new handle on the head that was signed.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_checkpoint_head(
    checkpoint: *const Checkpoint,
    head: *mut *mut Head,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let checkpoint = required("checkpoint", checkpoint)?;
        Out::new("head", head)?.handle(Head(*checkpoint.0.record().head()));
        Ok(())
    })
}

/// Frees a checkpoint. NULL is ignored. Readers that were begun with it stay good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_checkpoint_free(checkpoint: *mut Checkpoint) {
    release(|| give_back(checkpoint));
}

/// Signs the first checkpoint of the log named `origin`, 1 to 255 bytes without control characters and `::`, not
/// beginning with `:`. Once, for there is nothing that the chain could be compared with.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_checkpoint_sign_first(
    domain: *const Domain,
    origin: *const c_char,
    identity_id: *const c_char,
    key: *const SigningKey,
    head: *const Head,
    time_ms: i64,
    checkpoint_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let head = required("head", head)?;
        let sign = |signer: CheckpointSigner<'_>, time| signer.sign_first(&head.0, time, &mut SystemRng);
        signed(domain, origin, identity_id, key, time_ms, checkpoint_json, sign)
    })
}

/// As `dualseal_checkpoint_sign_first`, for the head of a chain that was shown to agree with the last checkpoint.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_checkpoint_sign_next(
    domain: *const Domain,
    origin: *const c_char,
    identity_id: *const c_char,
    key: *const SigningKey,
    agreed: *const AgreedChain,
    time_ms: i64,
    checkpoint_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let agreed = required("agreed", agreed)?;
        let sign = |signer: CheckpointSigner<'_>, time| signer.sign_next(&agreed.0, time, &mut SystemRng);
        signed(domain, origin, identity_id, key, time_ms, checkpoint_json, sign)
    })
}

fn signed(
    domain: *const Domain,
    origin: *const c_char,
    identity_id: *const c_char,
    key: *const SigningKey,
    time_ms: i64,
    checkpoint_json: *mut *mut c_char,
    sign: impl FnOnce(CheckpointSigner<'_>, Timestamp) -> Result<checkpoint::Checkpoint, Error>,
) -> Result<(), CallError> {
    let (domain, key) = (required("domain", domain)?, required("key", key)?);
    let identity_id = text("identity_id", identity_id)?.parse()?;
    let signer = CheckpointSigner::new(&domain.0, text("origin", origin)?, &identity_id, key.0.statement_key())?;
    let out = Out::new("checkpoint_json", checkpoint_json)?;
    out.text(&sign(signer, Timestamp::from_millis(time_ms)?)?.to_json());
    Ok(())
}
