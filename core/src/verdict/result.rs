//! The two forms in which a verdict is told: to the operator, and to everybody else.

use super::Verdict;
use crate::encoding::json::{Raw, Writer};
use crate::encoding::record::{self, Form, Inner, record};
use crate::encoding::time::Timestamp;
use crate::error::{Error, Problem};
use crate::id::IdentityId;
use crate::key::{Algorithm, KeyState};
use alloc::string::{String, ToString};

/// What the operator is told: `{algoritam, bela_stanje, identity_id, razlog, timestamp, validan}`. It tells
/// decoys, so `serde` does not serialise it along with whatever holds it: its JSON is asked for.
///
/// It is an answer, not evidence: evidence is a record that is checked with this library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerificationResult {
    /// `validan`: `None` (`null`) when the key is suspended.
    pub valid: Option<bool>,
    /// The identity that the record names.
    pub identity_id: IdentityId,
    /// The algorithm that the record names.
    pub algorithm: Algorithm,
    /// The time that the record gives; `None` (`null`) for a bare seal, which has none.
    pub time: Option<Timestamp>,
    /// `bela_stanje`: `None` (`null`) when the record's key is not one of its identity.
    pub state: Option<KeyState>,
    /// `razlog`: `None` (`null`) when there is nothing to say.
    pub reason: Option<String>,
}

/// A verification result for everybody else, which `serde` serialises: the members are those of
/// [`VerificationResult`], and it can hold none that tells a decoy.
///
/// ```
/// use dualseal::verdict::{PublicResult, VerificationResult};
///
/// let text = format!(
///     r#"{{"algoritam":"ML-DSA-65","bela_stanje":"oboje","identity_id":"{}","razlog":"decoy","timestamp":null,
///         "validan":false}}"#,
///     "00".repeat(32),
/// );
/// assert!(VerificationResult::from_json(text.as_bytes()).is_ok());
/// assert!(PublicResult::from_json(text.as_bytes()).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicResult(VerificationResult);

impl<T> Verdict<T> {
    /// What the operator is told: a decoy is `validan: false`, `oboje`, `decoy`; an invalid record has its reason.
    #[must_use]
    pub fn internal(&self) -> VerificationResult {
        let (valid, reason) = match self {
            Self::Valid(_) => (Some(true), None),
            Self::Invalid(rejection) => (Some(false), Some(rejection.reason().as_str())),
            Self::Revoked(_) => (Some(false), Some("revoked")),
            Self::Decoy(_) => (Some(false), Some("decoy")),
            Self::Suspended(_) => (None, Some("suspended")),
        };
        self.result(valid, self.subject().state, reason)
    }

    /// What everybody else is told. A decoy equals a valid record in every field and length, every refusal has the same
    /// reason, and `oboje` reads `istina`. A courtesy, not evidence.
    #[must_use]
    pub fn public(&self) -> PublicResult {
        let (valid, reason) = match self {
            Self::Valid(_) | Self::Decoy(_) => (Some(true), None),
            Self::Invalid(_) | Self::Revoked(_) => (Some(false), Some("rejected")),
            Self::Suspended(_) => (None, Some("suspended")),
        };
        PublicResult(self.result(valid, self.subject().state.map(KeyState::public), reason))
    }

    fn result(&self, valid: Option<bool>, state: Option<KeyState>, reason: Option<&str>) -> VerificationResult {
        let subject = self.subject();
        VerificationResult {
            valid,
            identity_id: subject.identity_id,
            algorithm: subject.algorithm,
            time: subject.time,
            state,
            reason: reason.map(ToString::to_string),
        }
    }
}

impl VerificationResult {
    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }

    /// Reads the JSON.
    ///
    /// # Errors
    /// Names the member that is missing, unknown or of the wrong form.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }
}

impl PublicResult {
    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }

    /// Reads the JSON.
    ///
    /// # Errors
    /// As [`VerificationResult::from_json`]; [`Problem::UnknownValue`] of `bela_stanje` for the state of a decoy, and
    /// of `razlog` for a reason that the public is not told.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }
}

/// Its members.
impl AsRef<VerificationResult> for PublicResult {
    fn as_ref(&self) -> &VerificationResult {
        &self.0
    }
}

impl Form for PublicResult {
    type Value = Self;

    const INNER: Inner = VerificationResult::INNER;

    fn read(raw: Raw<'_>, field: &'static str) -> Result<Self, Error> {
        let result = VerificationResult::read(raw, field)?;
        if result.state == Some(KeyState::Decoy) {
            return Err(Error::malformed("bela_stanje", Problem::UnknownValue));
        }
        match (result.valid, result.reason.as_deref()) {
            (Some(true), None) | (Some(false), Some("rejected")) | (None, Some("suspended")) => Ok(Self(result)),
            _ => Err(Error::malformed("razlog", Problem::UnknownValue)),
        }
    }

    fn write(result: &Self, out: &mut Writer) {
        VerificationResult::write(&result.0, out);
    }
}

record! {
    |result: VerificationResult| "verification result" {
        "algoritam" algorithm: Algorithm,
        "bela_stanje" state: Option<KeyState>,
        "identity_id" identity_id: IdentityId,
        "razlog" reason: Option<String>,
        "timestamp" time: Option<Timestamp>,
        "validan" valid: Option<bool>,
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(PublicResult);
