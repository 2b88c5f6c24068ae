//! What a step refuses.

use dualseal::IdentityId;
use dualseal::vault::LedgerId;
use std::fmt;

/// Why nothing was made of a step, or of a whole batch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepError {
    /// The library refused.
    Dualseal(dualseal::Error),
    /// A record was sealed for the end of a ledger, which another record has reached since: it is sealed again.
    StaleLedger(LedgerId),
    /// The state does not hold this ledger's end: it is loaded before the step.
    UnknownLedger(LedgerId),
    /// What was made elsewhere has a form that only an operation of a step appends.
    NotAStep,
    /// A record that was placed came back unsigned, twice, or is of another batch: nothing of it may be stored.
    Unsigned,
    /// A checkpoint that is over another state than this one, or not by a valid key of its ring.
    OtherCheckpoint,
    /// A vault record or a ring of another domain than the log's: nothing after it would verify.
    OtherDomain,
    /// Two secrets of one batch for one place: one of them would be lost.
    SamePlace,
    /// Nobody has the key that must sign: the identity's current one.
    NoKey(IdentityId),
    /// A message or record that is longer than a store keeps: nobody could read it again.
    TooLong,
}

impl StepError {
    /// The name of what was refused, which lasts: the library's own, or one of the step's.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Dualseal(error) => error.row().name,
            Self::StaleLedger(_) => "stale-ledger",
            Self::UnknownLedger(_) => "unknown-ledger",
            Self::NotAStep => "not-a-step",
            Self::Unsigned => "unsigned",
            Self::OtherCheckpoint => "other-checkpoint",
            Self::OtherDomain => "other-domain",
            Self::NoKey(_) => "no-key",
            Self::SamePlace => "same-place",
            Self::TooLong => "too-long",
        }
    }

    /// What to do.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Dualseal(_) => "see what the step was asked to do; nothing of it was made",
            Self::StaleLedger(_) => "seal the record again, for where the ledger ends now",
            Self::UnknownLedger(_) => "begin the ledger in a step, or load the state in which it was begun",
            Self::NotAStep => "use the step's own operation for it",
            Self::Unsigned => "sign each record that was given out, once, with the key that it names",
            Self::OtherDomain => "name the log's own domain, and use the ring key and the master that were made in it",
            Self::NoKey(_) => "give the identity's current key; its public half is in the ring",
            Self::SamePlace => "keep each secret in a row of its own, or one of them in a later batch",
            Self::TooLong => "keep it elsewhere, and append its hash",
            Self::OtherCheckpoint => "sign the state that is there, with a valid key of its ring",
        }
    }
}

impl From<dualseal::Error> for StepError {
    fn from(error: dualseal::Error) -> Self {
        Self::Dualseal(error)
    }
}

impl From<dualseal::error::Misuse> for StepError {
    fn from(misuse: dualseal::error::Misuse) -> Self {
        Self::Dualseal(misuse.into())
    }
}

impl From<dualseal::error::ChainFault> for StepError {
    fn from(fault: dualseal::error::ChainFault) -> Self {
        Self::Dualseal(fault.into())
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dualseal(error) => error.fmt(f),
            Self::StaleLedger(ledger) => write!(f, "ledger {ledger} has grown since the record was sealed"),
            Self::UnknownLedger(ledger) => write!(f, "the end of ledger {ledger} was not loaded"),
            Self::NotAStep => f.write_str("the entry has a form that only a step's own operations append"),
            Self::OtherDomain => f.write_str("the vault record or the ring is of another domain than the log"),
            Self::NoKey(identity_id) => write!(f, "nobody gave the current key of {identity_id}"),
            Self::SamePlace => f.write_str("two secrets are to be kept in one place"),
            Self::TooLong => f.write_str("the message or record is longer than a store keeps"),
            Self::OtherCheckpoint => {
                f.write_str("the checkpoint is over another state, or by no valid key of its ring")
            }
            Self::Unsigned => f.write_str("a placed record is unsigned, signed twice or of another batch"),
        }
    }
}

impl std::error::Error for StepError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Dualseal(error) => Some(error),
            _ => None,
        }
    }
}
