//! Verdicts: what a verification concluded, in full.

use crate::args::{Out, required};
use crate::call_error::CallError;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::status::StatusValue;
use dualseal_core::verdict::{AsOf, DecoyTicket};
use dualseal_core::{Located, PublicResult, VerificationResult};
use std::ffi::c_char;
use std::ptr;

/// Who is told of a verification, as an argument: a member of [`Audience`].
pub type AudienceValue = i32;

/// Who is told of a verification. 0 is none of them.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The operator: decoys are unmasked, and an invalid record has its reason.
    Operator = 1,
    /// Everybody else: a decoy reads as valid, and an invalid record has no reason. A courtesy, not evidence.
    Everybody = 2,
}

/// Which of the two forms an audience gets.
pub(crate) fn for_audience<T>(
    audience: AudienceValue,
    operator: impl FnOnce() -> T,
    everybody: impl FnOnce() -> T,
) -> Result<T, CallError> {
    if audience == Audience::Operator as AudienceValue {
        Ok(operator())
    } else if audience == Audience::Everybody as AudienceValue {
        Ok(everybody())
    } else {
        Err(CallError::unknown_value("audience"))
    }
}

/// What a verification concluded. Never changes; threads may share it.
#[derive(Debug)]
pub struct Verdict {
    internal: VerificationResult,
    public: PublicResult,
    decoy: Option<DecoyTicket>,
    dates: Option<Dates>,
}

/// The dates of a verdict on a record at a proven place, as the two audiences are told them.
#[derive(Clone, Debug)]
pub(crate) struct Dates {
    internal: String,
    public: String,
}

impl Dates {
    /// Those of a record that has a place.
    pub(crate) fn of<T>(as_of: &AsOf<T>, place: Option<&Located>) -> Option<Self> {
        place.map(|_| Self { internal: as_of.to_json(), public: as_of.to_public_json() })
    }
}

impl Verdict {
    /// What is told of a verdict, whatever kind of record it is about.
    pub(crate) fn of<T>(verdict: &dualseal_core::Verdict<T>) -> Self {
        Self::dated(verdict, None)
    }

    /// The same with its dates.
    pub(crate) fn dated<T>(verdict: &dualseal_core::Verdict<T>, dates: Option<Dates>) -> Self {
        let decoy = match verdict {
            dualseal_core::Verdict::Decoy(ticket) => Some(ticket.clone()),
            _ => None,
        };
        Self { internal: verdict.internal(), public: verdict.public(), decoy, dates }
    }

    /// What is left of a record that a decoy key signed.
    pub(crate) fn ticket(&self) -> Result<&DecoyTicket, CallError> {
        self.decoy.as_ref().ok_or_else(CallError::not_a_decoy)
    }
}

/// What an audience is told, as JSON. `as_of_json` is the verdict with its dates, of a signature or a seal that was
/// verified at a proven place: `{claimed, failed, opozvan_od, place, result, revoked_now, revoked_then, size}`. The
/// verdict follows the state of the key as of that `size`; the dates tell whether the record stands before a revocation
/// (`revoked_now`), within a revoked interval (`revoked_then`), and at or after the place from which the key is said to
/// be compromised (`claimed`). It is set to NULL where there was no place. Each may be NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_verdict_to_json(
    verdict: *const Verdict,
    audience: AudienceValue,
    result_json: *mut *mut c_char,
    as_of_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let Verdict { internal, public, dates, .. } = required("verdict", verdict)?;
        let result = for_audience(audience, || internal.to_json(), || public.to_json())?;
        let dates = dates.as_ref();
        let dates = for_audience(audience, || dates.map(|of| &of.internal), || dates.map(|of| &of.public))?;
        if let Some(out) = Out::optional(result_json) {
            out.text(&result);
        }
        if let Some(out) = Out::optional(as_of_json) {
            match dates {
                Some(dates) => out.text(dates),
                None => out.set(ptr::null_mut()),
            }
        }
        Ok(())
    })
}

/// Frees a verdict. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_verdict_free(verdict: *mut Verdict) {
    release(|| give_back(verdict));
}
