//! A verdict with its dates: where the record stands, and what became of its key before and since.

use super::{InvalidReason, Judged, Placed, Verdict, VerificationResult};
use crate::encoding::record::{self, record};
use crate::id::IdentityId;
use crate::key::KeyRing;
use alloc::string::{String, ToString};

/// A verdict on a record at a proven place, as of a size of the chain.
///
/// The verdict follows the state that the key has as of that size: a revocation that came after the record revokes it
/// too. What else is here tells the two apart, and decides nothing; whoever relies on it decides. It is what the log's
/// signer says, since no stranger can check a ring entry's tag. Of a record that does not hold nothing is dated.
#[derive(Clone, Debug)]
#[must_use = "a verdict that nobody looks at protects nobody"]
pub struct AsOf<T> {
    /// The verdict.
    pub verdict: Verdict<T>,
    /// The number of entries of the chain as of which the key is known. `None` with a pinned key or a public ring that
    /// nothing attests: then nothing is known of revocations.
    pub size: Option<u64>,
    /// The first check that failed, which a verdict on a revoked or suspended key does not tell: anybody may place an
    /// entry for a record that its signer never made.
    pub failed: Option<InvalidReason>,
    /// The position of the record's own entry; `None` where a check failed, the place among them.
    pub place: Option<u64>,
    /// The entry that began the revoked interval in which the place lies, also where the key was made valid again
    /// after it.
    pub revoked_then: Option<u64>,
    /// The entry since which the key is revoked.
    pub revoked_now: Option<u64>,
    /// From which position on the key counts as compromised (`opozvan_od`), whatever its state is now: a revocation
    /// sets or lowers it, and nothing takes it back.
    pub compromised_from: Option<u64>,
    /// Whether the record stands at or after that position: it may be the thief's.
    pub claimed: bool,
}

impl<T> AsOf<T> {
    /// With what the ring knows of the record's key.
    pub(crate) fn new(judged: Judged<T>, ring: &KeyRing, identity_id: &IdentityId) -> Self {
        let Judged { verdict, key, placed, failed } = judged;
        // Of a key that is not the identity's, and of another signer than the expected one, nothing is told.
        let history = verdict.subject().state.and_then(|_| ring.history(identity_id, &key));
        let place = match (failed, placed) {
            (None, Placed::At(seq)) => Some(seq),
            _ => None,
        };
        let compromised_from = history.and_then(|history| history.compromised_from);
        Self {
            verdict,
            size: ring.known_to(),
            failed,
            place,
            revoked_then: history.zip(place).and_then(|(history, place)| history.revoked_at(place)),
            revoked_now: history.and_then(|history| history.revoked_at(u64::MAX)),
            compromised_from,
            claimed: compromised_from.zip(place).is_some_and(|(from, place)| place >= from),
        }
    }

    /// For the operator, as canonical JSON:
    /// `{claimed, failed, opozvan_od, place, result, revoked_now, revoked_then, size}`.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<AsOfTold>(&self.told())
    }

    /// For everybody else: a decoy equals a valid record in every member and length, and every failed check reads
    /// `rejected`.
    #[must_use]
    pub fn to_public_json(&self) -> String {
        record::to_json::<AsOfTold>(&self.tell(self.verdict.public().as_ref().clone(), |_| "rejected"))
    }

    /// What the operator is told.
    pub(crate) fn told(&self) -> AsOfTold {
        self.tell(self.verdict.internal(), InvalidReason::as_str)
    }

    /// The same with another record.
    pub(crate) fn map<U>(self, map: impl FnOnce(T) -> U) -> AsOf<U> {
        let Self { verdict, size, failed, place, revoked_then, revoked_now, compromised_from, claimed } = self;
        let verdict = verdict.map(map);
        AsOf { verdict, size, failed, place, revoked_then, revoked_now, compromised_from, claimed }
    }

    fn tell(&self, result: VerificationResult, told: fn(InvalidReason) -> &'static str) -> AsOfTold {
        let Self { size, failed, place, revoked_then, revoked_now, compromised_from, claimed, .. } = *self;
        let failed = failed.map(|reason| told(reason).to_string());
        AsOfTold { result, size, failed, place, revoked_then, revoked_now, compromised_from, claimed }
    }
}

/// What is told of it.
pub(crate) struct AsOfTold {
    result: VerificationResult,
    size: Option<u64>,
    failed: Option<String>,
    place: Option<u64>,
    revoked_then: Option<u64>,
    revoked_now: Option<u64>,
    compromised_from: Option<u64>,
    claimed: bool,
}

record! {
    |told: AsOfTold| "as of" {
        "claimed" claimed: bool,
        "failed" failed: Option<String>,
        "opozvan_od" compromised_from: Option<u64>,
        "place" place: Option<u64>,
        "result" result: VerificationResult,
        "revoked_now" revoked_now: Option<u64>,
        "revoked_then" revoked_then: Option<u64>,
        "size" size: Option<u64>,
    }
}
