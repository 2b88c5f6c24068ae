//! Vault records verified, and what a report says of each layer.

use crate::agreement::Located;
use crate::args::{Out, required};
use crate::cache::{KeyCache, keys};
use crate::domain::Domain;
use crate::failure::{Failure, guard, guard_verdict, release};
use crate::ledger_head::LedgerHead;
use crate::ring::Ring;
use crate::status::StatusValue;
use crate::stored_hash::StoredHash;
use crate::vault_policy::{Policy, VaultPolicy};
use crate::vault_record::VaultRecord;
use crate::verdict::Verdict;
use dualseal_core::Verified;
use dualseal_core::vault::{self, Erasable, Evidence, Layer, OperatorRecord, VaultVerifier};
use std::ffi::c_char;
use std::sync::Arc;

/// The outcome of a layer, as an output: a member of [`Outcome`].
pub type OutcomeValue = i32;

/// The outcome of a layer of a vault record. 0 is none of them.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It holds.
    Pass = 1,
    /// It does not.
    Fail = 2,
    /// It is there for people to read, and nothing can be checked.
    Recorded = 3,
    /// What would be needed was not given.
    NotChecked = 4,
    /// The record's tier has no such layer.
    NotRequired = 5,
}

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

/// Verifies a record against the hash of its stored bytes, which the caller computed from the bytes at hand; nothing is
/// decrypted. The status is the verdict, and only 0 is Valid. `cache` may be NULL. `located` is the proven place of the
/// record's entry in the chain, without which L6 and L8 are at best consistent, and may be NULL. `after` is the head of
/// the ledger before this record (`dualseal_vault_record_ledger_head` of the one before), and may be NULL. `report` may
/// be NULL; else it is set with each of the five verdicts.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_verify_vault_record(
    domain: Option<&Domain>,
    ring: Option<&Ring>,
    cache: Option<&KeyCache>,
    policy: Option<&VaultPolicy>,
    record: Option<&VaultRecord>,
    stored_hash: Option<&StoredHash>,
    located: Option<&Located>,
    after: Option<&LedgerHead>,
    report: *mut *mut VaultReport,
    error: *mut *mut Failure,
) -> StatusValue {
    guard_verdict(error, || {
        let (domain, ring) = (required("domain", domain)?, required("ring", ring)?);
        let (policy, record) = (required("policy", policy)?, required("record", record)?.0.duplicate());
        let stored = &required("stored_hash", stored_hash)?.0;
        let evidence = Evidence { at: located.map(|located| &located.0), after: after.map(|after| &after.0) };
        let verifier = VaultVerifier::new(&domain.0, &ring.0, keys(cache));
        let reported = match policy.0.policy()? {
            Policy::Public(policy) => Reported::Public(verifier.verify(record, stored, &policy, evidence)),
            Policy::Operator(policy) => Reported::Operator(verifier.verify(record, stored, &policy, evidence)),
        };
        Ok(conclude(reported, report))
    })
}

fn layer(number: u32) -> Result<Layer, Failure> {
    let found = usize::try_from(number).ok().and_then(|number| Layer::ALL.get(number));
    found.copied().ok_or_else(|| Failure::out_of_range("layer"))
}

/// What came of layer 0 to 8. The reasons are in the JSON.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_report_outcome(
    report: Option<&VaultReport>,
    layer: u32,
    outcome: *mut OutcomeValue,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (report, layer) = (required("report", report)?, self::layer(layer)?);
        let out = Out::new("outcome", outcome)?;
        let found = on_report!(&*report.0, report => report.outcome(layer));
        out.set(match found {
            vault::Outcome::Pass => Outcome::Pass,
            vault::Outcome::Fail(_) => Outcome::Fail,
            vault::Outcome::Recorded => Outcome::Recorded,
            vault::Outcome::NotChecked(_) => Outcome::NotChecked,
            vault::Outcome::NotRequired => Outcome::NotRequired,
        } as OutcomeValue);
        Ok(())
    })
}

/// The number of the first layer that failed, in the order L0, L2 to L8; -1 for none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_report_failed(
    report: Option<&VaultReport>,
    failed: *mut i32,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (report, out) = (required("report", report)?, Out::new("failed", failed)?);
        let found = on_report!(&*report.0, report => report.failed());
        let number = found.and_then(|failed| (0..).zip(Layer::ALL).find(|(_, layer)| *layer == failed));
        out.set(number.map_or(-1, |(number, _)| number));
        Ok(())
    })
}

fn told(report: Option<&VaultReport>, out: *mut *mut c_char, form: fn(&Reported) -> String) -> Result<(), Failure> {
    let report = required("report", report)?;
    Out::new("report_json", out)?.text(&form(&report.0));
    Ok(())
}

/// The report for the operator, as JSON: every layer with its reason, and decoys unmasked.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_report_internal(
    report: Option<&VaultReport>,
    report_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || told(report, report_json, |report| on_report!(report, report => report.to_json())))
}

/// The report for everybody else, as JSON: a decoy reads as valid, and a refusal shows neither layers nor reason. A
/// courtesy, not evidence.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_report_public(
    report: Option<&VaultReport>,
    report_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || told(report, report_json, |report| on_report!(report, report => report.to_public_json())))
}

/// A new handle on the verdict.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_report_verdict(
    report: Option<&VaultReport>,
    verdict: *mut *mut Verdict,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (report, out) = (required("report", report)?, Out::new("verdict", verdict)?);
        out.handle(on_report!(&*report.0, report => Verdict::of(report.verdict())));
        Ok(())
    })
}

/// A new handle on the proof that the record was verified; `DUALSEAL_STATUS_NOT_VERIFIED` unless the report is Valid.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_report_verified(
    report: Option<&VaultReport>,
    verified: *mut *mut VerifiedRecord,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (report, out) = (required("report", report)?, Out::new("verified", verified)?);
        let proof = VerifiedRecord(Arc::clone(&report.0));
        on_report!(&*proof.0, report => verified_by(report).map(drop))?;
        out.handle(proof);
        Ok(())
    })
}

/// Frees a report. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_report_free(report: Option<Box<VaultReport>>) {
    release(|| drop(report));
}

/// A record whose verification was Valid. Only a report gives one. Never changes; threads may share it.
#[derive(Debug)]
pub struct VerifiedRecord(pub(crate) Arc<Reported>);

/// What is Valid in a report.
pub(crate) fn verified_by<T>(report: &vault::VaultReport<T>) -> Result<&Verified<T>, Failure> {
    match report.verdict() {
        dualseal_core::Verdict::Valid(verified) => Ok(verified),
        _ => Err(Failure::not_verified("is not Valid")),
    }
}

impl Reported {
    /// The proof that unsealing needs.
    pub(crate) fn operator(&self) -> Result<&Verified<OperatorRecord>, Failure> {
        match self {
            Self::Operator(report) => verified_by(report),
            Self::Public(_) => Err(Failure::not_verified("is not under the operator's policy")),
        }
    }

    /// The proof that erasing needs, which a revoked key does not take away.
    pub(crate) fn erasable(&self) -> Result<&Erasable, Failure> {
        match self {
            Self::Operator(report) => {
                report.erasable().ok_or_else(|| Failure::not_verified("does not let it be erased"))
            }
            Self::Public(_) => Err(Failure::not_verified("is not under the operator's policy")),
        }
    }
}

/// Frees a proof. NULL is ignored. Unsealers that were begun with it stay good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_verified_record_free(verified: Option<Box<VerifiedRecord>>) {
    release(|| drop(verified));
}
