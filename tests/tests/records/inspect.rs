//! Inspection: what a text is, every finding named, and no finding exactly where the reader of its kind accepts.

use dualseal::checkpoint::{Checkpoint, HighWaterMark, PlaceProof};
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::error::{ChainFault, ChainProblem, Error, Malformed, Problem, Rejected};
use dualseal::evidence::{EvidenceFile, EvidenceRecord};
use dualseal::inspect::{Inspection, Kind, inspect};
use dualseal::key::{KeyProof, RingFile};
use dualseal::krunica::{Checker, JsonLines};
use dualseal::presence::{Nonce, PresenceProof};
use dualseal::seal::Seal;
use dualseal::shard::{Arguments, Operation, Request, Shard};
use dualseal::threshold::{Session, SessionShare, ThresholdResult};
use dualseal::vault::VaultRecord;
use dualseal::{Entry, KeyPairInfo, KeyState, Krunica, PublicRing, SignatureRecord, Signer, VerificationResult};
use dualseal_tests::bundle::parts;
use dualseal_tests::log::{ORIGIN, chain_of, mark_of, sign};
use dualseal_tests::quorum::Board;
use dualseal_tests::registry::Registry;
use dualseal_tests::shards::{Asking, Store};
use dualseal_tests::vault::{self, Archive};
use dualseal_tests::{identity, key, minute, raw_seal, record, with_member};
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use std::sync::OnceLock;

/// One good text of each kind.
fn good() -> &'static [(Kind, String)] {
    static TEXTS: OnceLock<Vec<(Kind, String)>> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let ana = identity("ana");
        let mut registry = Registry::new();
        registry.add(&ana, key(1).public_key());
        registry.rotate(&ana, key(2).public_key());
        registry.set_state(&ana, None, KeyState::Suspended);
        registry.add_decoy(&ana, key(3).public_key());
        let chain = chain_of(&ana, &["zero", "one"]);
        let signed = record(&ana, &key(1), b"content");
        let domain = dualseal::Domain::default();
        let content = domain.content_hash(&ana, b"content");
        let verifier = dualseal::Verifier::new(&domain, &registry.ring, &dualseal::key::Unprepared);
        let result = verifier.verify(&content, signed.clone(), None).internal();
        vec![
            (Kind::SignatureRecord, signed.to_json()),
            (Kind::Entry, chain.entries()[1].to_json()),
            (Kind::Chain, chain.to_json()),
            (Kind::ChainLines, chain.entries().iter().map(Entry::to_json_line).collect()),
            (Kind::Checkpoint, sign(&mark_of(ORIGIN, chain.head())).to_json()),
            (Kind::RingFile, registry.file()),
            (Kind::PublicRing, registry.ring.public().to_json()),
            (Kind::KeyPairInfo, registry.ring.info(&ana).unwrap().to_json()),
            (Kind::VerificationResult, result.to_json()),
            (Kind::DualSeal, raw_seal::dual(&[9; 32], [1; 32], b"content", &ana)),
            (Kind::LegacySeal, raw_seal::legacy(&[9; 32], b"content")),
        ]
        .into_iter()
        .chain(of_custodians_and_vaults())
        .chain(of_evidence())
        .collect()
    })
}

/// What is shown under a checkpoint.
fn of_evidence() -> Vec<(Kind, String)> {
    let (mut registry, ana) = (Registry::new(), identity("ana"));
    registry.add(&ana, key(1).public_key());
    let signing = key(1);
    let signer = Signer::new(&registry.domain, &ana, &signing);
    let content = signer.content_hash(b"content");
    let signed = signer.sign_deterministic(&content, registry.chain.head(), minute(1)).unwrap();
    registry.chain.push(signed.entry).unwrap();
    let parts = || parts(&registry, EvidenceRecord::Signature(signed.record.clone()), key(1).public_key(), 1);
    let file = EvidenceFile::new(parts()).unwrap();
    vec![
        (Kind::HighWaterMark, mark_of(ORIGIN, registry.chain.head()).to_json()),
        (Kind::PlaceProof, parts().place.to_json()),
        (Kind::KeyProof, parts().key.to_json()),
        (Kind::Evidence, file.to_json()),
    ]
}

/// What custodians and vaults add.
fn of_custodians_and_vaults() -> Vec<(Kind, String)> {
    let [board, keyed] = Board::of_each_kind(2, 3);
    let result = keyed.sign(&keyed.pick(&[1, 2])).unwrap().result;
    let store = Store::new(2, 3);
    let request = store.rebuilding().asked(Operation::Rebuild, &Arguments::default(), &store.pick(&[1, 3]));
    let device = Ed25519SigningKey::from_seed(&[5; 32]).unwrap();
    let nonce = Nonce::from_bytes([7; 32]);
    let proof = PresenceProof::sign(&dualseal::Domain::default(), &request, &nonce, minute(1), &device);
    vec![
        (Kind::ThresholdSession, board.session().to_json()),
        (Kind::ThresholdSession, keyed.session().to_json()),
        (Kind::SessionShare, board.shares[0].to_json().to_string()),
        (Kind::ThresholdResult, result.to_json()),
        (Kind::Shard, store.pick(&[2])[0].to_json().to_string()),
        (Kind::PresenceRequest, request.to_json()),
        (Kind::PresenceProof, proof.to_json()),
        (Kind::VaultRecord, Archive::of_three(1).kept[0].json.clone()),
    ]
}

fn text_of(kind: Kind) -> &'static str {
    &good().iter().find(|(other, _)| *other == kind).unwrap().1
}

fn read_lines(text: &[u8]) -> Result<(), Error> {
    let (mut lines, mut checker) = (JsonLines::new(), Checker::new());
    lines.push(text, |line| Ok(checker.push_json(line).map(drop)?))?;
    lines.finish()
}

/// What the reader of this kind says.
fn read(kind: Kind, text: &[u8]) -> Result<(), Error> {
    let seal = |text: &[u8], dual: bool| match std::str::from_utf8(text).ok().map(str::parse::<Seal>) {
        Some(Ok(Seal::Dual(_))) if dual => Ok(()),
        Some(Ok(Seal::Legacy(_))) if !dual => Ok(()),
        Some(Err(error)) => Err(error),
        _ => Err(Malformed::new("seal", None, Problem::UnknownValue).into()),
    };
    match kind {
        Kind::SignatureRecord => SignatureRecord::from_json(text).map(drop),
        Kind::Entry => Entry::from_json(text).map(drop),
        Kind::Chain => Krunica::from_json(text).map(drop),
        Kind::ChainLines => read_lines(text),
        Kind::Checkpoint => Checkpoint::from_json(text).map(drop),
        Kind::HighWaterMark => HighWaterMark::from_json(text).map(drop),
        Kind::PlaceProof => PlaceProof::from_json(text).map(drop),
        Kind::KeyProof => KeyProof::from_json(text).map(drop),
        Kind::Evidence => EvidenceFile::from_json(text).map(drop),
        Kind::RingFile => RingFile::from_json(text).map(drop),
        Kind::PublicRing => PublicRing::from_json(text).map(drop),
        Kind::KeyPairInfo => KeyPairInfo::from_json(text).map(drop),
        Kind::VerificationResult => VerificationResult::from_json(text).map(drop),
        Kind::DualSeal => seal(text, true),
        Kind::LegacySeal => seal(text, false),
        Kind::VaultRecord => VaultRecord::from_json(text).map(drop),
        Kind::Shard => Shard::from_json(text).map(drop),
        Kind::PresenceRequest => Request::from_json(text).map(drop),
        Kind::PresenceProof => PresenceProof::from_json(text).map(drop),
        Kind::ThresholdSession => Session::from_json(text).map(drop),
        Kind::SessionShare => SessionShare::from_json(text).map(drop),
        Kind::ThresholdResult => ThresholdResult::from_json(text).map(drop),
        _ => Err(Malformed::new("text", None, Problem::UnknownValue).into()),
    }
}

const KINDS: [Kind; 22] = [
    Kind::SignatureRecord,
    Kind::Entry,
    Kind::Chain,
    Kind::ChainLines,
    Kind::Checkpoint,
    Kind::HighWaterMark,
    Kind::PlaceProof,
    Kind::KeyProof,
    Kind::Evidence,
    Kind::RingFile,
    Kind::PublicRing,
    Kind::KeyPairInfo,
    Kind::VerificationResult,
    Kind::DualSeal,
    Kind::LegacySeal,
    Kind::VaultRecord,
    Kind::Shard,
    Kind::PresenceRequest,
    Kind::PresenceProof,
    Kind::ThresholdSession,
    Kind::SessionShare,
    Kind::ThresholdResult,
];

/// The findings agree with the readers: with that of the kind it says, and with that of every other kind.
fn assert_agrees(text: &[u8]) -> Inspection {
    let found = inspect(text);
    let shown = String::from_utf8_lossy(text);
    assert_eq!(found.findings.is_empty(), read(found.kind, text).is_ok(), "{found:?}\n{shown}");
    for kind in KINDS {
        // No text at all is also a chain of no lines, but nobody could tell.
        if read(kind, text).is_ok() && !text.is_empty() {
            assert_eq!(found.kind, kind, "{shown}");
        }
    }
    found
}

fn fields(found: &Inspection) -> Vec<(&str, Option<u64>)> {
    found
        .findings
        .iter()
        .filter_map(|error| match error {
            Error::Malformed(malformed) => Some((malformed.field, malformed.index)),
            _ => None,
        })
        .collect()
}

#[test]
fn good_texts_have_no_findings() {
    for (kind, text) in good() {
        let found = assert_agrees(text.as_bytes());
        assert_eq!((found.kind, &found.findings), (*kind, &Vec::new()));
        let version = match kind {
            Kind::SignatureRecord | Kind::Evidence | Kind::VaultRecord => Some("1"),
            Kind::Checkpoint => Some("2"),
            Kind::DualSeal => Some("SEAL-DUAL"),
            Kind::LegacySeal => Some("SEAL-L5"),
            _ => None,
        };
        assert_eq!(found.version.as_deref(), version, "{kind}");
        let count = match kind {
            Kind::Chain | Kind::ChainLines | Kind::PublicRing => Some(2),
            Kind::RingFile => Some(3),
            _ => None,
        };
        assert_eq!(found.count, count, "{kind}");
    }
    for text in ["[]", "  [ ]\n"] {
        let found = assert_agrees(text.as_bytes());
        assert_eq!((found.kind, found.count, found.findings.len()), (Kind::Chain, Some(0), 0));
    }
    let one_line = chain_of(&identity("ana"), &["zero"]).entries()[0].to_json_line();
    assert_eq!(assert_agrees(one_line.as_bytes()).kind, Kind::ChainLines, "a chain of one line");
}

/// What is wrong with each member by itself, in every kind of record.
#[test]
fn every_fields_finding_is_named() {
    let bad: [(&str, &[Json]); 19] = [
        ("algoritam", &[json!("ML-DSA-87"), json!(7)]),
        ("bela_stanje", &[json!("valid"), json!(1), json!("Istina")]),
        ("generirano", &[json!("now"), json!(0)]),
        ("h", &[json!("00"), json!("G".repeat(128)), json!(null)]),
        ("identity_id", &[json!("00"), json!("A".repeat(64)), json!([])]),
        ("javni_kljuc", &[json!("00"), json!("x".repeat(3904)), json!(null)]),
        ("krunica_hash", &[json!("0".repeat(63)), json!(true)]),
        ("origin", &[json!(""), json!("a::b"), json!("a\n"), json!(1)]),
        ("poruka", &[json!(null), json!(7)]),
        ("potpis", &[json!("00"), json!("-".repeat(6618))]),
        ("prev", &[json!("00"), json!("G".repeat(128)), json!(0)]),
        ("quantum_ready", &[json!(false), json!("true"), json!(null)]),
        ("razlog", &[json!(7), json!({})]),
        ("sadrzaj_hash", &[json!("0".repeat(65)), json!(null)]),
        ("seq", &[json!(-1), json!("0"), json!(null)]),
        ("t", &[json!("2026-02-30T00:00:00.000Z"), json!(0)]),
        ("verzija", &[json!("2"), json!(1)]),
        ("validan", &[json!("true"), json!(1)]),
        ("revision", &[json!(-1), json!("1")]),
    ];
    let more: [(&str, &[Json]); 10] = [
        ("nota", &[json!("00"), json!(1)]),
        ("ring", &[json!([]), json!("00")]),
        ("size", &[json!(-1), json!("1")]),
        ("time", &[json!("2026-11-21T09:00:00Z")]),
        ("root", &[json!("0"), json!(null)]),
        ("timestamp", &[json!("2026-11-21"), json!(true)]),
        ("top", &[json!("0"), json!(false)]),
        ("w3", &[json!("00"), json!("Z".repeat(64))]),
        ("keys", &[json!({}), json!(null)]),
        ("retired", &[json!(-1)]),
    ];
    let values = |name: &str| bad.iter().chain(&more).find(|(other, _)| *other == name).unwrap().1;
    for kind in [
        Kind::SignatureRecord,
        Kind::Entry,
        Kind::Checkpoint,
        Kind::PublicRing,
        Kind::KeyPairInfo,
        Kind::VerificationResult,
    ] {
        let text = text_of(kind);
        let members: Vec<String> =
            serde_json::from_str::<Json>(text).unwrap().as_object().unwrap().keys().cloned().collect();
        let mut all_bad = text.to_string();
        for name in &members {
            for value in values(name) {
                let found = assert_agrees(with_member(text, name, value.clone()).as_bytes());
                assert_eq!(
                    (found.kind, fields(&found)),
                    (kind, vec![(name.as_str(), index(&found))]),
                    "{name} {value}"
                );
            }
            let mut without: Json = serde_json::from_str(text).unwrap();
            without.as_object_mut().unwrap().remove(name);
            let found = assert_agrees(without.to_string().as_bytes());
            let expected = vec![(name.as_str(), None)];
            if found.kind == kind {
                assert_eq!(fields(&found), expected, "{kind} without {name}");
                assert!(matches!(&found.findings[0], Error::Malformed(m) if m.problem == Problem::MissingMember));
            } else {
                assert_ne!(found.findings.len(), 0, "{kind} without {name} looks like {}", found.kind);
            }
            all_bad = with_member(&all_bad, name, values(name)[0].clone());
        }
        // All of them at once, and a member that no record has.
        let all_bad = with_member(&all_bad, "brand", json!("x"));
        let found = assert_agrees(all_bad.as_bytes());
        let mut named: Vec<&str> = fields(&found).into_iter().map(|(field, _)| field).collect();
        let unknown = named.pop().unwrap();
        assert_eq!(unknown, kind.as_str());
        let last = found.findings.last().unwrap();
        assert!(matches!(last, Error::Malformed(m) if m.problem == Problem::UnknownMember("brand".into())));
        named.sort_unstable();
        assert_eq!(named, members, "{kind}");
    }
}

/// The place within a hexadecimal text, where it is one.
fn index(found: &Inspection) -> Option<u64> {
    fields(found)[0].1
}

/// The keys of a ring: each finding has the position of its key.
#[test]
fn findings_within_a_ring_have_their_position() {
    let good: Json = serde_json::from_str(text_of(Kind::RingFile)).unwrap();
    for at in 0..3 {
        let altered = |name: &str, value: Json| {
            let mut ring = good.clone();
            ring["keys"][at][name] = value;
            assert_agrees(ring.to_string().as_bytes())
        };
        let place = Some(at as u64);
        for (name, value) in [
            ("algoritam", json!("RSA")),
            ("bela_stanje", json!("unknown")),
            ("generirano", json!(null)),
            ("identity_id", json!("0")),
            ("javni_kljuc", json!("0")),
            ("opozvan_od", json!("1")),
            ("povijest", json!([["1", "laz"]])),
            ("retired", json!("1")),
            ("role", json!("past")),
        ] {
            assert_eq!(fields(&altered(name, value)), [(name, place)]);
        }
        let mut ring = good.clone();
        ring["keys"][at] = json!(7);
        assert_eq!(fields(&assert_agrees(ring.to_string().as_bytes())), [("ring file", place)]);
        // What only the whole shows, the reader itself names.
        assert_eq!(altered("retired", json!(99)).findings.len(), 1);
    }
    let mut two = good.clone();
    two["keys"][0]["role"] = json!("x");
    two["keys"][2]["generirano"] = json!("x");
    two["origin"] = json!("::");
    assert_eq!(
        fields(&assert_agrees(two.to_string().as_bytes())),
        [("origin", None), ("role", Some(0)), ("generirano", Some(2))]
    );
    // Each is told, not only what the reader stops at.
    two["keys"][1]["javni_kljuc"] = json!("0");
    assert_eq!(
        fields(&assert_agrees(two.to_string().as_bytes())),
        [("origin", None), ("role", Some(0)), ("javni_kljuc", Some(1)), ("generirano", Some(2))]
    );
    two["keys"] = json!({});
    assert_eq!(fields(&assert_agrees(two.to_string().as_bytes())), [("keys", None), ("origin", None)]);
    let mut swapped = good;
    swapped["keys"].as_array_mut().unwrap().swap(0, 1);
    let found = assert_agrees(swapped.to_string().as_bytes());
    assert_eq!(found.findings, [Malformed::new("keys", Some(1), Problem::Order).into()]);
}

/// A vault record: the members of its inner objects, each by itself, and nothing of where in the fragment it is.
#[test]
fn findings_within_a_vault_record() {
    let good = text_of(Kind::VaultRecord);
    let altered = |path: &[&str], value: Json| assert_agrees(vault::with(good, path, value).as_bytes());
    for (path, value) in [
        (&["L5"][..], json!("SEAL-DUAL::00")),
        (&["L5"], json!(7)),
        (&["L6"], json!("0")),
        (&["L7", "fragment"], json!("0".repeat(63) + "G")),
        (&["L8", "seq"], json!(-1)),
        (&["L8", "t"], json!("noon")),
        (&["seal_id"], json!("SEAL-DUAL::0")),
        (&["sealed", "header", "key_id"], json!("0".repeat(64))),
        (&["sealed", "header", "type"], json!("::")),
        (&["sealed", "header", "verzija"], json!("2")),
        (&["sealed", "header", "encryption"], json!("AES")),
        (&["sealed", "layers", "L0"], json!([])),
        (&["sealed", "layers", "L2", "tag"], json!("0".repeat(64))),
        (&["sealed", "layers", "L4", "tier"], json!("royal")),
        (&["sealed", "required"], json!(["L9"])),
    ] {
        let found = altered(path, value);
        assert_eq!((found.kind, found.findings.len()), (Kind::VaultRecord, 1), "{path:?}");
        assert_eq!(fields(&found)[0].0, *path.last().unwrap(), "{path:?}");
    }
    assert_eq!(fields(&altered(&["L7", "fragment"], json!("0".repeat(63) + "G"))), [("fragment", None)]);
    let all = vault::with(good, &["sealed", "layers", "L0", "hash"], json!(0));
    let all = vault::with(&all, &["sealed", "layers", "brand"], json!(0));
    let all = vault::with(&all, &["sealed", "header", "seq"], json!(null));
    let found = assert_agrees(all.as_bytes());
    assert_eq!(fields(&found), [("seq", None), ("hash", None), ("layers", None)]);
}

/// A chain: the first fault, and the fields of that entry.
#[test]
fn findings_within_a_chain() {
    let good: Json = serde_json::from_str(text_of(Kind::Chain)).unwrap();
    let fault = |seq, problem| Error::Rejected(Rejected::Chain(ChainFault { seq, problem }));
    let altered = |at: usize, name: &str, value: Json| {
        let mut chain = good.clone();
        chain[at][name] = value;
        let found = assert_agrees(chain.to_string().as_bytes());
        // As lines, the fault alone.
        let lines = chain.as_array().unwrap().iter().map(Json::to_string).collect::<Vec<_>>().join("\n") + "\n";
        let as_lines = assert_agrees(lines.as_bytes());
        if as_lines.kind == Kind::ChainLines {
            assert_eq!(as_lines.findings, found.findings[..1]);
        }
        found
    };
    for at in 0..2 {
        let seq = at as u64;
        assert_eq!(altered(at, "poruka", json!("x")).findings, [fault(seq, ChainProblem::Hash)]);
        let found = altered(at, "t", json!("noon"));
        assert_eq!(found.findings[0], fault(seq, ChainProblem::Format));
        assert_eq!(fields(&found), [("t", Some(seq))]);
        let found = altered(at, "prev", json!(7));
        assert_eq!(found.findings[0], fault(seq, ChainProblem::Prev));
        assert_eq!(fields(&found), [("prev", Some(seq))]);
        let found = altered(at, "seq", json!(0));
        assert_eq!(found.findings[0], fault(seq, ChainProblem::Members));
        assert_eq!(fields(&found), [("chain", Some(seq))]);
    }
    let found = assert_agrees(b"[1]");
    assert_eq!((found.kind, found.count, found.findings.len()), (Kind::Chain, Some(1), 2));
    let reversed = json!([good[1], good[0]]).to_string();
    assert_eq!(assert_agrees(reversed.as_bytes()).findings, [fault(0, ChainProblem::Prev)]);
}

#[test]
fn findings_within_a_seal() {
    let (dual, legacy) = (text_of(Kind::DualSeal), text_of(Kind::LegacySeal));
    for (text, kind, expected) in [
        ("SEAL-DUAL", Kind::DualSeal, vec![("hmac_hex", None), ("signature_hex", None)]),
        ("SEAL-DUAL::00::11", Kind::DualSeal, vec![("hmac_hex", None), ("signature_hex", None)]),
        ("SEAL-L5", Kind::LegacySeal, vec![("hmac_hex", None)]),
        ("SEAL-L5::zz", Kind::LegacySeal, vec![("hmac_hex", None)]),
        ("SEAL-L6::00", Kind::Unknown, vec![("seal", None)]),
        ("SEAL-", Kind::Unknown, vec![("seal", None)]),
        (&dual.replace("::", ":"), Kind::Unknown, vec![("seal", None)]),
        (&format!("{dual}::00"), Kind::DualSeal, vec![("signature_hex", None)]),
        (&format!("{legacy}::"), Kind::LegacySeal, vec![("hmac_hex", None)]),
        (&format!("{legacy}\n"), Kind::LegacySeal, vec![("hmac_hex", None)]),
        (&legacy.replace("L5", "DUAL"), Kind::DualSeal, vec![("signature_hex", None)]),
        (&dual.replace("DUAL", "L5"), Kind::LegacySeal, vec![("hmac_hex", None)]),
    ] {
        let found = assert_agrees(text.as_bytes());
        assert_eq!((found.kind, fields(&found)), (kind, expected), "{text}");
    }
    let mut bytes = dual.as_bytes().to_vec();
    bytes[200] = 0xff;
    assert_eq!(assert_agrees(&bytes).findings, [Malformed::new("seal", None, Problem::Utf8).into()]);
}

#[test]
fn what_is_nothing() {
    for text in
        ["", " ", "\n", "null", "1", "\"text\"", "{}", "{\"a\":1}", "<xml/>", "SEAL", "seal-l5::00", "\u{feff}[]"]
    {
        let found = assert_agrees(text.as_bytes());
        assert_eq!((found.kind, found.findings.len()), (Kind::Unknown, 1), "{text:?}");
        assert_eq!((found.version, found.count), (None, None));
    }
    assert_eq!(assert_agrees(b"\xff\xfe").kind, Kind::Unknown);
    assert_eq!(Kind::Unknown.to_string(), "unknown");
    let mut names: Vec<&str> = KINDS.iter().map(|kind| kind.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), KINDS.len());
}

/// Findings are shown to people: what came from the text is escaped and cut.
#[test]
fn findings_do_not_carry_the_text_along() {
    let name = "\n\u{1b}[31m".to_string() + &"x".repeat(100_000);
    let found = assert_agrees(with_member(text_of(Kind::Checkpoint), &name, json!(1)).as_bytes());
    let shown = found.findings[0].to_string();
    assert!(shown.len() < 300 && !shown.contains(['\n', '\u{1b}']), "{shown}");
}

/// One change of a good record, as somebody's program or a bad disk would make it.
#[derive(Clone, Debug)]
enum Change {
    Remove(usize),
    Add(String),
    Set(usize, Json),
    /// A member of an inner object.
    Inner(usize, usize, Json),
    /// The characters of a text member.
    Digit(usize, usize, char),
    Byte(usize, u8),
    Insert(usize, u8),
    Cut(usize),
    Append(Vec<u8>),
    Pretty,
}

fn any_json() -> impl Strategy<Value = Json> {
    prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        (-3i64..9).prop_map(Json::from),
        "[0-9a-f]{0,130}".prop_map(Json::from),
        prop::sample::select(vec![
            json!("ML-DSA-65"),
            json!("1"),
            json!("istina"),
            json!("oboje"),
            json!("laz"),
            json!("decoy"),
            json!("current"),
            json!("retired"),
            json!("2026-11-21T09:00:00.000Z"),
            json!("0".repeat(64)),
            json!("0".repeat(128)),
            json!("0".repeat(3904)),
            json!("0".repeat(6618)),
            json!([]),
            json!({}),
            json!([{}]),
            json!(9_007_199_254_740_991i64),
            json!(1.5),
            json!("a::b"),
        ]),
    ]
}

fn change() -> impl Strategy<Value = Change> {
    let n = any::<usize>;
    prop_oneof![
        n().prop_map(Change::Remove),
        "[a-z_]{0,6}".prop_map(Change::Add),
        (n(), any_json()).prop_map(|(at, value)| Change::Set(at, value)),
        (n(), n(), any_json()).prop_map(|(at, inner, value)| Change::Inner(at, inner, value)),
        (n(), n(), any::<char>()).prop_map(|(at, digit, c)| Change::Digit(at, digit, c)),
        (n(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        (n(), any::<u8>()).prop_map(|(at, byte)| Change::Insert(at, byte)),
        n().prop_map(Change::Cut),
        prop::collection::vec(prop::sample::select(b"\n {}[]:,0a".to_vec()), 0..4).prop_map(Change::Append),
        Just(Change::Pretty),
    ]
}

/// An object or a list of a JSON value, by a number counted in a circle.
fn set(value: &mut Json, at: usize, with: impl FnOnce(&mut Json)) {
    match value {
        Json::Object(members) if !members.is_empty() => {
            let at = at % members.len();
            with(members.iter_mut().nth(at).unwrap().1);
        }
        Json::Array(items) if !items.is_empty() => {
            let at = at % items.len();
            with(&mut items[at]);
        }
        _ => {}
    }
}

fn apply(text: &[u8], change: &Change) -> Vec<u8> {
    let mut bytes = text.to_vec();
    let json = serde_json::from_slice::<Json>(text);
    match (change, json) {
        (Change::Byte(at, byte), _) if !bytes.is_empty() => {
            let at = at % bytes.len();
            bytes[at] = *byte;
        }
        (Change::Insert(at, byte), _) => bytes.insert(at % (bytes.len() + 1), *byte),
        (Change::Cut(at), _) => bytes.truncate(at % (bytes.len() + 1)),
        (Change::Append(more), _) => bytes.extend(more),
        (Change::Digit(at, _, c), Err(_)) if text.is_ascii() && !bytes.is_empty() => {
            let at = at % bytes.len();
            bytes.splice(at..=at, c.to_string().into_bytes());
        }
        (change, Ok(mut json)) => {
            match change {
                Change::Remove(at) => match &mut json {
                    Json::Object(members) if !members.is_empty() => {
                        let name = members.keys().nth(at % members.len()).unwrap().clone();
                        members.remove(&name);
                    }
                    Json::Array(items) if !items.is_empty() => {
                        items.remove(at % items.len());
                    }
                    _ => {}
                },
                Change::Add(name) => {
                    if let Json::Object(members) = &mut json {
                        members.insert(name.clone(), json!(0));
                    }
                }
                Change::Set(at, value) => set(&mut json, *at, |member| *member = value.clone()),
                Change::Inner(at, inner, value) => set(&mut json, *at, |member| {
                    let mut value = value.clone();
                    match member {
                        Json::Array(items) if !items.is_empty() => {
                            let index = inner % items.len();
                            set(&mut items[index], inner / 7, |m| std::mem::swap(m, &mut value));
                        }
                        member => set(member, *inner, |m| std::mem::swap(m, &mut value)),
                    }
                }),
                Change::Digit(at, digit, c) => set(&mut json, *at, |member| {
                    if let Json::String(text) = member {
                        let mut characters: Vec<char> = text.chars().collect();
                        if !characters.is_empty() {
                            let digit = digit % characters.len();
                            characters[digit] = *c;
                        }
                        *text = characters.into_iter().collect();
                    }
                }),
                _ => return serde_json::to_vec_pretty(&json).unwrap(),
            }
            return json.to_string().into_bytes();
        }
        _ => {}
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// Up to three changes of a text of any kind: the findings are empty exactly when the reader accepts it.
    #[test]
    fn findings_agree_with_the_readers(kind in 0..good().len(), changes in prop::collection::vec(change(), 0..4)) {
        let mut text = good()[kind].1.clone().into_bytes();
        for change in &changes {
            text = apply(&text, change);
        }
        assert_agrees(&text);
    }

    #[test]
    fn nothing_panics(text in prop::collection::vec(any::<u8>(), 0..200)) {
        assert_agrees(&text);
    }
}
