//! The byte formats against answers that another implementation computed, with other libraries, from the documentation
//! (`tests/second`).

use core::str::FromStr;
use dualseal::checkpoint::{Checkpoint, CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
use dualseal::hash::{HashFunction, Hmac, Sha3_256, Sha3_512, hkdf_sha3_256};
use dualseal::id::{MessageHash, SessionId};
use dualseal::key::{CheckedRing, KeyRing, KeyState, PublicRing, RingFile, RingHead, SetState, Unprepared};
use dualseal::krunica::Checker;
use dualseal::mldsa::KeyHash;
use dualseal::secret::Secret;
use dualseal::store::{SecretsEnd, StoredState, mark_from_json, mark_to_json};
use dualseal::{
    Domain, Entry, Head, IdentityId, Krunica, RingKey, SignatureRecord, Signer, SigningKey, Timestamp, VerdictKind,
    Verifier,
};
use dualseal_tests::listed;
use dualseal_tests::log::mark;
use dualseal_tests::prelude::*;
use dualseal_tests::primitive;
use dualseal_tests::random::Constant;
use dualseal_tests::reading;
use dualseal_tests::registry::followed;
use dualseal_tests::vectors::{bytes, items, json, string};
use serde_json::Value as Json;

fn answers() -> Json {
    json("known_answers.json")
}

fn parsed<T: FromStr<Err = dualseal::Error>>(item: &Json, name: &str) -> T {
    string(item, name).parse().unwrap()
}

fn domain(item: &Json) -> Domain {
    Domain::new(string(item, "domain")).unwrap()
}

fn h3(bytes: &[u8]) -> String {
    hex::encode(Sha3_256::digest(bytes))
}

fn number(item: &Json, name: &str) -> u64 {
    item[name].as_u64().unwrap()
}

#[cfg_attr(test, test)]
pub(crate) fn identifiers() {
    let answers = answers();
    for item in items(&answers, "identifiers") {
        let (creator, context) = (string(item, "creator"), string(item, "context"));
        let id = domain(item).identity_id(&bytes(item, "content_hex"), creator, context).unwrap();
        assert_eq!(id.to_hex(), string(item, "identity_id"), "{item}");
    }
    for item in items(&answers, "vault_identifiers") {
        let (creator, context) = (string(item, "creator"), string(item, "context"));
        let id = domain(item).vault_id(&bytes(item, "payload_hex"), creator, context, number(item, "seq")).unwrap();
        assert_eq!(id.to_hex(), string(item, "vault_id"), "{item}");
    }
    for item in items(&answers, "content_hashes") {
        let hash = domain(item).content_hash(&parsed(item, "identity_id"), &bytes(item, "content_hex"));
        assert_eq!(hash.to_hex(), string(item, "sadrzaj_hash"), "{item}");
    }
    for item in items(&answers, "bindings") {
        let message = MessageHash::of(&bytes(item, "message_hex"));
        let binding = domain(item).threshold_binding(&parsed::<SessionId>(item, "session_id"), &message);
        assert_eq!(message.to_hex(), string(item, "message_hash"), "{item}");
        assert_eq!(binding.to_hex(), string(item, "binding"), "{item}");
    }
}

fn mac<H: HashFunction>(item: &Json) -> String {
    let mut mac = Hmac::<H>::new(&bytes(item, "key_hex"));
    mac.update(&bytes(item, "message_hex"));
    hex::encode(mac.finish())
}

#[cfg_attr(test, test)]
pub(crate) fn macs() {
    let answers = answers();
    let mut checked = 0;
    for item in items(&answers, "hmac") {
        let found = match string(item, "hash") {
            "SHA3-512" => mac::<Sha3_512>(item),
            "SHA3-256" => mac::<Sha3_256>(item),
            // What is made with SHA-256 is not the library's own code.
            "SHA-256" => continue,
            other => panic!("{other}"),
        };
        assert_eq!(found, string(item, "mac_hex"), "{item}");
        checked += 1;
    }
    assert_eq!(checked, 48);
}

#[cfg_attr(test, test)]
pub(crate) fn derivations() {
    fn derive<const N: usize>(item: &Json) -> Vec<u8> {
        let info = bytes(item, "info_hex");
        hkdf_sha3_256::<N>(&bytes(item, "ikm_hex"), &bytes(item, "salt_hex"), &[&info]).expose().to_vec()
    }
    for item in items(&answers(), "hkdf") {
        let found = match number(item, "length") {
            1 => derive::<1>(item),
            32 => derive::<32>(item),
            64 => derive::<64>(item),
            65 => derive::<65>(item),
            8160 => derive::<8160>(item),
            other => panic!("{other}"),
        };
        match item["okm_hex"].as_str() {
            Some(expected) => assert_eq!(hex::encode(found), expected),
            None => assert_eq!(h3(&found), string(item, "okm_sha3_256")),
        }
    }
}

/// Appends what an entry says, and must get the entry.
fn append(chain: &mut Krunica, domain: &Domain, expected: &Json) -> Entry {
    let (w3, t): (IdentityId, Timestamp) = (parsed(expected, "w3"), parsed(expected, "t"));
    let entry = chain.append(domain, &w3, string(expected, "poruka"), t).unwrap();
    assert_eq!(entry_json(&entry), *expected);
    entry
}

/// An entry as it stands in a list.
fn entry_json(entry: &Entry) -> Json {
    let mut json: Json = serde_json::from_str(&entry.to_json()).unwrap();
    json.as_object_mut().unwrap().remove("seq");
    json
}

#[cfg_attr(test, test)]
pub(crate) fn the_chain() {
    let answers = answers();
    let (entries, answers) = (items(&answers["chain"], "entries"), &answers["chain"]);
    let (roots, handles) = (items(answers, "roots"), items(answers, "krunica_hashes"));
    let mut chain = Krunica::new();
    assert_eq!(chain.head().root().to_hex(), roots[0].as_str().unwrap());
    for ((expected, root), handle) in entries.iter().zip(&roots[1..]).zip(handles) {
        let entry = append(&mut chain, &Domain::default(), expected);
        assert_eq!(entry.krunica_hash().to_hex(), handle.as_str().unwrap());
        assert_eq!(chain.head().root().to_hex(), root.as_str().unwrap());
    }
    assert_eq!(Krunica::from_json(answers["entries"].to_string().as_bytes()).unwrap(), chain);
    assert_eq!((entries.len(), roots.len(), handles.len()), (5, 6, 5));
}

/// A generator of zeros makes the hedged signature the deterministic one.
#[cfg_attr(test, test)]
pub(crate) fn checkpoints() {
    let answers = answers();
    let entries = items(&answers["chain"], "entries");
    let mut complete = 0;
    for item in items(&answers, "checkpoints") {
        let (domain, expected) = (domain(item), &item["checkpoint"]);
        let key = SigningKey::from_seed(&bytes(item, "seed_hex")).unwrap();
        let (origin, identity_id): (_, IdentityId) = (string(expected, "origin"), parsed(expected, "identity_id"));
        let size = usize::try_from(number(expected, "size")).unwrap();
        let mut checker = Checker::new();
        for entry in &entries[..size] {
            checker.push_json(entry.to_string().as_bytes()).unwrap();
        }
        let signer = CheckpointSigner::new(&domain, origin, &identity_id, &key).unwrap();
        let signer = match expected["nota"].as_str() {
            Some(key) => signer.with_note_key(&key.parse().unwrap()),
            None => signer,
        };
        let ring = expected["ring"].as_object().map(|ring| RingHead {
            revision: ring["revision"].as_u64().unwrap(),
            root: ring["root"].as_str().unwrap().parse().unwrap(),
        });
        let mark = mark(origin, &checker.head().tree_head(), ring);
        let signed = signer.sign(&mark, parsed(expected, "time"), &mut Constant(0)).unwrap();
        assert_eq!(h3(signed.signature().as_bytes()), string(item, "deterministic_signature_sha3_256"));
        let found: Json = serde_json::from_str(&signed.to_json()).unwrap();
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(found[name], *value, "{name}");
        }
        if expected["potpis"].is_string() {
            complete += 1;
            let key_hash = *key.public_key().hash();
            let pins = Pins { origin: origin.to_string(), identity_id, key_hash, least_size: 5 };
            let checkpoint = Checkpoint::from_json(expected.to_string().as_bytes()).unwrap();
            let verdict = CheckpointVerifier::new(&domain, &pins, None, &Unprepared).verify(checkpoint);
            assert_eq!(verdict.kind(), VerdictKind::Valid);
        }
    }
    assert_eq!(complete, 1);
}

#[cfg_attr(test, test)]
pub(crate) fn the_ring() {
    let answers = &answers()["ring"];
    let domain = domain(answers);
    let authority = RingKey::new(&domain, Secret::from_slice("ring key", &bytes(answers, "ring_key_hex")).unwrap());
    let keys: Vec<SigningKey> = items(answers, "seeds_hex")
        .iter()
        .map(|seed| SigningKey::from_seed(&hex::decode(seed.as_str().unwrap()).unwrap()).unwrap())
        .collect();
    let public = |number: usize| keys[number].public_key().clone();
    let id: IdentityId = parsed(answers, "identity_id");
    let (changes, entries) = (items(answers, "changes"), items(answers, "chain"));

    let mut ring = CheckedRing::new(string(&answers["ring"], "origin"), &authority).unwrap();
    let mut chain = Krunica::new();
    let mut changed = changes.iter();
    for entry in entries {
        let (at, t): (Head, Timestamp) = (chain.head().clone(), parsed(entry, "t"));
        if string(entry, "poruka") == "sealed" {
            append(&mut chain, &domain, entry);
            continue;
        }
        ring = followed(&ring, chain.entries());
        if string(entry, "poruka").contains("::SIGNED::") {
            // The first key's signature, over the content that the ring's entries stand around.
            let signer = Signer::new(&domain, &id, &keys[0]);
            let signed = signer.sign_deterministic(&signer.content_hash(b"ring"), &at, t).unwrap();
            assert_eq!(entry_json(&signed.entry), *entry);
            chain.push(signed.entry).unwrap();
            continue;
        }
        let change = changed.next().unwrap();
        let appended = match string(change, "change") {
            "add" => ring.add(&id, public(0), &at, t),
            "rotate" => ring.rotate(&id, public(1), &at, t),
            "bela" => ring.set_state(&id, None, KeyState::Decoy, &at, t),
            "revoke" => {
                let key = *public(0).hash();
                ring.set_state(&id, Some(&key), SetState::compromised_from(number(change, "opozvan_od")), &at, t)
            }
            other => panic!("{other}"),
        };
        let found = appended.unwrap().entry;
        assert_eq!(ring.revision(), number(change, "revision"));
        assert_eq!(found.message(), string(change, "poruka"));
        assert_eq!(entry_json(&found), *entry);
        chain.push(found).unwrap();
    }
    assert_eq!((changed.len(), changes.len(), entries.len()), (0, 4, 6));

    // The decoy's record is the last entry.
    ring.add_decoy(&public(2), chain.entries().last().unwrap()).unwrap();
    let text = ring.to_stored_json(chain.head()).unwrap();
    assert_eq!(serde_json::from_str::<Json>(&text).unwrap(), answers["ring"]);
    assert_eq!(h3(text.as_bytes()), string(answers, "ring_json_sha3_256"));
    let public_ring = ring.public();
    assert_eq!(h3(public_ring.to_json().as_bytes()), string(answers, "public_ring_json_sha3_256"));
    assert_eq!(public_ring.root().to_hex(), string(answers, "ring_root"));
    let read = PublicRing::from_json(answers["public_ring"].to_string().as_bytes()).unwrap();
    assert_eq!(read, public_ring);
    let file = RingFile::from_json(answers["ring"].to_string().as_bytes()).unwrap();
    assert_eq!(reading::resumed(file, &authority, chain.head(), &[], |_| true).unwrap(), ring);
    what_is_kept_beside_it(answers, &ring, &authority, chain.head());
}

/// And in rows: the same file, whatever their order.
fn what_is_kept_beside_it(answers: &Json, ring: &CheckedRing, authority: &RingKey, head: &Head) {
    let origin = string(&answers["ring"], "origin");
    let decoy: KeyHash = parsed(&answers["ring"]["keys"][2], "javni_kljuc");
    let id: IdentityId = parsed(answers, "identity_id");
    let rows = [ring.decoy_row(&decoy).unwrap(), ring.identity_row(&id).unwrap()];
    let file = RingFile::from_rows(ring.seal_rows(head).unwrap().as_bytes(), &rows).unwrap();
    assert_eq!(&reading::resumed(file, authority, head, &[], |_| true).unwrap(), ring);

    let state = StoredState::from_json(answers["state"].to_string().as_bytes(), origin, authority).unwrap().unwrap();
    assert_eq!((state.head(), state.ledgers().count(), state.last().unwrap().size), (head, 2, 3));
    let rows: [(&[u8], &[u8]); 3] = [(b"ana", b"stored"), (b"bo", b"stored too"), (b"ana", b"")];
    let end = rows.into_iter().fold(SecretsEnd::default(), |end, (row, stored)| {
        end.after(&listed::place("identities", row, "signing-seed"), &listed::stored(stored))
    });
    assert_eq!(*state.secrets(), end);
    let sealed = state.to_json(ring).unwrap();
    assert_eq!(serde_json::from_str::<Json>(&sealed).unwrap(), answers["state"]);
    let mark = mark_from_json(answers["mark"].to_string().as_bytes(), origin, authority).unwrap().unwrap();
    assert_eq!(mark, HighWaterMark::first(origin, head, Some(ring)).unwrap());
    let sealed = mark_to_json(&mark, ring, head).unwrap();
    assert_eq!(serde_json::from_str::<Json>(&sealed).unwrap(), answers["mark"]);
}

#[cfg_attr(test, test)]
pub(crate) fn ml_dsa() {
    for item in items(&answers(), "mldsa") {
        let key = SigningKey::from_seed(&bytes(item, "seed_hex")).unwrap();
        assert_eq!(key.public_key().hash().to_hex(), string(item, "public_key_sha3_256"));
        let mu = primitive::mu(key.public_key(), &[], &bytes(item, "message_hex")).unwrap();
        let signature = primitive::sign(&key.expand(), mu, None);
        assert_eq!(h3(&signature), string(item, "deterministic_signature_sha3_256"));
    }
}

#[cfg_attr(test, test)]
pub(crate) fn records() {
    let mut complete = 0;
    for item in items(&answers(), "records") {
        let domain = domain(item);
        let key = SigningKey::from_seed(&bytes(item, "seed_hex")).unwrap();
        let [first, second] = items(item, "chain") else { panic!("two entries") };
        let mut chain = Krunica::new();
        append(&mut chain, &domain, first);

        let id: IdentityId = parsed(second, "w3");
        let signer = Signer::new(&domain, &id, &key);
        let content = signer.content_hash(&bytes(item, "content_hex"));
        let signed = signer.sign_deterministic(&content, chain.head(), parsed(second, "t")).unwrap();
        assert_eq!(entry_json(&signed.entry), *second);
        assert_eq!(h3(signed.record.signature().as_bytes()), string(item, "deterministic_signature_sha3_256"));
        assert_eq!(h3(signed.record.to_json().as_bytes()), string(item, "record_json_sha3_256"));
        // The statement that was signed is the one that is written down.
        let statement = string(item, "statement").as_bytes();
        assert!(primitive::accepts(key.public_key(), &[], statement, signed.record.signature()));
        if item["record"].is_object() {
            complete += 1;
            let record = SignatureRecord::from_json(item["record"].to_string().as_bytes()).unwrap();
            assert_eq!(record, signed.record);
            let ring = KeyRing::pinned(&id, key.public_key().clone());
            let verdict = Verifier::new(&domain, &ring, &Unprepared).verify(&content, record, None);
            assert_eq!(verdict.kind(), VerdictKind::Valid);
        }
    }
    assert_eq!(complete, 1);
}
