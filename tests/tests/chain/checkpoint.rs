//! Checkpoints: their members and statement, every change refused for its reason, and what a ring adds.

use dualseal::checkpoint::{Checkpoint, CheckpointSigner, CheckpointVerifier, Growth, HighWaterMark, Pins};
use dualseal::domain::{Label, Row};
use dualseal::ed25519::Ed25519PublicKey;
use dualseal::error::{Error, Malformed, Misuse, Problem};
use dualseal::key::{RingHead, Unprepared};
use dualseal::krunica::TreeHead;
use dualseal::mldsa::KeyHash;
use dualseal::tree::TreeHash;
use dualseal::verdict::{InvalidReason, Verdict};
use dualseal::{Domain, Head, KeyRing, Krunica, SigningKey};
use dualseal_tests::log::{ORIGIN, chain_of, head_at, log_identity, log_key, mark, mark_of, pins, sign};
use dualseal_tests::random::{Constant, FAILING};
use dualseal_tests::registry::Registry;
use dualseal_tests::{identity, key, minute, next_digit, raw_seal, with_member};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

fn chain() -> Krunica {
    chain_of(&identity("ana"), &["zero", "one", "two"])
}

fn checkpoint() -> Checkpoint {
    sign(&mark_of(ORIGIN, chain().head()))
}

fn altered(name: &str, value: &Json) -> Checkpoint {
    Checkpoint::from_json(with_member(&checkpoint().to_json(), name, value.clone()).as_bytes()).unwrap()
}

fn verify(checkpoint: Checkpoint, pins: &Pins, ring: Option<&KeyRing>) -> Verdict<Checkpoint> {
    CheckpointVerifier::new(&Domain::default(), pins, ring, &Unprepared).verify(checkpoint)
}

/// V valid, D decoy, R revoked, S suspended; invalid: p pin, z size, s signature, f foreign key, u unknown identity, t
/// retired key.
fn letter(verdict: &Verdict<Checkpoint>) -> &'static str {
    match verdict {
        Verdict::Valid(_) => "V",
        Verdict::Decoy(_) => "D",
        Verdict::Revoked(_) => "R",
        Verdict::Suspended(_) => "S",
        Verdict::Invalid(rejection) => match rejection.reason() {
            InvalidReason::Pin => "p",
            InvalidReason::Size => "z",
            InvalidReason::Signature => "s",
            InvalidReason::ForeignKey => "f",
            InvalidReason::UnknownIdentity => "u",
            InvalidReason::RetiredKey => "t",
            other => panic!("{other:?}"),
        },
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// The eleven members, and a signature by the bare `ml-dsa` crate's judgement over the statement as documented.
    #[test]
    fn members_and_statement(
        name in "[A-Z]{1,8}", label in "[A-Z]{1,8}", size in 1u64..1 << 53, top: [u8; 32],
        t in 100_000_000_000i64..253_402_300_800_000,
        root: [u8; 32], ring: Option<([u8; 32], u64)>, nota: Option<[u8; 32]>,
    ) {
        let domain = Domain::builder(&name).prefix(Row::Krunica, "LOG").suffix(Row::Krunica, "END");
        let domain = domain.label(Label::KrunicaCheckpoint, &label).build().unwrap();
        let (top, root) = (hex::encode([top, top].concat()), hex::encode(root));
        let head = TreeHead { size, top: top.parse().unwrap(), root: root.parse().unwrap() };
        let ring = ring.map(|(root, above)| RingHead { revision: 1 + above % size, root: TreeHash::from_bytes(root) });
        let nota = nota.map(Ed25519PublicKey::from_bytes);
        let time = dualseal::Timestamp::from_millis(t).unwrap();
        let (origin, id) = ("log of Željko: 1", log_identity());
        let signer = CheckpointSigner::new(&domain, origin, &id, log_key()).unwrap();
        let signer = match &nota {
            Some(key) => signer.with_note_key(key),
            None => signer,
        };
        let made = signer.sign(&mark(origin, &head, ring), time, &mut Constant(3)).unwrap();
        let json: Json = serde_json::from_str(&made.to_json()).unwrap();
        let public = log_key().public_key();
        let expected = json!({
            "algoritam": "ML-DSA-65", "identity_id": id.to_hex(), "javni_kljuc": public.to_hex(), "origin": origin,
            "nota": nota.map(|key| key.to_hex()), "potpis": made.signature().to_hex(),
            "ring": ring.map(|ring| json!({ "revision": ring.revision, "root": ring.root.to_hex() })),
            "root": root, "size": size, "time": time.to_string(), "top": top,
        });
        prop_assert_eq!(json, expected);
        let none = || String::from("-");
        let revision = ring.map_or_else(none, |ring| ring.revision.to_string());
        let of_ring = ring.map_or_else(none, |ring| ring.root.to_hex());
        let key = nota.map_or_else(none, |key| key.to_hex());
        let rest = format!("{revision}::{of_ring}::{key}::{time}::{id}");
        let statement = format!("LOG::{label}::2::{origin}::{size}::{top}::{root}::{rest}::END");
        prop_assert!(raw_seal::accepts(public.as_bytes(), made.signature().as_bytes(), statement.as_bytes()));
        prop_assert_eq!(&Checkpoint::from_json(made.to_json().as_bytes()).unwrap(), &made);
        prop_assert_eq!((made.origin(), made.tree_head(), made.time()), (origin, &head, time));
        prop_assert_eq!((made.identity_id(), made.public_key()), (&id, public));
        prop_assert_eq!((made.ring(), made.note_key()), (ring.as_ref(), nota.as_ref()));
    }
}

#[test]
fn a_good_checkpoint_is_valid() {
    let made = checkpoint();
    for least_size in 0..=3 {
        let verdict = verify(made.clone(), &Pins { least_size, ..pins(ORIGIN) }, None);
        assert_eq!(verdict.subject().time, Some(minute(120)));
        assert_eq!(verdict.valid().unwrap().record(), &made);
    }
    // An empty log has one too.
    let empty = sign(&mark_of(ORIGIN, &Head::EMPTY));
    assert_eq!(Checkpoint::from_json(empty.to_json().as_bytes()), Ok(empty.clone()));
    assert_eq!(letter(&verify(empty, &pins(ORIGIN), None)), "V");
    // The 4032-byte form of the key signs as well, and serde goes through the same reader.
    let (domain, expanded) = (Domain::default(), log_key().expand());
    let signer = CheckpointSigner::new(&domain, ORIGIN, &log_identity(), &expanded).unwrap();
    let made = signer.sign(&mark_of(ORIGIN, chain().head()), minute(120), &mut Constant(1)).unwrap();
    assert_eq!(serde_json::from_str::<Checkpoint>(&serde_json::to_string(&made).unwrap()).unwrap(), made);
    assert_eq!(letter(&verify(made, &pins(ORIGIN), None)), "V");
}

/// Every member is pinned or signed.
#[test]
fn every_changed_member_is_refused_for_its_reason() {
    let good: Json = serde_json::from_str(&checkpoint().to_json()).unwrap();
    let next = |name: &str, at: usize| json!(next_digit(good[name].as_str().unwrap(), at));
    for (name, value, expected) in [
        ("origin", json!("example.org/other"), "p"),
        ("origin", json!("Example.org/log"), "p"),
        ("identity_id", next("identity_id", 0), "p"),
        ("javni_kljuc", next("javni_kljuc", 3903), "p"),
        ("javni_kljuc", json!(key(2).public_key().to_hex()), "p"),
        ("size", json!(2), "s"),
        ("size", json!(4), "s"),
        ("top", next("top", 0), "s"),
        ("top", next("top", 127), "s"),
        ("root", next("root", 63), "s"),
        ("ring", json!({ "revision": 1, "root": "00".repeat(32) }), "s"),
        ("nota", json!("00".repeat(32)), "s"),
        ("time", json!("2026-11-21T11:00:00.001Z"), "s"),
        ("potpis", next("potpis", 0), "s"),
        ("potpis", next("potpis", 6617), "s"),
        ("potpis", json!("00".repeat(3309)), "s"),
    ] {
        assert_eq!(letter(&verify(altered(name, &value), &pins(ORIGIN), None)), expected, "{name} {value}");
    }
    let (domain, pins) = (Domain::new("ACME").unwrap(), pins(ORIGIN));
    let verdict = CheckpointVerifier::new(&domain, &pins, None, &Unprepared).verify(checkpoint());
    assert_eq!(letter(&verdict), "s", "another domain");
}

/// What a verifier pins, and the order in which it looks: pins, size, signature.
#[test]
fn pins_then_size_then_signature() {
    let good = pins(ORIGIN);
    let wrong_pins = [
        Pins { origin: "example.org/other".into(), ..good.clone() },
        Pins { identity_id: identity("ana"), ..good.clone() },
        Pins { key_hash: *key(2).public_key().hash(), ..good.clone() },
        Pins { key_hash: KeyHash::from_bytes([0; 32]), ..good.clone() },
    ];
    let too_small = Pins { least_size: 4, ..good.clone() };
    let badly_signed = altered("time", &json!("2026-11-21T11:00:00.001Z"));
    for wrong in wrong_pins {
        assert_eq!(letter(&verify(checkpoint(), &wrong, None)), "p");
        assert_eq!(letter(&verify(badly_signed.clone(), &Pins { least_size: 4, ..wrong }, None)), "p");
    }
    assert_eq!(letter(&verify(checkpoint(), &too_small, None)), "z");
    assert_eq!(letter(&verify(badly_signed.clone(), &too_small, None)), "z");
    assert_eq!(letter(&verify(badly_signed, &good, None)), "s");
    // A good signature by a key that nobody pinned, over the same statement.
    let domain = Domain::default();
    let eve = key(66);
    let signer = CheckpointSigner::new(&domain, ORIGIN, &log_identity(), &eve).unwrap();
    let forged = signer.sign(&mark_of(ORIGIN, chain().head()), minute(120), &mut Constant(1)).unwrap();
    assert_eq!(letter(&verify(forged, &good, None)), "p");
}

/// A ring adds the state of the pinned key, and nothing else: a wrong pin, size or signature is Invalid in every state.
/// Columns: good, pin, size, signature.
#[test]
fn what_a_ring_adds() {
    let log = log_identity();
    for (role, state, row) in [
        ("none", "", "V p z s"),
        ("current", "istina", "V p z s"),
        ("current", "laz", "R p z s"),
        ("current", "oboje", "D p z s"),
        ("current", "nijedno", "S p z s"),
        ("retired", "istina", "t p z s"),
        ("retired", "laz", "R p z s"),
        ("retired", "oboje", "t p z s"),
        ("retired", "nijedno", "S p z s"),
        ("decoy", "oboje", "D p z s"),
        ("foreign", "", "f p z s"),
        ("unknown", "", "u p z s"),
    ] {
        let mut registry = Registry::new();
        let public = log_key().public_key();
        match role {
            "current" | "retired" => {
                registry.add(&log, public);
                if role == "retired" {
                    registry.rotate(&log, key(2).public_key());
                }
                registry.set_state(&log, Some(public.hash()), state.parse::<dualseal::KeyState>().unwrap());
            }
            "decoy" | "foreign" => registry.add(&log, key(2).public_key()),
            _ => {}
        }
        if role == "decoy" {
            registry.add_decoy(&log, public);
        }
        let ring = (role != "none").then_some(&*registry.ring);
        let good = pins(ORIGIN);
        let cells = [
            (checkpoint(), good.clone()),
            (checkpoint(), Pins { origin: "other".into(), ..good.clone() }),
            (checkpoint(), Pins { least_size: 4, ..good.clone() }),
            (altered("size", &json!(9)), good),
        ];
        for ((checkpoint, pins), expected) in cells.into_iter().zip(row.split(' ')) {
            assert_eq!(letter(&verify(checkpoint, &pins, ring)), expected, "{role} {state}");
        }
    }
}

/// After a rotation of the log's key the old checkpoints are worth nothing to whoever has the ring, and the new key
/// signs the same chain again.
#[test]
fn after_a_rotation_the_new_key_signs_again() {
    let (log, new) = (log_identity(), key(201));
    let mut registry = Registry::new();
    registry.add(&log, log_key().public_key());
    let first = HighWaterMark::first(ORIGIN, registry.chain.head(), Some(&registry.ring)).unwrap();
    let old = sign(&first);
    assert_eq!(letter(&verify(old.clone(), &pins(ORIGIN), Some(&registry.ring))), "V");
    registry.rotate(&log, new.public_key());
    assert_eq!(letter(&verify(old, &pins(ORIGIN), Some(&registry.ring))), "t");

    let signer = CheckpointSigner::new(&registry.domain, ORIGIN, &log, &new).unwrap();
    // Its mark goes on from the last one, whoever signed that.
    let rest = &registry.chain.entries()[1..];
    let growth = Growth::by_entries(first.tree_head(), head_at(&registry.chain, 1), rest).unwrap();
    let next = first.next(&growth, Some(&registry.ring)).unwrap();
    let again = signer.sign(&next, minute(130), &mut Constant(1)).unwrap();
    let renewed = Pins { key_hash: *new.public_key().hash(), ..pins(ORIGIN) };
    assert_eq!(letter(&verify(again.clone(), &renewed, Some(&registry.ring))), "V");
    assert_eq!(letter(&verify(again, &pins(ORIGIN), Some(&registry.ring))), "p", "who pinned the old key");
}

#[test]
fn signing_needs_an_origin_and_randomness() {
    let domain = Domain::default();
    let refused = |origin: &str| match CheckpointSigner::new(&domain, origin, &log_identity(), log_key()) {
        Err(Error::Malformed(Malformed { field: "origin", index: None, problem, .. })) => problem,
        other => panic!("{origin:?}: {other:?}"),
    };
    for (origin, problem) in bad_origins() {
        assert_eq!(refused(&origin), problem, "{origin:?}");
    }
    for origin in ["a", "a:", "a:b:c", "example.org/log", "č", &"x".repeat(255), " ", "\u{a0}", "\u{ad}"] {
        assert!(CheckpointSigner::new(&domain, origin, &log_identity(), log_key()).is_ok(), "{origin:?}");
    }
    let signer = CheckpointSigner::new(&domain, ORIGIN, &log_identity(), log_key()).unwrap();
    let failed = signer.sign(&mark_of(ORIGIN, &Head::EMPTY), minute(1), &mut FAILING.clone());
    assert_eq!(failed.unwrap_err(), Error::Randomness);
    let elsewhere = signer.sign(&mark_of("example.org/other", &Head::EMPTY), minute(1), &mut Constant(1));
    assert_eq!(elsewhere.unwrap_err(), Misuse::OtherOrigin.into());
}

fn bad_origins() -> Vec<(String, Problem)> {
    let mut all: Vec<(String, Problem)> = ["::", "a::b", "a::", ":a", ":", ":::"]
        .into_iter()
        .map(|origin| (origin.to_string(), Problem::Ambiguous))
        .collect();
    all.extend([(String::new(), Problem::Range), ("x".repeat(256), Problem::Range), ("č".repeat(128), Problem::Range)]);
    let controls = ["\0", "a\n", "a\tb", "\x1f", "a\x7f", "\u{80}", "a\u{9f}b", "\u{85}"];
    all.extend(controls.into_iter().map(|origin| (origin.to_string(), Problem::Control)));
    all
}

/// Each member that is missing, unknown, twice there or of the wrong form is named.
#[test]
fn malformed_checkpoints_name_the_place() {
    let good = checkpoint().to_json();
    let problem = |text: &str| match Checkpoint::from_json(text.as_bytes()) {
        Err(Error::Malformed(Malformed { field, problem, .. })) => (field, problem),
        other => panic!("{text}: {other:?}"),
    };
    let members =
        ["algoritam", "identity_id", "javni_kljuc", "nota", "origin", "potpis", "ring", "root", "size", "time", "top"];
    for name in members {
        let mut json: Json = serde_json::from_str(&good).unwrap();
        let removed = json.as_object_mut().unwrap().remove(name).unwrap();
        assert_eq!(problem(&json.to_string()), (name, Problem::MissingMember));
        let twice = good.replacen('{', &format!("{{\"{name}\":{removed},"), 1);
        assert_eq!(problem(&twice), ("json", Problem::DuplicateMember));
        for value in [json!(null), json!([]), json!({}), json!(true)] {
            match name {
                "nota" | "ring" if value.is_null() => continue,
                "ring" if value.is_object() => continue,
                _ => {}
            }
            assert_eq!(problem(&with_member(&good, name, value)), (name, Problem::WrongType), "{name}");
        }
    }
    let unknown = with_member(&good, "verzija", json!("1"));
    assert_eq!(problem(&unknown), ("checkpoint", Problem::UnknownMember("verzija".into())));
    for (name, value, expected) in [
        ("algoritam", json!("ML-DSA-87"), Problem::UnknownValue),
        ("algoritam", json!("ml-dsa-65"), Problem::UnknownValue),
        ("size", json!(-1), Problem::Range),
        ("size", json!("3"), Problem::WrongType),
        ("time", json!("2026-11-21T11:00:00Z"), Problem::Timestamp),
        ("identity_id", json!("AB".repeat(32)), Problem::Hex),
        ("identity_id", json!("ab"), Problem::Length { expected: 64, found: 2 }),
        ("javni_kljuc", json!("00"), Problem::Length { expected: 3904, found: 2 }),
        ("potpis", json!("0".repeat(6617)), Problem::Length { expected: 6618, found: 6617 }),
        ("top", json!("0".repeat(64)), Problem::Length { expected: 128, found: 64 }),
        ("root", json!("g".repeat(64)), Problem::Hex),
        ("nota", json!("0"), Problem::Length { expected: 64, found: 1 }),
        ("ring", json!({ "revision": 0, "root": "00".repeat(32) }), Problem::Range),
        ("ring", json!({ "revision": 4, "root": "00".repeat(32) }), Problem::Range),
    ] {
        assert_eq!(problem(&with_member(&good, name, value.clone())), (name, expected), "{name} {value}");
    }
    for number in ["3.0", "3e0", "-0", "9007199254740992"] {
        assert_eq!(problem(&good.replace("\"size\":3", &format!("\"size\":{number}"))), ("json", Problem::JsonNumber));
    }
    for (origin, expected) in bad_origins() {
        assert_eq!(problem(&with_member(&good, "origin", json!(origin))), ("origin", expected), "{origin:?}");
    }
    for text in ["", "[]", "null", "{", "\u{feff}{}"] {
        assert!(Checkpoint::from_json(text.as_bytes()).is_err());
    }
    assert_eq!(problem("[]"), ("checkpoint", Problem::WrongType));
}

/// An empty chain has one head, whose top is zeros and whose root is the hash of nothing.
#[test]
fn size_zero_has_no_top() {
    let empty = sign(&mark_of(ORIGIN, &Head::EMPTY)).to_json();
    let root = TreeHash::empty().to_hex();
    for (name, other) in [
        ("top", next_digit(&"0".repeat(128), 0)),
        ("top", next_digit(&"0".repeat(128), 127)),
        ("root", next_digit(&root, 63)),
        ("root", "0".repeat(64)),
    ] {
        let text = with_member(&empty, name, json!(other));
        let expected = Malformed::new(if name == "top" { "top" } else { "root" }, None, Problem::Range);
        assert_eq!(Checkpoint::from_json(text.as_bytes()), Err(expected.into()));
    }
    let resized = with_member(&checkpoint().to_json(), "size", json!(0));
    let expected = Malformed::new("top", None, Problem::Range);
    assert_eq!(Checkpoint::from_json(resized.as_bytes()), Err(expected.into()));
    // The other way round: entries whose hash is zeros do not exist, but that is for the chain to say.
    let zeros = with_member(&empty, "size", json!(1));
    assert_eq!(letter(&verify(Checkpoint::from_json(zeros.as_bytes()).unwrap(), &pins(ORIGIN), None)), "s");
}

#[test]
fn what_is_shown_of_a_signer() {
    let (domain, key) = (Domain::default(), SigningKey::from_seed(&[0xab; 32]).unwrap());
    let signer = CheckpointSigner::new(&domain, ORIGIN, &log_identity(), &key).unwrap();
    let shown = format!("{signer:?} {:?}", CheckpointVerifier::new(&domain, &pins(ORIGIN), None, &Unprepared));
    assert!(shown.contains(ORIGIN) && !shown.contains("abab") && !shown.contains("171"), "{shown}");
}
