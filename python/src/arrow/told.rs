//! What is told of a row.

use arrow_array::types::Int8Type;
use arrow_array::{ArrayRef, DictionaryArray, Int8Array, StringArray, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field};
use dualseal::verdict::InvalidReason;
use dualseal::{Error, Verdict, VerdictKind};
use std::sync::Arc;

/// The values of the column `verdict`: kinds of verdicts, and what there is where no key was asked or nothing read.
const VERDICTS: [&str; 8] =
    ["valid", "invalid", "revoked", "suspended", "decoy", "malformed", "authenticated", "not-authenticated"];

/// What a row is found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Verdict(VerdictKind),
    Malformed,
    Authenticated,
    NotAuthenticated,
}

impl Kind {
    fn key(self) -> i8 {
        match self {
            Self::Verdict(VerdictKind::Valid) => 0,
            Self::Verdict(VerdictKind::Invalid) => 1,
            Self::Verdict(VerdictKind::Revoked) => 2,
            Self::Verdict(VerdictKind::Suspended) => 3,
            Self::Verdict(VerdictKind::Decoy) => 4,
            Self::Malformed => 5,
            Self::Authenticated => 6,
            Self::NotAuthenticated => 7,
        }
    }
}

/// Why a row has no verdict: it names the column.
#[derive(Debug)]
pub(super) struct Fault(String);

impl Fault {
    pub(super) fn of(column: &str, what: &str) -> Self {
        Self(format!("{column}: {what}"))
    }

    pub(super) fn error(column: &str, error: &Error) -> Self {
        Self::of(column, &error.to_string())
    }

    pub(super) fn into_text(self) -> String {
        self.0
    }
}

/// A row of the result of a verification.
#[derive(Clone)]
pub(super) struct Told {
    kind: Kind,
    reason: Option<String>,
    error: Option<String>,
    /// The number of entries of the log as of which it is told.
    as_of: Option<u64>,
}

impl Told {
    pub(super) fn of(kind: Kind) -> Self {
        Self { kind, reason: None, error: None, as_of: None }
    }

    pub(super) fn verdict<T>(verdict: &Verdict<T>) -> Self {
        match verdict {
            Verdict::Invalid(rejection) => Self::invalid(rejection.reason()),
            _ => Self::of(Kind::Verdict(verdict.kind())),
        }
    }

    pub(super) fn invalid(reason: InvalidReason) -> Self {
        Self { reason: Some(reason.as_str().to_owned()), ..Self::of(Kind::Verdict(VerdictKind::Invalid)) }
    }

    pub(super) fn seen_at(self, size: Option<u64>) -> Self {
        Self { as_of: size, ..self }
    }

    pub(super) fn malformed(fault: Fault) -> Self {
        Self { error: Some(fault.into_text()), ..Self::of(Kind::Malformed) }
    }

    /// Evidence that does not hold is invalid, and what is none at all malformed.
    pub(super) fn refused(column: &str, error: &Error) -> Self {
        match error {
            Error::Rejected(_) => {
                let kind = Kind::Verdict(VerdictKind::Invalid);
                Self { reason: Some(error.row().name.to_owned()), error: Some(error.to_string()), ..Self::of(kind) }
            }
            _ => Self::malformed(Fault::error(column, error)),
        }
    }

    pub(super) fn is_invalid(&self) -> bool {
        self.kind == Kind::Verdict(VerdictKind::Invalid)
    }

    /// Whether the signature held, by a key that is retired.
    pub(super) fn is_of_retired_key(&self) -> bool {
        self.reason.as_deref() == Some(InvalidReason::RetiredKey.as_str())
    }
}

/// The fields of a verification's result.
pub(super) fn fields(as_of: bool) -> Vec<Field> {
    let dictionary = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8));
    let mut fields = vec![
        Field::new("verdict", dictionary, false),
        Field::new("reason", DataType::Utf8, true),
        Field::new("error", DataType::Utf8, true),
    ];
    if as_of {
        fields.push(Field::new("as_of", DataType::UInt64, true));
    }
    fields
}

/// The columns of a verification's result.
pub(super) fn arrays(told: &[Told], as_of: bool) -> Result<Vec<ArrayRef>, ArrowError> {
    let keys = told.iter().map(|told| told.kind.key()).collect::<Int8Array>();
    let verdicts = DictionaryArray::<Int8Type>::try_new(keys, Arc::new(StringArray::from(VERDICTS.to_vec())))?;
    let text = |text: fn(&Told) -> Option<&str>| Arc::new(told.iter().map(text).collect::<StringArray>());
    let mut arrays: Vec<ArrayRef> =
        vec![Arc::new(verdicts), text(|told| told.reason.as_deref()), text(|told| told.error.as_deref())];
    if as_of {
        arrays.push(Arc::new(told.iter().map(|told| told.as_of).collect::<UInt64Array>()));
    }
    Ok(arrays)
}

/// What is told of each row: of one that was read what it is in turn, of another why it was not.
pub(super) fn among<R>(read: &[Result<R, Told>], told: impl Iterator<Item = Told>) -> Vec<Told> {
    let mut told = told;
    let each = |read: &Result<R, Told>| match read {
        Ok(_) => told.next(),
        Err(fault) => Some(fault.clone()),
    };
    read.iter().filter_map(each).collect()
}
