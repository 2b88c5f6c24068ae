//! Reports on seals: each layer's outcome, and what they come to.

use crate::args::{Out, required};
use crate::call_error::CallError;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::status::{Status, StatusValue};
use crate::verdict::Verdict;
use dualseal_core::seal::{self, Conclusion};
use std::ffi::c_char;

/// The outcome of a check of a seal. Never changes; threads may share it.
#[derive(Debug)]
pub struct SealReport(pub(crate) seal::SealReport);

impl SealReport {
    /// The verdict's number; under layer A alone, whether it holds.
    fn status(&self) -> StatusValue {
        match &self.0.conclusion {
            Conclusion::Verdict(verdict) => verdict.kind().code().into(),
            Conclusion::Authenticated(_) => Status::Authenticated as StatusValue,
            Conclusion::NotAuthenticated => Status::Invalid as StatusValue,
        }
    }

    /// Sets an output `report`, which may be NULL, and gives the status.
    pub(crate) fn hand_over(self, report: *mut *mut Self) -> StatusValue {
        let status = self.status();
        if let Some(out) = Out::optional(report) {
            out.handle(self);
        }
        status
    }
}

/// The outcome of one layer, as an output: a member of [`LayerOutcome`].
pub type LayerOutcomeValue = i32;

/// The outcome of one layer of a seal. 0 is none of them.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerOutcome {
    /// It holds.
    Pass = 1,
    /// It does not.
    Fail = 2,
    /// It was not asked for.
    NotChecked = 3,
    /// The seal does not have it.
    Absent = 4,
}

fn outcome(outcome: seal::LayerOutcome) -> LayerOutcomeValue {
    let outcome = match outcome {
        seal::LayerOutcome::Pass => LayerOutcome::Pass,
        seal::LayerOutcome::Fail => LayerOutcome::Fail,
        seal::LayerOutcome::NotChecked => LayerOutcome::NotChecked,
        seal::LayerOutcome::Absent => LayerOutcome::Absent,
    };
    outcome as LayerOutcomeValue
}

/// The outcome of each layer: the HMAC (A) and the signature (B). One that holds is not yet a verdict.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_report_layers(
    report: *const SealReport,
    layer_a: *mut LayerOutcomeValue,
    layer_b: *mut LayerOutcomeValue,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let report = required("report", report)?;
        let (layer_a, layer_b) = (Out::new("layer_a", layer_a)?, Out::new("layer_b", layer_b)?);
        layer_a.set(outcome(report.0.layer_a));
        layer_b.set(outcome(report.0.layer_b));
        Ok(())
    })
}

/// A new handle on the verdict; `DUALSEAL_STATUS_NO_VERDICT` where layer A alone was checked, which gives none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_report_verdict(
    report: *const SealReport,
    verdict: *mut *mut Verdict,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (report, out) = (required("report", report)?, Out::new("verdict", verdict)?);
        let Conclusion::Verdict(verdict) = &report.0.conclusion else {
            return Err(CallError::no_verdict());
        };
        out.handle(Verdict::of(verdict));
        Ok(())
    })
}

/// The pair that the operator is told, as JSON, such as `[false,"decoy"]`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_report_to_json(
    report: *const SealReport,
    pair_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || pair(report, pair_json, seal::SealReport::internal))
}

/// The pair that everybody else is told, as JSON: a decoy reads as `[true,"ok"]`. A courtesy, not evidence.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_report_to_public_json(
    report: *const SealReport,
    pair_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || pair(report, pair_json, seal::SealReport::public))
}

fn pair(
    report: *const SealReport,
    pair_json: *mut *mut c_char,
    form: fn(&seal::SealReport) -> seal::SealOutcome,
) -> Result<(), CallError> {
    let report = required("report", report)?;
    Out::new("pair_json", pair_json)?.text(&form(&report.0).to_json());
    Ok(())
}

/// Frees a report. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_report_free(report: *mut SealReport) {
    release(|| give_back(report));
}
