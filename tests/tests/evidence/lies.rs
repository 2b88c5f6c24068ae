//! Ways to lie with a file of evidence, each with the name under which it is refused.

use dualseal::error::{Error, EvidenceFault, NoteFault, Problem};
use dualseal::evidence::{EvidenceFile, EvidencePolicy, EvidenceRecord, ExpectedSigner};
use dualseal::key::{KeyState, RingHead, SetState};
use dualseal::{Domain, Krunica, SignatureRecord, Signer, VerdictKind};
use dualseal_tests::bundle::{file, note, parts, policy, signed, witness, witnesses};
use dualseal_tests::log::{head_at, stated_ring};
use dualseal_tests::nodes::place_proof;
use dualseal_tests::quorum::raw_entry;
use dualseal_tests::registry::{Registry, followed};
use dualseal_tests::{identity, key, minute, next_digit};
use serde_json::{Value as Json, json};

const DOCUMENT: &[u8] = b"one contract";

/// Ana and Ivan, and records of hers at 2 and 3 over the document and another.
fn contracts() -> (Registry, [SignatureRecord; 2]) {
    let (mut registry, ana, signing) = (Registry::new(), identity("ana"), key(1));
    registry.add(&ana, signing.public_key());
    registry.add(&identity("ivan"), key(2).public_key());
    let records = [DOCUMENT, b"another"].map(|content| {
        let signer = Signer::new(&registry.domain, &ana, &signing);
        let content = signer.content_hash(content);
        let t = minute(registry.chain.head().size().try_into().unwrap());
        let signed = signer.sign_deterministic(&content, registry.chain.head(), t).unwrap();
        registry.chain.push(signed.entry).unwrap();
        signed.record
    });
    (registry, records)
}

fn made(registry: &Registry, record: &SignatureRecord, seq: u64) -> Json {
    let file = file(registry, EvidenceRecord::Signature(record.clone()), key(1).public_key(), seq);
    serde_json::from_str(&file.to_json()).unwrap()
}

fn good() -> Json {
    let (registry, [record, _]) = contracts();
    made(&registry, &record, 2)
}

fn verified_by(json: &Json, policy: &EvidencePolicy<'_>, document: &[u8]) -> Result<String, Error> {
    let open = EvidenceFile::from_json(json.to_string().as_bytes())?.open(policy)?;
    open.verify(document).map(|report| report.to_json())
}

#[track_caller]
fn refused(json: &Json) -> Error {
    verified_by(json, &policy(), DOCUMENT).unwrap_err()
}

fn with(json: &Json, pointer: &str, value: Json) -> Json {
    let mut json = json.clone();
    *json.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
    json
}

#[test]
fn another_document() {
    verified_by(&good(), &policy(), DOCUMENT).unwrap();
    let content = EvidenceFault::Record { reason: "content" };
    assert_eq!(verified_by(&good(), &policy(), b"another").unwrap_err(), content.into());
}

#[test]
fn another_log() {
    let other = EvidenceFault::OtherLog.into();
    let mut asked = policy();
    asked.log = dualseal::checkpoint::LogFingerprint::from_bytes([7; 32]);
    assert_eq!(verified_by(&good(), &asked, DOCUMENT).unwrap_err(), other);
    // The same log under another name, signer, key or domain is another one.
    for (pointer, value) in [
        ("/checkpoint/origin", json!("example.org/log2")),
        ("/checkpoint/identity_id", json!(identity("ivan").to_hex())),
        ("/checkpoint/javni_kljuc", json!(key(9).public_key().to_hex())),
        ("/domena", json!("ACME")),
    ] {
        assert_eq!(refused(&with(&good(), pointer, value)), other, "{pointer}");
    }
    // And what the log's signer did not sign.
    for (pointer, value) in [
        ("/checkpoint/size", json!(5)),
        ("/checkpoint/root", json!("00".repeat(32))),
        ("/checkpoint/top", json!("00".repeat(64))),
        ("/checkpoint/ring/root", json!("00".repeat(32))),
        ("/checkpoint/ring/revision", json!(1)),
        ("/checkpoint/nota", json!(witness(1).public_key().to_hex())),
        ("/checkpoint/time", json!("2026-11-21T12:00:00.000Z")),
    ] {
        assert_eq!(refused(&with(&good(), pointer, value)), EvidenceFault::Checkpoint.into(), "{pointer}");
    }
}

#[test]
fn a_cut_path() {
    let good = good();
    let path = good["path"].as_array().unwrap();
    assert_eq!(
        refused(&with(&good, "/path", json!([path[0]]))),
        EvidenceFault::PathLength { needed: 2, found: 1 }.into()
    );
    let swapped = with(&good, "/path", json!([path[1], path[0]]));
    assert_eq!(refused(&swapped), EvidenceFault::Path { seq: 2 }.into());
    let ring = good["ring"]["path"].as_array().unwrap();
    let cut = with(&good, "/ring/path", json!([ring[0]]));
    assert_eq!(refused(&cut), EvidenceFault::RingPlace.into());
}

/// Before the revocation: the file is good, and old.
#[test]
fn an_old_checkpoint() {
    let (good, mut asked) = (good(), policy());
    asked.least_size = 5;
    let old = EvidenceFault::Old { needed: 5, found: 4 };
    assert_eq!(verified_by(&good, &asked, DOCUMENT).unwrap_err(), old.into());
    let mut asked = EvidencePolicy { witnesses: witnesses(2), witnessed_after: Some(minute(140)), ..policy() };
    verified_by(&good, &asked, DOCUMENT).unwrap();
    asked.witnessed_after = Some(minute(141));
    let late = EvidenceFault::NotWitnessedAfter.into();
    assert_eq!(verified_by(&good, &asked, DOCUMENT).unwrap_err(), late);
    // No witness, no time.
    let nobody = EvidencePolicy { witnessed_after: Some(minute(1)), ..policy() };
    assert_eq!(verified_by(&good, &nobody, DOCUMENT).unwrap_err(), late);
}

/// Whoever has the log's key after it was retired signs a checkpoint of more entries than it counts for.
#[test]
fn a_checkpoint_from_after_the_logs_key_was_retired() {
    let good = good();
    let by = |until, least_size| EvidencePolicy { log_until: Some(until), least_size, ..policy() };
    for until in [4, 5, u64::MAX] {
        verified_by(&good, &by(until, 4), DOCUMENT).unwrap();
    }
    for until in [0, 3] {
        let late = EvidenceFault::Late { until, found: 4 };
        assert_eq!(verified_by(&good, &by(until, 0), DOCUMENT).unwrap_err(), late.into());
    }
    // What the key did not sign at all is told first, and so is what is older than was asked for.
    let forged = with(&good, "/checkpoint/root", json!("00".repeat(32)));
    assert_eq!(verified_by(&forged, &by(3, 0), DOCUMENT).unwrap_err(), EvidenceFault::Checkpoint.into());
    let old = EvidenceFault::Old { needed: 5, found: 4 };
    assert_eq!(verified_by(&good, &by(3, 5), DOCUMENT).unwrap_err(), old.into());
}

#[test]
fn an_edited_ring_leaf() {
    let (mut registry, [record, _]) = contracts();
    registry.set_state(&identity("ana"), None, SetState::compromised_from(0));
    let revoked = made(&registry, &record, 2);
    let mut edited = revoked.clone();
    edited["key"]["leaf"]["bela_stanje"] = json!("istina");
    edited["key"]["leaf"]["opozvan_od"] = json!(null);
    edited["key"]["leaf"]["povijest"].as_array_mut().unwrap().truncate(1);
    assert_eq!(refused(&edited), EvidenceFault::KeyPath.into());
    // The leaf of the ring before the revocation.
    let mut older = revoked;
    older["key"] = good()["key"].clone();
    assert_eq!(refused(&older), EvidenceFault::KeyPath.into());
    // Another key in the place of the record's own, or of the leaf's.
    let other = with(&good(), "/record/javni_kljuc", json!(key(2).public_key().to_hex()));
    assert_eq!(refused(&other), EvidenceFault::OtherKey.into());
    let (registry, [record, _]) = contracts();
    let mut ivans = parts(&registry, EvidenceRecord::Signature(record), key(1).public_key(), 2);
    ivans.key = registry.ring.public().prove(key(2).public_key().hash()).unwrap();
    assert_eq!(EvidenceFile::new(ivans).unwrap_err(), EvidenceFault::OtherKey.into());
}

#[test]
fn a_foreign_witness() {
    let (registry, [record, _]) = contracts();
    let make = |cosigned: &[(u8, i64)]| {
        let mut parts = parts(&registry, EvidenceRecord::Signature(record.clone()), key(1).public_key(), 2);
        parts.note = Some(note(parts.place.checkpoint(), cosigned));
        serde_json::from_str::<Json>(&EvidenceFile::new(parts).unwrap().to_json()).unwrap()
    };
    let asked = EvidencePolicy { witnesses: witnesses(2), ..policy() };
    let too_few = NoteFault::TooFewWitnesses { needed: 2, found: 1 };
    // Witness 4 is nobody whom the verifier knows, and twice the same witness is one.
    assert_eq!(
        verified_by(&make(&[(1, 130), (4, 131), (5, 131)]), &asked, DOCUMENT).unwrap_err(),
        too_few.clone().into()
    );
    assert_eq!(verified_by(&make(&[(1, 130), (1, 131)]), &asked, DOCUMENT).unwrap_err(), too_few.into());
    let none = with(&make(&[]), "/note", json!(null));
    let too_few = NoteFault::TooFewWitnesses { needed: 2, found: 0 };
    assert_eq!(verified_by(&none, &asked, DOCUMENT).unwrap_err(), too_few.into());
    // A cosignature of another log's note under the name of a witness.
    let mut other = head_at(&registry.chain, 3).tree_head();
    other.size = 4;
    let elsewhere = note(&signed(&other, stated_ring(registry.chain.entries())), &[(1, 130)]).to_text();
    let forged = elsewhere.lines().last().unwrap();
    let good = make(&[(2, 130), (3, 131)]);
    let text = format!("{}{forged}\n", good["note"].as_str().unwrap());
    let named = NoteFault::Witness { name: "witness-1.example".into() };
    assert_eq!(verified_by(&with(&good, "/note", json!(text)), &asked, DOCUMENT).unwrap_err(), named.into());
    // A note of another root, and one that the log's key did not sign.
    let text = with(&good, "/note", json!(elsewhere));
    assert_eq!(refused(&text), EvidenceFault::Note.into());
    let unsigned: String =
        good["note"].as_str().unwrap().replace("\u{2014} example.org/log ", "\u{2014} example.org/xyz ");
    assert_eq!(refused(&with(&good, "/note", json!(unsigned))), NoteFault::Unsigned.into());
}

/// The key was revoked before the record was made, and is valid again.
#[test]
fn revoked_since_before() {
    let (mut registry, ana) = (Registry::new(), identity("ana"));
    registry.add(&ana, key(1).public_key());
    registry.set_state(&ana, None, KeyState::Revoked);
    let signing = key(1);
    let signer = Signer::new(&registry.domain, &ana, &signing);
    let content = signer.content_hash(DOCUMENT);
    let signed = signer.sign_deterministic(&content, registry.chain.head(), minute(2)).unwrap();
    registry.chain.push(signed.entry).unwrap();
    let told = |registry: &Registry| {
        let report = verified_by(&made(registry, &signed.record, 2), &policy(), DOCUMENT).unwrap();
        serde_json::from_str::<Json>(&report).unwrap()["as_of"].clone()
    };
    let now = told(&registry);
    assert_eq!(
        (&now["result"]["razlog"], &now["revoked_then"], &now["claimed"]),
        (&json!("revoked"), &json!(1), &json!(true))
    );
    registry.set_state(&ana, None, KeyState::Valid);
    let then = told(&registry);
    assert_eq!(
        (&then["result"]["validan"], &then["revoked_then"], &then["claimed"]),
        (&json!(true), &json!(1), &json!(true))
    );
}

/// Edited by the maker of the file; or told anew by the log's signer, whom an earlier file convicts.
#[test]
fn another_date_of_the_compromise() {
    let (mut registry, [record, _]) = contracts();
    registry.set_state(&identity("ana"), None, SetState::compromised_from(1));
    let early = made(&registry, &record, 2);
    assert_eq!(refused(&with(&early, "/key/leaf/opozvan_od", json!(3))), EvidenceFault::KeyPath.into());
    let open = |json: &Json| EvidenceFile::from_json(json.to_string().as_bytes()).unwrap().open(&policy()).unwrap();
    let opened = open(&early);
    let early = opened.verify(DOCUMENT).unwrap();
    assert_eq!(
        (*opened.log(), *opened.key(), opened.checkpoint().record(), Some(opened.seq())),
        (early.log, early.key, early.checkpoint(), early.as_of.place)
    );
    // A log whose signer says something else of the same key, at a later size: under the same revision, which convicts
    // him by itself, and under a later one.
    for others_changed in [false, true] {
        let (mut retold, [record_again, _]) = contracts();
        assert_eq!(record_again, record);
        retold.set_state(&identity("ana"), None, SetState::compromised_from(3));
        if others_changed {
            retold.set_state(&identity("ivan"), None, KeyState::Suspended);
        } else {
            retold.chain.append(&retold.domain, &identity("ana"), "filler", minute(9)).unwrap();
        }
        let late = open(&made(&retold, &record, 2));
        // Also for whoever has not the document.
        assert_eq!(late.compare(&opened).unwrap_err(), EvidenceFault::Retold.into());
        assert_eq!(opened.compare(&late).unwrap_err(), EvidenceFault::Retold.into());
        let late = late.verify(DOCUMENT).unwrap();
        assert!(early.as_of.claimed && !late.as_of.claimed);
        assert_eq!(late.compare(&early).unwrap_err(), EvidenceFault::Retold.into());
        assert_eq!(early.compare(&late).unwrap_err(), EvidenceFault::Retold.into());
    }
    // What only grew, and was lowered, is no contradiction.
    registry.set_state(&identity("ana"), None, KeyState::Valid);
    registry.set_state(&identity("ana"), None, SetState::compromised_from(0));
    let lowered = open(&made(&registry, &record, 2));
    let lowered = lowered.verify(DOCUMENT).unwrap();
    assert_eq!(lowered.as_of.compromised_from, Some(0));
    lowered.compare(&early).unwrap();
    early.compare(&lowered).unwrap();
    assert_eq!(lowered.as_of.verdict.kind(), VerdictKind::Revoked);
}

/// What a log adds to a history stands behind all that an earlier file covered, and of one size there is one history.
#[test]
fn a_change_dated_back_behind_an_earlier_file() {
    let filled = |registry: &mut Registry, count| {
        for _ in 0..count {
            registry.chain.append(&registry.domain, &identity("ana"), "filler", minute(9)).unwrap();
        }
    };
    let (mut registry, [record, _]) = contracts();
    filled(&mut registry, 2);
    let early = made(&registry, &record, 2);
    let size = registry.chain.head().size();
    let open = |json: &Json| EvidenceFile::from_json(json.to_string().as_bytes()).unwrap().open(&policy()).unwrap();
    let opened = open(&early);
    let early = opened.verify(DOCUMENT).unwrap();
    // The revocation, or the retirement, stands below the earlier size, at that size, and in a log as long as it.
    for (fillers, honest_first) in [(4, false), (1, false), (1, true)] {
        for retires in [false, true] {
            let (mut retold, [again, _]) = contracts();
            assert_eq!(again, record);
            if honest_first {
                filled(&mut retold, 2);
            }
            if retires {
                retold.rotate(&identity("ana"), key(77).public_key());
            } else {
                retold.set_state(&identity("ana"), None, KeyState::Revoked);
            }
            filled(&mut retold, fillers);
            let late = open(&made(&retold, &record, 2));
            let late = late.verify(DOCUMENT).unwrap();
            let expected = if honest_first { Ok(()) } else { Err(EvidenceFault::Retold.into()) };
            assert_eq!(late.compare(&early), expected, "{fillers} {retires} {size}");
            assert_eq!(early.compare(&late), expected, "{fillers} {retires} {size}");
        }
    }
    // Of one size, and another chain: the checkpoints alone convict.
    let (mut other, [again, _]) = contracts();
    assert_eq!(again, record);
    other.chain.append(&other.domain, &identity("ivo"), "another filler", minute(9)).unwrap();
    filled(&mut other, 1);
    let forked = open(&made(&other, &record, 2));
    let report = forked.verify(DOCUMENT).unwrap();
    assert_eq!(report.compare(&early), Err(EvidenceFault::Retold.into()));
    assert_eq!(early.compare(&report), Err(EvidenceFault::Retold.into()));
    // Also where they are about two keys, of which nothing else can be compared.
    let by_ivan = |registry: &mut Registry| {
        let (ivan, signing) = (identity("ivan"), key(2));
        let signer = Signer::new(&registry.domain, &ivan, &signing);
        let (seq, content) = (registry.chain.head().size(), signer.content_hash(DOCUMENT));
        let signed = signer.sign_deterministic(&content, registry.chain.head(), minute(9)).unwrap();
        registry.chain.push(signed.entry).unwrap();
        filled(registry, 1);
        let file = file(registry, EvidenceRecord::Signature(signed.record), signing.public_key(), seq);
        open(&serde_json::from_str(&file.to_json()).unwrap())
    };
    let (mut forked, _) = contracts();
    for (registry, expected) in [(&mut forked, EvidenceFault::Retold), (&mut registry, EvidenceFault::OtherKey)] {
        let other = by_ivan(registry);
        assert_eq!(other.compare(&opened), Err(expected.into()));
        let report = other.verify(DOCUMENT).unwrap();
        assert_eq!(report.compare(&early), Err(expected.into()));
        assert_eq!(early.compare(&report), Err(expected.into()));
    }
}

#[test]
fn the_place_of_another_record() {
    let (registry, [record, other]) = contracts();
    let located = EvidenceFault::Record { reason: "located" };
    assert_eq!(refused(&made(&registry, &record, 3)), located.into());
    // The good file with another record of the same key in it.
    let mut swapped = made(&registry, &record, 2);
    swapped["record"] = serde_json::from_str(&other.to_json()).unwrap();
    let content = EvidenceFault::Record { reason: "content" };
    assert_eq!(refused(&swapped), content.into());
    assert_eq!(verified_by(&swapped, &policy(), b"another").unwrap_err(), located.into());
    // A revoked key hides nothing of it.
    let (mut registry, [record, _]) = contracts();
    registry.set_state(&identity("ana"), None, KeyState::Revoked);
    assert_eq!(refused(&made(&registry, &record, 3)), located.into());
}

#[test]
fn a_key_path_of_another_size() {
    let good = good();
    for (pointer, value) in
        [("/key/size", json!(3)), ("/key/size", json!(1)), ("/key/seq", json!(1)), ("/key/path", json!([]))]
    {
        assert_eq!(refused(&with(&good, pointer, value)), EvidenceFault::KeyPath.into(), "{pointer}");
    }
}

/// Under an old root that witnesses saw, the log's key states another ring: its entry is not in the tree.
#[test]
fn another_ring_under_a_witnessed_root() {
    let (mut registry, [record, _]) = contracts();
    let before = registry.chain.clone();
    let was = parts(&registry, EvidenceRecord::Signature(record.clone()), key(1).public_key(), 2);
    registry.set_state(&identity("ana"), None, KeyState::Revoked);
    // The signer signs the new ring under the old head, and takes the entry of the old one.
    let head = head_at(&before, 4).tree_head();
    let mut stated = stated_ring(registry.chain.entries()).unwrap();
    stated.revision = 3;
    let forged = signed(&head, Some(stated));
    let mut file: Json = serde_json::from_str(&EvidenceFile::new(was).unwrap().to_json()).unwrap();
    file["checkpoint"] = serde_json::from_str(&forged.to_json()).unwrap();
    file["key"] = made(&registry, &record, 2)["key"].clone();
    assert_eq!(refused(&file), EvidenceFault::Ring.into());
    // Or the new one's, which the old tree has not.
    let mut entry = made(&registry, &record, 2)["ring"].clone();
    entry["path"] = file["ring"]["path"].clone();
    file["ring"] = entry;
    assert_eq!(refused(&file), EvidenceFault::RingPlace.into());
    // An entry that anybody wrote, and that is none of a ring.
    let plain = place_proof(&signed(&head, stated_ring(before.entries())), before.entries(), 3).unwrap();
    let mut file = made(&registry, &record, 2);
    file["checkpoint"] = serde_json::from_str(&plain.checkpoint().to_json()).unwrap();
    file["path"] = json!(
        place_proof(plain.checkpoint(), before.entries(), 2)
            .unwrap()
            .path()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    );
    file["ring"]["entry"] = serde_json::from_str(&plain.entry().to_json()).unwrap();
    file["ring"]["path"] = json!(plain.path().iter().map(ToString::to_string).collect::<Vec<_>>());
    file["note"] = json!(null);
    assert_eq!(refused(&file), EvidenceFault::Ring.into());
}

/// Every identity of a ring can sign any document.
#[test]
fn another_signer() {
    let (good, other) = (good(), Error::from(EvidenceFault::OtherSigner));
    for (signer, holds) in [
        (ExpectedSigner::Identity(identity("ana")), true),
        (ExpectedSigner::Identity(identity("ivan")), false),
        (ExpectedSigner::Key(*key(1).public_key().hash()), true),
        (ExpectedSigner::Key(*key(2).public_key().hash()), false),
    ] {
        let verified = verified_by(&good, &EvidencePolicy { signer, ..policy() }, DOCUMENT);
        assert_eq!(verified.map(drop), if holds { Ok(()) } else { Err(other.clone()) });
    }
}

#[test]
fn another_form() {
    let good = good();
    let field = |json: &Json| match refused(json) {
        Error::Malformed(malformed) => (malformed.field, malformed.problem),
        other => panic!("{other}"),
    };
    for (pointer, value, expected) in [
        ("/vrsta", json!("pecat"), ("vrsta", Problem::UnknownValue)),
        ("/vrsta", json!("other"), ("vrsta", Problem::UnknownValue)),
        ("/verzija", json!("2"), ("verzija", Problem::UnknownValue)),
        ("/javni_kljuc", json!(key(1).public_key().to_hex()), ("javni_kljuc", Problem::WrongType)),
        ("/ring", json!(null), ("ring", Problem::WrongType)),
        ("/record", json!({}), ("record", Problem::UnknownValue)),
        ("/record", json!([]), ("record", Problem::WrongType)),
        ("/domena", json!("a:b"), ("domena", Problem::Constant)),
        ("/domena", json!(null), ("domena", Problem::MissingMember)),
        ("/key/size", json!(-1), ("size", Problem::Range)),
    ] {
        assert_eq!(field(&with(&good, pointer, value)), expected, "{pointer}");
    }
    for member in good.as_object().unwrap().keys() {
        let mut without = good.clone();
        without.as_object_mut().unwrap().remove(member);
        assert_eq!(field(&without).1, Problem::MissingMember, "{member}");
    }
    let mut more = good.clone();
    more["x"] = json!(1);
    assert!(matches!(field(&more).1, Problem::UnknownMember(_)));
    // Every altered digit of the record's, the entry's and the paths' hexadecimal is refused.
    for pointer in ["/record/potpis", "/record/krunica_hash", "/entry/h", "/entry/prev", "/path/0", "/ring/entry/h"] {
        let text = good.pointer(pointer).unwrap().as_str().unwrap();
        for digit in (0..text.len()).step_by(text.len() / 16) {
            refused(&with(&good, pointer, json!(next_digit(text, digit))));
        }
    }
}

/// The maker gives out nothing whose parts are of two logs or two sizes.
#[test]
fn parts_that_do_not_belong_together_are_not_put_together() {
    let (registry, [record, _]) = contracts();
    let make = || parts(&registry, EvidenceRecord::Signature(record.clone()), key(1).public_key(), 2);
    let mut grown = Registry { chain: registry.chain.clone(), ring: registry.ring.clone(), ..Registry::new() };
    grown.chain.append(&grown.domain, &identity("ana"), "filler", minute(9)).unwrap();
    let later = parts(&grown, EvidenceRecord::Signature(record.clone()), key(1).public_key(), 2);
    let mut mixed = make();
    mixed.ring = later.ring;
    assert_eq!(EvidenceFile::new(mixed).unwrap_err(), EvidenceFault::RingPlace.into());
    let mut noted = make();
    noted.note = later.note;
    assert_eq!(EvidenceFile::new(noted).unwrap_err(), EvidenceFault::Note.into());
    let other = Domain::new("ACME").unwrap();
    let mut foreign = make();
    foreign.domain = &other;
    let Error::Malformed(malformed) = EvidenceFile::new(foreign).unwrap_err() else { panic!("another domain") };
    assert_eq!((malformed.field, malformed.problem), ("domena", Problem::Constant));
}

/// Whoever holds the log's keys sets the key's last change behind the ring entry that is to state it: no entry states
/// what comes after it.
#[test]
fn a_ring_entry_from_before_the_change_that_it_states() {
    let (ana, (mut registry, [record, _])) = (identity("ana"), contracts());
    let mut elsewhere = registry.chain.clone();
    let plain = |chain: &mut Krunica| {
        chain.append(&Domain::default(), &identity("ivan"), "plain", minute(9)).unwrap();
    };
    (0..3).for_each(|_| plain(&mut elsewhere));
    registry.ring = followed(&registry.ring, elsewhere.entries());
    let change = registry.ring.set_state(&ana, None, KeyState::Suspended, elsewhere.head(), minute(9)).unwrap().entry;
    assert_eq!(change.seq(), 7);
    let early = raw_entry(&registry.chain, &ana, change.message(), minute(9));
    registry.chain.push(early).unwrap();
    (0..5).for_each(|_| plain(&mut registry.chain));
    let root = change.message().split("::").nth(4).unwrap().parse().unwrap();
    let head = head_at(&registry.chain, registry.chain.entries().len()).tree_head();
    let checkpoint = signed(&head, Some(RingHead { revision: 3, root }));
    let mut parts = parts(&registry, EvidenceRecord::Signature(record), key(1).public_key(), 2);
    let under = |seq| place_proof(&checkpoint, registry.chain.entries(), seq).unwrap();
    (parts.place, parts.ring, parts.note) = (under(2), under(4), None);
    assert_eq!(parts.ring.entry().message(), change.message());
    assert_eq!(EvidenceFile::new(parts).unwrap_err(), EvidenceFault::Ring.into());
}
