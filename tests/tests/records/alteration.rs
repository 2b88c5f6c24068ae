//! A record with any one byte altered is never Valid, and what it is called depends on the member that was altered.

use dualseal::key::PreparedKeyCache;
use dualseal::verdict::{InvalidReason, Verdict};
use dualseal::{Domain, Error, HashedContent, KeyRing, SignatureRecord, Verifier};
use dualseal_tests::{identity, key, next_digit, record};

struct World {
    domain: Domain,
    ring: KeyRing,
    keys: PreparedKeyCache,
    content: HashedContent,
    json: String,
}

fn world() -> World {
    let (domain, ana) = (Domain::default(), identity("ana"));
    let record = record(&ana, &key(1), b"content");
    World {
        ring: KeyRing::pinned(&ana, key(1).public_key().clone()),
        keys: PreparedKeyCache::new(1 << 20),
        content: domain.content_hash(&ana, b"content"),
        json: record.to_json(),
        domain,
    }
}

impl World {
    fn verify(&self, json: &[u8]) -> Result<Verdict<SignatureRecord>, Error> {
        let record = SignatureRecord::from_json(json)?;
        Ok(Verifier::new(&self.domain, &self.ring, &self.keys).verify(&self.content, record, None))
    }

    fn reason(&self, json: &[u8]) -> Option<InvalidReason> {
        match self.verify(json) {
            Err(Error::Malformed(_)) => None,
            Ok(Verdict::Invalid(rejection)) => Some(rejection.reason()),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_record_itself_is_valid() {
    let world = world();
    assert!(matches!(world.verify(world.json.as_bytes()), Ok(Verdict::Valid(_))));
}

#[test]
fn no_byte_can_be_altered() {
    let world = world();
    let mut altered = world.json.clone().into_bytes();
    let mut judged = 0;
    for place in 0..altered.len() {
        let byte = altered[place];
        // The neighbour, the other case, and no character at all.
        for other in [byte ^ 0x01, byte ^ 0x20, 0] {
            altered[place] = other;
            judged += usize::from(world.reason(&altered).is_some());
        }
        altered[place] = byte;
    }
    // Most single-bit neighbours of a digit are digits: those records were read, verified and found wrong.
    assert!(judged > 5_000, "{judged}");
}

#[test]
fn no_byte_can_be_left_out_or_doubled() {
    let world = world();
    let json = world.json.as_bytes();
    for place in 0..json.len() {
        let (before, after) = json.split_at(place);
        assert_eq!(world.reason(&[before, &after[1..]].concat()), None, "{place} left out");
        assert_eq!(world.reason(&[before, &after[..1], after].concat()), None, "{place} doubled");
    }
}

#[test]
fn every_digit_of_every_field_counts() {
    let world = world();
    let good: serde_json::Value = serde_json::from_str(&world.json).unwrap();
    for (name, expected) in [
        ("identity_id", InvalidReason::OtherSigner),
        ("javni_kljuc", InvalidReason::ForeignKey),
        ("krunica_hash", InvalidReason::Signature),
        ("potpis", InvalidReason::Signature),
        ("sadrzaj_hash", InvalidReason::Content),
    ] {
        let text = good[name].as_str().unwrap();
        for place in 0..text.len() {
            let altered = world.json.replacen(text, &next_digit(text, place), 1);
            assert_eq!(world.reason(altered.as_bytes()), Some(expected), "{name} {place}");
        }
    }
}

#[test]
fn every_other_time_counts() {
    let world = world();
    for time in
        ["2026-11-21T09:01:00.001Z", "2026-11-21T09:00:59.999Z", "1970-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]
    {
        let altered = dualseal_tests::with_member(&world.json, "timestamp", time.into());
        assert_eq!(world.reason(altered.as_bytes()), Some(InvalidReason::Signature), "{time}");
    }
}

/// A signature made for other content, identity or chain position does not fit, field by field.
#[test]
fn parts_of_two_records_do_not_mix() {
    let world = world();
    let ana = identity("ana");
    let others = [
        record(&ana, &key(1), b"other"),
        record(&identity("ivan"), &key(1), b"content"),
        record(&ana, &key(2), b"content"),
    ];
    for other in others {
        let other: serde_json::Value = serde_json::from_str(&other.to_json()).unwrap();
        let good: serde_json::Value = serde_json::from_str(&world.json).unwrap();
        for (name, value) in other.as_object().unwrap() {
            if good[name] != *value {
                let mixed = dualseal_tests::with_member(&world.json, name, value.clone());
                assert!(world.reason(mixed.as_bytes()).is_some(), "{name}");
            }
        }
    }
}
