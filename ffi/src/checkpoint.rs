//! Checkpoints: signed and verified.

use crate::agreement::AgreedChain;
use crate::args::{Out, json, required, text};
use crate::cache::{KeyCache, keys};
use crate::domain::Domain;
use crate::failure::{Failure, guard, guard_verdict, release};
use crate::head::Head;
use crate::ring::Ring;
use crate::signing_key::{Key, SigningKey};
use crate::status::StatusValue;
use crate::verdict::Verdict;
use dualseal_core::checkpoint::{self, CheckpointVerifier, Comparison, Pins};
use dualseal_core::{IdentityId, SystemRng, Timestamp, Verified};
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
    domain: Option<&Domain>,
    origin: *const c_char,
    identity_id: *const c_char,
    key_hash: *const c_char,
    least_size: u64,
    ring: Option<&Ring>,
    cache: Option<&KeyCache>,
    checkpoint_json: *const c_char,
    checkpoint: *mut *mut Checkpoint,
    verdict: *mut *mut Verdict,
    error: *mut *mut Failure,
) -> StatusValue {
    guard_verdict(error, || {
        let domain = required("domain", domain)?;
        let pins = Pins {
            origin: text("origin", origin)?.to_owned(),
            identity_id: text("identity_id", identity_id)?.parse()?,
            key_hash: text("key_hash", key_hash)?.parse()?,
            least_size,
        };
        let record = checkpoint::Checkpoint::from_json(json("checkpoint_json", checkpoint_json)?)?;
        let checkpoint = Out::new("checkpoint", checkpoint)?;
        let verifier = CheckpointVerifier::new(&domain.0, &pins, ring.map(|ring| &ring.0), keys(cache));
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

/// The checkpoint as JSON.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_checkpoint_to_json(
    checkpoint: Option<&Checkpoint>,
    checkpoint_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let checkpoint = required("checkpoint", checkpoint)?;
        Out::new("checkpoint_json", checkpoint_json)?.text(&checkpoint.0.record().to_json());
        Ok(())
    })
}

/// A new handle on the head that was signed.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_checkpoint_head(
    checkpoint: Option<&Checkpoint>,
    head: *mut *mut Head,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let checkpoint = required("checkpoint", checkpoint)?;
        Out::new("head", head)?.handle(Head(*checkpoint.0.record().head()));
        Ok(())
    })
}

/// Frees a checkpoint. NULL is ignored. Checks that were begun with it stay good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_checkpoint_free(checkpoint: Option<Box<Checkpoint>>) {
    release(|| drop(checkpoint));
}

/// Signs the checkpoints of one log. Never changes; threads may share it. It keeps what it needs of the domain and the
/// key, which may be freed before it.
#[derive(Debug)]
pub struct CheckpointSigner {
    domain: dualseal_core::Domain,
    origin: String,
    identity_id: IdentityId,
    key: Arc<Key>,
}

impl CheckpointSigner {
    fn signer(&self) -> Result<checkpoint::CheckpointSigner<'_>, Failure> {
        let key = self.key.statement_key();
        Ok(checkpoint::CheckpointSigner::new(&self.domain, &self.origin, &self.identity_id, key)?)
    }
}

/// A signer for the log named `origin`: 1 to 255 bytes without control characters and `::`, not beginning with `:`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_checkpoint_signer_new(
    domain: Option<&Domain>,
    origin: *const c_char,
    identity_id: *const c_char,
    key: Option<&SigningKey>,
    signer: *mut *mut CheckpointSigner,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (domain, key) = (required("domain", domain)?, required("key", key)?);
        let origin = text("origin", origin)?.to_owned();
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let out = Out::new("signer", signer)?;
        let signer = CheckpointSigner { domain: domain.0.clone(), origin, identity_id, key: Arc::clone(&key.0) };
        signer.signer()?;
        out.handle(signer);
        Ok(())
    })
}

/// Signs the first checkpoint of a log: once, for there is nothing that the chain could be compared with.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_checkpoint_signer_sign_first(
    signer: Option<&CheckpointSigner>,
    head: Option<&Head>,
    time_ms: i64,
    checkpoint_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (signer, head) = (required("signer", signer)?, required("head", head)?);
        let out = Out::new("checkpoint_json", checkpoint_json)?;
        let time = Timestamp::from_millis(time_ms)?;
        out.text(&signer.signer()?.sign_first(&head.0, time, &mut SystemRng)?.to_json());
        Ok(())
    })
}

/// Signs the head of a chain that was shown to agree with the last checkpoint.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_checkpoint_signer_sign_next(
    signer: Option<&CheckpointSigner>,
    agreed: Option<&AgreedChain>,
    time_ms: i64,
    checkpoint_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (signer, agreed) = (required("signer", signer)?, required("agreed", agreed)?);
        let out = Out::new("checkpoint_json", checkpoint_json)?;
        let time = Timestamp::from_millis(time_ms)?;
        out.text(&signer.signer()?.sign_next(&agreed.0, time, &mut SystemRng)?.to_json());
        Ok(())
    })
}

/// Frees a signer. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_checkpoint_signer_free(signer: Option<Box<CheckpointSigner>>) {
    release(|| drop(signer));
}

/// What two checkpoints say of their log, as an argument: a member of [`Consistency`].
pub type ConsistencyValue = i32;

/// What two verified checkpoints say of their log. 0 is none of them.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consistency {
    /// They were signed over the same chain.
    Equal = 1,
    /// The larger one's chain begins with the smaller one's.
    Grown = 2,
    /// They cannot both be true: the log's signer showed different chains to different people. Both are kept, and
    /// convince anybody.
    Fork = 3,
    /// They have different sizes; only the chain shows more (`dualseal_consistency_check_new`).
    SizesDiffer = 4,
}

/// Compares two checkpoints of one log without the chain: equal, a fork, or of different sizes.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_checkpoint_compare(
    first: Option<&Checkpoint>,
    second: Option<&Checkpoint>,
    consistency: *mut ConsistencyValue,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (first, second) = (required("first", first)?, required("second", second)?);
        let out = Out::new("consistency", consistency)?;
        let found = match checkpoint::compare(&first.0, &second.0)? {
            Comparison::Equal => Consistency::Equal,
            Comparison::Fork(_) => Consistency::Fork,
            Comparison::SizesDiffer => Consistency::SizesDiffer,
        };
        out.set(found as ConsistencyValue);
        Ok(())
    })
}
