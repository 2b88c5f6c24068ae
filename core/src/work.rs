//! The work of ML-DSA, counted for every kind of record: a verification that skips it for a state, or for whom it does
//! not know, tells by its time what the record's key is.
#![cfg(all(test, feature = "std", feature = "getrandom"))]

use crate::batch::{SealItem, Threads, verify_seals};
use crate::domain::Domain;
use crate::encoding::time::Timestamp;
use crate::id::{IdentityId, MessageHash, SessionId};
use crate::key::{CheckedRing, KeyRing, KeyState, RingKey, Unprepared};
use crate::krunica::Head;
use crate::mldsa::{PublicKey, SIGNATURE_BYTES, SigningKey, work};
use crate::seal::{Legacy, Policy, SealKey, SealVerifier, Sealer};
use crate::secret::Secret;
use crate::signature::{SignatureRecord, Signer, Verifier};
use crate::threshold::{PinnedQuorum, ThresholdResult, verify_pinned_quorum};
use crate::vault::{
    Destination, Encryption, LedgerHead, LedgerId, Operator, Public, Standing, StoredHash, TierPolicy, VaultMaster,
    VaultRecord, VaultSealer, VaultVerifier,
};
use alloc::vec;
use alloc::vec::Vec;

const TIME: Timestamp = Timestamp::MIN;

/// Rings in which the key 1 is Ana's, in each state and role, and rings in which it is not.
fn rings(domain: &Domain, ana: &IdentityId) -> Vec<(&'static str, KeyRing)> {
    let [first, second] = [1, 2].map(|seed| SigningKey::from_seed(&[seed; 32]).unwrap().public_key().clone());
    let authority = RingKey::new(domain, Secret::from_slice("ring key", &[9; 32]).unwrap());
    let with = |key: &PublicKey| {
        let mut ring = CheckedRing::new("log", &authority).unwrap();
        let head = ring.add(ana, key.clone(), &Head::EMPTY, TIME).unwrap().head;
        (ring, head)
    };
    let mut rings = Vec::new();
    for state in [KeyState::Valid, KeyState::Revoked, KeyState::Decoy, KeyState::Suspended] {
        let (mut ring, head) = with(&first);
        let head = ring.set_state(ana, None, state, &head, TIME).unwrap().head;
        rings.push((state.as_str(), KeyRing::clone(&ring)));
        ring.rotate(ana, second.clone(), &head, TIME).unwrap();
        rings.push(("retired", KeyRing::clone(&ring)));
    }
    rings.push(("foreign", KeyRing::clone(&with(&second).0)));
    rings.push(("unknown", KeyRing::clone(&CheckedRing::new("log", &authority).unwrap())));
    rings
}

/// Rings with a decoy: the key 1 of Ana, or one that nobody asks about, beside the key 1 in two roles.
fn rings_with_decoys(domain: &Domain, ana: &IdentityId) -> Vec<(&'static str, KeyRing)> {
    let [first, second, third] = [1, 2, 3].map(|seed| SigningKey::from_seed(&[seed; 32]).unwrap().public_key().clone());
    let authority = RingKey::new(domain, Secret::from_slice("ring key", &[9; 32]).unwrap());
    let with = |key: &PublicKey, decoy: &PublicKey| {
        let mut ring = CheckedRing::new("log", &authority).unwrap();
        let head = ring.add(ana, key.clone(), &Head::EMPTY, TIME).unwrap().head;
        ring.add_decoy(decoy, &head.append_own(ana, "a vault record", TIME).unwrap().entry).unwrap();
        KeyRing::clone(&ring)
    };
    [("held", with(&first, &third)), ("foreign", with(&second, &third)), ("decoy", with(&second, &first))].into()
}

#[test]
fn a_record_is_verified_once_whatever_its_key_is() {
    let domain = Domain::default();
    let [ana, eva] = ["ana", "eva"].map(|name| domain.identity_id(b"", name, "").unwrap());
    let key = SigningKey::from_seed(&[1; 32]).unwrap();
    let signer = Signer::new(&domain, &ana, &key);
    let content = signer.content_hash(b"content");
    let record = signer.sign_deterministic(&content, &Head::EMPTY, TIME).unwrap().record;
    for (name, ring) in rings(&domain, &ana) {
        let verifier = Verifier::new(&domain, &ring, &Unprepared);
        for given in [content, signer.content_hash(b"other"), domain.content_hash(&eva, b"content")] {
            let done = work::of(|| drop(verifier.verify(&given, record.clone(), None)));
            assert_eq!(done, 1, "{name}");
        }
    }
}

/// The ring's keys are hashed when they are put in, and the dummy beforehand. A record's is hashed for nobody, or,
/// where the ring has decoys and the hash tells whether it is one, for everybody.
#[test]
fn a_key_is_hashed_as_often_whatever_the_records_is() {
    let domain = Domain::default();
    let ana = domain.identity_id(b"", "ana", "").unwrap();
    let key = SigningKey::from_seed(&[1; 32]).unwrap();
    let signer = Signer::new(&domain, &ana, &key);
    let content = signer.content_hash(b"content");
    let signed = signer.sign_deterministic(&content, &Head::EMPTY, TIME).unwrap().record.to_json();
    let read = || SignatureRecord::from_json(signed.as_bytes()).unwrap();
    assert_eq!(work::hashed(|| drop(read())), 0);
    let of = |ring: &KeyRing| {
        let (verifier, record) = (Verifier::new(&domain, ring, &Unprepared), read());
        work::hashed(|| drop(verifier.verify(&content, record, None)))
    };
    for (name, ring) in rings(&domain, &ana) {
        assert_eq!(of(&ring), 0, "{name}");
    }
    for (name, ring) in rings_with_decoys(&domain, &ana) {
        assert_eq!(of(&ring), 2, "{name}");
    }
}

/// A seal is tried on each key that the identity has; for an unknown one as often as for one key.
#[test]
fn a_seal_is_verified_as_often_in_every_state() {
    let domain = Domain::default();
    let ana = domain.identity_id(b"", "ana", "").unwrap();
    let (key, seal_key) = (SigningKey::from_seed(&[1; 32]).unwrap(), SealKey::from_slice(&[9; 32]).unwrap());
    let seal = Sealer::new(&domain, &ana, &seal_key, &key).seal(b"content", &mut getrandom::SysRng).unwrap().into();
    for (name, ring) in rings(&domain, &ana) {
        let verifier = SealVerifier::new(&domain, &ring, &Unprepared);
        let expected = if name == "retired" { 2 } else { 1 };
        for payload in [b"content", b"another"] {
            for policy in [Policy::Both(&seal_key), Policy::LayerB] {
                let check = || drop(verifier.verify(&seal, payload, &ana, policy, Legacy::Refused, None));
                assert_eq!(work::of(check), expected, "{name}");
                let item =
                    SealItem { seal: &seal, payload, identity_id: &ana, policy, legacy: Legacy::Refused, place: None };
                let batch = || drop(verify_seals(&verifier, vec![item; 5], Threads::calling(), &mut |_| {}));
                assert_eq!(work::of(batch), 5 * expected, "{name}, in a batch");
            }
        }
    }
}

/// Whatever the signature is: a result that is refused for another reason costs as much.
#[test]
fn a_quorums_result_is_verified_once_whatever_its_key_is() {
    let domain = Domain::default();
    let ana = domain.identity_id(b"", "ana", "").unwrap();
    let public_key = SigningKey::from_seed(&[1; 32]).unwrap().public_key().clone();
    let quorum = PinnedQuorum { session_id: SessionId::from_bytes([1; 32]), identity_id: ana, public_key };
    let text = alloc::format!(
        r#"{{"algoritam":"SHAMIR-2^521-1-ML-DSA-65","culprits":[],"krunica_hash":"{}","ok":true,"potpis":"{}",
            "razlog":null,"svjedok_hash":"{}","ts":"{TIME}","weise3_hash":"{ana}"}}"#,
        "00".repeat(32),
        "00".repeat(SIGNATURE_BYTES),
        "00".repeat(64),
    );
    let ThresholdResult::Signed(result) = ThresholdResult::from_json(text.as_bytes()).unwrap() else {
        panic!("it is signed")
    };
    let message = MessageHash::of(b"message");
    for (name, ring) in rings(&domain, &ana) {
        let check = || drop(verify_pinned_quorum(&domain, &quorum, &message, result.clone(), &ring, &Unprepared, None));
        assert_eq!(work::of(check), 1, "{name}");
    }
}

/// As its seal, also where another layer fails.
#[test]
fn a_vault_record_is_verified_as_often_in_every_state() {
    let domain = Domain::default();
    let ana = domain.identity_id(b"", "ana", "").unwrap();
    let key = SigningKey::from_seed(&[1; 32]).unwrap();
    let master = VaultMaster::new(&domain, Secret::from_slice("master", &[9; 32]).unwrap()).unwrap();
    let ledger = LedgerHead::new(&LedgerId::from_bytes([1; 32]));
    let destination = Destination { ledger: &ledger, head: &Head::EMPTY, note: "", time: TIME };
    let sealed = VaultSealer::new(&master, &ana, &key)
        .seal(b"content", "DEED", Encryption::None, &destination, &mut getrandom::SysRng)
        .unwrap();
    let text = sealed.0.record.to_stored_json();
    let record = || VaultRecord::from_json(text.as_bytes()).unwrap();
    let tiers = TierPolicy::any();
    for (name, ring) in rings(&domain, &ana) {
        let verifier = VaultVerifier::new(&domain, &ring, &Unprepared);
        let expected = if name == "retired" { 2 } else { 1 };
        for content in [b"content", b"another"] {
            let stored = StoredHash::of(&domain, content);
            let standing = Standing::default();
            let public = work::of(|| drop(verifier.verify(record(), &stored, &ana, &Public { tiers }, standing)));
            let operator = Operator { master: &master, tiers };
            let operator = work::of(|| drop(verifier.verify(record(), &stored, &ana, &operator, standing)));
            assert_eq!((public, operator), (expected, expected), "{name}");
        }
    }
}
