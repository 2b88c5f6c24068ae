//! Many seals checked with one call, each under the policy that it was added with.

use crate::agreement::Located;
use crate::args::{Out, bytes, required};
use crate::batch::{Shared, Told, on, telling};
use crate::cache::{KeyCache, keys};
use crate::domain::Domain;
use crate::failure::{Failure, guard, guard_verdict, release};
use crate::ring::Ring;
use crate::seal_check::{SealPolicyValue, claim, legacy, policy};
use crate::seal_key::SealKey;
use crate::seal_report::SealReport;
use crate::status::StatusValue;
use dualseal_core::IdentityId;
use dualseal_core::batch::{self, SealItem};
use dualseal_core::seal::{self, Conclusion, Legacy, Policy, Seal, SealVerifier};
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// What is asked of a seal. As [`Policy`], which lends its key.
enum Asked {
    Both(Arc<seal::SealKey>),
    LayerA(Arc<seal::SealKey>),
    LayerB,
}

impl Asked {
    fn policy(&self) -> Policy<'_> {
        match self {
            Self::Both(key) => Policy::Both(key),
            Self::LayerA(key) => Policy::LayerA(key),
            Self::LayerB => Policy::LayerB,
        }
    }
}

/// A seal that waits for its report.
struct Waiting {
    seal: Seal,
    payload: Vec<u8>,
    identity_id: IdentityId,
    asked: Asked,
    legacy: Legacy,
    at: Option<dualseal_core::Located>,
}

/// Seals to be checked. For one thread at a time.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct SealBatch {
    shared: Shared,
    waiting: Vec<Waiting>,
    reports: Vec<seal::SealReport>,
}

/// An empty batch. `cache` may be NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_batch_new(
    domain: Option<&Domain>,
    ring: Option<&Ring>,
    cache: Option<&KeyCache>,
    batch: *mut *mut SealBatch,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let shared = Shared::new(domain, ring, cache)?;
        let out = Out::new("batch", batch)?;
        out.handle(SealBatch { shared, waiting: Vec::new(), reports: Vec::new() });
        Ok(())
    })
}

/// Adds a seal, as for `dualseal_verify_seal`: `seal_key` may be NULL with `DUALSEAL_SEAL_POLICY_LAYER_B`, and
/// `located` may be NULL. The batch keeps a copy of the payload until the seal has its report.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_batch_push(
    batch: Option<&mut SealBatch>,
    seal: *const c_char,
    payload: *const u8,
    payload_len: usize,
    identity_id: *const c_char,
    policy: SealPolicyValue,
    seal_key: Option<&SealKey>,
    located: Option<&Located>,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let batch = required("batch", batch)?;
        let (seal, identity_id) = claim(seal, identity_id)?;
        let payload = bytes("payload", payload, payload_len)?.to_vec();
        let asked = match (self::policy(policy, seal_key)?, seal_key) {
            (Policy::Both(_), Some(key)) => Asked::Both(Arc::clone(&key.0)),
            _ => Asked::LayerB,
        };
        let at = located.map(|located| located.0.clone());
        batch.waiting.push(Waiting { seal, payload, identity_id, asked, legacy: Legacy::Refused, at });
        Ok(())
    })
}

/// Adds a seal of which layer A alone is checked, as for `dualseal_authenticate_seal`. The batch keeps a copy of the
/// payload until then. **That is not Valid**: the outcome is read with `dualseal_seal_batch_authentication`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_batch_push_authentication(
    batch: Option<&mut SealBatch>,
    seal: *const c_char,
    payload: *const u8,
    payload_len: usize,
    identity_id: *const c_char,
    seal_key: Option<&SealKey>,
    legacy_permitted: i32,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let batch = required("batch", batch)?;
        let (seal, identity_id) = claim(seal, identity_id)?;
        let payload = bytes("payload", payload, payload_len)?.to_vec();
        let asked = Asked::LayerA(Arc::clone(&required("seal_key", seal_key)?.0));
        let legacy = legacy(legacy_permitted)?;
        batch.waiting.push(Waiting { seal, payload, identity_id, asked, legacy, at: None });
        Ok(())
    })
}

/// Checks the items that were added since the last run, on as many threads as `dualseal_signature_batch_run`. `told`
/// and `user` may be NULL. 0 says that all have a report, and nothing of what it says.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_batch_run(
    batch: Option<&mut SealBatch>,
    threads: usize,
    told: Told,
    user: *mut c_void,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let SealBatch { shared, waiting, reports } = required("batch", batch)?;
        let threads = on(threads)?;
        let waiting = std::mem::take(waiting);
        let items = waiting.iter().map(|item| SealItem {
            seal: &item.seal,
            payload: &item.payload,
            identity_id: &item.identity_id,
            policy: item.asked.policy(),
            legacy: item.legacy,
            at: item.at.as_ref(),
        });
        let verifier = SealVerifier::new(&shared.domain, &shared.ring, keys(shared.cache.as_ref()));
        reports.extend(batch::verify_seals(&verifier, items.collect(), threads, &mut telling(told, user)));
        Ok(())
    })
}

fn report_at(batch: Option<&SealBatch>, position: usize) -> Result<&seal::SealReport, Failure> {
    required("batch", batch)?.reports.get(position).ok_or_else(|| Failure::out_of_range("position"))
}

fn conclude(found: &seal::SealReport, out: *mut *mut SealReport) -> StatusValue {
    let report = SealReport(found.clone());
    let status = report.status();
    if let Some(out) = Out::optional(out) {
        out.handle(report);
    }
    status
}

/// The verdict on the seal that was added at this position, from 0, as the status: only 0 is Valid. `report` may be
/// NULL. `DUALSEAL_STATUS_RANGE` for a seal that has none yet, and `DUALSEAL_STATUS_NO_VERDICT` for one that was added
/// with `dualseal_seal_batch_push_authentication`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_batch_report(
    batch: Option<&SealBatch>,
    position: usize,
    report: *mut *mut SealReport,
    error: *mut *mut Failure,
) -> StatusValue {
    guard_verdict(error, || {
        let found = report_at(batch, position)?;
        // Whoever reads 0 here takes it for Valid.
        if matches!(found.conclusion, Conclusion::Verdict(_)) {
            Ok(conclude(found, report))
        } else {
            Err(Failure::no_verdict())
        }
    })
}

/// Whether layer A holds of the seal that was added with `dualseal_seal_batch_push_authentication` at this position,
/// from 0, as the status of `dualseal_authenticate_seal`: **0 is not Valid**. `report` may be NULL.
/// `DUALSEAL_STATUS_RANGE` for a seal that has none yet, and for one that was added with `dualseal_seal_batch_push`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_batch_authentication(
    batch: Option<&SealBatch>,
    position: usize,
    report: *mut *mut SealReport,
    error: *mut *mut Failure,
) -> StatusValue {
    guard_verdict(error, || {
        let found = report_at(batch, position)?;
        if matches!(found.conclusion, Conclusion::Verdict(_)) {
            Err(Failure::out_of_range("position"))
        } else {
            Ok(conclude(found, report))
        }
    })
}

/// Frees a batch. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_batch_free(batch: Option<Box<SealBatch>>) {
    release(|| drop(batch));
}
