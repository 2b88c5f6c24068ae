//! The chain entries of ring changes, after any sequence of changes: their tags recomputed with another HMAC over the
//! ring's own JSON.

use dualseal::error::{Error, Misuse};
use dualseal::key::{KeyRing, KeyState};
use dualseal::krunica::Appended;
use dualseal::secret::Secret;
use dualseal::{Domain, IdentityId, Krunica, PublicKey, RingKey};
use dualseal_tests::random::{Constant, FAILING};
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
fn keys_of(ring: &KeyRing, identity_id: &IdentityId) -> Vec<Json> {
    let json: Json = serde_json::from_str(&ring.to_json().unwrap()).unwrap();
    let keys = json["keys"].as_array().unwrap().iter();
    keys.filter(|k| k["identity_id"] == identity_id.to_hex() && k["role"] != "decoy").cloned().collect()
}

fn expected_message(domain: &str, ring_key: &[u8], ring: &KeyRing, identity_id: &IdentityId) -> String {
    let revision = ring.revision();
    let keys = serde_json_canonicalizer::to_string(&keys_of(ring, identity_id)).unwrap();
    let mut mac = <SimpleHmac<sha3::Sha3_512> as KeyInit>::new_from_slice(ring_key).unwrap();
    mac.update(format!("{domain}-SIGN::RING::{revision}::{domain}").as_bytes());
    mac.update(keys.as_bytes());
    let tag = hex::encode(&mac.finalize().into_bytes()[..32]);
    format!("{domain}-SIGN::RING::{revision}::{tag}::{domain}")
}

proptest! {
    #[test]
    fn every_change_is_vouched_for(changes in changes(), ring_key: [u8; 32]) {
        let domain = Domain::new("ACME").unwrap();
        let authority = RingKey::new(&domain, Secret::from_slice("ring key", &ring_key).unwrap());
        let mut ring = KeyRing::new("log").unwrap();
        let mut chain = Krunica::new();
        chain.append(&domain, &identity("x"), "something else", minute(0)).unwrap();
        for (number, (first, change)) in changes.into_iter().enumerate() {
            let id = identity(if first { "ana" } else { "ivan" });
            let (before, at, t) = (ring.clone(), *chain.head(), minute(i64::try_from(number).unwrap()));
            let result = match change {
                Change::Add => ring.add(&id, public(number), &at, t, &authority),
                Change::Rotate => ring.rotate(&id, public(number), &at, t, &authority),
                Change::Bela(state) => ring.set_state(&id, None, state, &at, t, &authority),
                Change::BelaRetired(place, state) => {
                    let retired: Vec<Json> = keys_of(&ring, &id).into_iter().skip(1).collect();
                    let Some(key) = retired.get(place % retired.len().max(1)) else { continue };
                    let key = PublicKey::from_hex(key["javni_kljuc"].as_str().unwrap()).unwrap();
                    ring.set_state(&id, Some(key.hash()), state, &at, t, &authority)
                }
                Change::Decoy => {
                    ring.add_decoy(&id, &public(number), t).unwrap();
                    prop_assert_eq!(ring.revision(), before.revision());
                    continue;
                }
            };
            match result {
                Ok(Appended { entry, head }) => {
                    prop_assert_eq!(ring.revision(), before.revision() + 1);
                    prop_assert_eq!(entry.message(), expected_message("ACME", &ring_key, &ring, &id));
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
            prop_assert_eq!(&KeyRing::from_json(ring.to_json().unwrap().as_bytes()).unwrap(), &ring);
        }
    }
}

/// Equal states do not give equal tags, and the tags tell nobody without the ring key which state it is.
#[test]
fn tags_do_not_repeat() {
    let domain = Domain::default();
    let message = |ring_key: u8, states: &[KeyState]| {
        let authority = RingKey::new(&domain, Secret::from_slice("ring key", &[ring_key; 32]).unwrap());
        let (mut ring, ana) = (KeyRing::new("log").unwrap(), identity("ana"));
        let mut last = ring.add(&ana, public(1), &dualseal::Head::EMPTY, minute(1), &authority).unwrap();
        for state in states {
            last = ring.set_state(&ana, None, *state, &last.head, minute(1), &authority).unwrap();
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
    assert_eq!(RingKey::generate(&domain, &mut Constant(7)).unwrap().secret().expose(), &[7; 32]);
    assert_eq!(RingKey::generate(&domain, &mut Constant(0)).unwrap_err(), Error::Randomness);
    assert_eq!(RingKey::generate(&domain, &mut FAILING.clone()).unwrap_err(), Error::Randomness);
    let mut system = dualseal::SystemRng;
    let (one, two) = (RingKey::generate(&domain, &mut system), RingKey::generate(&domain, &mut system));
    assert!(one.unwrap().secret().expose() != two.unwrap().secret().expose());
}

/// At 2^53-1 changes the ring says so and stays as it is.
#[test]
fn revisions_end_at_the_largest_integer() {
    let domain = Domain::default();
    let authority = RingKey::new(&domain, Secret::from_slice("ring key", &[1; 32]).unwrap());
    let (ana, head) = (identity("ana"), dualseal::Head::EMPTY);
    let mut ring = KeyRing::new("log").unwrap();
    ring.add(&ana, public(1), &head, minute(1), &authority).unwrap();
    let last = (1u64 << 53) - 1;
    let json = ring.to_json().unwrap().replace("\"revision\":1", &format!("\"revision\":{}", last - 1));
    let mut ring = KeyRing::from_json(json.as_bytes()).unwrap();
    ring.set_state(&ana, None, KeyState::Revoked, &head, minute(1), &authority).unwrap();
    assert_eq!(ring.revision(), last);
    let before = ring.clone();
    for _ in 0..2 {
        let changed = ring.set_state(&ana, None, KeyState::Valid, &head, minute(1), &authority);
        assert_eq!(changed, Err(Error::Misuse(Misuse::CounterExhausted)));
        let rotated = ring.rotate(&ana, public(2), &head, minute(1), &authority);
        assert_eq!(rotated, Err(Error::Misuse(Misuse::CounterExhausted)));
        let added = ring.add(&identity("ivan"), public(2), &head, minute(1), &authority);
        assert_eq!(added, Err(Error::Misuse(Misuse::CounterExhausted)));
        assert_eq!(ring, before);
    }
    assert_eq!(KeyRing::from_json(ring.to_json().unwrap().as_bytes()).unwrap(), ring);
}
