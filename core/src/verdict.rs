//! What a verification concludes. A verdict is never a bool: a decoy and a suspended key are neither yes nor no.

mod as_of;
mod decide;
mod result;

pub use as_of::AsOf;
pub(crate) use as_of::AsOfTold;
pub use result::{PublicResult, VerificationResult};

pub(crate) use decide::{Checks, Judged, Placed, conclude, decide, invalid, reject};

use crate::encoding::time::Timestamp;
use crate::error::Layer;
use crate::id::IdentityId;
use crate::key::{Algorithm, KeyState, NotHeld};
use crate::mldsa::KeyHash;

/// The outcome of a verification.
///
/// | state of the key | all checks good | a check bad |
/// |---|---|---|
/// | `istina` | [`Valid`](Self::Valid) | [`Invalid`](Self::Invalid) |
/// | `laz` | [`Revoked`](Self::Revoked) | [`Revoked`](Self::Revoked) |
/// | `oboje` | [`Decoy`](Self::Decoy) | [`Invalid`](Self::Invalid) |
/// | `nijedno` | [`Suspended`](Self::Suspended) | [`Suspended`](Self::Suspended) |
#[derive(Clone, Debug)]
#[must_use = "a verdict that nobody looks at protects nobody"]
pub enum Verdict<T> {
    /// Every check held, with a valid key.
    Valid(Verified<T>),
    /// A check failed, or the record's key is not one of its identity.
    Invalid(Rejection),
    /// The key is revoked; nothing else counts.
    Revoked(Subject),
    /// Every check held, with a honeypot key: somebody signs with a secret that was left to be stolen.
    Decoy(DecoyTicket),
    /// The key is suspended: neither confirmed nor rejected.
    Suspended(Subject),
}

/// The kinds of [`Verdict`], with the numbers that every language uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u16)]
pub enum VerdictKind {
    /// See [`Verdict::Valid`].
    Valid = 0,
    /// See [`Verdict::Invalid`].
    Invalid = 1,
    /// See [`Verdict::Revoked`].
    Revoked = 2,
    /// See [`Verdict::Suspended`].
    Suspended = 3,
    /// See [`Verdict::Decoy`].
    Decoy = 4,
}

impl VerdictKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 5] = [Self::Valid, Self::Invalid, Self::Revoked, Self::Suspended, Self::Decoy];

    /// The number of this kind; 0 means Valid alone. It is never reused.
    #[must_use]
    pub fn code(self) -> u16 {
        self as u16
    }

    /// The name in results and messages.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Invalid => "invalid",
            Self::Revoked => "revoked",
            Self::Suspended => "suspended",
            Self::Decoy => "decoy",
        }
    }

    /// What it means, in one clause.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Valid => "every check held, with a valid key",
            Self::Invalid => "a check failed, or the record's key is not one of its identity",
            Self::Revoked => "the key is revoked; nothing else counts",
            Self::Suspended => "the key is suspended: the record is neither confirmed nor rejected",
            Self::Decoy => "every check held, with a honeypot key, which authorises nothing",
        }
    }
}

impl<T> Verdict<T> {
    /// Which kind it is.
    #[must_use]
    pub fn kind(&self) -> VerdictKind {
        match self {
            Self::Valid(_) => VerdictKind::Valid,
            Self::Invalid(_) => VerdictKind::Invalid,
            Self::Revoked(_) => VerdictKind::Revoked,
            Self::Decoy(_) => VerdictKind::Decoy,
            Self::Suspended(_) => VerdictKind::Suspended,
        }
    }

    /// What was verified: whose record, of which time, and the state of its key.
    #[must_use]
    pub fn subject(&self) -> &Subject {
        match self {
            Self::Valid(verified) => &verified.subject,
            Self::Invalid(rejection) => &rejection.subject,
            Self::Revoked(subject) | Self::Suspended(subject) => subject,
            Self::Decoy(ticket) => &ticket.subject,
        }
    }

    /// The same verdict on what stands for the record.
    pub(crate) fn map<U>(self, map: impl FnOnce(T) -> U) -> Verdict<U> {
        match self {
            Self::Valid(Verified { record, subject }) => Verdict::Valid(Verified { record: map(record), subject }),
            Self::Invalid(rejection) => Verdict::Invalid(rejection),
            Self::Revoked(subject) => Verdict::Revoked(subject),
            Self::Decoy(ticket) => Verdict::Decoy(ticket),
            Self::Suspended(subject) => Verdict::Suspended(subject),
        }
    }

    /// The verified record, or `None` for every other verdict.
    #[must_use]
    pub fn valid(self) -> Option<Verified<T>> {
        match self {
            Self::Valid(verified) => Some(verified),
            _ => None,
        }
    }
}

/// What a verdict is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Subject {
    /// The identity that the record names.
    pub identity_id: IdentityId,
    /// The algorithm that the record names.
    pub algorithm: Algorithm,
    /// The time that the record gives, where it gives one (a bare seal does not). It is no evidence of time.
    pub time: Option<Timestamp>,
    /// The state of the key; `None` when the record's key is not one of its identity.
    pub state: Option<KeyState>,
}

/// A record whose verification was [`Verdict::Valid`]. Only a verification makes one, so that code which takes it
/// cannot be reached with anything less.
///
/// A decoy does not compile as a pass:
///
/// ```compile_fail,E0308
/// use dualseal::{SignatureRecord, Verdict, Verified};
///
/// fn pay(_: Verified<SignatureRecord>) {}
///
/// fn handle(verdict: Verdict<SignatureRecord>) {
///     match verdict {
///         Verdict::Decoy(record) => pay(record),
///         _ => {}
///     }
/// }
/// ```
///
/// The same with the right variant does:
///
/// ```
/// use dualseal::{SignatureRecord, Verdict, Verified};
///
/// fn pay(_: Verified<SignatureRecord>) {}
///
/// fn handle(verdict: Verdict<SignatureRecord>) {
///     match verdict {
///         Verdict::Valid(record) => pay(record),
///         _ => {}
///     }
/// }
/// ```
///
/// Nor does a suspended key:
///
/// ```compile_fail,E0308
/// use dualseal::{SignatureRecord, Verdict, Verified};
///
/// fn pay(_: Verified<SignatureRecord>) {}
///
/// fn handle(verdict: Verdict<SignatureRecord>) {
///     match verdict {
///         Verdict::Suspended(record) => pay(record),
///         _ => {}
///     }
/// }
/// ```
///
/// A record that was not verified does not pass, and there is no way to wrap one by hand:
///
/// ```compile_fail,E0451
/// use dualseal::verdict::{Subject, Verified};
///
/// fn forge(record: dualseal::SignatureRecord, subject: Subject) -> Verified<dualseal::SignatureRecord> {
///     Verified { record, subject }
/// }
/// ```
///
/// ```
/// use dualseal::verdict::{Subject, Verified};
///
/// fn open(verified: Verified<dualseal::SignatureRecord>) -> (dualseal::SignatureRecord, Subject) {
///     let subject = verified.subject().clone();
///     (verified.into_record(), subject)
/// }
/// ```
///
/// A verdict is not a condition:
///
/// ```compile_fail,E0308
/// fn check(verdict: dualseal::Verdict<dualseal::SignatureRecord>) -> u8 {
///     if verdict { 1 } else { 0 }
/// }
/// ```
///
/// ```
/// fn check(verdict: dualseal::Verdict<dualseal::SignatureRecord>) -> u8 {
///     if verdict.valid().is_some() { 1 } else { 0 }
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Verified<T> {
    record: T,
    subject: Subject,
}

impl<T> Verified<T> {
    /// The verified record.
    #[must_use]
    pub fn record(&self) -> &T {
        &self.record
    }

    /// The verified record, without its proof.
    #[must_use]
    pub fn into_record(self) -> T {
        self.record
    }

    /// What was verified.
    #[must_use]
    pub fn subject(&self) -> &Subject {
        &self.subject
    }
}

/// What is left of a record whose verification was [`Verdict::Invalid`].
#[derive(Clone, Debug)]
pub struct Rejection {
    subject: Subject,
    reason: InvalidReason,
}

impl Rejection {
    /// What was verified.
    #[must_use]
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// The first check that failed.
    #[must_use]
    pub fn reason(&self) -> InvalidReason {
        self.reason
    }
}

/// Why a verification was [`Verdict::Invalid`], in the order of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InvalidReason {
    /// The record names another identity than the one whose signature is expected.
    OtherSigner,
    /// The ring has no key for the identity that the record names.
    UnknownIdentity,
    /// The key inside the record is not one of the identity's.
    ForeignKey,
    /// The content is not the one that was signed.
    Content,
    /// The signature does not hold for this record.
    Signature,
    /// The key is retired, and the record was not shown to stand in the chain before its retirement.
    RetiredKey,
    /// The place in the chain that was given is not this record's.
    Located,
    /// The checkpoint's origin, identity or key is not the pinned one.
    Pin,
    /// The checkpoint covers fewer entries than the verifier knows of.
    Size,
    /// The sealed payload has a form that only vault records and shards have.
    ReservedPayload,
    /// The seal is a legacy one, which has no signature.
    LegacySeal,
    /// A layer of a vault record failed, or was asked for and could not be checked.
    Layer(Layer),
}

impl InvalidReason {
    /// The `razlog` of internal results.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OtherSigner => "other signer",
            Self::UnknownIdentity => "unknown identity",
            Self::ForeignKey => "foreign key",
            Self::Content => "content",
            Self::Signature => "signature",
            Self::RetiredKey => "retired key",
            Self::Located => "located",
            Self::Pin => "pin",
            Self::Size => "size",
            Self::ReservedPayload => "reserved payload",
            Self::LegacySeal => "legacy seal",
            Self::Layer(layer) => layer.as_str(),
        }
    }
}

impl From<NotHeld> for InvalidReason {
    fn from(not_held: NotHeld) -> Self {
        match not_held {
            NotHeld::UnknownIdentity => Self::UnknownIdentity,
            NotHeld::ForeignKey => Self::ForeignKey,
        }
    }
}

/// What is left of a record that a decoy key signed: enough to trace it, and no record that could be acted on.
#[derive(Clone, Debug)]
pub struct DecoyTicket {
    subject: Subject,
    key: KeyHash,
}

impl DecoyTicket {
    /// What was verified.
    #[must_use]
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// SHA3-256 over the decoy's public key: which trap it was.
    #[must_use]
    pub fn key_hash(&self) -> &KeyHash {
        &self.key
    }
}
