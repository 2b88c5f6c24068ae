//! What became of a record's key before and after the record's place.

use super::verdict::why;
use crate::output::Report;
use dualseal::encoding::json::Value;
use dualseal::mldsa::KeyHash;
use dualseal::verdict::AsOf;
use dualseal::{IdentityId, KeyRing, VerdictKind};

/// What became of a key before and after the place of a record that it made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dates {
    place: u64,
    revoked_then: Option<u64>,
    revoked_now: Option<u64>,
    compromised_from: Option<u64>,
}

impl Dates {
    /// As a verification found them; `None` without a place.
    pub(crate) fn of<T>(as_of: &AsOf<T>) -> Option<Self> {
        let AsOf { revoked_then, revoked_now, compromised_from, .. } = *as_of;
        Some(Self { place: as_of.place?, revoked_then, revoked_now, compromised_from })
    }

    /// As a ring has them, of a place in its own log.
    pub(crate) fn in_ring(ring: &KeyRing, identity_id: &IdentityId, key: &KeyHash, place: u64) -> Self {
        Self {
            place,
            revoked_then: ring.revoked_at(identity_id, key, place),
            revoked_now: ring.revoked_at(identity_id, key, u64::MAX),
            compromised_from: ring.compromised_from(identity_id, key),
        }
    }

    /// With what another ring of the log knows of the same record: either may have heard of more.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            place: self.place,
            revoked_then: self.revoked_then.or(other.revoked_then),
            revoked_now: self.revoked_now.or(other.revoked_now),
            compromised_from: [self.compromised_from, other.compromised_from].into_iter().flatten().min(),
        }
    }

    /// In words.
    pub(crate) fn told(self) -> Vec<String> {
        let Self { place, revoked_then, revoked_now, compromised_from } = self;
        let mut notes = Vec::new();
        if let Some(now) = revoked_now {
            let when = if place < now { "before that entry" } else { "after it" };
            notes.push(format!(
                "The key was called back by entry {now}; the record stands {when}. That is the word of the log's \
                 signer."
            ));
        }
        if let Some(then) = revoked_then.filter(|_| revoked_now.is_none()) {
            notes.push(format!("When the record was entered the key was called back, since entry {then}."));
        }
        notes.extend(compromised_from.map(|from| {
            if place < from {
                format!("The record stands before entry {from}, from which on its key counts as compromised.")
            } else {
                format!("From entry {from} on the key counts as compromised: a thief may have made the record.")
            }
        }));
        notes
    }
}

/// What became of the key before and after the record.
pub(crate) fn dates<T>(as_of: &AsOf<T>) -> Vec<String> {
    Dates::of(as_of).map_or_else(Vec::new, Dates::told)
}

/// What is said of a record whose place nothing shows.
pub(crate) fn unplaced(from: u64) -> String {
    format!(
        "From entry {from} on the key counts as compromised, and nothing shows whether the record is older: a thief \
         may have made it."
    )
}

/// What is said of so many records, with the number of the first.
pub(crate) fn of_records(date: &str, (first, count): (u64, u64)) -> String {
    let which = if count == 1 { String::new() } else { format!(" and {} more", count - 1) };
    format!("Record {first}{which}: {date}")
}

/// Whether any key of an identity ever counted as compromised, so that the place of its records matters.
pub(crate) fn has_dates(ring: &KeyRing, identity_id: &IdentityId) -> bool {
    ring.keys(identity_id).any(|(key, _)| ring.compromised_from(identity_id, key.hash()).is_some())
}

/// From where on an identity's only key counts as compromised: of several keys a seal does not say which one made it.
pub(crate) fn compromise_of_only(ring: &KeyRing, identity_id: &IdentityId) -> Option<u64> {
    let mut keys = ring.keys(identity_id);
    match (keys.next(), keys.next()) {
        (Some((key, _)), None) => ring.compromised_from(identity_id, key.hash()),
        _ => None,
    }
}

/// Says what is dated of a record, by the home folder's own ring or another.
pub(crate) fn tell<T>(report: Report, as_of: &AsOf<T>, is_own: bool, public: bool) -> Report {
    let told = if public { as_of.to_public_json() } else { as_of.to_json() };
    let mut report = report.wire("as_of", Value::parse(told.as_bytes()).unwrap_or(Value::Null));
    // Of a ring that is attested it is said beside that.
    if let Some(size) = as_of.size.filter(|_| is_own) {
        report = until(report, size);
    }
    // What is known of the key is the operator's to know.
    if public {
        return report;
    }
    let notes = match (as_of.failed, as_of.place) {
        (Some(_), _) if as_of.verdict.kind() == VerdictKind::Invalid => Vec::new(),
        (Some(reason), _) => vec![format!("It would not hold by a valid key either: {}.", why(reason))],
        (None, Some(_)) => dates(as_of),
        (None, None) => as_of.compromised_from.map(unplaced).into_iter().collect(),
    };
    notes.into_iter().fold(report, Report::note)
}

/// Says of how many entries a verdict knows.
pub(super) fn until(report: Report, size: u64) -> Report {
    report.line("as of", format!("{size} entries: nothing is known of what came after"))
}

/// The same of a record without a place, whose key counts as compromised from somewhere on, if it does.
pub(crate) fn tell_unplaced(report: Report, compromised_from: Option<u64>, public: bool) -> Report {
    let note = compromised_from.filter(|_| !public).map(unplaced);
    note.into_iter().fold(report.member("as_of", Value::Null), Report::note)
}
