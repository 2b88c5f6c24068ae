//! Every operation on a ring with every error it can give, the ring unchanged after each; and what each operation does.

use dualseal::error::{ChainFault, ChainProblem, Error, Malformed, Misuse, Problem, RingFault};
use dualseal::key::{AnyRing, CheckedRing, KeyRing, KeyState, PublicRing, SetState};
use dualseal::krunica::ChainHash;
use dualseal::{Domain, Entry, Head, IdentityId, Krunica, PublicKey, Signer};
use dualseal_tests::log::{any_head, chain_of, head_at};
use dualseal_tests::registry::{Registry, authority, followed};
use dualseal_tests::{identity, key, minute};

const STATES: [KeyState; 4] = [KeyState::Valid, KeyState::Revoked, KeyState::Decoy, KeyState::Suspended];

fn public(number: u8) -> PublicKey {
    key(number).public_key().clone()
}

/// ana: current 3, retired 2 and 1, decoy 4. ivan: current 5. eva: decoy 6 alone.
fn registry() -> Registry {
    let mut registry = Registry::new();
    let (ana, ivan, eva) = (identity("ana"), identity("ivan"), identity("eva"));
    registry.add(&ana, &public(1));
    registry.add(&ivan, &public(5));
    registry.rotate(&ana, &public(2));
    registry.rotate(&ana, &public(3));
    registry.add_decoy(&ana, &public(4));
    registry.add_decoy(&eva, &public(6));
    registry
}

/// A call that must fail and change nothing.
fn refused(misuse: Misuse, registry: &Registry, call: impl FnOnce(&mut CheckedRing) -> Result<(), Error>) {
    let Registry { ring, chain, .. } = registry;
    let mut changed = ring.clone();
    assert_eq!(call(&mut changed), Err(Error::Misuse(misuse)));
    assert_eq!(&changed, ring, "{misuse:?} left a mark");
    let file = |ring: &CheckedRing| ring.to_stored_json(chain.head()).unwrap();
    assert_eq!(file(&changed), file(ring), "{misuse:?} left a mark");
}

/// An entry as if it were a vault record's, of any chain.
fn sealed(name: &str, seq: u64) -> Entry {
    sealed_at(&any_head(seq, ChainHash::ZERO), name)
}

fn sealed_at(head: &Head, name: &str) -> Entry {
    head.append(&Domain::default(), &identity(name), "sealed", minute(9)).unwrap().entry
}

/// The states and roles of an identity's keys, from the ring's own JSON.
fn keys_of(json: &str, identity_id: &IdentityId) -> Vec<(String, String, PublicKey)> {
    let json: serde_json::Value = serde_json::from_str(json).unwrap();
    let keys = json["keys"].as_array().unwrap().iter().filter(|k| k["identity_id"] == identity_id.to_hex());
    keys.filter(|k| k["role"] != "decoy")
        .map(|k| {
            let text = |name: &str| k[name].as_str().unwrap().to_string();
            (text("role"), text("bela_stanje"), PublicKey::from_hex(&text("javni_kljuc")).unwrap())
        })
        .collect()
}

#[test]
fn what_a_ring_says_of_its_keys() {
    let (mut registry, ana, ivan) = (registry(), identity("ana"), identity("ivan"));
    let hash = |number: u8| *public(number).hash();
    assert_eq!(registry.ring.owner(&hash(1)), Some(&ana));
    assert_eq!(registry.ring.owner(&hash(5)), Some(&ivan));
    assert!(STATES.iter().all(|state| state.to_string() == state.as_str()));
    // A decoy is nobody's, and an unknown key neither.
    assert_eq!([4, 9].map(|number| registry.ring.owner(&hash(number)).copied()), [None; 2]);

    registry.set_state(&ana, None, SetState::compromised_from(2));
    registry.set_state(&ana, None, KeyState::Valid);
    let ring = &registry.ring;
    let revoked = registry.chain.head().size() - 2;
    assert_eq!(ring.compromised_from(&ana, &hash(3)), Some(2));
    let places = [revoked - 1, revoked, revoked + 1];
    assert_eq!(places.map(|place| ring.revoked_at(&ana, &hash(3), place)), [None, Some(revoked), None]);
    for (owner, number) in [(&ana, 2), (&ana, 5), (&ivan, 3), (&identity("maja"), 3)] {
        assert_eq!(ring.compromised_from(owner, &hash(number)), None);
        assert_eq!(ring.revoked_at(owner, &hash(number), revoked), None);
    }
}

#[test]
fn a_ring_has_a_head_from_its_first_change_on() {
    let mut registry = Registry::new();
    assert_eq!(registry.ring.ring_head(), None);
    registry.add(&identity("ana"), &public(1));
    assert_eq!(registry.ring.ring_head().map(|head| head.revision), Some(1));
}

/// Rings are the same that say the same; held against a chain, they are if they saw the same of the same one.
#[test]
fn rings_are_compared_with_what_they_saw() {
    let (empty, registry) = (Registry::new().ring, registry());
    let along = |message| followed(&empty, chain_of(&identity("ana"), &[message]).entries());
    assert_eq!(along("a"), along("a"));
    assert_ne!(along("a"), along("b"));
    assert_ne!(along("a"), empty);
    let (one, other): (&KeyRing, &KeyRing) = (&empty, &registry.ring);
    assert_eq!(one, &*along("a"));
    assert_ne!(one, other);
}

/// Whoever made it, and whatever of it is wrong.
#[test]
fn an_entry_claims_a_change_by_its_form() {
    let (mut registry, ana) = (Registry::new(), identity("ana"));
    registry.add(&ana, &public(1));
    let claims = |chain: &Krunica| registry.ring.claims_change(&chain.entries()[0]);
    assert!(claims(&registry.chain));
    assert!(claims(&chain_of(&ana, &["DUALSEAL-SIGN::RING::x"])));
    for other in ["a", "DUALSEAL-SIGN::SIGNED::x", "ACME-SIGN::RING::x"] {
        assert!(!claims(&chain_of(&ana, &[other])), "{other}");
    }
}

#[test]
fn add_and_its_errors() {
    let registry = registry();
    let Registry { ring, chain, .. } = &registry;
    let add = |ring: &mut CheckedRing, name: &str, number: u8| {
        ring.add(&identity(name), public(number), chain.head(), minute(9)).map(drop)
    };
    refused(Misuse::HasCurrentKey, &registry, |ring| add(ring, "ana", 9));
    // A key that the ring holds in any role, whoever's it is.
    for number in [1, 2, 3, 4, 5, 6] {
        refused(Misuse::KnownKey, &registry, |ring| add(ring, "maja", number));
    }

    // An identity that has nothing but a decoy has no current key yet.
    let mut ring = ring.clone();
    add(&mut ring, "eva", 9).unwrap();
    assert_eq!(ring.info(&identity("eva")).unwrap().state, KeyState::Valid);
    assert_eq!(ring.info(&identity("eva")).unwrap().generated, Some(minute(9)));
    assert_eq!(ring.revision(), 5);
    assert_eq!(ring.identities().count(), 3);
}

#[test]
fn rotate_and_its_errors() {
    let registry = registry();
    let Registry { domain, ring, chain, .. } = &registry;
    let rotate = |ring: &mut CheckedRing, name: &str, number: u8, at: &Head| {
        ring.rotate(&identity(name), public(number), at, minute(9)).map(drop)
    };
    for name in ["maja", "eva"] {
        refused(Misuse::UnknownIdentity, &registry, |ring| rotate(ring, name, 9, chain.head()));
    }
    for number in [1, 2, 3, 4, 5, 6] {
        refused(Misuse::KnownKey, &registry, |ring| rotate(ring, "ana", number, chain.head()));
    }

    // The ring was changed up to seq 3, and a decoy's record stands at 5: no change comes before them.
    let mut at = Head::EMPTY;
    for size in 0..=7 {
        if size <= 5 {
            refused(Misuse::StaleHead, &registry, |ring| rotate(ring, "ana", 9, &at));
            refused(Misuse::StaleHead, &registry, |ring| {
                ring.add(&identity("maja"), public(9), &at, minute(9)).map(drop)
            });
            refused(Misuse::StaleHead, &registry, |ring| {
                ring.set_state(&identity("ana"), None, KeyState::Valid, &at, minute(9)).map(drop)
            });
            assert_eq!(ring.to_stored_json(&at), Err(Error::Misuse(Misuse::StaleHead)));
        } else {
            // Of this chain it looked at nothing, and of its own at nothing beyond 6.
            refused(Misuse::StaleRing, &registry, |ring| rotate(ring, "ana", 9, &at));
            assert_eq!(ring.to_stored_json(&at), Err(Error::Misuse(Misuse::StaleRing)));
        }
        at = at.append(domain, &identity("any"), "any", minute(0)).unwrap().head;
    }
    assert_eq!(rotate(&mut ring.clone(), "ana", 9, chain.head()), Ok(()));
}

/// Two processes hold the ring; one of them revokes. Whatever the other does then with what it holds, its file and its
/// changes would be those of a ring without the revocation.
#[test]
fn a_ring_that_was_not_followed_is_neither_changed_nor_stored() {
    let (mut registry, ana) = (registry(), identity("ana"));
    let mut stale = registry.ring.clone();
    registry.set_state(&ana, None, KeyState::Revoked);
    registry.chain.append(&registry.domain, &ana, "plain", minute(9)).unwrap();
    let (head, record) = (registry.chain.head(), sealed_at(registry.chain.head(), "ana"));
    let stored = stale.to_stored_json(&head_at(&registry.chain, 6)).unwrap();
    for call in [
        &|ring: &mut CheckedRing| ring.add(&identity("maja"), public(9), head, minute(9)).map(drop),
        &|ring: &mut CheckedRing| ring.rotate(&ana, public(9), head, minute(9)).map(drop),
        &|ring: &mut CheckedRing| ring.set_state(&ana, None, KeyState::Suspended, head, minute(9)).map(drop),
        &|ring: &mut CheckedRing| ring.add_decoy(&public(9), &record),
        &|ring: &mut CheckedRing| ring.to_stored_json(head).map(drop),
    ] as [&dyn Fn(&mut CheckedRing) -> Result<(), Error>; 5]
    {
        assert_eq!(call(&mut stale), Err(Misuse::StaleRing.into()));
        assert_eq!(stale.to_stored_json(&head_at(&registry.chain, 6)).as_ref(), Ok(&stored));
    }
    // It learns of the revocation on its way to the head, and cannot go past it.
    let rollback = Err(RingFault::Rollback { ring: 4, chain: 5 }.into());
    assert_eq!(stale.follow(&registry.chain.entries()[6], |_| false), rollback);
    assert_eq!(stale.follow(&registry.chain.entries()[7], |_| false), Err(Misuse::StaleRing.into()));
    // Nor past a record that another process sealed, whose decoy it does not have.
    let mut other = registry.ring.clone();
    other.follow(&registry.chain.entries()[7], |_| false).unwrap();
    let sealed = |entry: &Entry| entry.message() == "sealed";
    let without = other.clone();
    assert_eq!(other.follow(&record, sealed), Err(RingFault::Rollback { ring: 5, chain: 5 }.into()));
    assert_eq!(other, without);
    other.add_decoy(&public(9), &record).unwrap();
    // Its file is resumed no further than to the revocation, too.
    assert_eq!(registry.resume(&stored).map(drop), rollback);
}

/// At 2^53-1 entries the chain takes no more, and the ring stays as it is.
#[test]
fn changes_end_at_the_largest_integer() {
    let registry = registry();
    let last = any_head((1 << 53) - 1, ChainHash::ZERO);
    let (ana, maja) = (identity("ana"), identity("maja"));
    let exhausted = Misuse::CounterExhausted;
    refused(exhausted, &registry, |ring| ring.add(&maja, public(9), &last, minute(9)).map(drop));
    refused(exhausted, &registry, |ring| ring.rotate(&ana, public(9), &last, minute(9)).map(drop));
    refused(exhausted, &registry, |ring| ring.set_state(&ana, None, KeyState::Revoked, &last, minute(9)).map(drop));
}

/// Since when a key counts as compromised: the least of what was asked, what stood and the revocation's own seq.
#[test]
fn a_revocation_sets_or_lowers_the_seq_of_the_compromise() {
    let ana = identity("ana");
    let mut registry = Registry::new();
    registry.add(&ana, &public(1));
    let stands = |registry: &Registry| {
        let json: serde_json::Value = serde_json::from_str(&registry.file()).unwrap();
        let key = &json["keys"][0];
        let last = key["povijest"].as_array().unwrap().last().unwrap().clone();
        (key["opozvan_od"].as_u64(), last[0].as_u64().unwrap(), last[1].as_str().unwrap().to_string())
    };
    assert_eq!(stands(&registry), (None, 0, "istina".to_string()));
    for (set, seq, expected) in [
        (SetState::from(KeyState::Suspended), 1, None),
        (SetState::from(KeyState::Valid), 2, None),
        // Never later than the revocation itself.
        (SetState::compromised_from(99), 3, Some(3)),
        (SetState::compromised_from(2), 4, Some(2)),
        (SetState::from(KeyState::Revoked), 5, Some(2)),
        (SetState::compromised_from(4), 6, Some(2)),
        // It survives reactivation.
        (SetState::from(KeyState::Valid), 7, Some(2)),
        (SetState::from(KeyState::Decoy), 8, Some(2)),
        (SetState::compromised_from(0), 9, Some(0)),
    ] {
        registry.set_state(&ana, None, set);
        assert_eq!((stands(&registry).0, stands(&registry).1), (expected, seq), "{set:?}");
    }
    // The new key of a rotation begins anew.
    registry.rotate(&ana, &public(2));
    assert_eq!(stands(&registry), (None, 10, "istina".to_string()));
}

#[test]
fn bela_and_its_errors() {
    let registry = registry();
    let Registry { ring, chain, .. } = &registry;
    let bela = |ring: &mut CheckedRing, name: &str, key: Option<u8>, state| {
        let key = key.map(public);
        let hash = key.as_ref().map(PublicKey::hash);
        ring.set_state(&identity(name), hash, state, chain.head(), minute(9))
    };
    let refused = |misuse, name, key, state| {
        refused(misuse, &registry, |ring| bela(ring, name, key, state).map(drop));
    };
    for state in STATES {
        refused(Misuse::UnknownIdentity, "maja", None, state);
        refused(Misuse::UnknownIdentity, "eva", None, state);
        refused(Misuse::UnknownKey, "ana", Some(9), state);
        // ivan's key, and eva's decoy, are not ana's.
        refused(Misuse::UnknownKey, "ana", Some(5), state);
        refused(Misuse::UnknownKey, "ana", Some(6), state);
        refused(Misuse::DecoyState, "ana", Some(4), state);
        refused(Misuse::DecoyState, "eva", Some(6), state);

        // To any state, the one it has included, the current key by name or not, a retired one by its hash.
        for (named, place) in [(None, 0), (Some(3), 0), (Some(2), 1), (Some(1), 2)] {
            let mut changed = ring.clone();
            let head = bela(&mut changed, "ana", named, state).unwrap().head;
            assert_eq!(changed.revision(), ring.revision() + 1);
            let stored = changed.to_stored_json(&head).unwrap();
            for (index, (_, found, _)) in keys_of(&stored, &identity("ana")).iter().enumerate() {
                let expected = if index == place { state } else { KeyState::Valid };
                assert_eq!(found, expected.as_str(), "{named:?} {state}");
            }
        }
    }
}

#[test]
fn a_decoy_and_its_errors() {
    let registry = registry();
    let Registry { ring, chain, .. } = &registry;
    for number in [1, 2, 3, 4, 5, 6] {
        refused(Misuse::KnownKey, &registry, |ring| ring.add_decoy(&public(number), &sealed("maja", 9)));
    }
    // One record has one decoy: those of the registry stand at 4 and 5.
    for seq in [4, 5] {
        refused(Misuse::KnownKey, &registry, |ring| ring.add_decoy(&public(9), &sealed("maja", seq)));
    }
    // Nor is a change of a key a record.
    for seq in 0..4 {
        refused(Misuse::KnownKey, &registry, |ring| ring.add_decoy(&public(9), &sealed("maja", seq)));
    }
    // A record further on, or of another chain.
    refused(Misuse::StaleRing, &registry, |ring| ring.add_decoy(&public(9), &sealed("maja", 7)));
    let mut elsewhere = ring.clone();
    let found = elsewhere.add_decoy(&public(9), &sealed("maja", 6));
    assert_eq!(found, Err(ChainFault { seq: 6, problem: ChainProblem::Prev }.into()));
    assert_eq!(&elsewhere, ring);

    let mut chain = chain.clone();
    let mut next = |name: &str| {
        let entry = sealed_at(chain.head(), name);
        chain.push(entry.clone()).unwrap();
        entry
    };
    let mut changed = ring.clone();
    changed.add_decoy(&public(9), &next("maja")).unwrap();
    assert_eq!((changed.decoy_count(), ring.decoy_count()), (3, 2));
    // Decoys are not chained, give nobody a key and leave the revision.
    assert_eq!(changed.revision(), ring.revision());
    assert_eq!(changed.info(&identity("maja")), None);
    assert_eq!(changed.identities().count(), 2);
    assert_ne!(&changed, ring);
    // One that comes late stands where its record does: the file is the same in both orders.
    let (mut one, mut other) = (changed.clone(), changed);
    let (first, second) = (next("ana"), next("ana"));
    one.add_decoy(&public(10), &first).unwrap();
    one.add_decoy(&public(11), &second).unwrap();
    other.follow(&first, |_| false).unwrap();
    other.add_decoy(&public(11), &second).unwrap();
    other.add_decoy(&public(10), &first).unwrap();
    assert_eq!(one.to_stored_json(chain.head()), other.to_stored_json(chain.head()));
    assert!(one.to_stored_json(chain.head()).is_ok());
}

/// The old key keeps its state; the new one takes over `istina`, `oboje` and `nijedno`, and starts afresh after `laz`.
#[test]
fn rotation_in_each_state() {
    let expected = [
        (KeyState::Valid, KeyState::Valid),
        (KeyState::Revoked, KeyState::Valid),
        (KeyState::Decoy, KeyState::Decoy),
        (KeyState::Suspended, KeyState::Suspended),
    ];
    for (old, new) in expected {
        let ana = identity("ana");
        let mut registry = Registry::new();
        registry.add(&ana, &public(1));
        registry.set_state(&ana, None, old);
        registry.rotate(&ana, &public(2));
        let found = keys_of(&registry.file(), &ana);
        assert_eq!(found[0], ("current".to_string(), new.as_str().to_string(), public(2)));
        assert_eq!(found[1], ("retired".to_string(), old.as_str().to_string(), public(1)));
        assert_eq!(registry.ring.info(&ana).unwrap().state, new);
    }
}

/// A retired key carries the seq of its rotation's own entry, and the latest retired stands first.
#[test]
fn retired_keys_are_in_order() {
    let ana = identity("ana");
    let mut registry = Registry::new();
    registry.add(&ana, &public(1));
    for number in 2..=6 {
        registry.set_state(&ana, None, KeyState::Valid);
        registry.rotate(&ana, &public(number));
    }
    let json: serde_json::Value = serde_json::from_str(&registry.file()).unwrap();
    let retired: Vec<_> = json["keys"].as_array().unwrap().iter().map(|k| k["retired"].as_u64()).collect();
    assert_eq!(retired, [None, Some(10), Some(8), Some(6), Some(4), Some(2)]);
    assert_eq!((registry.ring.last_change(), KeyRing::nobody().last_change()), (Some(10), None));
    // A checkpoint of a size covers what stands below it.
    let below = |size| registry.ring.last_change_below(size);
    assert_eq!(
        (below(0), below(1), below(10), below(11), below(u64::MAX)),
        (None, Some(0), Some(9), Some(10), Some(10))
    );
    let order: Vec<PublicKey> = keys_of(&registry.file(), &ana).into_iter().map(|(_, _, key)| key).collect();
    assert_eq!(order, [6, 5, 4, 3, 2, 1].map(public));
    for key in &order {
        let retired_at = |of: &str| registry.ring.retired_at(&identity(of), key.hash());
        let place = order.iter().position(|other| other == key).unwrap();
        assert_eq!((retired_at("ana"), retired_at("ivan")), (retired[place], None));
    }
    for seq in [2, 4, 6, 8, 10] {
        let message = registry.chain.get(seq).unwrap().message();
        assert!(message.starts_with(&format!("DUALSEAL-SIGN::RING::{}::", seq + 1)), "{message}");
    }
}

/// What a key of a log's signer signed counts up to its retirement, to its suspension, to the place of its compromise,
/// whichever came first; a key that is valid again counts on.
#[test]
fn a_key_counts_until_it_is_retired_suspended_or_compromised() {
    let ana = identity("ana");
    let of = |changes: &[SetState], retired: bool| {
        let mut registry = Registry::new();
        registry.add(&identity("ivan"), &public(9));
        registry.add(&ana, &public(1));
        for change in changes {
            registry.set_state(&ana, None, *change);
        }
        if retired {
            registry.rotate(&ana, &public(2));
        }
        let until = |ring: &KeyRing, number| ring.counts_until(&ana, public(number).hash());
        let shown = registry.ring.public();
        assert_eq!((until(&registry.ring, 9), until(&shown, 9)), (None, None), "ivan's key is none of hers");
        (until(&registry.ring, 1), until(&shown, 1))
    };
    let (valid, suspended) = (SetState::from(KeyState::Valid), SetState::from(KeyState::Suspended));
    let (revoked, decoy) = (SetState::from(KeyState::Revoked), SetState::from(KeyState::Decoy));
    let from = SetState::compromised_from;
    let same = |until| (until, until);
    for (changes, retired, expected) in [
        (&[][..], false, same(None)),
        (&[], true, same(Some(2))),
        (&[suspended], false, same(Some(2))),
        (&[suspended, suspended], true, same(Some(2))),
        (&[suspended, valid], false, same(None)),
        (&[suspended, valid], true, same(Some(4))),
        (&[revoked], false, same(Some(2))),
        (&[valid, from(1)], true, same(Some(1))),
        (&[revoked, from(1)], false, same(Some(1))),
        (&[from(1), suspended], false, same(Some(1))),
        (&[suspended, revoked], false, same(Some(2))),
        // A key that is valid again counts on, until another change; an earlier compromise is one of a revoked key.
        (&[from(1), valid], false, same(None)),
        (&[from(1), valid, suspended], false, same(Some(4))),
        (&[from(1), valid, revoked], false, same(Some(1))),
        // Outsiders are not told of a decoy.
        (&[decoy], false, (Some(2), None)),
        (&[decoy, suspended], false, (Some(2), Some(3))),
    ] {
        assert_eq!(of(changes, retired), expected, "{changes:?} {retired}");
    }
}

/// To its operator with the states that they have, to everybody else with those that they read.
#[test]
fn the_keys_of_an_identity_are_listed() {
    let (mut registry, ana) = (registry(), identity("ana"));
    registry.set_state(&ana, Some(public(1).hash()), KeyState::Decoy);
    registry.set_state(&ana, None, KeyState::Revoked);
    let listed = |ring: &KeyRing, of: &str| -> Vec<(PublicKey, KeyState)> {
        ring.keys(&identity(of)).map(|(key, state)| (key.clone(), state)).collect()
    };
    let [third, second] = [(public(3), KeyState::Revoked), (public(2), KeyState::Valid)];
    let own = [third.clone(), second.clone(), (public(1), KeyState::Decoy)];
    assert_eq!(listed(&registry.ring, "ana"), own);
    assert_eq!(listed(&registry.ring.public(), "ana"), [third, second, (public(1), KeyState::Valid)]);
    // Decoys in vault records are keys of nobody's, and a pinned key is all that is known.
    assert_eq!(listed(&registry.ring, "eva"), []);
    assert_eq!(listed(&KeyRing::pinned(&ana, public(7)), "ana"), [(public(7), KeyState::Valid)]);
}

#[test]
fn origins_follow_the_rule_for_labels() {
    for (origin, problem) in [
        ("", Problem::Range),
        (&*"x".repeat(256), Problem::Range),
        (&*"ž".repeat(128), Problem::Range),
        ("a::b", Problem::Ambiguous),
        (":a", Problem::Ambiguous),
        ("a\nb", Problem::Control),
        ("\u{0}", Problem::Control),
        ("a\u{7f}", Problem::Control),
        ("a\u{85}", Problem::Control),
    ] {
        match CheckedRing::new(origin, &authority(&Domain::default())) {
            Err(Error::Malformed(Malformed { field: "origin", index: None, problem: found, .. })) => {
                assert_eq!(found, problem, "{origin:?}");
            }
            other => panic!("{origin:?}: {other:?}"),
        }
    }
    for origin in ["x", "a:b", "example.org/log", &*"x".repeat(255), "dnevnik čćž", "a\u{202e}"] {
        let ring = CheckedRing::new(origin, &authority(&Domain::default())).unwrap();
        assert_eq!(ring.origin(), Some(origin));
    }
}

#[test]
fn a_pinned_key_has_no_log_and_shows_no_date() {
    let pinned = KeyRing::pinned(&identity("ana"), public(1));
    assert_eq!(pinned.origin(), None);
    assert_eq!(pinned.revision(), 0);
    let info = pinned.info(&identity("ana")).unwrap();
    assert_eq!((info.state, info.generated), (KeyState::Valid, None));
    assert!(info.to_json().contains(r#""generirano":null"#));
}

/// In languages with one type for all rings, only an operator's own is changed or stored.
#[test]
fn only_an_operators_own_ring_is_changed() {
    let registry = registry();
    let refused = Err(Error::Misuse(Misuse::PinnedRing));
    let pinned = AnyRing::Pinned(KeyRing::pinned(&identity("ana"), public(1)));
    assert_eq!(pinned.to_public_json(), refused);
    let shown = registry.ring.public();
    for mut other in [pinned, AnyRing::Public(shown.clone())] {
        assert_eq!(other.checked().err(), refused.clone().err());
        assert_eq!(other.checked_mut().err(), refused.clone().err());
    }
    assert_eq!(AnyRing::Public(shown.clone()).to_public_json(), Ok(shown.to_json()));
    let mut own = AnyRing::Checked(registry.ring.clone());
    assert_eq!(own.to_public_json(), Ok(shown.to_json()));
    assert_eq!(own.checked_mut().unwrap(), &registry.ring);
    assert_eq!(own.revision(), shown.revision());
}

#[test]
fn the_public_ring_hides_decoys() {
    let mut registry = registry();
    let ana = identity("ana");
    registry.set_state(&ana, None, KeyState::Decoy);
    registry.set_state(&ana, Some(public(1).hash()), KeyState::Decoy);
    registry.set_state(&ana, Some(public(2).hash()), KeyState::Revoked);
    registry.set_state(&identity("ivan"), None, KeyState::Suspended);
    let public_ring = registry.ring.public();
    let text = public_ring.to_json();
    assert!(!text.contains("oboje") && !text.contains("decoy"));
    let states: Vec<String> = keys_of(&text, &ana).into_iter().map(|(_, state, _)| state).collect();
    assert_eq!(states, ["istina", "laz", "istina"]);
    assert_eq!(public_ring.info(&identity("ivan")).unwrap().state, KeyState::Suspended);
    assert_eq!(public_ring.revision(), registry.ring.revision());
    assert_eq!(PublicRing::from_json(text.as_bytes()).unwrap(), public_ring);
    // Its root is the one that the last ring entry states.
    let stated = registry.chain.entries().last().unwrap().message().split("::").nth(4).unwrap();
    assert_eq!(public_ring.root().to_hex(), stated);
    // The operator's ring is as it was, and its key info has a public form too.
    let info = registry.ring.info(&ana).unwrap();
    assert_eq!((info.state, info.public().as_ref().state), (KeyState::Decoy, KeyState::Valid));
    assert!(!info.public().to_json().contains("oboje"));
}

/// A ring holds hashes of decoys, not keys: ten thousand take a few hundred bytes of JSON each, not four thousand.
#[test]
fn many_decoys_stay_small() {
    let Registry { mut ring, mut chain, .. } = registry();
    let base = ring.to_stored_json(chain.head()).unwrap().len();
    let mut bytes = *public(9).as_bytes();
    for number in 0..10_000u32 {
        bytes[..4].copy_from_slice(&number.to_be_bytes());
        let record = sealed_at(chain.head(), "ana");
        ring.add_decoy(&PublicKey::from_slice(&bytes).unwrap(), &record).unwrap();
        chain.push(record).unwrap();
    }
    assert_eq!(ring.decoy_count(), 10_002);
    let text = ring.to_stored_json(chain.head()).unwrap();
    assert!((text.len() - base) / 10_000 < 370, "{}", (text.len() - base) / 10_000);
    // The last one is known, though the ring does not hold it.
    assert_eq!(
        ring.add_decoy(&PublicKey::from_slice(&bytes).unwrap(), &sealed("ivan", 99_999)),
        Err(Error::Misuse(Misuse::KnownKey))
    );
}

/// Whoever signs with another key, or one that was called back, is told before anything is placed.
#[test]
fn nobody_signs_with_a_key_that_is_not_the_rings() {
    let mut registry = registry();
    let ana = identity("ana");
    let domain = Domain::default();
    let signs = |ring: &KeyRing, id: &IdentityId, number| Signer::current(&domain, ring, id, &key(number)).map(drop);
    let not_current = Err(Error::Misuse(Misuse::NotCurrent));
    assert_eq!(signs(&registry.ring, &ana, 3), Ok(()));
    for other in [1, 2, 4, 5, 9] {
        assert_eq!(signs(&registry.ring, &ana, other), not_current, "{other}");
    }
    for unknown in ["eva", "nobody"] {
        assert_eq!(signs(&registry.ring, &identity(unknown), 6), Err(Misuse::UnknownIdentity.into()));
    }
    for state in STATES {
        registry.set_state(&ana, None, state);
        let expected = if state == KeyState::Valid { Ok(()) } else { not_current.clone() };
        assert_eq!(signs(&registry.ring, &ana, 3), expected, "{state:?}");
    }
}
