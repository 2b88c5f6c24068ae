//! Reports on seals: each layer's outcome, and what they come to.

use crate::args::{Out, required};
use crate::call_error::CallError;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::status::{Status, StatusValue};
use crate::verdict::{AudienceValue, Dates, Verdict, for_audience};
use dualseal_core::seal::{self, Conclusion};
use std::ffi::c_char;

/// The outcome of a check of a seal. Never changes; threads may share it.
#[derive(Debug)]
pub struct SealReport {
    report: seal::SealReport,
    dates: Option<Dates>,
}

impl SealReport {
    pub(crate) fn new(report: seal::SealReport, dates: Option<Dates>) -> Self {
        Self { report, dates }
    }

    /// The verdict's number; under layer A alone, whether it holds.
    fn status(&self) -> StatusValue {
        match &self.report.conclusion {
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

/// The outcome of each layer, the HMAC (A) and the signature (B), of which one that holds is not yet a verdict; and a
/// new handle on the verdict, `DUALSEAL_STATUS_NO_VERDICT` where layer A alone was checked, which gives none. Whoever
/// wants only some of them gives NULL for the others.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_report_parts(
    report: *const SealReport,
    layer_a: *mut LayerOutcomeValue,
    layer_b: *mut LayerOutcomeValue,
    verdict: *mut *mut Verdict,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let SealReport { report, dates } = required("report", report)?;
        if let Some(out) = Out::optional(verdict) {
            let Conclusion::Verdict(verdict) = &report.conclusion else {
                return Err(CallError::no_verdict());
            };
            out.handle(Verdict::dated(verdict, dates.clone()));
        }
        for (place, layer) in [(layer_a, report.layer_a), (layer_b, report.layer_b)] {
            if let Some(out) = Out::optional(place) {
                out.set(outcome(layer));
            }
        }
        Ok(())
    })
}

/// The pair that an audience is told, as JSON, such as `[false,"decoy"]`; for everybody a decoy reads as `[true,"ok"]`,
/// which is a courtesy, not evidence.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_report_to_json(
    report: *const SealReport,
    audience: AudienceValue,
    pair_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let report = &required("report", report)?.report;
        let pair = for_audience(audience, || report.internal(), || report.public())?;
        Out::new("pair_json", pair_json)?.text(&pair.to_json());
        Ok(())
    })
}

/// Frees a report. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_report_free(report: *mut SealReport) {
    release(|| give_back(report));
}
