//! Proofs of presence: the challenge and what is signed by formulas written out, the JSON of a proof, and that none of
//! it can be altered. Then the whole way: a vault secret that rebuilds with proofs, once.

use dualseal::ed25519::Ed25519SigningKey;
use dualseal::error::{Error, PresenceFault, Problem, Rejected};
use dualseal::presence::{Challenge, EnrolledKeys, Nonce, Presence, PresenceProof, PresenceVerifier};
use dualseal::shamir::Index;
use dualseal::shard::{Arguments, Gate, LostShard, Operation, Request, Shard};
use dualseal::{Domain, SystemRng, Timestamp};
use dualseal_tests::contract::{check, check_hex, refusal};
use dualseal_tests::quorum::h3;
use dualseal_tests::random::{Constant, FAILING};
use dualseal_tests::shards::{Asking, Store, copy, forged, raw_arguments, urls};
use dualseal_tests::{identity, minute, next_digit, with_member};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

fn device(number: u8) -> Ed25519SigningKey {
    Ed25519SigningKey::from_seed(&[number; 32]).unwrap()
}

fn read(text: &[u8]) -> Result<String, Error> {
    PresenceProof::from_json(text).map(|proof| proof.to_json())
}

fn request(store: &Store, operation: Operation, arguments: &Arguments) -> Request {
    store.rebuilding().asked(operation, arguments, &store.pick(&[1, 3]))
}

fn proof(request: &Request) -> PresenceProof {
    PresenceProof::sign(&Domain::default(), request, &Nonce::from_bytes([7; 32]), minute(1), &device(1))
}

#[test]
fn challenges_are_the_formula() {
    let store = Store::new(2, 3);
    let nodes = urls(3);
    let urls_json = json!(nodes);
    for (operation, name, arguments, json) in [
        (Operation::Rebuild, "rebuild", Arguments::default(), json!([null, null, null, null])),
        (
            Operation::Repair,
            "repair",
            Arguments { index: Some(2), ..Arguments::default() },
            json!([2, null, null, null]),
        ),
        (
            Operation::Refresh,
            "refresh",
            Arguments { node_urls: Some(nodes.clone()), ..Arguments::default() },
            json!([null, null, null, urls_json]),
        ),
        (
            Operation::Rethreshold,
            "rethreshold",
            Arguments { index: None, m: Some(2), n: Some(255), node_urls: Some(vec!["č \"\\\n".into()]) },
            json!([null, 2, 255, ["č \"\\\n"]]),
        ),
    ] {
        let members = json!({"indeks": json[0], "m": json[1], "n": json[2], "node_urls": json[3]});
        let args = raw_arguments(&members);
        assert_eq!(arguments.hash().to_hex(), args);
        let request = request(&store, operation, &arguments);
        let (nonce, expiry) = (Nonce::from_bytes([0xab; 32]), minute(4));
        let mut ids = [store.shards[0].shard_id().to_hex(), store.shards[2].shard_id().to_hex()];
        ids.sort_unstable();
        let text = format!(
            "DUALSEAL-PRESENCE::{name}::{}::{}::{}::{args}::{}::{}::{nonce}::{expiry}::DUALSEAL",
            store.vault_id,
            store.shards[0].split_id(),
            ids.join(","),
            h3(b"the service that rebuilds"),
            store.identity_id
        );
        let challenge = Challenge::new(&Domain::default(), &request, &nonce, expiry);
        assert_eq!(challenge.to_hex(), h3(text.as_bytes()));
        assert_eq!((operation.as_str(), Operation::from_name(name)), (name, Some(operation)));

        let made = PresenceProof::sign(&Domain::default(), &request, &nonce, expiry, &device(1));
        let expected = json!({
            "args": args, "expiry": expiry.to_string(), "identity_id": store.identity_id.to_hex(),
            "nonce": nonce.to_hex(), "op": name, "primatelj": h3(b"the service that rebuilds"),
            "public_key": device(1).public_key().to_hex(), "shard_ids": ids,
            "signature": serde_json::from_str::<Json>(&made.to_json()).unwrap()["signature"],
            "split_id": store.shards[0].split_id().to_hex(), "vault_id": store.vault_id.to_hex(),
        });
        assert_eq!(serde_json::from_str::<Json>(&made.to_json()).unwrap(), expected);
        assert_eq!((made.request(), *made.nonce(), made.expiry()), (&request, nonce, expiry));
        assert_eq!(made.public_key(), device(1).public_key());
    }
    for unknown in ["", "Rebuild", "rebuild ", "erase", "ED25519"] {
        assert_eq!(Operation::from_name(unknown), None);
    }
}

#[test]
fn nonces_are_drawn() {
    assert_eq!(Nonce::draw(&mut FAILING.clone()), Err(Error::Randomness));
    assert_eq!(Nonce::draw(&mut Constant(0)), Err(Error::Randomness));
    assert_ne!(Nonce::draw(&mut SystemRng), Nonce::draw(&mut SystemRng));
}

#[test]
fn the_json_of_proofs() {
    let store = Store::new(2, 3);
    let made = proof(&request(&store, Operation::Rebuild, &Arguments::default()));
    let example = made.to_json();
    check("presence proof", &example, &[], &read);
    for (member, length) in [
        ("args", 64),
        ("identity_id", 64),
        ("nonce", 64),
        ("primatelj", 64),
        ("public_key", 64),
        ("signature", 128),
        ("split_id", 64),
        ("vault_id", 64),
    ] {
        check_hex(&example, member, length, &read);
    }
    assert_eq!(serde_json::to_string(&made).unwrap(), example);
    assert_eq!(serde_json::from_str::<PresenceProof>(&example).unwrap(), made);
    let ids: Vec<String> = made.request().shard_ids.iter().map(ToString::to_string).collect();
    for (member, value, problem) in [
        ("op", json!("erase"), Problem::UnknownValue),
        ("op", json!(""), Problem::UnknownValue),
        ("expiry", json!("soon"), Problem::Timestamp),
        ("expiry", json!("2026-11-21T09:01:00Z"), Problem::Timestamp),
        ("shard_ids", json!([ids[1], ids[0]]), Problem::Order),
        ("shard_ids", json!([ids[0], ids[0]]), Problem::Order),
        ("shard_ids", json!([ids[0], ids[1], ids[1]]), Problem::Order),
        ("shard_ids", json!([ids[0], 7]), Problem::WrongType),
        ("shard_ids", json!([ids[0].to_uppercase()]), Problem::Hex),
        ("shard_ids", json!(["ab"]), Problem::Length { expected: 64, found: 2 }),
    ] {
        let found = refusal(&read, &with_member(&example, member, value.clone()));
        assert_eq!(found, (member, problem), "{value}");
    }
}

/// It travels to whoever holds the authenticator: a proof that is made from what arrived is a proof of the request.
#[test]
fn the_json_of_requests() {
    let store = Store::new(2, 3);
    let arguments = Arguments { index: Some(2), ..Arguments::default() };
    let asked = request(&store, Operation::Repair, &arguments);
    let example = asked.to_json();
    let ids: Vec<String> = asked.shard_ids.iter().map(ToString::to_string).collect();
    let expected = json!({
        "args": arguments.hash().to_hex(), "identity_id": store.identity_id.to_hex(), "op": "repair",
        "primatelj": h3(b"the service that rebuilds"), "shard_ids": ids,
        "split_id": store.shards[0].split_id().to_hex(), "vault_id": store.vault_id.to_hex(),
    });
    assert_eq!(serde_json::from_str::<Json>(&example).unwrap(), expected);
    let read = |text: &[u8]| Request::from_json(text).map(|request| request.to_json());
    check("presence request", &example, &[], &read);
    for member in ["args", "identity_id", "primatelj", "split_id", "vault_id"] {
        check_hex(&example, member, 64, &read);
    }
    let many: Vec<String> = (0..256).map(|number| format!("{number:064x}")).collect();
    for (member, value, problem) in [
        ("op", json!("erase"), Problem::UnknownValue),
        ("op", json!(null), Problem::WrongType),
        ("shard_ids", json!([ids[1], ids[0]]), Problem::Order),
        ("shard_ids", json!([ids[0], ids[0]]), Problem::Order),
        ("shard_ids", json!(many), Problem::Range),
        ("shard_ids", json!(ids[0]), Problem::WrongType),
    ] {
        assert_eq!(refusal(&read, &with_member(&example, member, value.clone())), (member, problem), "{value}");
    }
    read(with_member(&example, "shard_ids", json!(many[1..])).as_bytes()).unwrap();
    assert_eq!(serde_json::to_string(&asked).unwrap(), example);
    let arrived: Request = serde_json::from_str(&example).unwrap();
    assert_eq!((&arrived, proof(&arrived)), (&asked, proof(&asked)));
}

/// Every digit of every member of a proof: what it says of itself is what was signed.
#[test]
fn no_member_of_a_proof_can_be_altered() {
    let store = Store::new(2, 3);
    let request = request(&store, Operation::Rebuild, &Arguments::default());
    let made = proof(&request);
    let mut enrolled = EnrolledKeys::new();
    for number in [1, 2] {
        enrolled.enrol(&store.identity_id, device(number).public_key()).unwrap();
    }
    let challenge = Challenge::new(&Domain::default(), &request, made.nonce(), made.expiry());
    let counts = |text: &str| {
        let proof = PresenceProof::from_json(text.as_bytes()).ok()?;
        enrolled.verify(&Domain::default(), &store.identity_id, &challenge, &proof)
    };
    let example = made.to_json();
    assert_eq!(counts(&example), Some(*device(1).public_key().as_bytes()));
    let json: Json = serde_json::from_str(&example).unwrap();
    let mut tried = 0;
    for (name, value) in json.as_object().unwrap() {
        let Some(text) = value.as_str().filter(|text| text.len() >= 64) else { continue };
        for place in 0..text.len() {
            assert_eq!(counts(&with_member(&example, name, next_digit(text, place).into())), None, "{name} {place}");
            tried += 1;
        }
    }
    assert_eq!(tried, 7 * 64 + 128);
    let ids = json["shard_ids"].as_array().unwrap();
    for (name, value) in [
        ("op", json!("refresh")),
        ("expiry", json!(minute(2).to_string())),
        ("public_key", json!(device(2).public_key().to_hex())),
        ("shard_ids", json!([ids[0]])),
        ("shard_ids", json!([ids[1]])),
        ("shard_ids", json!([])),
    ] {
        assert_eq!(counts(&with_member(&example, name, value.clone())), None, "{name} {value}");
    }
}

/// Another deployment's constants make another challenge and another statement: the same key's proof there is none
/// here, and its signature does not fit this one's proof.
#[test]
fn a_proof_of_another_domain_is_none() {
    let store = Store::new(2, 3);
    let request = request(&store, Operation::Rebuild, &Arguments::default());
    let made = proof(&request);
    let challenge = Challenge::new(&Domain::default(), &request, made.nonce(), made.expiry());
    let mut enrolled = EnrolledKeys::new();
    enrolled.enrol(&store.identity_id, device(1).public_key()).unwrap();
    let other = PresenceProof::sign(&Domain::new("ACME").unwrap(), &request, made.nonce(), made.expiry(), &device(1));
    let signature = serde_json::from_str::<Json>(&other.to_json()).unwrap()["signature"].clone();
    let mixed = PresenceProof::from_json(with_member(&made.to_json(), "signature", signature).as_bytes()).unwrap();
    for (proof, good) in [(&made, true), (&other, false), (&mixed, false)] {
        let seen = enrolled.verify(&Domain::default(), &store.identity_id, &challenge, proof);
        assert_eq!(seen.is_some(), good);
    }
}

/// A service: a store of used nonces, two devices to be shown, and now.
struct Service {
    enrolled: EnrolledKeys,
    used: BTreeSet<[u8; 32]>,
    now: Timestamp,
}

impl Service {
    fn new(store: &Store) -> Self {
        let mut enrolled = EnrolledKeys::new();
        for number in [1, 2] {
            enrolled.enrol(&store.identity_id, device(number).public_key()).unwrap();
        }
        Self { enrolled, used: BTreeSet::new(), now: minute(0) }
    }

    fn with_gate<T>(&mut self, proofs: &[PresenceProof], work: impl FnOnce(&mut dyn Gate) -> T) -> T {
        let (nonce, expiry) = (*proofs[0].nonce(), proofs[0].expiry());
        let used = &mut self.used;
        let mut consume = |nonce: &Nonce| used.insert(*nonce.as_bytes());
        let mut gate = Presence { verifier: &self.enrolled, proofs, nonce, expiry, required: 2, consume: &mut consume };
        work(&mut gate)
    }
}

fn proofs(request: &Request, nonce: u8) -> [PresenceProof; 2] {
    [1, 2].map(|number| {
        PresenceProof::sign(&Domain::default(), request, &Nonce::from_bytes([nonce; 32]), minute(1), &device(number))
    })
}

fn presence(error: Error) -> PresenceFault {
    match error {
        Error::Rejected(Rejected::Presence(fault)) => fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_vault_rebuilds_once_with_proofs() {
    let store = Store::new(2, 3);
    let mut service = Service::new(&store);
    let shards = store.pick(&[1, 3]);
    let request = request(&store, Operation::Rebuild, &Arguments::default());
    let proofs = proofs(&request, 1);
    let rebuild = |service: &mut Service, shards: &[Shard]| {
        let now = service.now;
        service.with_gate(&proofs, |gate| {
            let here = store.rebuilding();
            let request = here.asked(Operation::Rebuild, &Arguments::default(), shards);
            here.rebuild(&request, shards, gate, now).map(|rebuilt| *rebuilt.secret.to_bytes())
        })
    };
    // Refused for its shards, or with others than the proofs are for: the nonce is not spent.
    let replaced = [copy(&shards[0]), copy(&store.shards[1])];
    assert!(matches!(presence(rebuild(&mut service, &replaced).unwrap_err()), PresenceFault::TooFew { good: 0, .. }));
    assert!(rebuild(&mut service, &shards[..1]).is_err());
    assert!(rebuild(&mut service, &[copy(&shards[0]), forged(&shards[1])]).is_err());
    service.now = minute(1);
    assert_eq!(presence(rebuild(&mut service, &shards).unwrap_err()), PresenceFault::Expired);
    assert!(service.used.is_empty());
    service.now = minute(0);
    assert_eq!(rebuild(&mut service, &shards).unwrap(), *store.secret.to_bytes());
    assert_eq!(service.used.len(), 1);
    assert_eq!(presence(rebuild(&mut service, &shards).unwrap_err()), PresenceFault::NonceUsed);
}

/// Proofs for one operation open no other, even over the same shards, and for one lost shard not another.
#[test]
fn proofs_for_one_operation_open_no_other() {
    let store = Store::new(2, 3);
    let mut service = Service::new(&store);
    let (shards, nodes) = (store.pick(&[1, 3]), urls(3));
    let to_rebuild = proofs(&request(&store, Operation::Rebuild, &Arguments::default()), 1);
    let to_repair =
        proofs(&request(&store, Operation::Repair, &Arguments { index: Some(2), ..Arguments::default() }), 2);
    let lost = &store.shards[1];
    let repair = |service: &mut Service, proofs: &[PresenceProof], number: u64| {
        service.with_gate(proofs, |gate| {
            let index = Index::new(number).unwrap();
            let lost = LostShard { index, ..dualseal_tests::shards::lost(lost) };
            store.rebuilding().repair_these(&shards, lost, gate).map(|repaired| repaired.shard)
        })
    };
    let none = PresenceFault::TooFew { required: 2, good: 0, bad: vec![0, 1] };
    assert_eq!(presence(repair(&mut service, &to_rebuild, 2).unwrap_err()), none);
    assert_eq!(presence(repair(&mut service, &to_repair, 1).unwrap_err()), none);
    let dealer = store.dealer(2, &nodes);
    for proofs in [&to_rebuild, &to_repair] {
        let refreshed =
            service.with_gate(proofs, |gate| store.rebuilding().refresh_these(&shards, &dealer, gate, &mut SystemRng));
        assert_eq!(presence(refreshed.unwrap_err()), none);
        let changed = service
            .with_gate(proofs, |gate| store.rebuilding().rethreshold_these(&shards, &dealer, gate, &mut SystemRng));
        assert_eq!(presence(changed.unwrap_err()), none);
    }
    // A proof for other numbers or nodes.
    let arguments = Arguments { index: None, m: Some(2), n: Some(3), node_urls: Some(nodes.clone()) };
    let to_change = proofs(&request(&store, Operation::Rethreshold, &arguments), 3);
    for (m, nodes) in [(3, urls(3)), (2, urls(2)), (2, vec!["x".to_string(); 3])] {
        let dealer = store.dealer(m, &nodes);
        let changed = service
            .with_gate(&to_change, |gate| store.rebuilding().rethreshold_these(&shards, &dealer, gate, &mut SystemRng));
        assert_eq!(presence(changed.unwrap_err()), none);
    }
    assert!(service.used.is_empty());
    service
        .with_gate(&to_change, |gate| store.rebuilding().rethreshold_these(&shards, &dealer, gate, &mut SystemRng))
        .unwrap();
    assert_eq!(*repair(&mut service, &to_repair, 2).unwrap().to_json(), *lost.to_json());
    assert_eq!(service.used.len(), 2);
    assert_eq!(identity("ana"), store.identity_id);
}
