//! Proven places, and the records of retired keys that need one: valid exactly when they stand before the retirement.

use dualseal::error::{Error, Misuse};
use dualseal::key::Unprepared;
use dualseal::krunica::Checker;
use dualseal::verdict::{InvalidReason, Verdict, VerdictKind};
use dualseal::{CheckedRing, Entry, Head, KeyRing, KeyState, Krunica, Located, SignatureRecord, Signer, Verifier};
use dualseal_tests::log::{ORIGIN, chain_of, check, covering, head_at, locate, retimed};
use dualseal_tests::reading;
use dualseal_tests::registry::{Registry, followed};
use dualseal_tests::ring_file::with_retirement;
use dualseal_tests::{identity, key, minute, raw_seal, with_member};

const CONTENT: &[u8] = b"content";

/// Two ring entries, a filler, Ana's record at 3, the same content signed again at 4, another content at 5, then the
/// rotation at 6: with key 1 before it and key 2 after it.
struct History {
    registry: Registry,
    record: SignatureRecord,
    again: SignatureRecord,
}

fn sign(registry: &mut Registry, number: u8, content: &[u8], minutes: i64) -> SignatureRecord {
    let (key, ana) = (key(number), identity("ana"));
    let signer = Signer::new(&registry.domain, &ana, &key);
    let content = signer.content_hash(content);
    let signed = signer.sign_deterministic(&content, registry.chain.head(), minute(minutes)).unwrap();
    registry.chain.push(signed.entry).unwrap();
    signed.record
}

fn history() -> History {
    let (mut registry, ana) = (Registry::new(), identity("ana"));
    registry.add(&identity("ivan"), key(3).public_key());
    registry.add(&ana, key(1).public_key());
    registry.chain.append(&registry.domain, &ana, "filler", minute(2)).unwrap();
    let record = sign(&mut registry, 1, CONTENT, 3);
    let again = sign(&mut registry, 1, CONTENT, 3);
    sign(&mut registry, 1, b"another content", 3);
    registry.rotate(&ana, key(2).public_key());
    assert_eq!(registry.chain.head().size(), 7);
    History { registry, record, again }
}

impl History {
    fn verify(&self, ring: &KeyRing, record: &SignatureRecord, at: Option<&Located>) -> Verdict<SignatureRecord> {
        let content = self.registry.domain.content_hash(&identity("ana"), CONTENT);
        Verifier::new(&self.registry.domain, ring, &Unprepared).verify(&content, record.clone(), at)
    }

    fn ring(&self, state: &str, retired: u64) -> CheckedRing {
        let Registry { ring, chain, .. } = &self.registry;
        let (mut ring, hash, ana) = (followed(ring, chain.entries()), *key(1).public_key().hash(), identity("ana"));
        let set =
            ring.set_state(&ana, Some(&hash), state.parse::<KeyState>().unwrap(), chain.head(), minute(9)).unwrap();
        let stored = ring.to_stored_json(&set.head).unwrap();
        assert!(stored.contains("\"retired\":6"));
        with_retirement(&stored, &ana.to_hex(), retired)
    }
}

fn shown(verdict: &Verdict<SignatureRecord>) -> &'static str {
    match verdict {
        Verdict::Valid(_) => "valid",
        Verdict::Decoy(_) => "decoy",
        Verdict::Revoked(_) => "revoked",
        Verdict::Suspended(_) => "suspended",
        Verdict::Invalid(rejection) => match rejection.reason() {
            InvalidReason::RetiredKey => "retired key",
            InvalidReason::Located => "located",
            InvalidReason::Signature => "signature",
            other => panic!("{other:?}"),
        },
    }
}

/// Every place that is not the record's own, as a proof that is sound in itself.
fn other_places(history: &History) -> Vec<(&'static str, Located)> {
    let chain = &history.registry.chain;
    let messages: Vec<&str> = chain.entries().iter().map(Entry::message).collect();
    let of_ivan = chain_of(&identity("ivan"), &messages);
    let upper = messages[3].to_uppercase();
    let altered: Vec<&str> = messages.iter().enumerate().map(|(i, m)| if i == 3 { &upper } else { *m }).collect();
    vec![
        ("another origin", locate("example.org/other", chain, 3)),
        ("another origin's name", locate("example.org/Log", chain, 3)),
        ("another entry", locate(ORIGIN, chain, 2)),
        ("the ring's entry", locate(ORIGIN, chain, 1)),
        ("the same content signed again", locate(ORIGIN, chain, 4)),
        ("another content's", locate(ORIGIN, chain, 5)),
        ("the rotation's own entry", locate(ORIGIN, chain, 6)),
        ("another time", locate(ORIGIN, &retimed(chain, 3, minute(4)), 3)),
        ("another identity", locate(ORIGIN, &of_ivan, 3)),
        ("another handle", locate(ORIGIN, &chain_of(&identity("ana"), &messages), 3)),
        ("another message", locate(ORIGIN, &chain_of(&identity("ana"), &altered), 3)),
    ]
}

/// State x retirement relative to the record's seq (3) x place.
#[test]
fn a_retired_keys_record_counts_before_its_retirement_alone() {
    let history = history();
    let own = locate(ORIGIN, &history.registry.chain, 3);
    for (state, before, otherwise) in [
        ("istina", "valid", "retired key"),
        ("laz", "revoked", "revoked"),
        ("oboje", "decoy", "retired key"),
        ("nijedno", "suspended", "suspended"),
    ] {
        for retired in [2, 3, 4, 5, 6, 8, (1 << 53) - 2] {
            let ring = history.ring(state, retired);
            let cell = |at| shown(&history.verify(&ring, &history.record, at));
            assert_eq!(cell(Some(&own)), if retired > 3 { before } else { otherwise }, "{state} {retired}");
            assert_eq!(cell(None), otherwise, "{state} {retired}, without a place");
        }
        let ring = history.ring(state, 6);
        for (name, place) in other_places(&history) {
            assert_eq!(shown(&history.verify(&ring, &history.record, Some(&place))), otherwise, "{state}, {name}");
        }
    }
}

/// The places that are good for the same content signed a second time.
#[test]
fn each_record_has_a_place_of_its_own() {
    let history = history();
    let ring = history.ring("istina", 6);
    let (first, second) = (locate(ORIGIN, &history.registry.chain, 3), locate(ORIGIN, &history.registry.chain, 4));
    for (record, place, expected) in [
        (&history.record, &first, "valid"),
        (&history.record, &second, "retired key"),
        (&history.again, &first, "retired key"),
        (&history.again, &second, "valid"),
    ] {
        assert_eq!(shown(&history.verify(&ring, record, Some(place))), expected);
    }
}

/// A place that is given for a current key must be the record's too; none is needed.
#[test]
fn a_current_keys_place_must_count() {
    let history = history();
    let mut registry = Registry::new();
    registry.add(&identity("ana"), key(1).public_key());
    let own = locate(ORIGIN, &history.registry.chain, 3);
    for (state, good, bad) in [
        ("istina", "valid", "located"),
        ("laz", "revoked", "revoked"),
        ("oboje", "decoy", "located"),
        ("nijedno", "suspended", "suspended"),
    ] {
        registry.set_state(&identity("ana"), None, state.parse::<KeyState>().unwrap());
        let cell = |at: Option<&Located>| shown(&history.verify(&registry.ring, &history.record, at));
        assert_eq!((cell(None), cell(Some(&own))), (good, good), "{state}");
        for (name, place) in other_places(&history) {
            assert_eq!(cell(Some(&place)), bad, "{state}, {name}");
        }
    }
    // A decoy key's too.
    let mut decoys = Registry::new();
    decoys.add_decoy(&identity("ana"), key(1).public_key());
    for (name, place) in other_places(&history) {
        assert_eq!(shown(&history.verify(&decoys.ring, &history.record, Some(&place))), "located", "{name}");
    }
    assert_eq!(shown(&history.verify(&decoys.ring, &history.record, Some(&own))), "decoy");
}

/// A pinned key has no origin: the checkpoint's pinned origin stands for it.
#[test]
fn a_pinned_key_takes_its_origin_from_the_checkpoint() {
    let history = history();
    let pinned = KeyRing::pinned(&identity("ana"), key(1).public_key().clone());
    for (name, place) in other_places(&history) {
        let expected = if name.starts_with("another origin") { "valid" } else { "located" };
        assert_eq!(shown(&history.verify(&pinned, &history.record, Some(&place))), expected, "{name}");
    }
}

/// Below the size of the checkpoint, and nowhere else, is there a proof; of an empty log there is none.
#[test]
fn beyond_the_checkpoint_there_is_no_place() {
    let chain = &history().registry.chain;
    for size in 0..=7 {
        let checkpoint = covering(ORIGIN, chain, size);
        for seq in 0..9 {
            let located = check(&checkpoint, chain.entries(), seq).unwrap();
            assert_eq!(located.len(), usize::from(seq < size as u64), "{size} {seq}");
            if let Some(located) = located.first() {
                assert_eq!((located.origin(), located.entry()), (ORIGIN, chain.get(seq).unwrap()));
            }
        }
        let (reader, entries) = (reading::under(&checkpoint), chain.entries());
        let all = reading::read(reader, entries, |reader| reader.places(|_| true)).unwrap();
        let seqs: Vec<u64> = all.iter().map(|place| place.entry().seq()).collect();
        assert_eq!(seqs, (0..size as u64).collect::<Vec<_>>());
    }
}

/// Back-dating: the old key was stolen. A record with an old timestamp is made after the rotation and even put into the
/// chain; the time inside it, and the time of its entry, prove nothing.
#[test]
fn a_stolen_retired_key_cannot_back_date() {
    let mut history = history();
    let forged = sign(&mut history.registry, 1, CONTENT, 3);
    assert_eq!(forged.time(), history.record.time());
    let late = locate(ORIGIN, &history.registry.chain, 7);
    let (ring, own) = (history.ring("istina", 6), locate(ORIGIN, &history.registry.chain, 3));
    for at in [None, Some(&late), Some(&own)] {
        assert_eq!(shown(&history.verify(&ring, &forged, at)), "retired key");
    }
    assert_eq!(shown(&history.verify(&ring, &history.record, Some(&own))), "valid", "the honest one stays");

    // On a chain of the thief's own, where the entry stands early enough: no checkpoint of the pinned log covers it.
    let mut own_chain = Krunica::new();
    let (thief, ana) = (key(1), identity("ana"));
    let signer = Signer::new(&history.registry.domain, &ana, &thief);
    let content = signer.content_hash(CONTENT);
    let signed = signer.sign_deterministic(&content, &Head::EMPTY, minute(3)).unwrap();
    own_chain.push(signed.entry).unwrap();
    let checkpoint = covering(ORIGIN, &history.registry.chain, 7);
    assert!(check(&checkpoint, own_chain.entries(), 0).is_err());
    let elsewhere = locate("thief.example/log", &own_chain, 0);
    assert_eq!(shown(&history.verify(&ring, &signed.record, Some(&elsewhere))), "retired key");
}

/// Pre-placing: somebody appends 64 plain hexadecimal characters in Ana's name, the hash of what she is to have signed;
/// her key is stolen after it was retired, and a record is made that fits the place. Only an entry that says whose key
/// signs is a signature's.
#[test]
fn a_plain_message_is_no_place_of_a_signature() {
    let mut history = history();
    let (mut chain, ana, thief) = (Krunica::new(), identity("ana"), key(1));
    let domain = history.registry.domain.clone();
    let signer = Signer::new(&domain, &ana, &thief);
    let content = signer.content_hash(CONTENT);
    let own = "DUALSEAL-SIGN::SIGNED::x::DUALSEAL";
    assert_eq!(chain.append(&domain, &ana, own, minute(3)).unwrap_err(), Error::Misuse(Misuse::ReservedMessage));
    history.registry.chain = chain;
    history.registry.ring = CheckedRing::new(ORIGIN, &history.registry.authority).unwrap();
    history.registry.add(&ana, key(1).public_key());
    let before = history.registry.chain.head().clone();
    history.registry.chain.append(&domain, &ana, &content.to_hex(), minute(3)).unwrap();
    history.registry.rotate(&ana, key(2).public_key());

    let forged = signer.sign_deterministic(&content, &before, minute(3)).unwrap().record;
    let place = locate(ORIGIN, &history.registry.chain, 1);
    assert_eq!(place.entry().message(), content.to_hex());
    assert_eq!(shown(&history.verify(&history.registry.ring, &forged, Some(&place))), "retired key");
    // By a program of the thief's own, over the very hash of the entry that waits.
    let handle = place.entry().krunica_hash();
    let (hash, time) = (content.hash(), minute(3));
    let statement = format!("DUALSEAL-SIGN::STATEMENT::ML-DSA-65::1::{ana}::{hash}::{handle}::{time}::DUALSEAL");
    let signature = raw_seal::sign([1; 32], statement.as_bytes());
    let json = with_member(&forged.to_json(), "krunica_hash", handle.to_hex().into());
    let json = with_member(&json, "potpis", signature.into());
    let fitting = SignatureRecord::from_json(json.as_bytes()).unwrap();
    let pinned = KeyRing::pinned(&ana, key(1).public_key().clone());
    assert_eq!(shown(&history.verify(&pinned, &fitting, None)), "valid", "the signature is good");
    assert_eq!(shown(&history.verify(&history.registry.ring, &fitting, Some(&place))), "retired key");
}

/// What is not prevented: who writes the log, with a program that does not refuse the library's forms, places an entry
/// for a key that is stolen later. An entry stands before anybody proves a key.
#[test]
fn whoever_writes_the_log_can_place_anything_early() {
    let history = history();
    let (chain, ana) = (&history.registry.chain, identity("ana"));
    let mut messages: Vec<&str> = chain.entries().iter().map(Entry::message).collect();
    let early = messages[3].to_string();
    messages[2] = &early;
    let written = chain_of(&ana, &messages);
    let (thief, domain) = (key(1), &history.registry.domain);
    let signer = Signer::new(domain, &ana, &thief);
    let content = signer.content_hash(CONTENT);
    let forged = signer.sign_deterministic(&content, &head_at(&written, 2), minute(2)).unwrap().record;
    let place = locate(ORIGIN, &written, 2);
    assert_eq!(shown(&history.verify(&history.registry.ring, &forged, Some(&place))), "valid");
}

/// An entry names the key that signs: another key of the same identity does not complete it, not even one that was in
/// force.
#[test]
fn an_entry_is_of_one_key() {
    let history = history();
    let (ana, other) = (identity("ana"), key(2));
    let domain = &history.registry.domain;
    let signer = Signer::new(domain, &ana, &other);
    let entries = history.registry.chain.entries();
    let before = entries.iter().take(3).fold(Checker::new(), |mut checker, entry| {
        checker.push(entry).unwrap();
        checker
    });
    let content = signer.content_hash(CONTENT);
    let signed = signer.sign_deterministic(&content, before.head(), minute(3)).unwrap();
    assert_ne!(signed.record.krunica_hash(), history.record.krunica_hash());
    let place = locate(ORIGIN, &history.registry.chain, 3);
    assert_eq!(shown(&history.verify(&history.registry.ring, &signed.record, Some(&place))), "located");
    let message =
        format!("DUALSEAL-SIGN::SIGNED::{}::{}::DUALSEAL", content.to_hex(), key(1).public_key().hash().to_hex());
    assert_eq!(place.entry().message(), message);
}

/// Rotation clears nothing: the old key stays `laz`, its old records stay Revoked, and only `bela` changes that, which
/// leaves a ring entry.
#[test]
fn rotation_never_clears_a_revocation() {
    let (mut registry, ana) = (Registry::new(), identity("ana"));
    registry.add(&ana, key(1).public_key());
    let record = sign(&mut registry, 1, CONTENT, 3);
    registry.set_state(&ana, None, KeyState::Revoked);
    registry.rotate(&ana, key(2).public_key());
    let size = registry.chain.head().size();
    let history = History { again: record.clone(), record, registry };
    let own = locate(ORIGIN, &history.registry.chain, 1);
    let cell = |history: &History, at| shown(&history.verify(&history.registry.ring, &history.record, at));
    assert_eq!((cell(&history, None), cell(&history, Some(&own))), ("revoked", "revoked"));
    let current = history.registry.ring.info(&ana).unwrap();
    assert_eq!((current.state.as_str(), &current.public_key), ("istina", key(2).public_key()));

    let mut history = history;
    history.registry.set_state(&ana, Some(key(1).public_key().hash()), KeyState::Valid);
    assert_eq!(history.registry.chain.head().size(), size + 1);
    assert_eq!((cell(&history, None), cell(&history, Some(&own))), ("retired key", "valid"));
    let verdict = history.verify(&history.registry.ring, &history.record, Some(&own));
    assert_eq!(verdict.kind(), VerdictKind::Valid);
}
