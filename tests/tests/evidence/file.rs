//! Files of evidence of every kind: what they show, and how small they are.

use dualseal::checkpoint::{CheckpointVerifier, PlaceProof};
use dualseal::error::{Error, EvidenceFault, Problem, Rejected};
use dualseal::evidence::{
    EvidenceFile, EvidenceKind, EvidenceParts, EvidencePolicy, EvidenceRecord, ExpectedSigner, QuorumEvidence,
};
use dualseal::id::MessageHash;
use dualseal::key::{CheckedRing, SetState, Unprepared};
use dualseal::krunica::TreeHead;
use dualseal::threshold::ThresholdResult;
use dualseal::tree::{NodeReader, TreeHash, prove_leaf, root_of};
use dualseal::{Domain, Head, KeyState, Signer, VerdictKind};
use dualseal_tests::bundle::{DOCUMENT, Kept, file, fingerprint, note, parts, policy, signed, witness, witnesses};
use dualseal_tests::log::{ORIGIN, any_head, pins};
use dualseal_tests::quorum::Board;
use dualseal_tests::reading::under;
use dualseal_tests::registry::{Registry, authority};
use dualseal_tests::ring_file;
use dualseal_tests::{identity, key, minute};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::convert::Infallible;

fn contract() -> (Registry, EvidenceRecord) {
    let Kept { registry, record, .. } = Kept::contract();
    (registry, record)
}

fn read(file: &EvidenceFile) -> EvidenceFile {
    let text = file.to_json();
    let read = EvidenceFile::from_json(text.as_bytes()).unwrap();
    assert_eq!(read.to_json(), text);
    assert_eq!(serde_json_canonicalizer::to_string(&serde_json::from_str::<Json>(&text).unwrap()).unwrap(), text);
    read
}

/// Nobody vouches for it: whoever opens the file by it knows no more than that it agrees with itself.
#[test]
fn a_file_says_of_which_log_it_is() {
    let (registry, record) = contract();
    let file = file(&registry, record, key(1).public_key(), 1);
    assert_eq!(file.fingerprint(None), Ok(fingerprint()));
    assert_eq!(file.fingerprint(Some(&Domain::default())), Ok(fingerprint()));
    let other = Domain::new("ACME").unwrap();
    assert_eq!(file.fingerprint(Some(&other)).unwrap_err().to_string(), "domena: has none of the known values");
    let mut unnamed: Json = serde_json::from_str(&file.to_json()).unwrap();
    unnamed["domena"] = Json::Null;
    let unnamed = EvidenceFile::from_json(unnamed.to_string().as_bytes()).unwrap();
    assert_eq!(unnamed.fingerprint(None).unwrap_err().to_string(), "domena: is missing");
    assert_ne!(unnamed.fingerprint(Some(&other)), Ok(fingerprint()));
    let open = file.open(&policy()).unwrap();
    let entry = open.place().entry();
    assert_eq!((open.place().origin(), entry.seq(), entry.time()), (ORIGIN, 1, minute(1)));
}

#[test]
fn a_file_says_who_by_which_key_since_when_and_who_saw_it() {
    let (registry, record) = contract();
    let file = file(&registry, record, key(1).public_key(), 1);
    assert_eq!(file.kind(), EvidenceKind::Signature);
    let mut asked = policy();
    asked.witnesses = witnesses(2);
    asked.signer = ExpectedSigner::Identity(identity("ana"));
    asked.witnessed_after = Some(minute(140));
    asked.least_size = 3;
    let open = read(&file).open(&asked).unwrap();
    let report = open.verify(DOCUMENT).unwrap();
    assert_eq!(report.as_of.verdict.kind(), VerdictKind::Valid);
    assert_eq!((report.as_of.size, report.as_of.place, report.as_of.claimed), (Some(3), Some(1), false));
    assert_eq!((report.identity_id, report.key), (identity("ana"), *key(1).public_key().hash()));
    assert_eq!((report.state, report.since, report.origin()), (KeyState::Valid, 0, ORIGIN));
    assert_eq!((report.before(), report.witnessed.count()), (Some(minute(140)), 3));
    let told: Json = serde_json::from_str(&report.to_json()).unwrap();
    assert_eq!(told["as_of"]["result"]["validan"], json!(true));
    assert_eq!(told["before"], json!(minute(140).to_string()));
    assert_eq!(told["log"], json!(fingerprint().to_hex()));
    let mut keys: Vec<String> = (1..=3).map(|number| witness(number).public_key().to_hex()).collect();
    keys.sort();
    let seen: Vec<&str> =
        told["witnesses"].as_array().unwrap().iter().map(|seen| seen["key"].as_str().unwrap()).collect();
    assert_eq!(seen, keys);
    assert_eq!(told["vrsta"], json!("potpis"));
    // In parts, byte by byte.
    let mut check = open.begin();
    for byte in DOCUMENT {
        check.update(&[*byte]);
    }
    assert_eq!(check.finish().unwrap().to_json(), report.to_json());
}

/// Without a note there is no time, and the rest stands.
#[test]
fn a_file_without_a_note_shows_no_time() {
    let (registry, record) = contract();
    let mut parts = parts(&registry, record, key(1).public_key(), 1);
    parts.note = None;
    let file = EvidenceFile::new(parts).unwrap();
    let open = read(&file).open(&policy()).unwrap();
    assert_eq!(open.verify(DOCUMENT).unwrap().before(), None);
}

#[test]
fn every_kind_of_record_has_its_file() {
    use EvidenceKind::{Erasure, Quorum, Seal, Signature, Vault};
    for (kept, kind) in Kept::of_every_kind().into_iter().zip([Signature, Seal, Vault, Quorum, Erasure]) {
        let (seq, document, erased) = (kept.seq, kept.document.clone(), kept.erased.map(|erased| erased.to_hex()));
        let file = kept.into_file();
        assert_eq!(file.kind(), kind);
        assert!(!file.to_json().contains("\"fragment\":\""));
        let open = read(&file).open(&policy()).unwrap();
        let report = open.verify(&document).unwrap();
        assert_eq!((report.as_of.verdict.kind(), report.as_of.place), (VerdictKind::Valid, Some(seq)), "{kind:?}");
        let other = open.verify(b"another document").unwrap_err();
        assert!(matches!(other, Error::Rejected(Rejected::NotShown(EvidenceFault::Record { .. }))), "{other}");
        assert_eq!(open.kind().as_str(), serde_json::from_str::<Json>(&file.to_json()).unwrap()["vrsta"]);
        let told: Json = serde_json::from_str(&report.to_json()).unwrap();
        let not_shown = match kind {
            Quorum => json!("session in force not shown"),
            Erasure => json!("completeness of splits not shown"),
            _ => json!(null),
        };
        assert_eq!((&told["not_shown"], &told["vault_id"]), (&not_shown, &json!(erased)), "{kind:?}");
    }
}

/// Where constants were set by hand, the verifier has to know them.
/// Of an HMAC session every custodian's group could have made the result: a file of it would convince nobody else.
#[test]
fn a_result_that_convinces_custodians_alone_makes_no_file() {
    let kept = Kept::of_every_kind().swap_remove(3);
    let EvidenceRecord::Quorum(record) = &kept.record else { panic!("a quorum's") };
    let result = Board::hmac(2, 3).signed(&MessageHash::of(DOCUMENT));
    let of_custodians = QuorumEvidence { result: result.clone(), ..record.clone() };
    let refused = |error: Error| match error {
        Error::Malformed(malformed) => (malformed.field, malformed.problem),
        other => panic!("{other}"),
    };
    let parts = parts(&kept.registry, EvidenceRecord::Quorum(of_custodians), &kept.public_key, kept.seq);
    let expected = ("algoritam", Problem::UnknownValue);
    assert_eq!(refused(EvidenceFile::new(parts).unwrap_err()), expected);
    // Nor is one read that somebody else put together.
    let mut file: Json = serde_json::from_str(&kept.into_file().to_json()).unwrap();
    file["record"]["result"] = serde_json::from_str(&ThresholdResult::Signed(result).to_json()).unwrap();
    assert_eq!(refused(EvidenceRecord::from_json(file["record"].to_string().as_bytes()).unwrap_err()), expected);
    assert_eq!(refused(EvidenceFile::from_json(file.to_string().as_bytes()).unwrap_err()), expected);
}

#[test]
fn a_domain_without_a_name_is_the_verifiers() {
    let (registry, record) = contract();
    let mut parts = parts(&registry, record, key(1).public_key(), 1);
    parts.name = None;
    let file = EvidenceFile::new(parts).unwrap();
    let Error::Malformed(malformed) = read(&file).open(&policy()).unwrap_err() else { panic!("no domain") };
    assert_eq!((malformed.field, malformed.problem), ("domena", Problem::MissingMember));
    let domain = Domain::default();
    let known = EvidencePolicy { domain: Some(&domain), ..policy() };
    let open = read(&file).open(&known).unwrap();
    assert_eq!(open.verify(DOCUMENT).unwrap().as_of.verdict.kind(), VerdictKind::Valid);
    let other = Domain::new("OTHER").unwrap();
    let unknown = EvidencePolicy { domain: Some(&other), ..policy() };
    assert_eq!(read(&file).open(&unknown).unwrap_err(), EvidenceFault::OtherLog.into());
}

/// A tree of a size that no test can build: what is not on the way to a certain leaf is drawn from its own place.
struct Simulated(BTreeMap<u64, TreeHash>);

impl NodeReader for Simulated {
    type Error = Infallible;

    fn node(&mut self, level: u8, index: u64) -> Result<TreeHash, Infallible> {
        let (first, last) = (index << level, ((index + 1) << level) - 1);
        if self.0.range(first..=last).next().is_none() {
            return Ok(TreeHash::of_leaf(format!("{level} {index}").as_bytes()));
        }
        if level == 0 {
            return Ok(self.0[&index]);
        }
        let (left, right) = (self.node(level - 1, 2 * index)?, self.node(level - 1, 2 * index + 1)?);
        let node = Sha256::new_with_prefix([1]).chain_update(left.as_bytes()).chain_update(right.as_bytes());
        Ok(TreeHash::from_bytes(node.finalize().into()))
    }
}

/// Three witnesses, 10^9 entries, in a tree that is simulated but for the leaves of the two entries.
#[test]
fn a_file_of_a_billion_entries_has_less_than_32_kilobytes() {
    let (domain, ana, signing, size) = (Domain::default(), identity("ana"), key(1), 1_000_000_000);
    let zeros = "00".repeat(64).parse().unwrap();
    let signer = Signer::new(&domain, &ana, &signing);
    let at = any_head(123_456_789, zeros);
    let (early, late) = (any_head(77, zeros), any_head(987_654_321, zeros));
    let ring = CheckedRing::new(ORIGIN, &authority(&domain)).unwrap();
    let mut ring = ring_file::moved(&ring, &Head::EMPTY, &early);
    let added = ring.add(&ana, signing.public_key().clone(), &early, minute(1)).unwrap();
    let mut ring = ring_file::moved(&ring, &added.head, &late);
    let record = signer.sign_deterministic(&signer.content_hash(DOCUMENT), &at, minute(1)).unwrap();
    let revoked = SetState::compromised_from(200_000_000);
    let changed = ring.set_state(&ana, None, revoked, &late, minute(2)).unwrap();
    let entries = [record.entry, changed.entry];
    let mut nodes = Simulated(entries.iter().map(|entry| (entry.seq(), entry.leaf_hash())).collect());
    let root = root_of(&mut nodes, size).unwrap();
    let head = TreeHead { size, top: zeros, root };
    let checkpoint = signed(&head, ring.ring_head());
    let [place, ring_place] = entries.map(|entry| {
        let path = prove_leaf(&mut nodes, size, entry.seq()).unwrap().unwrap();
        assert!(path.len() >= 20, "{}", path.len());
        PlaceProof::new(checkpoint.clone(), entry, path).unwrap()
    });
    let parts = EvidenceParts {
        domain: &domain,
        name: Some("DUALSEAL"),
        record: EvidenceRecord::Signature(record.record),
        public_key: signing.public_key().clone(),
        place,
        ring: ring_place,
        key: ring.public().prove(signing.public_key().hash()).unwrap(),
        note: Some(note(&checkpoint, &[(1, 130), (2, 140), (3, 150)])),
    };
    let file = EvidenceFile::new(parts).unwrap();
    let length = file.to_json().len();
    println!("{length} bytes");
    assert!(length < 32_000, "{length}");
    let asked = EvidencePolicy { witnesses: witnesses(3), ..policy() };
    let open = read(&file).open(&asked).unwrap();
    let report = open.verify(DOCUMENT).unwrap();
    // Revoked, and it stood long before the key is said to have been stolen.
    assert_eq!((report.as_of.verdict.kind(), report.as_of.claimed), (VerdictKind::Revoked, false));
    assert_eq!((report.as_of.place, report.as_of.revoked_now), (Some(123_456_789), Some(987_654_321)));
    assert_eq!(report.before(), Some(minute(150)));
}

/// Whoever writes to the log appends the ring's message a thousand times: the file is as good.
#[test]
fn copies_of_the_rings_message_change_no_file() {
    let (mut registry, record) = contract();
    let message = registry.chain.entries()[0].message().to_string();
    let elsewhere = Domain::new("ELSEWHERE").unwrap();
    for _ in 0..1000 {
        registry.chain.append(&elsewhere, &identity("eve"), &message, minute(3)).unwrap();
    }
    let given = parts(&registry, record, key(1).public_key(), 1);
    let (pinned, signed) = (pins(ORIGIN), given.place.checkpoint().clone());
    let checkpoint = CheckpointVerifier::new(given.domain, &pinned, None, &Unprepared).verify(signed).valid().unwrap();
    let mut reader = under(&checkpoint);
    let (places, ring) = (reader.place_proofs(|entry| entry.seq() == 1).unwrap(), reader.ring_place().unwrap());
    registry.chain.entries().iter().for_each(|entry| reader.push(entry).unwrap());
    let mut proofs = reader.finish().unwrap();
    let (place, ring) = (proofs.take(places).unwrap().remove(0), proofs.take(ring).unwrap().unwrap());
    assert_eq!((&place, &ring), (&given.place, &given.ring));
    let made = EvidenceFile::new(EvidenceParts { place, ring, ..given }).unwrap();
    let report = read(&made).open(&policy()).unwrap().verify(DOCUMENT).unwrap();
    assert_eq!(report.as_of.verdict.kind(), VerdictKind::Valid);
}
