//! What a command ends with when it cannot go on: what is wrong, what to do next, and an exit status.

use dualseal::Error;
use dualseal_operator::chain::ChainError;
use dualseal_operator::paths::Show;
use dualseal_operator::trust::TrustError;
use std::fmt::Display;
use std::io;
use std::path::Path;

/// Evidence that does not hold.
const NOT_VALID: u8 = 1;
/// Wrong arguments, or what cannot be done. The 2 that is usual would read as a revoked key.
pub(crate) const USAGE: u8 = 64;
/// A file cannot be read, or has not the form that it must have.
pub(crate) const READ: u8 = 66;
/// A defect of this program, or no randomness.
pub(crate) const DEFECT: u8 = 70;
/// A file cannot be written.
pub(crate) const WRITE: u8 = 73;
/// Another process holds the lock.
pub(crate) const BUSY: u8 = 75;
/// A secret is missing or wrong, or lies where it must not.
pub(crate) const SECRET: u8 = 77;
/// The home folder is missing, or not as it must be.
pub(crate) const HOME: u8 = 78;

/// Why a command did not do what it was asked to.
#[derive(Debug)]
pub(crate) struct Failure {
    status: u8,
    code: Option<u16>,
    /// The name of what the operator's store refused.
    refused: Option<&'static str>,
    message: String,
    hint: String,
}

impl Failure {
    /// A failure of this program's own.
    pub(crate) fn new(status: u8, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { status, code: None, refused: None, message: message.into(), hint: hint.into() }
    }

    /// What cannot be.
    pub(crate) fn defect(what: &str) -> Self {
        Self::new(DEFECT, what, "report this as a defect")
    }

    /// A file or folder that cannot be read.
    pub(crate) fn reading(path: &Path, error: &io::Error) -> Self {
        let hint = match error.kind() {
            io::ErrorKind::NotFound => "check the path; `-` reads standard input",
            io::ErrorKind::PermissionDenied => "ask its owner for the right to read it",
            io::ErrorKind::IsADirectory => "give a file, not a folder",
            _ => "check the disk, and try again",
        };
        Self::new(READ, format!("cannot read {}: {error}", path.shown()), hint)
    }

    /// A file or folder that cannot be written.
    pub(crate) fn writing(path: &Path, error: &io::Error) -> Self {
        let hint = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                "free some space and run the command again; what was there before is unchanged"
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                "name a place that you may write to; nothing was changed"
            }
            io::ErrorKind::AlreadyExists => "name another file, or add --force to replace it",
            _ => "check the disk and run the command again; what was there before is unchanged",
        };
        if error.kind() == io::ErrorKind::AlreadyExists {
            return Self::new(WRITE, format!("there is a file {} already", path.shown()), hint);
        }
        Self::new(WRITE, format!("cannot write {}: {error}", path.shown()), hint)
    }

    /// Says which file or argument it is about.
    pub(crate) fn about(mut self, subject: impl Display) -> Self {
        self.message = format!("{subject}: {}", self.message);
        self
    }

    /// Says what is wrong, where the command knows better than the number does.
    pub(crate) fn saying(self, message: impl Into<String>) -> Self {
        Self { message: message.into(), ..self }
    }

    /// Says what to do next, where the command knows better than the number does.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    /// Names what was refused, so that scripts need not read words.
    pub(crate) fn refusing(self, name: &'static str) -> Self {
        Self { refused: Some(name), ..self }
    }

    /// The exit status.
    pub(crate) fn status(&self) -> u8 {
        self.status
    }

    /// Whether it is what cannot be.
    pub(crate) fn is_defect(&self) -> bool {
        self.status == DEFECT
    }

    /// The library's number, where it is the library's failure.
    pub(crate) fn code(&self) -> Option<u16> {
        self.code
    }

    /// The name of what was refused, where the home folder's log did.
    pub(crate) fn refused(&self) -> Option<&'static str> {
        self.refused
    }

    /// What is wrong.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// What to do next.
    pub(crate) fn next(&self) -> &str {
        &self.hint
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = error.code();
        let (message, hint) = (error.to_string(), hint_of(&error).to_owned());
        Self { status: status_of(code), code: Some(code), refused: None, message, hint }
    }
}

impl From<ChainError> for Failure {
    fn from(error: ChainError) -> Self {
        match error {
            ChainError::Chain(error) | ChainError::Asked(error) => error.into(),
            ChainError::FalseRing(ref inner) => {
                Self::from(inner.clone()).saying(error.to_string()).hint(error.advice())
            }
            ChainError::NoCheckpoint => Self::defect(&error.to_string()),
            error => Self::new(READ, error.to_string(), error.advice()),
        }
    }
}

impl From<TrustError> for Failure {
    fn from(error: TrustError) -> Self {
        let (message, advice) = (error.to_string(), error.advice());
        match error {
            TrustError::Library(error) => error.into(),
            TrustError::Constant { name, error } => Self::from(error).about(name),
            TrustError::OtherRing(error) => Self::from(error).about("--ring").hint(advice),
            TrustError::Secret => {
                let hint = "ask for the public key file, which `dualseal key export` writes; keep this one secret";
                Self::new(READ, message, hint)
            }
            TrustError::OtherKey => {
                Self::new(NOT_VALID, format!("NOT VALID: {message}"), "ask the sender for the record of the right key")
            }
            TrustError::OnlyFingerprint => {
                let hint = "give the public key file, which `dualseal key export` writes: what is asked for does not \
                            carry its key";
                Self::new(USAGE, message, hint)
            }
            TrustError::Several => {
                let hint = "say it with --identity NAME, or ask for --any-signer and look at who it was";
                Self::new(USAGE, message, hint)
            }
            TrustError::Nobody => Self::new(USAGE, message, "give --identity, 64 characters that the signer tells you"),
            TrustError::Domain(_) => Self::new(USAGE, message, advice),
            TrustError::Encoding => Self::defect(&message),
            _ => Self::new(READ, message, advice),
        }
    }
}

/// The exit status for a number of the library: its family. The number itself is in the JSON answer.
pub(crate) fn status_of(code: u16) -> u8 {
    match code {
        0..=4 => u8::try_from(code).unwrap_or(DEFECT),
        100..=199 => READ,
        200..=299 => NOT_VALID,
        300..=399 => USAGE,
        _ => DEFECT,
    }
}

fn hint_of(error: &Error) -> &'static str {
    match error {
        Error::Malformed(_) => "see what is wrong with it by `dualseal inspect`, and ask its sender for a whole copy",
        Error::Rejected(_) => "do not rely on it; keep every file as it is, for it is evidence, and ask its sender",
        Error::Misuse(misuse) => hint_of_misuse(*misuse),
        Error::Randomness => "run the command again on a machine whose random number generator works",
        _ => "see `dualseal --help`",
    }
}

fn hint_of_misuse(misuse: dualseal::error::Misuse) -> &'static str {
    use dualseal::error::Misuse;
    match misuse {
        Misuse::UnknownIdentity => "see the identities by `dualseal key show`, or make a key by `dualseal key new`",
        Misuse::UnknownKey => "see the keys by `dualseal key show`",
        Misuse::KnownKey => "import another key: each key stands once in a ring",
        Misuse::HasCurrentKey => "put a new key in its place by `dualseal key rotate`",
        Misuse::PinnedRing => "use the ring of the home folder",
        Misuse::StaleHead => "check the chain by `dualseal chain check`",
        Misuse::StaleRing => "run the command again: the ring is read with its chain",
        Misuse::OtherOrigin => "give the files of one log: the checkpoint, its chain and its ring",
        Misuse::ReservedMessage | Misuse::ReservedPayload => {
            "choose a text that does not begin as the library's own do"
        }
        Misuse::LegacySealKey => "use a seal key of 32 or 64 bytes",
        Misuse::SharedConstants => "make the constants of the domain differ, or set `shared` in its file",
        _ => "see the command's --help",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Every number of the library has a status, by its family, and there are twelve of them.
    #[test]
    fn there_are_twelve_statuses() {
        let own = [USAGE, READ, DEFECT, WRITE, BUSY, SECRET, HOME];
        let mut all: BTreeSet<u8> = own.into_iter().collect();
        for code in (0..5).chain(Error::CATALOGUE.iter().map(|row| row.code)) {
            let status = status_of(code);
            let expected: &[u8] = match code {
                0..=4 => &[0, 1, 2, 3, 4],
                100..=199 => &[66],
                200..=299 => &[1],
                300..=399 => &[64],
                _ => &[70],
            };
            assert!(expected.contains(&status), "{code}: {status}");
            all.insert(status);
        }
        assert_eq!(all.len(), 12, "{all:?}");
        assert_eq!((0..5).map(status_of).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    }
}
