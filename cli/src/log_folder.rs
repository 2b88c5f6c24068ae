//! A log as a folder of tiles: the operator's, in the words of this program.

pub(crate) use dualseal_operator::tiles::{LINES, LogFolder, ToShow};

use crate::failure::{Failure, READ, status_of};
use crate::store::unwritten;
use dualseal::verdict::VerdictKind;
use dualseal_operator::disk::FileError;
use dualseal_operator::paths::Show;
use dualseal_operator::tiles::TilesError;

/// What to do with a folder from which nothing can be proved.
pub(crate) fn unproved(error: TilesError) -> Failure {
    let failure = Failure::from(error);
    let hint = "write the folder again by `dualseal chain export --tiles`, or leave --tiles out: the chain itself is \
                read then";
    if failure.is_defect() { failure } else { failure.hint(hint) }
}

impl From<TilesError> for Failure {
    fn from(error: TilesError) -> Self {
        let message = error.to_string();
        match error {
            TilesError::Read(error) => Self::reading(error.path(), error.io()),
            TilesError::Write(error) => error.into(),
            TilesError::NotForced { path, error } => {
                unwritten::<(), Self>(&path, FileError::NotForced { made: Box::new(()), error })
            }
            TilesError::NotText(_) => Self::new(READ, message, "ask the log"),
            TilesError::Malformed { folder, error } => Self::from(error).about(folder.shown()),
            TilesError::Unfit { error, .. } => Self::from(error).saying(message),
            TilesError::OtherLog { error: ref inner, .. } => {
                Self::from(inner.clone()).saying(message).hint(error.advice())
            }
            TilesError::Fork(note) => {
                let message = format!("FORK: {} does not lead to what this home folder has signed", note.shown());
                let hint = "keep both; restore the home folder from a copy that is as new as the folder, or name \
                            another one";
                Self::new(status_of(VerdictKind::Invalid.code()), message, hint).refusing("fork")
            }
            TilesError::Chain(error) => error.into(),
            TilesError::Beyond => Self::defect(&message),
            error => Self::new(READ, message, error.advice()),
        }
    }
}
