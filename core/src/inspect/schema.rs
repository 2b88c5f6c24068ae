//! Which record a text could be, and what is wrong with each of its members. The tables are the records' own.

use super::inspection::{Inspection, Kind};
use crate::checkpoint::{Checkpoint, HighWaterMark, PlaceProof};
use crate::encoding::json::Raw;
use crate::encoding::record::{Form, Inner, Row, rows};
use crate::error::{Error, Problem};
use crate::evidence::EvidenceFile;
use crate::key::{KeyPairInfo, KeyProof, PublicRing, RingFile};
use crate::krunica::Entry;
use crate::presence::PresenceProof;
use crate::shard::{Request, Shard};
use crate::signature::SignatureRecord;
use crate::threshold::{HmacSession, MlDsa65Session, Session, SessionShare, ThresholdResult};
use crate::vault::VaultRecord;
use crate::verdict::VerificationResult;
use alloc::string::String;
use alloc::vec::Vec;

/// A record and its table.
pub(super) struct Schema {
    pub(super) kind: Kind,
    rows: &'static [Row],
    /// The record's own reader.
    pub(super) check: fn(Raw<'_>, &'static str) -> Result<(), Error>,
}

const fn schema<F: Form, R: Form>(kind: Kind) -> Schema {
    Schema { kind, rows: rows::<F>(), check: R::check }
}

static RECORDS: [Schema; 19] = [
    schema::<SignatureRecord, SignatureRecord>(Kind::SignatureRecord),
    schema::<Entry, Entry>(Kind::Entry),
    schema::<Checkpoint, Checkpoint>(Kind::Checkpoint),
    schema::<HighWaterMark, HighWaterMark>(Kind::HighWaterMark),
    schema::<PlaceProof, PlaceProof>(Kind::PlaceProof),
    schema::<KeyProof, KeyProof>(Kind::KeyProof),
    schema::<EvidenceFile, EvidenceFile>(Kind::Evidence),
    schema::<RingFile, RingFile>(Kind::RingFile),
    schema::<PublicRing, PublicRing>(Kind::PublicRing),
    schema::<KeyPairInfo, KeyPairInfo>(Kind::KeyPairInfo),
    schema::<VerificationResult, VerificationResult>(Kind::VerificationResult),
    schema::<VaultRecord, VaultRecord>(Kind::VaultRecord),
    schema::<Shard, Shard>(Kind::Shard),
    schema::<Request, Request>(Kind::PresenceRequest),
    schema::<PresenceProof, PresenceProof>(Kind::PresenceProof),
    schema::<HmacSession, Session>(Kind::ThresholdSession),
    schema::<MlDsa65Session, Session>(Kind::ThresholdSession),
    schema::<SessionShare, SessionShare>(Kind::SessionShare),
    schema::<ThresholdResult, ThresholdResult>(Kind::ThresholdResult),
];

/// The version that a value of this kind gives, or that its kind has.
pub(super) fn version(kind: Kind, raw: Raw<'_>) -> Option<String> {
    let version = match kind {
        Kind::SignatureRecord | Kind::Evidence => raw.member("verzija"),
        Kind::VaultRecord => raw.member("sealed")?.member("header")?.member("verzija"),
        Kind::Checkpoint => return Some(String::from("2")),
        _ => None,
    };
    version?.text().map(|version| version.chars().take(64).collect())
}

impl Schema {
    /// The schema that shares the most member names with an object, then the one with the fewest of its own missing.
    pub(super) fn closest(raw: Raw<'_>) -> Option<&'static Self> {
        let mut shared = [0_usize; RECORDS.len()];
        for (name, _) in raw.members()? {
            for (shared, schema) in shared.iter_mut().zip(&RECORDS) {
                *shared = shared.saturating_add(usize::from(schema.rows.iter().any(|row| name.is(row.name))));
            }
        }
        let missing = |(shared, schema): &(usize, &Self)| schema.rows.len().saturating_sub(*shared);
        let best = shared.into_iter().zip(&RECORDS).max_by_key(|pair| (pair.0, core::cmp::Reverse(missing(pair))))?;
        (best.0 > 0).then_some(best.1)
    }

    /// Everything that is wrong with a value's members, each by itself.
    pub(super) fn find(&self, raw: Raw<'_>, found: &mut Inspection) {
        find(self.kind.as_str(), self.rows, raw, None, found);
    }
}

/// Everything that is wrong with the members of an object of this name, those of inner objects included, then with the
/// objects of its lists.
pub(super) fn find(what: &'static str, rows: &[Row], raw: Raw<'_>, index: Option<u64>, found: &mut Inspection) {
    let place = |field, problem| match index {
        Some(index) => Error::malformed_at(field, index, problem),
        None => Error::malformed(field, problem),
    };
    let Some(members) = raw.members() else {
        return found.add(place(what, Problem::WrongType));
    };
    let mut values: Vec<Option<Raw<'_>>> = alloc::vec![None; rows.len()];
    for (name, value) in members {
        if let Some((slot, _)) = values.iter_mut().zip(rows).find(|(_, row)| name.is(row.name)) {
            *slot = Some(value);
        }
    }
    for (row, value) in rows.iter().zip(&values) {
        match (value, row.inner) {
            (None, _) => found.add(place(row.name, Problem::MissingMember)),
            (Some(value), Inner::Members(inner)) => find(row.name, inner, *value, index, found),
            (Some(value), _) => match (row.check)(*value, row.name) {
                // What a reader names otherwise stands in this member, at no place that it could be told by.
                Err(Error::Malformed(malformed)) if index.is_some() || malformed.field != row.name => {
                    found.add(place(row.name, malformed.problem));
                }
                Err(error) => found.add(error),
                Ok(()) => {}
            },
        }
    }
    for (name, _) in raw.members().into_iter().flatten() {
        if !rows.iter().any(|row| name.is(row.name)) {
            found.unless_full(|| place(what, Problem::UnknownMember(name.chars().take(64).collect())));
        }
    }
    for (row, value) in rows.iter().zip(values) {
        if let (Inner::Items(inner), Some(items)) = (row.inner, value.and_then(Raw::items)) {
            for (index, item) in (0..).zip(items) {
                find(what, inner, item, Some(index), found);
            }
        }
    }
}
