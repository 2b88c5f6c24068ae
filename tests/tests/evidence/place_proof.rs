//! Proofs of place: the chain and the proof give the same place, and whatever is wrong with a proof has its name.

use dualseal::checkpoint::{Checkpoint, PlaceProof};
use dualseal::error::{ChainFault, ChainProblem, Error, EvidenceFault, Problem, Rejected};
use dualseal::{Entry, Krunica, Verified};
use dualseal_tests::log::mark;
use dualseal_tests::log::{ORIGIN, check, covering, retimed, verified_mark};
use dualseal_tests::nodes::{Nodes, place_proof};
use dualseal_tests::registry::Registry;
use dualseal_tests::{identity, key, minute};
use serde_json::{Value as Json, json};

/// Ring changes and plain entries in turn.
fn chain(size: usize) -> Krunica {
    let (mut registry, ana) = (Registry::new(), identity("ana"));
    for number in 0..size {
        match number {
            3 => registry.add(&ana, key(1).public_key()),
            7 => registry.rotate(&ana, key(2).public_key()),
            _ => {
                let t = minute(i64::try_from(number).unwrap());
                registry.chain.append(&registry.domain, &ana, &format!("entry {number}"), t).unwrap();
            }
        }
    }
    registry.chain
}

fn proof(chain: &Krunica, size: usize, seq: u64) -> (Verified<Checkpoint>, PlaceProof) {
    let checkpoint = covering(ORIGIN, chain, size);
    let proof = place_proof(checkpoint.record(), chain.entries(), seq).unwrap();
    (checkpoint, proof)
}

fn as_json(proof: &PlaceProof) -> Json {
    serde_json::from_str(&proof.to_json()).unwrap()
}

fn read(json: &Json) -> Result<PlaceProof, Error> {
    PlaceProof::from_json(json.to_string().as_bytes())
}

#[track_caller]
fn refused(checkpoint: &Verified<Checkpoint>, json: &Json) -> Error {
    read(json).unwrap().verify(checkpoint).unwrap_err()
}

#[test]
fn a_proof_gives_the_place_that_the_chain_gives() {
    let chain = chain(33);
    for size in [1, 2, 3, 8, 9, 31, 32, 33] {
        let checkpoint = covering(ORIGIN, &chain, size);
        for seq in 0..size as u64 {
            let proof = place_proof(checkpoint.record(), chain.entries(), seq).unwrap();
            let read = PlaceProof::from_json(proof.to_json().as_bytes()).unwrap();
            assert_eq!((&read, read.to_json()), (&proof, proof.to_json()));
            let by_chain = check(&checkpoint, chain.entries(), seq).unwrap().remove(0);
            assert_eq!(read.verify(&checkpoint).unwrap(), by_chain, "{seq} of {size}");
        }
    }
}

#[test]
fn whatever_is_wrong_with_a_proof_has_its_name() {
    let chain = chain(13);
    let (checkpoint, proof) = proof(&chain, 13, 5);
    let good = as_json(&proof);
    read(&good).unwrap().verify(&checkpoint).unwrap();
    let with = |pointer: &str, value: Json| {
        let mut json = good.clone();
        *json.pointer_mut(pointer).unwrap() = value;
        json
    };
    let path = good["path"].as_array().unwrap().clone();
    assert_eq!(path.len(), 4);

    // Too long, too short.
    for (found, list) in [(3, path[1..].to_vec()), (5, [path.clone(), vec![path[0].clone()]].concat()), (0, vec![])] {
        let fault = EvidenceFault::PathLength { needed: 4, found };
        assert_eq!(refused(&checkpoint, &with("/path", list.into())), fault.into());
    }
    // Another log, another size, beyond it.
    let other_log = with("/checkpoint/origin", json!("example.org/other"));
    assert_eq!(refused(&checkpoint, &other_log), EvidenceFault::ForeignPlace.into());
    let other_size = EvidenceFault::PlaceSize { size: 12, found: 13 };
    assert_eq!(refused(&covering(ORIGIN, &chain, 12), &good), other_size.into());
    let beyond = EvidenceFault::Beyond { seq: 13, size: 13 };
    assert_eq!(refused(&checkpoint, &with("/entry/seq", json!(13))), beyond.into());
    // Another seq, message, identity or predecessor is not what `h` says.
    let another = identity("ivan").to_hex();
    for (pointer, value) in [
        ("/entry/seq", json!(4)),
        ("/entry/poruka", json!("entry 6")),
        ("/entry/w3", json!(another)),
        ("/entry/prev", json!("00".repeat(64))),
        ("/entry/h", json!("00".repeat(64))),
    ] {
        let seq = if pointer == "/entry/seq" { 4 } else { 5 };
        let fault = ChainFault { seq, problem: ChainProblem::Hash };
        assert_eq!(refused(&checkpoint, &with(pointer, value)), fault.into(), "{pointer}");
    }
    // Another time, another entry of its own good hash, and a path that is altered anywhere.
    let elsewhere = Error::from(EvidenceFault::Path { seq: 5 });
    assert_eq!(refused(&checkpoint, &with("/entry/t", json!("2026-11-21T09:06:00.000Z"))), elsewhere);
    let other = chain_like(&chain);
    assert_eq!(refused(&checkpoint, &with("/entry", serde_json::from_str(&other.to_json()).unwrap())), elsewhere);
    for at in 0..path.len() {
        for digit in 0..64 {
            let mut path = path.clone();
            path[at] = dualseal_tests::next_digit(path[at].as_str().unwrap(), digit).into();
            assert_eq!(refused(&checkpoint, &with("/path", path.into())), elsewhere);
        }
    }
    // Malformed.
    for (pointer, value, field) in [
        ("/path", json!("00"), "path"),
        ("/path/0", json!("00"), "path"),
        ("/path/0", json!(path[0].as_str().unwrap().to_uppercase()), "path"),
        ("/entry/seq", json!("5"), "seq"),
        ("/checkpoint", json!(null), "checkpoint"),
    ] {
        let Error::Malformed(malformed) = read(&with(pointer, value)).unwrap_err() else { panic!("{pointer}") };
        assert_eq!(malformed.field, field);
    }
    for member in ["checkpoint", "entry", "path"] {
        let mut without = good.clone();
        without.as_object_mut().unwrap().remove(member);
        let Error::Malformed(malformed) = read(&without).unwrap_err() else { panic!("{member}") };
        assert_eq!((malformed.field, malformed.problem), (member, Problem::MissingMember));
    }
}

/// An entry at the same place with another message, whose own hash holds.
fn chain_like(chain: &Krunica) -> Entry {
    let mut other = Krunica::new();
    for entry in &chain.entries()[..5] {
        other.push(entry.clone()).unwrap();
    }
    let domain = dualseal::Domain::default();
    other.append(&domain, &identity("ana"), "another", minute(5)).unwrap().clone()
}

/// The maker of proofs gives out none that does not hold, as by nodes of another log or after the times were altered.
#[test]
fn a_proof_that_does_not_hold_is_not_made() {
    let chain = chain(9);
    let checkpoint = covering(ORIGIN, &chain, 9);
    let retimed = retimed(&chain, 2, minute(999));
    let wrong = place_proof(checkpoint.record(), retimed.entries(), 5).unwrap_err();
    assert_eq!(wrong, EvidenceFault::Path { seq: 5 }.into());
    let path = Nodes::of(chain.entries()).path(9, 5);
    let longer = PlaceProof::new(checkpoint.record().clone(), chain.entries()[8].clone(), path).unwrap_err();
    assert!(matches!(longer, Error::Rejected(Rejected::NotShown(EvidenceFault::PathLength { needed: 1, found: 4 }))));
}

/// A signer whose root is over another tree than the chain: the proof holds under it, and every reader of the entries
/// sees that it is another tree.
#[test]
fn a_root_over_another_tree_is_told_by_whoever_reads_the_chain() {
    let chain = chain(9);
    let lied = retimed(&chain, 2, minute(999));
    let mut head = *covering(ORIGIN, &chain, 9).record().tree_head();
    head.root = covering(ORIGIN, &lied, 9).record().tree_head().root;
    let checkpoint = verified_mark(&mark(ORIGIN, &head, None));
    place_proof(checkpoint.record(), lied.entries(), 2).unwrap().verify(&checkpoint).unwrap();
    assert_eq!(check(&checkpoint, chain.entries(), 2).unwrap_err().row().name, "tree-disagrees");
}
