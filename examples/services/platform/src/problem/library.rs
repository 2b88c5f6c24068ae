//! The library's and the operator's errors as problems.

use super::{Problem, kinds};
use dualseal::Error;
use dualseal::error::{Family, Misuse};
use dualseal_operator::own::Unfit;
use dualseal_operator::secrets::SecretFault;
use dualseal_operator::step::StepError;

/// What is malformed or does not hold is the sender's: a field of his. A misuse or a generator that failed is ours.
impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match (&error, error.row().family) {
            (Error::Malformed(malformed), _) => {
                let pointer = match malformed.index {
                    Some(index) => format!("/{}/{index}", malformed.field),
                    None => format!("/{}", malformed.field),
                };
                Self::invalid(pointer, error.row().name, error.to_string())
            }
            (_, Family::Rejected) => Self::invalid("", error.row().name, error.to_string()),
            (Error::Misuse(Misuse::UnknownIdentity), _) => Self::new(&kinds::UNKNOWN_ID),
            _ => Self::internal("library", &error),
        }
    }
}

impl From<StepError> for Problem {
    fn from(error: StepError) -> Self {
        match error {
            StepError::Dualseal(error) => error.into(),
            StepError::TooLong => Self::invalid("", error.name(), error.to_string()),
            StepError::StaleLedger(_) => Self::new(&kinds::CONFLICT).detail(error.to_string()),
            error => Self::internal("step", &error),
        }
    }
}

/// The state of a key, to whoever asked it to sign. A decoy is told from nothing here: its caller never gets this far.
impl From<Unfit> for Problem {
    fn from(unfit: Unfit) -> Self {
        match unfit.name() {
            "key-suspended" => Self::new(&kinds::KEY_SUSPENDED),
            "key-not-current" => Self::new(&kinds::UNKNOWN_ID),
            _ => Self::new(&kinds::KEY_REVOKED),
        }
    }
}

impl From<SecretFault> for Problem {
    fn from(fault: SecretFault) -> Self {
        Self::internal("secrets", &fault)
    }
}
