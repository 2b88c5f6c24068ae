//! The chain entries of ring changes, after any sequence of changes: their tags recomputed with another HMAC over the
//! ring's own JSON.

use dualseal::error::{Error, Misuse};
use dualseal::key::{CheckedRing, KeyState, RingFile};
use dualseal::krunica::Appended;
use dualseal::secret::Secret;
use dualseal::{Domain, Head, IdentityId, Krunica, PublicKey, RingKey};
use dualseal_tests::random::{Constant, FAILING};
use dualseal_tests::reading::resumed;
use dualseal_tests::{identity, minute};
use hmac::{KeyInit, Mac, SimpleHmac};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value as Json;

const STATES: [KeyState; 4] = [KeyState::Valid, KeyState::Revoked, KeyState::Decoy, KeyState::Suspended];

#[derive(Clone, Debug)]
enum Change {
    Add,
    Rotate,
    Bela(KeyState),
    /// Of the retired key at this place, counted in a circle.
    BelaRetired(usize, KeyState),
    Decoy,
}

fn changes() -> impl Strategy<Value = Vec<(bool, Change)>> {
    let state = || prop::sample::select(&STATES[..]);
    let change = prop_oneof![
        Just(Change::Add),
        Just(Change::Rotate),
        state().prop_map(Change::Bela),
        (0usize..4, state()).prop_map(|(place, state)| Change::BelaRetired(place, state)),
        Just(Change::Decoy),
    ];
    vec((any::<bool>(), change), 1..14)
}

/// Rings do not look into keys, so any 1952 bytes serve.
fn public(number: usize) -> PublicKey {
    PublicKey::from_slice(&[u8::try_from(number).unwrap(); 1952]).unwrap()
}

/// The identity's current and retired keys as they stand in the ring's JSON.
fn keys_of(ring: &CheckedRing, head: &Head, identity_id: &IdentityId) -> Vec<Json> {
    let json: Json = serde_json::from_str(&ring.to_stored_json(head).unwrap()).unwrap();
    let keys = json["keys"].as_array().unwrap().iter();
    keys.filter(|k| k["identity_id"] == identity_id.to_hex() && k["role"] != "decoy").cloned().collect()
}

fn keyed(ring_key: &[u8], parts: &[&str]) -> String {
    let mut mac = <SimpleHmac<sha3::Sha3_512> as KeyInit>::new_from_slice(ring_key).unwrap();
    for part in parts {
        mac.update(part.as_bytes());
    }
    hex::encode(&mac.finalize().into_bytes()[..32])
}

/// The ring root, which the second implementation computes, is taken from the message itself.
fn expected_message(domain: &str, ring_key: &[u8], ring: &CheckedRing, changed: &Appended) -> String {
    let Appended { entry, head } = changed;
    let (revision, id) = (ring.revision(), entry.identity_id());
    let keys = serde_json_canonicalizer::to_string(&keys_of(ring, head, id)).unwrap();
    let tag = keyed(ring_key, &[&format!("{domain}-SIGN::RING::{revision}::{domain}"), &keys]);
    let root = entry.message().split("::").nth(4).unwrap();
    let (prev, stated) = (entry.prev(), format!("{revision}::{tag}::{root}"));
    let mac = keyed(ring_key, &[&format!("{domain}-SIGN::ENTRY::{prev}::{id}::{stated}::{domain}")]);
    format!("{domain}-SIGN::RING::{stated}::{mac}::{domain}")
}

proptest! {
    #[test]
    fn every_change_is_vouched_for(changes in changes(), ring_key: [u8; 32]) {
        let domain = Domain::new("ACME").unwrap();
        let authority = RingKey::new(&domain, Secret::from_slice("ring key", &ring_key).unwrap());
        let mut ring = CheckedRing::new("log", &authority).unwrap();
        let mut chain = Krunica::new();
        ring.follow(&chain.append(&domain, &identity("x"), "something else", minute(0)).unwrap(), |_| false).unwrap();
        for (number, (first, change)) in changes.into_iter().enumerate() {
            let id = identity(if first { "ana" } else { "ivan" });
            let (before, at, t) = (ring.clone(), chain.head().clone(), minute(i64::try_from(number).unwrap()));
            let result = match change {
                Change::Add => ring.add(&id, public(number), &at, t),
                Change::Rotate => ring.rotate(&id, public(number), &at, t),
                Change::Bela(state) => ring.set_state(&id, None, state, &at, t),
                Change::BelaRetired(place, state) => {
                    let retired: Vec<Json> = keys_of(&ring, &at, &id).into_iter().skip(1).collect();
                    let Some(key) = retired.get(place % retired.len().max(1)) else { continue };
                    let key = PublicKey::from_hex(key["javni_kljuc"].as_str().unwrap()).unwrap();
                    ring.set_state(&id, Some(key.hash()), state, &at, t)
                }
                Change::Decoy => {
                    let entry = chain.append(&domain, &id, "sealed", t).unwrap().clone();
                    ring.add_decoy(&public(number), &entry).unwrap();
                    prop_assert_eq!(ring.revision(), before.revision());
                    continue;
                }
            };
            match result {
                Ok(appended) => {
                    prop_assert_eq!(ring.revision(), before.revision() + 1);
                    let message = expected_message("ACME", &ring_key, &ring, &appended);
                    let Appended { entry, head } = appended;
                    prop_assert_eq!(entry.message(), message);
                    prop_assert_eq!((entry.identity_id(), entry.time(), entry.seq()), (&id, t, at.size()));
                    chain.push(entry).unwrap();
                    prop_assert_eq!(chain.head(), &head);
                }
                Err(error) => {
                    let known = matches!(error, Error::Misuse(Misuse::HasCurrentKey | Misuse::UnknownIdentity));
                    prop_assert!(known, "{}", error);
                    prop_assert_eq!(&ring, &before);
                }
            }
            // Whatever the ring came through, its file is bound as one that was read is.
            let stored = ring.to_stored_json(chain.head()).unwrap();
            let read = RingFile::from_json(stored.as_bytes()).unwrap();
            let read = resumed(read, &authority, chain.head(), &[], |_| true).unwrap();
            prop_assert_eq!((&*read, read.to_stored_json(chain.head())), (&*ring, Ok(stored)));
        }
    }
}

/// Equal states do not give equal tags, and the tags tell nobody without the ring key which state it is.
#[test]
fn tags_do_not_repeat() {
    let domain = Domain::default();
    let message = |ring_key: u8, states: &[KeyState]| {
        let authority = RingKey::new(&domain, Secret::from_slice("ring key", &[ring_key; 32]).unwrap());
        let (mut ring, ana) = (CheckedRing::new("log", &authority).unwrap(), identity("ana"));
        let mut last = ring.add(&ana, public(1), &Head::EMPTY, minute(1)).unwrap();
        for state in states {
            last = ring.set_state(&ana, None, *state, &last.head, minute(1)).unwrap();
        }
        last.entry.message().to_string()
    };
    let tag = |message: String| message.split("::").nth(3).unwrap().to_string();
    let (once, twice) = (message(1, &[KeyState::Valid]), message(1, &[KeyState::Valid, KeyState::Valid]));
    assert_ne!(tag(once.clone()), tag(twice));
    assert_ne!(tag(once.clone()), tag(message(1, &[KeyState::Revoked])));
    assert_ne!(tag(once.clone()), tag(message(2, &[KeyState::Valid])));
    assert_eq!(once, message(1, &[KeyState::Valid]));
    assert!(STATES.iter().all(|state| !once.contains(state.as_str())));
}

#[test]
fn ring_keys_are_drawn() {
    let domain = Domain::default();
    assert_eq!(RingKey::generate(&domain, &mut Constant(7)).unwrap_err(), Error::Randomness);
    assert_eq!(RingKey::generate(&domain, &mut Constant(0)).unwrap_err(), Error::Randomness);
    assert_eq!(RingKey::generate(&domain, &mut FAILING.clone()).unwrap_err(), Error::Randomness);
    let mut system = dualseal::SystemRng;
    let (one, two) = (RingKey::generate(&domain, &mut system), RingKey::generate(&domain, &mut system));
    assert!(one.unwrap().secret().expose() != two.unwrap().secret().expose());
}
