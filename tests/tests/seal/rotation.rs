//! Seals and rotations: which keys layer B is tried on, and which of them a proven place adds.

use dualseal::key::{PreparedKeys, Unprepared};
use dualseal::mldsa::{KeyHash, PreparedKey};
use dualseal::seal::{Conclusion, LayerOutcome, Legacy, Policy, Seal, SealKey, SealReport, SealVerifier, Sealer};
use dualseal::verdict::{InvalidReason, Verdict};
use dualseal::{Domain, Entry, IdentityId, KeyRing, KeyState, Located, PublicKey, Timestamp, VerdictKind};
use dualseal_tests::log::{ORIGIN, chain_of, locate};
use dualseal_tests::random::Constant;
use dualseal_tests::registry::Registry;
use dualseal_tests::ring_file::{self, checked};
use dualseal_tests::{identity, key, minute};
use std::sync::{Arc, Mutex};

const PAYLOAD: &[u8] = b"content";
const ROTATIONS: u8 = 18;

fn seal_key() -> SealKey {
    SealKey::from_slice(&[9; 32]).unwrap()
}

fn seal_by(number: u8) -> Seal {
    let (registry, seal_key, signing) = (Registry::new(), seal_key(), key(number));
    let sealer = Sealer::new(&registry.domain, &identity("ana"), &seal_key, &signing);
    sealer.seal(PAYLOAD, &mut Constant(2)).unwrap().into()
}

fn message(seal: &Seal) -> String {
    let Seal::Dual(dual) = seal else { panic!("a dual seal") };
    dual.chain_message(&Domain::default())
}

fn append(registry: &mut Registry, seal: &Seal, time: Timestamp) -> Entry {
    let Seal::Dual(dual) = seal else { panic!("a dual seal") };
    let appended = dual.append_to(registry.chain.head(), &registry.domain, &identity("ana"), time).unwrap();
    registry.chain.push(appended.entry.clone()).unwrap();
    appended.entry
}

/// Key 1 seals, then key 2 takes over, and so on; each seal's entry stands while its key is in force. Nineteen keys,
/// the last one current, and the seq of each seal's entry.
fn history() -> (Registry, Vec<(Seal, u64)>) {
    let (mut registry, ana, mut seals) = (Registry::new(), identity("ana"), Vec::new());
    for number in 1..=ROTATIONS + 1 {
        let public = key(number).public_key().clone();
        if number == 1 {
            registry.add(&ana, &public);
        } else {
            registry.rotate(&ana, &public);
        }
        let seal = seal_by(number);
        let t = minute(200 + i64::from(number));
        let entry = append(&mut registry, &seal, t);
        seals.push((seal, entry.seq()));
    }
    (registry, seals)
}

/// Writes down which keys are asked for.
#[derive(Default)]
struct Counting(Mutex<Vec<KeyHash>>);

impl PreparedKeys for Counting {
    fn prepared(&self, key: &PublicKey) -> Arc<PreparedKey> {
        self.0.lock().unwrap().push(*key.hash());
        Unprepared.prepared(key)
    }
}

fn verify(ring: &KeyRing, seal: &Seal, identity_id: &IdentityId, at: Option<&Located>) -> (SealReport, Vec<KeyHash>) {
    let (registry, keys) = (Registry::new(), Counting::default());
    let verifier = SealVerifier::new(&registry.domain, ring, &keys);
    let report = verifier.verify(seal, PAYLOAD, identity_id, Policy::Both(&seal_key()), Legacy::Refused, at);
    (report, keys.0.into_inner().unwrap())
}

fn kind_and_reason(report: &SealReport) -> (VerdictKind, Option<InvalidReason>) {
    let Conclusion::Verdict(verdict) = &report.conclusion else { panic!("a verdict") };
    let reason = if let Verdict::Invalid(rejection) = verdict { Some(rejection.reason()) } else { None };
    (verdict.kind(), reason)
}

/// Nineteen keys: without a place the sixteen latest are tried, always all of them. With one, the key that was in force
/// there is tried too, however old.
#[test]
fn a_place_brings_the_key_that_was_in_force_there() {
    let (registry, seals) = history();
    let ana = identity("ana");
    let hashes: Vec<KeyHash> = (1..=ROTATIONS + 1).map(|number| *key(number).public_key().hash()).collect();
    let latest: Vec<KeyHash> = hashes.iter().rev().take(16).copied().collect();
    for (index, (seal, seq)) in seals.iter().enumerate() {
        let (report, tried) = verify(&registry.ring, seal, &ana, None);
        let known = index >= seals.len() - 16;
        let expected = match (known, index == seals.len() - 1) {
            (_, true) => (VerdictKind::Valid, None),
            (true, _) => (VerdictKind::Invalid, Some(InvalidReason::RetiredKey)),
            // The three oldest keys are not even looked at.
            (false, _) => (VerdictKind::Invalid, Some(InvalidReason::Signature)),
        };
        assert_eq!(kind_and_reason(&report), expected, "key {}", index + 1);
        assert_eq!(report.layer_b == LayerOutcome::Pass, known);
        assert_eq!(tried, latest, "the current key, then the latest retired ones");

        let located = locate(ORIGIN, &registry.chain, *seq);
        let (report, tried) = verify(&registry.ring, seal, &ana, Some(&located));
        assert_eq!(kind_and_reason(&report), (VerdictKind::Valid, None), "key {}", index + 1);
        assert_eq!(tried[..16], latest);
        assert_eq!(tried[16..], [hashes[index]], "one more, always: it may be one of the sixteen again");
    }
}

/// A stolen old key: its seal stands in the chain, but after its retirement, where another key was in force.
#[test]
fn an_old_key_beyond_the_sixteen_gains_nothing_by_a_late_place() {
    let (mut registry, _) = history();
    let ana = identity("ana");
    let seal = seal_by(1);
    let entry = append(&mut registry, &seal, minute(900));
    let located = locate(ORIGIN, &registry.chain, entry.seq());
    let (report, tried) = verify(&registry.ring, &seal, &ana, Some(&located));
    assert_eq!(kind_and_reason(&report), (VerdictKind::Invalid, Some(InvalidReason::Signature)));
    assert_eq!(tried.last(), Some(key(ROTATIONS + 1).public_key().hash()), "the current key was in force there");
}

/// A place costs one key more whoever is asked about, so that the time does not say who is in the ring.
#[test]
fn an_unknown_identity_costs_as_many_keys() {
    let (registry, seals) = history();
    let located = locate(ORIGIN, &registry.chain, seals[0].1);
    let mut one_key = Registry::new();
    one_key.add(&identity("ivan"), key(1).public_key());
    for at in [None, Some(&located)] {
        let (known, tried) = verify(&one_key.ring, &seals[0].0, &identity("ivan"), at);
        assert_eq!(kind_and_reason(&known), (VerdictKind::Invalid, Some(InvalidReason::Signature)));
        let (unknown, of_nobody) = verify(&one_key.ring, &seals[0].0, &identity("nobody"), at);
        assert_eq!(kind_and_reason(&unknown), (VerdictKind::Invalid, Some(InvalidReason::UnknownIdentity)));
        assert_eq!((tried.len(), of_nobody.len()), (1 + usize::from(at.is_some()), tried.len()));
    }
}

/// `bela` on a key that is long retired is found through the place.
#[test]
fn the_state_of_the_oldest_key_counts() {
    for (state, kind) in [
        (KeyState::Valid, VerdictKind::Valid),
        (KeyState::Revoked, VerdictKind::Revoked),
        (KeyState::Decoy, VerdictKind::Decoy),
        (KeyState::Suspended, VerdictKind::Suspended),
    ] {
        let (mut registry, seals) = history();
        let ana = identity("ana");
        registry.set_state(&ana, Some(key(1).public_key().hash()), state);
        let located = locate(ORIGIN, &registry.chain, seals[0].1);
        assert_eq!(kind_and_reason(&verify(&registry.ring, &seals[0].0, &ana, Some(&located)).0), (kind, None));
    }
}

/// The same work for an identity that is not there: a dummy key in its place.
#[test]
fn an_unknown_identity_takes_a_verification_too() {
    let (registry, seals) = history();
    let (report, tried) = verify(&registry.ring, &seals[18].0, &identity("nobody"), None);
    assert_eq!(kind_and_reason(&report), (VerdictKind::Invalid, Some(InvalidReason::UnknownIdentity)));
    assert_eq!(tried.len(), 1);
    assert!((1..=ROTATIONS + 1).all(|number| tried[0] != *key(number).public_key().hash()));
    // An identity that has nothing but a decoy is not known either, and the decoy is not tried.
    let mut registry = registry;
    registry.add_decoy(&identity("nobody"), key(100).public_key());
    let (report, tried) = verify(&registry.ring, &seal_by(100), &identity("nobody"), None);
    assert_eq!(kind_and_reason(&report), (VerdictKind::Invalid, Some(InvalidReason::UnknownIdentity)));
    assert_ne!(tried[0], *key(100).public_key().hash());
}

/// The same keys are tried whatever their states are, whether the first verifies or none does.
#[test]
fn the_same_work_in_every_state() {
    let (ana, mut tried_in) = (identity("ana"), Vec::new());
    for state in [KeyState::Valid, KeyState::Revoked, KeyState::Decoy, KeyState::Suspended] {
        let (mut registry, seals) = history();
        registry.set_state(&ana, None, state);
        for seal in [&seals[18].0, &seals[10].0, &seals[0].0, &seal_by(99)] {
            tried_in.push(verify(&registry.ring, seal, &ana, None).1);
        }
    }
    assert!(tried_in.iter().all(|tried| *tried == tried_in[0]));
}

/// Where no key verifies and none is current, the latest retired key's state decides.
#[test]
fn without_a_current_key_the_latest_retired_one_decides() {
    for (state, kind) in [
        ("istina", VerdictKind::Invalid),
        ("laz", VerdictKind::Revoked),
        ("oboje", VerdictKind::Invalid),
        ("nijedno", VerdictKind::Suspended),
    ] {
        let (mut registry, ana) = (Registry::new(), identity("ana"));
        registry.add(&ana, key(1).public_key());
        registry.rotate(&ana, key(2).public_key());
        registry.set_state(&ana, None, state.parse::<KeyState>().unwrap());
        registry.rotate(&ana, key(3).public_key());
        // Key 2 is the latest retired one; the current key is taken out of the ring's JSON.
        let mut json: serde_json::Value = serde_json::from_str(&registry.file()).unwrap();
        json["keys"].as_array_mut().unwrap().retain(|key| key["role"] != "current");
        json["revision"] = 3.into();
        let ring = checked(json).unwrap();
        let (report, _) = verify(&ring, &seal_by(99), &ana, None);
        assert_eq!(kind_and_reason(&report).0, kind, "{state}");
        let reason = (kind == VerdictKind::Invalid).then_some(InvalidReason::Signature);
        assert_eq!(kind_and_reason(&report).1, reason);
    }
}

/// A bare seal has neither a time nor a handle: its place is shown by origin, identity and message, and nothing less.
#[test]
fn what_makes_a_place_a_seals_own() {
    let (mut registry, ana, seal) = (Registry::new(), identity("ana"), seal_by(1));
    registry.add(&ana, key(1).public_key());
    let message = message(&seal);
    let filler = ["a", "b", message.as_str(), "c", "d", "e"];
    let chain = chain_of(&ana, &filler);
    // Retired at 5 of a chain in which nothing else happened.
    let mut head = dualseal_tests::log::head_at(&chain, 5);
    registry.ring = ring_file::moved(&registry.ring, registry.chain.head(), &head);
    let rotated = registry.ring.rotate(&ana, key(2).public_key().clone(), &head, minute(9)).unwrap();
    head = rotated.head;
    assert_eq!(head.size(), 6);

    let upper = message.to_uppercase();
    let spaced = format!("{message} ");
    let other = seal_by(2);
    let other = self::message(&other);
    // What a plain append may say: it stands for no seal.
    let bare = message.split("::").nth(2).unwrap();
    assert!(bare.len() == 64 && seal.info().seal_id.unwrap().to_hex() == bare);
    let invalid = |reason| (VerdictKind::Invalid, Some(reason));
    for (name, origin, chain, expected) in [
        ("its own", ORIGIN, chain.clone(), (VerdictKind::Valid, None)),
        ("at another time", ORIGIN, dualseal_tests::log::retimed(&chain, 2, minute(999)), (VerdictKind::Valid, None)),
        ("another log", "example.org/other", chain.clone(), invalid(InvalidReason::RetiredKey)),
        ("another identity", ORIGIN, chain_of(&identity("ivan"), &filler), invalid(InvalidReason::RetiredKey)),
        ("uppercase", ORIGIN, chain_of(&ana, &["a", "b", &upper, "c"]), invalid(InvalidReason::RetiredKey)),
        ("with a space", ORIGIN, chain_of(&ana, &["a", "b", &spaced, "c"]), invalid(InvalidReason::RetiredKey)),
        ("a bare hash", ORIGIN, chain_of(&ana, &["a", "b", bare, "c"]), invalid(InvalidReason::RetiredKey)),
        ("another seal", ORIGIN, chain_of(&ana, &["a", "b", &other, "c"]), invalid(InvalidReason::RetiredKey)),
    ] {
        let located = locate(origin, &chain, 2);
        let (report, _) = verify(&registry.ring, &seal, &ana, Some(&located));
        assert_eq!(kind_and_reason(&report), expected, "{name}");
        // A pinned key has no origin: the checkpoint's pinned origin stands for it. It is current, so that a place that
        // is not the seal's is named as such.
        let pinned = KeyRing::pinned(&ana, key(1).public_key().clone());
        let (report, _) = verify(&pinned, &seal, &ana, Some(&located));
        let expected = match name {
            "its own" | "at another time" | "another log" => (VerdictKind::Valid, None),
            _ => invalid(InvalidReason::Located),
        };
        assert_eq!(kind_and_reason(&report), expected, "{name}, pinned");
    }
}
