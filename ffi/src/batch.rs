//! Many signature records verified with one call: one result for each, in order, none stopping the rest.

use crate::args::{Out, optional, read, required};
use crate::cache::{KeyCache, keys};
use crate::call_error::CallError;
use crate::domain::Domain;
use crate::guard::{guard, guard_verdict, release};
use crate::handle::give_back;
use crate::located::Located;
use crate::ring::Ring;
use crate::signature::expected;
use crate::status::StatusValue;
use crate::verdict::Verdict;
use dualseal_core::batch::{self, Progress, SignatureItem, Threads};
use dualseal_core::{HashedContent, KeyRing, SignatureRecord, Verifier};
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// Is told how far a batch has come: `done` of `all` items. It is called on the thread that called the run, whichever
/// threads the run uses, one call after another, and never once the run has returned. It must return without jumping
/// out or throwing, in the process that it was called in, and use the batch for nothing.
pub type Told = Option<extern "C" fn(done: usize, all: usize, user: *mut c_void)>;

/// What the items of a batch are verified with.
struct Shared {
    domain: dualseal_core::Domain,
    ring: KeyRing,
    cache: Option<KeyCache>,
}

impl Shared {
    fn new(domain: *const Domain, ring: *const Ring, cache: *const KeyCache) -> Result<Self, CallError> {
        let (domain, ring) = (required("domain", domain)?.0.clone(), KeyRing::clone(&required("ring", ring)?.0));
        Ok(Self { domain, ring, cache: optional("cache", cache)?.map(|cache| KeyCache(Arc::clone(&cache.0))) })
    }
}

/// An argument `threads`. Read before an item is taken from those that wait, since it can be refused.
fn on(threads: usize) -> Result<Threads, CallError> {
    Ok(if threads == 0 { Threads::all() } else { Threads::new(threads)? })
}

/// Passes on to the caller's function, which may be NULL.
fn telling(told: Told, user: *mut c_void) -> impl FnMut(Progress) {
    move |progress| {
        if let Some(told) = told {
            told(progress.done, progress.all, user);
        }
    }
}

/// Signature records to be verified. For one thread at a time.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct SignatureBatch {
    shared: Shared,
    waiting: Vec<(HashedContent, SignatureRecord, Option<dualseal_core::Located>)>,
    verdicts: Vec<dualseal_core::Verdict<SignatureRecord>>,
}

/// An empty batch. `cache` may be NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signature_batch_new(
    domain: *const Domain,
    ring: *const Ring,
    cache: *const KeyCache,
    batch: *mut *mut SignatureBatch,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let shared = Shared::new(domain, ring, cache)?;
        let out = Out::new("batch", batch)?;
        out.handle(SignatureBatch { shared, waiting: Vec::new(), verdicts: Vec::new() });
        Ok(())
    })
}

/// Adds a record, as for `dualseal_signature_verify`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signature_batch_push(
    batch: *mut SignatureBatch,
    identity_id: *const c_char,
    content_hash: *const c_char,
    record_json: *const c_char,
    record_json_len: usize,
    place: *const Located,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let batch = required("batch", batch)?;
        let content = expected(identity_id, content_hash)?;
        let record = read("record_json", record_json, record_json_len, SignatureRecord::from_json)?;
        batch.waiting.push((content, record, optional("place", place)?.map(|place| place.0.clone())));
        Ok(())
    })
}

/// Verifies the items that were added since the last run, on `threads` threads: 0 is as many as the machine runs at
/// once, 1 the calling thread. No more are started than there are items, and where the system does not start as many,
/// fewer do it. They have ended when this returns. `DUALSEAL_STATUS_RANGE` for more than 1024; the items then wait as
/// before. `told` and `user` may be NULL. The status 0 says that all have a verdict, and nothing of what it is.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signature_batch_run(
    batch: *mut SignatureBatch,
    threads: usize,
    told: Told,
    user: *mut c_void,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let SignatureBatch { shared, waiting, verdicts } = required("batch", batch)?;
        let threads = on(threads)?;
        let (mut items, mut places) = (Vec::new(), Vec::new());
        for (content, record, at) in waiting.drain(..) {
            items.push((content, record));
            places.push(at);
        }
        let items = items.into_iter().zip(&places);
        let items =
            items.map(|((content, record), at)| SignatureItem { content, record, place: at.as_ref() }).collect();
        let verifier = Verifier::new(&shared.domain, &shared.ring, keys(shared.cache.as_ref()));
        verdicts.extend(batch::verify_signatures(&verifier, items, threads, &mut telling(told, user)));
        Ok(())
    })
}

/// The verdict on the item that was added at this position, from 0, as the status. `verdict` may be NULL.
/// `DUALSEAL_STATUS_RANGE` for an item that has none yet.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signature_batch_verdict(
    batch: *const SignatureBatch,
    position: usize,
    verdict: *mut *mut Verdict,
    error: *mut *mut CallError,
) -> StatusValue {
    guard_verdict(error, || {
        let batch = required("batch", batch)?;
        let found = batch.verdicts.get(position).ok_or_else(|| CallError::out_of_range("position", None))?;
        if let Some(out) = Out::optional(verdict) {
            out.handle(Verdict::of(found));
        }
        Ok(found.kind().code().into())
    })
}

/// Frees a batch. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signature_batch_free(batch: *mut SignatureBatch) {
    release(|| give_back(batch));
}
