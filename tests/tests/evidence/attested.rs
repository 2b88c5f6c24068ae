//! Public rings and single keys under a checkpoint: what the log's signer states is told from what somebody edited,
//! from an old ring and from another log's.

use dualseal::checkpoint::{AttestedKey, AttestedRing, Checkpoint};
use dualseal::error::{Error, EvidenceFault, Misuse, Rejected, RingFault};
use dualseal::key::{KeyProof, KeyState, PublicRing, RingHead, SetState, Unprepared};
use dualseal::{KeyRing, PublicKey, SignatureRecord, Signer, Verdict, VerdictKind, Verified, Verifier};
use dualseal_tests::log::{ORIGIN, covering, locate, mark, verified, verified_mark, verified_stating};
use dualseal_tests::registry::Registry;
use dualseal_tests::{identity, key, minute, next_digit};
use serde_json::{Value as Json, json};

/// Rings do not look into keys, so any 1952 bytes serve.
fn any_key(number: u8) -> PublicKey {
    PublicKey::from_slice(&[number; 1952]).unwrap()
}

/// Three identities, a rotation, a revocation, a silent change and a decoy.
fn registry() -> Registry {
    let (mut registry, ana) = (Registry::new(), identity("ana"));
    registry.add(&ana, key(1).public_key());
    registry.add(&identity("ivan"), &any_key(11));
    registry.rotate(&ana, key(2).public_key());
    registry.add(&identity("eva"), &any_key(21));
    registry.set_state(&identity("ivan"), None, KeyState::Decoy);
    registry.add_decoy(&ana, &any_key(31));
    registry.set_state(&identity("eva"), None, SetState::compromised_from(4));
    registry
}

fn checkpoint(registry: &Registry) -> Verified<Checkpoint> {
    covering(ORIGIN, &registry.chain, registry.chain.entries().len())
}

fn edited(ring: &PublicRing, edit: impl FnOnce(&mut Json)) -> PublicRing {
    let mut json: Json = serde_json::from_str(&ring.to_json()).unwrap();
    edit(&mut json);
    PublicRing::from_json(json.to_string().as_bytes()).unwrap()
}

#[track_caller]
fn refused(ring: PublicRing, checkpoint: &Verified<Checkpoint>) -> EvidenceFault {
    fault(AttestedRing::new(ring, checkpoint).unwrap_err())
}

#[track_caller]
fn fault(error: Error) -> EvidenceFault {
    match error {
        Error::Rejected(Rejected::NotShown(fault)) => fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_ring_that_the_checkpoint_states_is_attested() {
    let registry = registry();
    let read = PublicRing::from_json(registry.ring.public().to_json().as_bytes()).unwrap();
    let ring = AttestedRing::new(read, &checkpoint(&registry)).unwrap();
    assert_eq!(ring.known_to(), Some(registry.chain.head().size()));
    assert_eq!(*ring.public(), registry.ring.public());
    // Before the first change there is the empty ring, and no other.
    let (empty, nothing) = (Registry::new(), covering(ORIGIN, &Registry::new().chain, 0));
    assert_eq!(AttestedRing::new(empty.ring.public(), &nothing).unwrap().known_to(), Some(0));
    assert_eq!(refused(registry.ring.public(), &nothing), EvidenceFault::RingMismatch { ring: 6, stated: 0 });
}

/// The attack of the issue: `laz` was edited to `istina` in an exported ring, and the record counted again.
#[test]
fn laz_edited_to_istina_in_an_exported_ring_is_a_mismatch() {
    let (mut registry, ana) = (Registry::new(), identity("ana"));
    registry.add(&ana, key(1).public_key());
    let (signing, content) = (key(1), registry.domain.content_hash(&ana, b"content"));
    let signed = Signer::new(&registry.domain, &ana, &signing)
        .sign_deterministic(&content, registry.chain.head(), minute(1))
        .unwrap();
    registry.chain.push(signed.entry).unwrap();
    registry.set_state(&ana, None, KeyState::Revoked);
    let ring = edited(&registry.ring.public(), |json| {
        let key = &mut json["keys"][0];
        key["bela_stanje"] = json!("istina");
        key["opozvan_od"] = json!(null);
        key["povijest"].as_array_mut().unwrap().truncate(1);
    });
    let place = locate(ORIGIN, &registry.chain, 1);
    let verify = |ring: &KeyRing, record: &SignatureRecord| -> Verdict<SignatureRecord> {
        Verifier::new(&registry.domain, ring, &Unprepared).verify(&content, record.clone(), Some(&place))
    };
    assert_eq!(verify(&ring, &signed.record).kind(), VerdictKind::Valid, "an unattested ring is anybody's word");
    let checkpoint = checkpoint(&registry);
    assert_eq!(refused(ring, &checkpoint), EvidenceFault::RingMismatch { ring: 2, stated: 2 });
    let attested = AttestedRing::new(registry.ring.public(), &checkpoint).unwrap();
    assert_eq!(verify(&attested, &signed.record).kind(), VerdictKind::Revoked);
}

#[test]
fn edited_older_newer_and_foreign_rings_are_told_apart() {
    let mut registry = registry();
    let (old, then) = (registry.ring.public(), checkpoint(&registry));
    registry.set_state(&identity("ivan"), None, KeyState::Suspended);
    let (ring, now) = (registry.ring.public(), checkpoint(&registry));
    AttestedRing::new(old.clone(), &then).unwrap();
    let rollback = RingFault::Rollback { ring: 6, chain: 7 };
    assert_eq!(AttestedRing::new(old, &now).unwrap_err(), rollback.into());
    assert_eq!(refused(ring.clone(), &then), EvidenceFault::RingMismatch { ring: 7, stated: 6 });
    let foreign = edited(&ring, |json| json["origin"] = json!("example.org/other"));
    assert_eq!(refused(foreign, &now), EvidenceFault::ForeignRing);
    // Whatever is edited, where the ring is still one.
    let mismatch = EvidenceFault::RingMismatch { ring: 7, stated: 7 };
    let keys = serde_json::from_str::<Json>(&ring.to_json()).unwrap()["keys"].as_array().unwrap().len();
    for index in 0..keys {
        for digit in [0, 63] {
            let salted = edited(&ring, |json| {
                let salt = &mut json["keys"][index]["salt"];
                *salt = next_digit(salt.as_str().unwrap(), digit).into();
            });
            assert_eq!(refused(salted, &now), mismatch);
        }
        let dated = edited(&ring, |json| json["keys"][index]["generirano"] = json!("2026-11-21T10:00:00.000Z"));
        assert_eq!(refused(dated, &now), mismatch);
        let swapped = edited(&ring, |json| json["keys"][index]["javni_kljuc"] = json!(any_key(99).to_hex()));
        assert_eq!(refused(swapped, &now), mismatch);
    }
    let lowered = edited(&ring, |json| {
        json["keys"].as_array_mut().unwrap().iter_mut().filter(|key| key["opozvan_od"] == 4).for_each(|key| {
            key["opozvan_od"] = json!(3);
        });
    });
    assert_eq!(refused(lowered, &now), mismatch);
    // A signer who states a ring with changes that are not below the size.
    let RingHead { revision, root } = *now.record().ring().unwrap();
    let head = dualseal_tests::log::head_at(&registry.chain, 7);
    let early = verified_stating(ORIGIN, &head, Some(RingHead { revision, root }));
    assert_eq!(refused(ring, &early), mismatch);
}

#[test]
fn every_key_of_a_ring_has_a_proof() {
    let registry = registry();
    let (public, checkpoint) = (registry.ring.public(), checkpoint(&registry));
    let whole = AttestedRing::new(public.clone(), &checkpoint).unwrap();
    let stated = checkpoint.record().ring().unwrap();
    for (name, held) in [
        ("ana", key(1).public_key().clone()),
        ("ana", key(2).public_key().clone()),
        ("ivan", any_key(11)),
        ("eva", any_key(21)),
    ] {
        let proof = public.prove(held.hash()).unwrap();
        assert_eq!(KeyProof::from_json(proof.to_json().as_bytes()), Ok(proof.clone()));
        assert!(proof.holds(stated));
        assert_eq!((proof.identity_id(), proof.key_hash()), (&identity(name), held.hash()));
        let key = AttestedKey::new(&proof, held.clone(), &checkpoint).unwrap();
        assert!(key.has_key(&identity(name), &held));
        assert_eq!((key.known_to(), key.revision(), key.origin()), (whole.known_to(), whole.revision(), Some(ORIGIN)));
        assert_eq!(key.identities().count(), 1);
        assert_eq!(AttestedKey::new(&proof, any_key(7), &checkpoint).map_err(fault), Err(EvidenceFault::OtherKey));
    }
    // A decoy has none, nor has a key that nobody added.
    assert_eq!(public.prove(any_key(31).hash()), None);
    assert_eq!(public.prove(any_key(7).hash()), None);
}

/// What a thief signed with a decoy is a pass for every outsider: the operator gives out nothing that says more.
#[test]
fn a_decoy_has_no_proof_by_its_operator() {
    let mut registry = registry();
    let (ring, public) = (&registry.ring, registry.ring.public());
    assert_eq!(ring.prove(any_key(11).hash()), Err(Error::Misuse(Misuse::DecoyKey)));
    assert_eq!(ring.prove(any_key(31).hash()), Err(Error::Misuse(Misuse::DecoyKey)));
    assert_eq!(ring.prove(any_key(7).hash()), Err(Error::Misuse(Misuse::UnknownKey)));
    for held in [key(1).public_key().clone(), key(2).public_key().clone(), any_key(21)] {
        assert_eq!(ring.prove(held.hash()).ok(), public.prove(held.hash()));
    }
    // Outsiders make the proof themselves, and tell the decoy from nothing.
    let shown = public.prove(any_key(11).hash()).unwrap();
    assert_eq!(shown.state(), KeyState::Valid);
    registry.set_state(&identity("ivan"), None, KeyState::Valid);
    assert_eq!(registry.ring.prove(any_key(11).hash()).map(|proof| proof.state()), Ok(KeyState::Valid));
    registry.set_state(&identity("ivan"), None, KeyState::Decoy);
    assert_eq!(registry.ring.prove(any_key(11).hash()), Err(Error::Misuse(Misuse::DecoyKey)));
    // A retired one stays what it was.
    registry.rotate(&identity("ivan"), &any_key(12));
    assert_eq!(registry.ring.prove(any_key(11).hash()), Err(Error::Misuse(Misuse::DecoyKey)));
    assert_eq!(registry.ring.prove(any_key(12).hash()), Err(Error::Misuse(Misuse::DecoyKey)));
}

#[test]
fn a_key_proof_fits_its_leaf_its_place_and_its_ring_alone() {
    let mut registry = registry();
    let (public, checkpoint) = (registry.ring.public(), checkpoint(&registry));
    let held = any_key(21);
    let good: Json = serde_json::from_str(&public.prove(held.hash()).unwrap().to_json()).unwrap();
    let refused = |json: &Json, checkpoint: &Verified<Checkpoint>| {
        let proof = KeyProof::from_json(json.to_string().as_bytes()).unwrap();
        fault(AttestedKey::new(&proof, held.clone(), checkpoint).unwrap_err())
    };
    let with = |pointer: &str, value: Json| {
        let mut json = good.clone();
        *json.pointer_mut(pointer).unwrap() = value;
        json
    };
    let path = good["path"].as_array().unwrap().clone();
    assert_eq!((path.len(), &good["size"], &good["seq"]), (2, &json!(4), &json!(3)));
    for json in [
        with("/size", json!(5)),
        with("/size", json!(3)),
        with("/seq", json!(2)),
        with("/seq", json!(4)),
        with("/path", json!([path[0]])),
        with("/path", json!([path[0], path[1], path[1]])),
        with("/path", json!([path[1], path[0]])),
        with("/leaf/opozvan_od", json!(3)),
        with("/leaf/identity_id", json!(identity("ana").to_hex())),
        with("/leaf/javni_kljuc", json!(any_key(7).hash().to_hex())),
        with("/leaf/salt", json!("00".repeat(32))),
        with("/leaf/generirano", json!("2026-11-21T10:00:00.000Z")),
    ] {
        assert_eq!(refused(&json, &checkpoint), EvidenceFault::KeyPath, "{json}");
    }
    for (at, hash) in path.iter().enumerate() {
        for digit in 0..64 {
            let altered = with(&format!("/path/{at}"), next_digit(hash.as_str().unwrap(), digit).into());
            assert_eq!(refused(&altered, &checkpoint), EvidenceFault::KeyPath);
        }
    }
    // A revocation edited away.
    let mut valid = good.clone();
    valid["leaf"]["bela_stanje"] = json!("istina");
    valid["leaf"]["opozvan_od"] = json!(null);
    valid["leaf"]["povijest"].as_array_mut().unwrap().truncate(1);
    assert_eq!(refused(&valid, &checkpoint), EvidenceFault::KeyPath);
    // Of a ring before or after, of a checkpoint that states none, and one that covers none of its changes.
    let none = verified(ORIGIN, registry.chain.head());
    assert_eq!(refused(&good, &none), EvidenceFault::KeyPath);
    let early = dualseal_tests::log::head_at(&registry.chain, 6);
    let early = verified_mark(&mark(ORIGIN, &early.tree_head(), checkpoint.record().ring().copied()));
    assert_eq!(refused(&good, &early), EvidenceFault::KeyPath);
    registry.set_state(&identity("eva"), None, KeyState::Valid);
    assert_eq!(refused(&good, &self::checkpoint(&registry)), EvidenceFault::KeyPath);
    // What no leaf is.
    for (pointer, value) in [
        ("/leaf/role", json!("decoy")),
        ("/leaf/role", json!("retired")),
        ("/leaf/bela_stanje", json!("oboje")),
        ("/leaf/retired", json!(5)),
        ("/leaf/javni_kljuc", json!(held.to_hex())),
        ("/leaf/povijest", json!([[3, "istina"], [4, "istina"], [7, "laz"]])),
        ("/seq", json!(-1)),
    ] {
        KeyProof::from_json(with(pointer, value).to_string().as_bytes()).unwrap_err();
    }
}
