//! A ring against its chain: a ring restored from a backup is an old one, and every edited one is forged.

use dualseal::checkpoint::RingCheck;
use dualseal::error::{ChainFault, ChainProblem, CheckpointFault, Error, Misuse, Rejected, RingFault};
use dualseal::secret::Secret;
use dualseal::{Domain, Entry, KeyRing, KeyState, Krunica, RingKey};
use dualseal_tests::log::{ORIGIN, chain_of, check, covering, retimed};
use dualseal_tests::registry::{Registry, authority};
use dualseal_tests::{identity, key, minute, next_digit};
use serde_json::{Value as Json, json};

/// Ana: added, suspended, rotated; Ivan: added, with a decoy; a message in between. Five ring entries of six,
/// revision 5.
fn registry() -> Registry {
    let (mut registry, ana, ivan) = (Registry::new(), identity("ana"), identity("ivan"));
    registry.add(&ana, key(1).public_key());
    registry.add(&ivan, key(2).public_key());
    registry.set_state(&ana, None, KeyState::Suspended);
    registry.chain.append(&registry.domain, &ana, "a message", minute(9)).unwrap();
    registry.rotate(&ana, key(3).public_key());
    registry.set_state(&ivan, None, KeyState::Decoy);
    registry.add_decoy(&ivan, key(4).public_key());
    assert_eq!((registry.ring.revision(), registry.chain.head().size()), (5, 6));
    registry
}

/// Under a checkpoint of the first `size` entries, with a chain that may be longer.
fn check_under(authority: &RingKey, ring: &KeyRing, chain: &Krunica, size: usize) -> Result<(), Error> {
    let checkpoint = covering(ORIGIN, chain, size);
    let (mut typed, mut text) = (RingCheck::new(authority, &checkpoint), RingCheck::new(authority, &checkpoint));
    for entry in chain.entries() {
        typed.push(entry)?;
        text.push_json(entry.to_json_line().as_bytes())?;
    }
    let (typed, text) = (typed.finish(ring).map(|agreed| *agreed.head()), text.finish(ring).map(|a| *a.head()));
    assert_eq!(typed, text);
    typed.map(|head| assert_eq!(head, *chain.head()))
}

fn check_ring(registry: &Registry, ring: &KeyRing) -> Result<(), Error> {
    check_under(&registry.authority, ring, &registry.chain, registry.chain.entries().len())
}

fn rollback(ring: u64, chain: u64) -> Result<(), Error> {
    Err(RingFault::Rollback { ring, chain }.into())
}

fn forged(name: Option<&str>) -> Result<(), Error> {
    Err(RingFault::Forged { identity_id: name.map(|name| identity(name).to_hex()) }.into())
}

fn json(ring: &KeyRing) -> Json {
    serde_json::from_str(&ring.to_json().unwrap()).unwrap()
}

fn ring(json: &Json) -> KeyRing {
    KeyRing::from_json(json.to_string().as_bytes()).unwrap()
}

#[test]
fn the_ring_of_the_chain_passes() {
    let registry = registry();
    for size in 0..=6 {
        check_under(&registry.authority, &registry.ring, &registry.chain, size).unwrap();
    }
    // After every change, and stored and read in between.
    let mut growing = Registry::new();
    assert_eq!(check_ring(&growing, &growing.ring), Ok(()), "an empty ring of an empty chain");
    growing.chain.append(&growing.domain, &identity("ana"), "a message", minute(1)).unwrap();
    for number in 1..6u8 {
        growing.add(&identity(&format!("person {number}")), key(number).public_key());
        assert_eq!(check_ring(&growing, &ring(&json(&growing.ring))), Ok(()));
    }
}

/// Decoys are not chained: they come and go without a ring entry.
#[test]
fn decoys_are_no_part_of_it() {
    let registry = registry();
    let mut more = registry.ring.clone();
    more.add_decoy(&identity("ana"), key(5).public_key(), minute(1)).unwrap();
    more.add_decoy(&identity("nobody"), key(6).public_key(), minute(1)).unwrap();
    assert_eq!(check_ring(&registry, &more), Ok(()));
    let mut fewer = json(&registry.ring);
    fewer["keys"].as_array_mut().unwrap().retain(|key| key["role"] != "decoy");
    assert_eq!(check_ring(&registry, &ring(&fewer)), Ok(()));
}

/// Somebody restores the ring from before `bela laz`: the chain holds a greater revision.
#[test]
fn a_restored_ring_is_a_rollback() {
    let mut registry = registry();
    let mut backups = vec![registry.ring.clone()];
    for state in [KeyState::Revoked, KeyState::Revoked, KeyState::Valid] {
        registry.set_state(&identity("ana"), None, state);
        backups.push(registry.ring.clone());
    }
    let newest = backups.pop().unwrap();
    assert_eq!(check_ring(&registry, &newest), Ok(()));
    for (revision, backup) in (5..).zip(&backups) {
        assert_eq!(check_ring(&registry, backup), rollback(revision, 8));
        // The old states under the new number: the tag says otherwise.
        let mut renumbered = json(backup);
        renumbered["revision"] = json!(8);
        let differs = json(backup)["keys"] != json(&newest)["keys"];
        assert_eq!(check_ring(&registry, &ring(&renumbered)), if differs { forged(Some("ana")) } else { Ok(()) });
    }
    assert_eq!(check_ring(&registry, &KeyRing::new(ORIGIN).unwrap()), rollback(0, 8));
    // The same with the old checkpoint: entries beyond it count here.
    for size in 0..=9 {
        let found = check_under(&registry.authority, &backups[0], &registry.chain, size);
        assert_eq!(found, rollback(5, 8), "{size}");
    }
}

/// A revocation, then a ring restored from before it and changed at once: the new change has the revocation's revision,
/// and its tag holds. Only the order of the revisions shows it.
#[test]
fn a_change_made_on_a_restored_ring_is_forged() {
    let mut registry = registry();
    let backup = registry.ring.clone();
    registry.set_state(&identity("ana"), None, KeyState::Revoked);
    registry.ring = backup;
    registry.rotate(&identity("ana"), key(5).public_key());
    assert_eq!(check_ring(&registry, &registry.ring), forged(None));
}

/// An old ring with its old chain is sound in itself: that the chain is old, the least size of the pins shows.
#[test]
fn an_old_chain_needs_an_old_checkpoint() {
    let mut registry = registry();
    let (old_ring, old_chain) = (registry.ring.clone(), registry.chain.clone());
    registry.set_state(&identity("ana"), None, KeyState::Revoked);
    assert_eq!(check_under(&registry.authority, &old_ring, &old_chain, 6), Ok(()));
    let newest = covering(ORIGIN, &registry.chain, 7);
    let mut check = RingCheck::new(&registry.authority, &newest);
    old_chain.entries().iter().for_each(|entry| check.push(entry).unwrap());
    let truncated = CheckpointFault::Truncated { size: 7, found: 6 };
    assert_eq!(check.finish(&old_ring).unwrap_err(), Error::Rejected(Rejected::Checkpoint(truncated)));
}

/// Every member of every current and retired key is under the tag.
#[test]
fn every_edit_is_forged() {
    let registry = registry();
    let good = json(&registry.ring);
    let chained = |key: &&Json| key["role"] != "decoy";
    assert_eq!(good["keys"].as_array().unwrap().iter().filter(chained).count(), 3);
    for (index, held) in good["keys"].as_array().unwrap().iter().enumerate().filter(|(_, key)| key["role"] != "decoy") {
        let whose = if held["identity_id"] == identity("ana").to_hex() { "ana" } else { "ivan" };
        let edited = |name: &str, value: Json| {
            let mut edited = good.clone();
            edited["keys"][index][name] = value;
            check_ring(&registry, &ring(&edited))
        };
        for state in ["istina", "laz", "oboje", "nijedno"] {
            let expected = if held["bela_stanje"] == state { Ok(()) } else { forged(Some(whose)) };
            assert_eq!(edited("bela_stanje", json!(state)), expected, "{whose} {state}");
        }
        assert_eq!(edited("generirano", json!("2026-11-21T10:59:59.999Z")), forged(Some(whose)));
        // A key swapped for one of the attacker's, and one digit of it changed.
        assert_eq!(edited("javni_kljuc", json!(key(66).public_key().to_hex())), forged(Some(whose)));
        let altered = next_digit(held["javni_kljuc"].as_str().unwrap(), 1000);
        assert_eq!(edited("javni_kljuc", json!(altered)), forged(Some(whose)));
        if held["role"] == "retired" {
            for retired in [0u64, 3, 5, 1 << 40] {
                assert_eq!(edited("retired", json!(retired)), forged(Some(whose)), "retired at {retired}");
            }
        }
    }
}

#[test]
fn an_identity_removed_added_or_renamed_is_forged() {
    let registry = registry();
    let good = json(&registry.ring);
    for name in ["ana", "ivan"] {
        let mut without = good.clone();
        without["keys"].as_array_mut().unwrap().retain(|key| key["identity_id"] != identity(name).to_hex());
        assert_eq!(check_ring(&registry, &ring(&without)), forged(Some(name)), "without {name}");
    }
    // Without its retired key, or without its current one.
    for role in ["retired", "current"] {
        let mut without = good.clone();
        without["keys"]
            .as_array_mut()
            .unwrap()
            .retain(|key| !(key["identity_id"] == identity("ana").to_hex() && key["role"] == role));
        assert_eq!(check_ring(&registry, &ring(&without)), forged(Some("ana")), "without the {role} key");
    }
    // An identity that no ring entry vouches for, under the right revision.
    let mut with_eve = registry.ring.clone();
    let eve = identity("eve");
    with_eve.add(&eve, key(66).public_key().clone(), registry.chain.head(), minute(1), &registry.authority).unwrap();
    let mut with_eve = json(&with_eve);
    with_eve["revision"] = json!(5);
    assert_eq!(check_ring(&registry, &ring(&with_eve)), forged(Some("eve")));
    // The keys of one under the name of another.
    let mut swapped = good.clone();
    let (ana, ivan) = (identity("ana").to_hex(), identity("ivan").to_hex());
    for held in swapped["keys"].as_array_mut().unwrap().iter_mut() {
        held["identity_id"] = json!(if held["identity_id"] == ana { &ivan } else { &ana });
    }
    let keys = swapped["keys"].as_array_mut().unwrap();
    keys.sort_by_key(|key| key["identity_id"].as_str().unwrap().to_string());
    let first = if ana < ivan { "ana" } else { "ivan" };
    assert_eq!(check_ring(&registry, &ring(&swapped)), forged(Some(first)), "the first of them is named");
}

#[test]
fn a_revision_that_the_chain_does_not_have_is_forged() {
    let registry = registry();
    for (revision, expected) in
        [(1u64, rollback(1, 5)), (4, rollback(4, 5)), (6, forged(None)), ((1 << 53) - 1, forged(None))]
    {
        let mut renumbered = json(&registry.ring);
        renumbered["revision"] = json!(revision);
        assert_eq!(check_ring(&registry, &ring(&renumbered)), expected);
    }
}

/// The tags are keyed: without the ring key nobody can bless an edited ring, and with another one nothing fits.
#[test]
fn another_ring_key_blesses_nothing() {
    let registry = registry();
    let domain = Domain::default();
    let other = RingKey::new(&domain, Secret::from_slice("ring key", &[8; 32]).unwrap());
    let first = if identity("ana") < identity("ivan") { "ana" } else { "ivan" };
    assert_eq!(check_under(&other, &registry.ring, &registry.chain, 6), forged(Some(first)));
    // Nor does another domain: there these are no ring entries at all.
    let acme = authority(&Domain::new("ACME").unwrap());
    assert_eq!(check_under(&acme, &registry.ring, &registry.chain, 6), forged(Some(first)));
    // Eve swaps a key in the database and appends a ring entry of her own, made with a key that she drew.
    let (mut ring, mut chain) = (registry.ring.clone(), registry.chain.clone());
    let swapped = ring.rotate(&identity("ana"), key(66).public_key().clone(), chain.head(), minute(9), &other).unwrap();
    chain.push(swapped.entry).unwrap();
    assert_eq!(check_under(&registry.authority, &ring, &chain, 7), forged(Some("ana")));
}

/// What Eve writes into the chain in the form of a ring entry, and what only looks like one.
#[test]
fn entries_in_the_form_of_ring_entries() {
    let registry = registry();
    let messages: Vec<&str> = registry.chain.entries().iter().map(Entry::message).collect();
    let tag = "0".repeat(64);
    let with = |message: &str| {
        // The same entries with one more, in a chain that somebody else's program wrote.
        let mut chain = Krunica::new();
        let elsewhere = Domain::new("ELSEWHERE").unwrap();
        for entry in registry.chain.entries() {
            chain.append(&elsewhere, entry.identity_id(), entry.message(), entry.time()).unwrap();
        }
        chain.append(&elsewhere, &identity("ana"), message, minute(9)).unwrap();
        check_under(&registry.authority, &registry.ring, &chain, 7)
    };
    let (last, first) = (messages[4], messages[0]);
    for (message, expected) in [
        // A greater revision.
        (format!("DUALSEAL-SIGN::RING::6::{tag}::DUALSEAL"), rollback(5, 6)),
        (format!("DUALSEAL-SIGN::RING::9007199254740991::{tag}::DUALSEAL"), rollback(5, (1 << 53) - 1)),
        // A wrong tag, an older entry again, and the beginning of a ring entry without its form.
        (format!("DUALSEAL-SIGN::RING::5::{tag}::DUALSEAL"), forged(Some("ana"))),
        (first.to_string(), forged(Some("ana"))),
        (last.to_uppercase(), forged(Some("ana"))),
        (format!("{last}::"), forged(Some("ana"))),
        (last.replace("::4::", "::04::"), forged(Some("ana"))),
        (last.replace("::4::", "::+4::"), forged(Some("ana"))),
        (last.replace("::4::", "::0::"), forged(Some("ana"))),
        (last.replace("::4::", "::9007199254740992::"), forged(Some("ana"))),
        (last.replace("::4::", "::99999999999999999999999::"), forged(Some("ana"))),
        ("DUALSEAL-SIGN::RING::".to_string(), forged(Some("ana"))),
        ("DUALSEAL-SIGN::RING::6".to_string(), forged(Some("ana"))),
        // The last entry of Ana once more is still her last, and out of order.
        (last.to_string(), forged(None)),
        // No ring entries.
        ("DUALSEAL-SIGN::RING".to_string(), Ok(())),
        ("DUALSEAL-SIGN::RINGS::6::".to_string(), Ok(())),
        ("ACME-SIGN::RING::6::".to_string(), Ok(())),
        (" DUALSEAL-SIGN::RING::6::".to_string(), Ok(())),
        (last.to_lowercase(), Ok(())),
    ] {
        assert_eq!(with(&message), expected, "{message}");
    }
}

/// What a chain alone or its checkpoint shows, a ring check shows as well.
#[test]
fn the_chain_is_checked_on_the_way() {
    let registry = registry();
    let checkpoint = covering(ORIGIN, &registry.chain, 6);
    let push_all = |entries: &[Entry]| {
        let mut check = RingCheck::new(&registry.authority, &checkpoint);
        entries.iter().try_for_each(|entry| check.push(entry))?;
        check.finish(&registry.ring)
    };
    let entries = registry.chain.entries();
    assert!(push_all(entries).is_ok());
    let fault = Error::Rejected(Rejected::Chain(ChainFault { seq: 0, problem: ChainProblem::Format }));
    assert_eq!(push_all(&entries[1..]).unwrap_err(), fault);
    let truncated = CheckpointFault::Truncated { size: 6, found: 5 };
    assert_eq!(push_all(&entries[..5]).unwrap_err(), Error::Rejected(Rejected::Checkpoint(truncated)));
    let late = retimed(&registry.chain, 2, minute(77));
    let retimed = CheckpointFault::Retimed { size: 6 };
    assert_eq!(push_all(late.entries()).unwrap_err(), Error::Rejected(Rejected::Checkpoint(retimed)));
    let mut messages: Vec<&str> = entries.iter().map(Entry::message).collect();
    messages[3] = "another message";
    let other = chain_of(&identity("ana"), &messages);
    let rewritten = CheckpointFault::Rewritten { size: 6 };
    assert_eq!(push_all(other.entries()).unwrap_err(), Error::Rejected(Rejected::Checkpoint(rewritten)));
    assert!(check(&checkpoint, entries, 0).is_ok());
}

/// A ring belongs to one log, and a pinned key to none.
#[test]
fn the_ring_of_another_log_is_misuse() {
    let registry = registry();
    let mut other = json(&registry.ring);
    other["origin"] = json!("example.org/other");
    for ring in [ring(&other), KeyRing::pinned(&identity("ana"), key(1).public_key().clone())] {
        assert_eq!(check_ring(&registry, &ring), Err(Error::Misuse(Misuse::OtherOrigin)));
    }
}

/// States cannot be read off the chain: whoever has no ring key sees tags that differ in every change, whatever
/// changed.
#[test]
fn states_are_not_on_the_chain() {
    let histories = [KeyState::Valid, KeyState::Revoked, KeyState::Decoy, KeyState::Suspended].map(|state| {
        let mut registry = Registry::new();
        registry.add(&identity("ana"), key(1).public_key());
        for _ in 0..3 {
            registry.set_state(&identity("ana"), None, state);
        }
        registry.chain
    });
    let mut tags: Vec<String> = Vec::new();
    for chain in &histories {
        for entry in &chain.entries()[1..] {
            let parts: Vec<&str> = entry.message().split("::").collect();
            assert_eq!((parts.len(), parts[3].len(), parts[4]), (5, 64, "DUALSEAL"));
            tags.push(parts[3].to_string());
        }
    }
    let all = tags.len();
    tags.sort();
    tags.dedup();
    assert_eq!((all, tags.len()), (12, 12), "a tag never repeats");
    let lengths = histories.map(|chain| chain.to_json().len());
    assert!(lengths.iter().all(|length| *length == lengths[0]));
}

/// Whatever is changed of current and retired keys is one entry, and nothing else is.
#[test]
fn a_change_is_one_entry() {
    let registry = registry();
    let entries = registry.chain.entries().iter();
    let of_the_ring = entries.filter(|entry| entry.message().starts_with("DUALSEAL-SIGN::RING::"));
    assert_eq!(of_the_ring.count() as u64, registry.ring.revision());
}
