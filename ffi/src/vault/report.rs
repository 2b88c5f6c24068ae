//! Vault records verified, and what a report says of each layer.

use crate::args::{Out, optional, required, text};
use crate::cache::{KeyCache, keys};
use crate::call_error::CallError;
use crate::domain::Domain;
use crate::guard::{guard, guard_verdict, release};
use crate::handle::give_back;
use crate::located::Located;
use crate::ring::Ring;
use crate::status::StatusValue;
use crate::vault::ledger_head::LedgerHead;
use crate::vault::policy::{Policy, VaultPolicy};
use crate::vault::record::record;
use crate::vault::stored_hash::StoredHash;
use crate::verdict::{AudienceValue, for_audience};
use dualseal_core::vault::{self, Erasable, OperatorRecord, Standing, VaultVerifier};
use dualseal_core::{IdentityId, Verified};
use std::ffi::c_char;
use std::sync::Arc;

/// A report under either policy.
#[derive(Debug)]
pub(crate) enum Reported {
    Public(vault::VaultReport<vault::VaultRecord>),
    Operator(vault::VaultReport<OperatorRecord>),
}

/// Does the same with a report under either policy.
macro_rules! on_report {
    ($report:expr, $name:pat => $body:expr) => {
        match $report {
            Reported::Public($name) => $body,
            Reported::Operator($name) => $body,
        }
    };
}

impl Reported {
    pub(crate) fn status(&self) -> StatusValue {
        on_report!(self, report => report.verdict().kind().code().into())
    }
}

/// What is Valid in a report.
pub(crate) fn verified_by<T>(report: &vault::VaultReport<T>) -> Result<&Verified<T>, CallError> {
    match report.verdict() {
        dualseal_core::Verdict::Valid(verified) => Ok(verified),
        _ => Err(CallError::not_verified("is not Valid")),
    }
}

impl Reported {
    /// The proof that unsealing needs.
    pub(crate) fn operator(&self) -> Result<&Verified<OperatorRecord>, CallError> {
        match self {
            Self::Operator(report) => verified_by(report),
            Self::Public(_) => Err(CallError::not_verified("is not under the operator's policy")),
        }
    }

    /// The proof that erasing needs, which a revoked key does not take away.
    pub(crate) fn erasable(&self) -> Result<&Erasable, CallError> {
        match self {
            Self::Operator(report) => {
                report.erasable().ok_or_else(|| CallError::not_verified("does not let it be erased"))
            }
            Self::Public(_) => Err(CallError::not_verified("is not under the operator's policy")),
        }
    }
}

/// What a verification says of a record. Never changes; threads may share it.
#[derive(Debug)]
pub struct VaultReport(pub(crate) Arc<Reported>);

/// Sets the output `report`, which may be NULL, and gives the verdict's number.
pub(crate) fn conclude(reported: Reported, out: *mut *mut VaultReport) -> StatusValue {
    let status = reported.status();
    if let Some(out) = Out::optional(out) {
        out.handle(VaultReport(Arc::new(reported)));
    }
    status
}

/// Verifies a record of the identity `identity_id` against the hash of its stored bytes, which the caller computed from
/// the bytes at hand; nothing is decrypted. Each identity of the ring can seal any document: whoever takes a record by
/// any of them reads the identity from it, and decides by that. The status is the verdict, and only 0 is Valid. `cache`
/// may be NULL. `place` is the proven place of the record's entry in the chain, without which L6 and L8 are at best
/// consistent, and may be NULL. `after` is the head of the ledger before this record
/// (`dualseal_vault_record_ledger_head` of the one before), and may be NULL. `report` may be NULL; else it is set with
/// each of the five verdicts.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_record_verify(
    domain: *const Domain,
    ring: *const Ring,
    cache: *const KeyCache,
    policy: *const VaultPolicy,
    record_json: *const c_char,
    record_json_len: usize,
    stored_hash: *const StoredHash,
    identity_id: *const c_char,
    place: *const Located,
    after: *const LedgerHead,
    report: *mut *mut VaultReport,
    error: *mut *mut CallError,
) -> StatusValue {
    guard_verdict(error, || {
        let (domain, ring) = (required("domain", domain)?, required("ring", ring)?);
        let (policy, record) = (required("policy", policy)?, record(record_json, record_json_len)?);
        let stored = &required("stored_hash", stored_hash)?.finished();
        let identity_id: IdentityId = text("identity_id", identity_id)?.parse()?;
        let standing = Standing {
            place: optional("place", place)?.map(|place| &place.0),
            after: optional("after", after)?.map(|after| &after.0),
        };
        let verifier = VaultVerifier::new(&domain.0, &ring.0, keys(optional("cache", cache)?));
        let reported = match policy.0.policy()? {
            Policy::Public(policy) => {
                Reported::Public(verifier.verify(record, stored, &identity_id, &policy, standing))
            }
            Policy::Operator(policy) => {
                Reported::Operator(verifier.verify(record, stored, &identity_id, &policy, standing))
            }
        };
        Ok(conclude(reported, report))
    })
}

/// What an audience is told, as JSON: the operator every layer with its reason, and decoys unmasked; everybody else a
/// decoy as valid, and of a refusal neither layers nor reason, which is a courtesy, not evidence.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_report_to_json(
    report: *const VaultReport,
    audience: AudienceValue,
    report_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let report = &*required("report", report)?.0;
        let (operator, everybody) = (
            || on_report!(report, report => report.to_json()),
            || on_report!(report, report => report.to_public_json()),
        );
        let told = for_audience(audience, operator, everybody)?;
        Out::new("report_json", report_json)?.text(&told);
        Ok(())
    })
}

/// Frees a report. NULL is ignored. Unsealers that were begun with it stay good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_report_free(report: *mut VaultReport) {
    release(|| give_back(report));
}
