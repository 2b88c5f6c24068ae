//! Errors as C sees them.

use crate::status::{Status, StatusValue};
use dualseal_core::error::{ChainFault, Error, Evidence, FaultPlace};
use dualseal_core::threshold::QuorumRefusal;
use dualseal_core::vault::IoError;
use std::ffi::{CStr, CString};
use std::fmt::Display;
use std::io;

/// What went wrong in one call. Holds no secret.
#[derive(Debug)]
pub struct CallError {
    status: StatusValue,
    message: CString,
    field: Option<CString>,
    index: Option<u64>,
    faults_json: CString,
    result_json: Option<CString>,
    os_error: i32,
}

impl CallError {
    fn new(status: StatusValue, field: Option<&str>, index: Option<u64>, message: &str) -> Self {
        // Fields are names of this library; what a message quotes from an input is escaped. So none has a NUL.
        let c = |text: &str| CString::new(text).unwrap_or_default();
        let (message, field) = (c(message), field.map(c));
        let faults_json = c(r#"{"culprits":[],"foreign":[]}"#);
        Self { status, message, field, index, faults_json, result_json: None, os_error: 0 }
    }

    fn about(status: Status, field: &'static str, index: Option<u64>, what: &str) -> Self {
        Self::new(status as StatusValue, Some(field), index, &format!("{field}: {what}"))
    }

    pub(crate) fn null(argument: &'static str) -> Self {
        Self::about(Status::NullArgument, argument, None, "is NULL")
    }

    pub(crate) fn wrong_handle(argument: &'static str) -> Self {
        Self::about(Status::WrongHandle, argument, None, "is no handle of its type, or was freed")
    }

    pub(crate) fn utf8(argument: &'static str, valid_up_to: usize) -> Self {
        Self::about(Status::Utf8, argument, u64::try_from(valid_up_to).ok(), "is not UTF-8")
    }

    pub(crate) fn buffer(argument: &'static str, expected: impl Display, found: usize) -> Self {
        let what = format!("the buffer must have length {expected}, has {found}");
        Self::about(Status::BufferLength, argument, None, &what)
    }

    pub(crate) fn unknown_value(argument: &'static str) -> Self {
        Self::about(Status::UnknownValue, argument, None, "has none of the known values")
    }

    pub(crate) fn no_seed() -> Self {
        Self::about(Status::NoSeed, "key", None, "was read in the expanded form and has no seed")
    }

    pub(crate) fn not_a_decoy() -> Self {
        Self::about(Status::NotADecoy, "verdict", None, "is not one about a decoy key")
    }

    pub(crate) fn not_located() -> Self {
        Self::about(Status::NotLocated, "krunica_hash", None, "is not among the entries that were located")
    }

    pub(crate) fn no_verdict() -> Self {
        Self::about(Status::NoVerdict, "report", None, "is about layer A alone, which gives no verdict")
    }

    pub(crate) fn not_verified(what: &str) -> Self {
        Self::about(Status::NotVerified, "report", None, what)
    }

    pub(crate) fn not_shown(argument: &'static str) -> Self {
        Self::about(Status::NotVerified, argument, None, "was not verified to its end with a verdict")
    }

    pub(crate) fn key_kept() -> Self {
        Self::about(Status::KeyKept, "work", None, "kept the key beyond the call that it was lent to")
    }

    pub(crate) fn out_of_range(argument: &'static str, value: Option<u64>) -> Self {
        Self::about(Status::Range, argument, value, "is out of range")
    }

    /// What the system said of the file that an argument names. It says nothing of what is in the file.
    pub(crate) fn file(status: Status, argument: &'static str, error: &io::Error) -> Self {
        let failure = Self::about(status, argument, None, &error.to_string());
        Self { os_error: error.raw_os_error().unwrap_or(0), ..failure }
    }

    /// What went wrong between the files that the arguments `source` and `target` name.
    pub(crate) fn between(error: IoError) -> Self {
        match error {
            IoError::Read(error) => Self::file(Status::FileRead, "source", &error),
            IoError::Write(error) => Self::file(Status::FileWrite, "target", &error),
            IoError::Dualseal(error) => error.into(),
        }
    }

    /// An error of what one argument holds. Where core says only what kind of thing that is, in words such as `seal
    /// key` and not by the name of a member, the field is the argument's name, which is all that a program in C knows.
    pub(crate) fn of(self, argument: &'static str) -> Self {
        let record = argument.strip_suffix("_json").unwrap_or(argument).as_bytes();
        let kind = |field: &CStr| field == c"json" || field.to_bytes() == record || field.to_bytes().contains(&b' ');
        let general = self.field.as_deref().is_some_and(kind);
        if general { Self { field: CString::new(argument).ok(), ..self } } else { self }
    }

    /// The item of a list that was wrong, whatever place within it the failure is about.
    pub(crate) fn at(self, position: u64) -> Self {
        Self { index: Some(position), ..self }
    }

    /// Without the panic's own message, which might quote what it was about.
    pub(crate) fn panic() -> Self {
        let message = "the library panicked, which is a defect of it; free this call's handles and use them no more";
        Self::new(Status::Panic as StatusValue, None, None, message)
    }
}

impl CallError {
    pub(crate) fn status(&self) -> StatusValue {
        self.status
    }

    pub(crate) fn message(&self) -> &CStr {
        &self.message
    }

    pub(crate) fn field(&self) -> Option<&CStr> {
        self.field.as_deref()
    }

    pub(crate) fn index(&self) -> Option<u64> {
        self.index
    }

    pub(crate) fn faults_json(&self) -> &CStr {
        &self.faults_json
    }

    pub(crate) fn result_json(&self) -> Option<&CStr> {
        self.result_json.as_deref()
    }

    pub(crate) fn os_error(&self) -> i32 {
        self.os_error
    }
}

impl From<Error> for CallError {
    fn from(error: Error) -> Self {
        let Evidence { place: FaultPlace { field, index, .. }, culprits, foreign, .. } = error.evidence();
        let failure = Self::new(error.code().into(), field, index, &error.to_string());
        let faults = format!(r#"{{"culprits":{},"foreign":{}}}"#, indices(&culprits), indices(&foreign));
        // Names, numbers and commas have no NUL.
        Self { faults_json: CString::new(faults).unwrap_or_default(), ..failure }
    }
}

impl From<Box<QuorumRefusal>> for CallError {
    fn from(refusal: Box<QuorumRefusal>) -> Self {
        let QuorumRefusal { error, result } = *refusal;
        // JSON escapes a NUL.
        Self { result_json: CString::new(result.to_json()).ok(), ..error.into() }
    }
}

impl From<ChainFault> for CallError {
    fn from(fault: ChainFault) -> Self {
        Error::from(fault).into()
    }
}

/// Indices as a JSON array.
pub(crate) fn indices(indices: &[u8]) -> String {
    let digits: Vec<_> = indices.iter().map(u8::to_string).collect();
    format!("[{}]", digits.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_generator_has_its_status() {
        let failure = CallError::from(Error::Randomness);
        assert_eq!(failure.status, Status::Randomness as StatusValue);
        assert!(failure.field.is_none() && failure.index.is_none());
    }
}
