//! What an operator is refused, as exceptions. The classes are Python source (`dualseal.operator`).

use crate::failure::Raised;
use dualseal_operator::folder::FolderError;
use dualseal_operator::opening::Refused;
use dualseal_operator::secrets::SecretFault;
use dualseal_operator::step::{Commit, StepError};
use pyo3::prelude::*;

impl From<StepError> for Raised {
    fn from(error: StepError) -> Self {
        match error {
            StepError::Dualseal(error) => error.into(),
            error => exception("StepError", error.name(), &error.to_string(), error.advice()).into(),
        }
    }
}

impl From<SecretFault> for Raised {
    fn from(fault: SecretFault) -> Self {
        let name = match &fault {
            SecretFault::OtherMaster { .. } => "other-master",
            SecretFault::OtherKey => "other-key",
            SecretFault::Damaged { .. } => "damaged",
            SecretFault::Cut { .. } => "cut",
            SecretFault::ForeignVersion { .. } => "foreign-version",
            SecretFault::NoSecret => "no-secret",
            SecretFault::SameKey => "same-key",
            SecretFault::Library(error) => return error.clone().into(),
            _ => "unknown",
        };
        exception("SecretError", name, &fault.to_string(), fault.hint()).into()
    }
}

impl From<Refused> for Raised {
    fn from(refused: Refused) -> Self {
        let raised = exception("RefusedError", refused.name(), &refused.to_string(), refused.advice());
        let cause: Option<Self> = match refused {
            Refused::StateUnreadable(error) | Refused::RingUnreadable(error) | Refused::MarkUnreadable(error) => {
                Some(error.into())
            }
            Refused::Step(error) => Some(error.into()),
            _ => None,
        };
        if let Some(cause) = cause {
            Python::attach(|py| raised.set_cause(py, Some(cause.into())));
        }
        raised.into()
    }
}

impl From<FolderError> for Raised {
    fn from(error: FolderError) -> Self {
        let commit = match error.commit() {
            Commit::Done => "done",
            Commit::Not => "not",
            Commit::Unknown => "unknown",
        };
        match error {
            FolderError::Refused(refused) => refused.into(),
            FolderError::Step(error) => error.into(),
            error => {
                let raised = exception("FolderError", error.name(), &error.to_string(), error.advice());
                match Python::attach(|py| raised.value(py).setattr("commit", commit)) {
                    Ok(()) => raised.into(),
                    Err(failed) => failed.into(),
                }
            }
        }
    }
}

/// An exception of a class, with the name of what it is about and what to do.
fn exception(class: &str, name: &str, message: &str, advice: &str) -> PyErr {
    let construct = |py: Python<'_>| {
        let exception = py.import("dualseal.operator")?.getattr(class)?.call1((message,))?;
        exception.setattr("name", name)?;
        exception.setattr("advice", advice)?;
        Ok(PyErr::from_value(exception))
    };
    Python::attach(construct).unwrap_or_else(|error: PyErr| error)
}
