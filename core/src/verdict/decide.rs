//! From checks and the state of a key to a verdict: the one place where retirement and the table of [`Verdict`] are
//! applied.

use super::{DecoyTicket, InvalidReason, Rejection, Subject, Verdict, Verified};
use crate::key::{Found, KeyRing, KeyState, NotHeld, Role};
use crate::krunica::{Entry, Located};
use crate::mldsa::KeyHash;

/// The outcome of every check, each made in every state of the key.
pub(crate) struct Checks {
    /// Of a seal: the payload is reserved for vault records and shards.
    pub(crate) reserved: bool,
    pub(crate) content: bool,
    pub(crate) signature: bool,
    pub(crate) placed: Placed,
}

/// What is known of a record's place in the chain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Placed {
    /// No place was given.
    Unknown,
    /// A place was given that is not this record's.
    Elsewhere,
    /// The record stands at this seq.
    At(u64),
}

impl Placed {
    /// Whether a proven place is the record's: in the log of the ring (a pinned key has none, and the checkpoint's
    /// pinned origin stands for it), with an entry that is the record's own.
    pub(crate) fn of(ring: &KeyRing, place: Option<&Located>, is_own: impl FnOnce(&Entry) -> bool) -> Self {
        let Some(located) = place else {
            return Self::Unknown;
        };
        let is_our_log = ring.origin().is_none_or(|origin| origin == located.origin());
        if is_our_log && is_own(located.entry()) { Self::At(located.entry().seq()) } else { Self::Elsewhere }
    }

    /// Whether a key in this role may have signed here: a retired one only at a proven place before its retirement.
    pub(crate) fn is_in_time(self, role: Role) -> bool {
        match (role, self) {
            (Role::Retired(retired), Self::At(seq)) => seq < retired,
            (Role::Retired(_), Self::Unknown | Self::Elsewhere) => false,
            (Role::Current | Role::Decoy, _) => true,
        }
    }
}

impl Checks {
    /// The first failed check, in the order in which reasons are given.
    fn failed(&self, role: Role) -> Option<InvalidReason> {
        if self.reserved {
            Some(InvalidReason::ReservedPayload)
        } else if !self.content {
            Some(InvalidReason::Content)
        } else if !self.signature {
            Some(InvalidReason::Signature)
        } else if !self.placed.is_in_time(role) {
            Some(InvalidReason::RetiredKey)
        } else {
            (self.placed == Placed::Elsewhere).then_some(InvalidReason::Located)
        }
    }
}

/// A verdict with what it was drawn from, for the dates beside it.
pub(crate) struct Judged<T> {
    pub(crate) verdict: Verdict<T>,
    /// The record's key.
    pub(crate) key: KeyHash,
    pub(crate) placed: Placed,
    /// The first check that failed, also where the state of the key decided before it.
    pub(crate) failed: Option<InvalidReason>,
}

/// Applies the table of [`Verdict`]. `found` is the record's key as its identity holds it, or why it holds none.
pub(crate) fn decide<T>(
    record: T,
    subject: Subject,
    key: KeyHash,
    found: Result<Found, NotHeld>,
    checks: &Checks,
) -> Judged<T> {
    let failed = found.map_or_else(|not_held| Some(not_held.into()), |found| checks.failed(found.role));
    Judged { verdict: conclude(record, subject, key, found, failed), key, placed: checks.placed, failed }
}

/// As [`decide`], where the checks were judged already.
pub(crate) fn conclude<T>(
    record: T,
    subject: Subject,
    key: KeyHash,
    found: Result<Found, NotHeld>,
    failed: Option<InvalidReason>,
) -> Verdict<T> {
    if let Some(reason) = failed {
        return reject(subject, found, reason);
    }
    match found.map(|found| found.state) {
        Ok(KeyState::Valid) => Verdict::Valid(Verified { record, subject: with_state(subject, KeyState::Valid) }),
        Ok(KeyState::Decoy) => Verdict::Decoy(DecoyTicket { subject: with_state(subject, KeyState::Decoy), key }),
        Ok(KeyState::Revoked) => Verdict::Revoked(with_state(subject, KeyState::Revoked)),
        Ok(KeyState::Suspended) => Verdict::Suspended(with_state(subject, KeyState::Suspended)),
        Err(not_held) => invalid(subject, not_held.into()),
    }
}

/// The table's second column: a check is bad. A key that the identity does not hold is the first thing wrong.
pub(crate) fn reject<T>(subject: Subject, found: Result<Found, NotHeld>, reason: InvalidReason) -> Verdict<T> {
    match found.map(|found| found.state) {
        Ok(KeyState::Revoked) => Verdict::Revoked(with_state(subject, KeyState::Revoked)),
        Ok(KeyState::Suspended) => Verdict::Suspended(with_state(subject, KeyState::Suspended)),
        Ok(state) => invalid(with_state(subject, state), reason),
        Err(not_held) => invalid(subject, not_held.into()),
    }
}

/// A record of which no key was looked for.
pub(crate) fn invalid<T>(subject: Subject, reason: InvalidReason) -> Verdict<T> {
    Verdict::Invalid(Rejection { subject, reason })
}

fn with_state(subject: Subject, state: KeyState) -> Subject {
    Subject { state: Some(state), ..subject }
}
