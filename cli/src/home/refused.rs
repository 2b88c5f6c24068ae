//! What the operator's folder refuses, in the words and statuses of this program.

use super::{broken, missing};
use crate::failure::{BUSY, Failure, HOME, USAGE};
use dualseal_operator::folder::FolderError;
use dualseal_operator::opening::Refused;
use dualseal_operator::step::StepError;

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        let (message, advice, name) = (error.to_string(), error.advice(), error.name());
        match error {
            FolderError::Disk(error) => error.into(),
            FolderError::Commit(error) => error.into(),
            FolderError::Refused(refused) => refused.into(),
            FolderError::Step(error) => error.into(),
            FolderError::Missing(path) => missing(&path),
            FolderError::Broken(path) => broken(&path),
            _ => Self::new(HOME, message, advice).refusing(name),
        }
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        let (message, advice, name) = (refused.to_string(), refused.advice(), refused.name());
        let hint = match &refused {
            Refused::MarkMissing => {
                "if this is a copy, sign nothing with it, and verify with --key or --ring; if the mark was lost, make \
                 it anew by `dualseal checkpoint renew-mark CHECKPOINT`, from the last one that somebody else has \
                 kept, or with --nothing-signed where there never was any; if it is elsewhere, name it with --mark"
            }
            Refused::MarkEdited | Refused::MarkUnreadable(_) => {
                "if it is another home folder's, name this one's with --mark; else move it away, and make it anew by \
                 `dualseal checkpoint renew-mark CHECKPOINT`, from the last one that somebody else has kept"
            }
            Refused::MarkOther { .. } => {
                "make it anew by `dualseal checkpoint renew-mark CHECKPOINT`, from the last one that somebody else has \
                 kept"
            }
            Refused::Restored { .. } | Refused::RingRestored { .. } => {
                "sign nothing with it: bring back the home folder that is as new as what was signed"
            }
            Refused::StateEdited
            | Refused::StateUnreadable(_)
            | Refused::RingEdited
            | Refused::RingUnreadable(_)
            | Refused::RingOfAnotherTime { .. } => {
                "restore the home folder from its last copy; `dualseal chain check --with-ring` shows whether that \
                 holds together"
            }
            _ => advice,
        };
        match refused {
            Refused::Step(error) => error.into(),
            _ => Self::new(HOME, message, hint).refusing(name),
        }
    }
}

impl From<StepError> for Failure {
    fn from(error: StepError) -> Self {
        let (message, advice, name) = (error.to_string(), error.advice(), error.name());
        let status = match error {
            StepError::Dualseal(error) => return error.into(),
            StepError::StaleLedger(_) => BUSY,
            StepError::NotAStep | StepError::TooLong => USAGE,
            _ => HOME,
        };
        Self::new(status, message, advice).refusing(name)
    }
}
