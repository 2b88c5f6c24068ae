//! The work of ML-DSA, counted: a verification that skips it for a state, or for whom it does not know, tells by its
//! time what the record's key is.
#![cfg(all(test, feature = "std", feature = "getrandom"))]

use super::{Legacy, Policy, SealKey, SealVerifier, Sealer};
use crate::domain::Domain;
use crate::encoding::time::Timestamp;
use crate::id::IdentityId;
use crate::key::{KeyRing, KeyState, RingKey, Unprepared};
use crate::krunica::Head;
use crate::mldsa::{PublicKey, SigningKey, work};
use crate::secret::Secret;
use crate::signature::{Signer, Verifier};
use alloc::vec::Vec;

const TIME: Timestamp = Timestamp::MIN;

/// Rings in which the key 1 is Ana's, in each state and role, and rings in which it is not.
fn rings(domain: &Domain, ana: &IdentityId) -> Vec<(&'static str, KeyRing)> {
    let [first, second] = [1, 2].map(|seed| SigningKey::from_seed(&[seed; 32]).unwrap().public_key().clone());
    let authority = RingKey::new(domain, Secret::from_slice("ring key", &[9; 32]).unwrap());
    let with = |key: &PublicKey| {
        let mut ring = KeyRing::new("log").unwrap();
        let head = ring.add(ana, key.clone(), &Head::EMPTY, TIME, &authority).unwrap().head;
        (ring, head)
    };
    let mut rings = Vec::new();
    for state in [KeyState::Valid, KeyState::Revoked, KeyState::Decoy, KeyState::Suspended] {
        let (mut ring, head) = with(&first);
        let head = ring.set_state(ana, None, state, &head, TIME, &authority).unwrap().head;
        rings.push((state.as_str(), ring.clone()));
        ring.rotate(ana, second.clone(), &head, TIME, &authority).unwrap();
        rings.push(("retired", ring));
    }
    rings.push(("foreign", with(&second).0));
    rings.push(("unknown", KeyRing::new("log").unwrap()));
    rings
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
            }
        }
    }
}
