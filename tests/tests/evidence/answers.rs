//! The known answers of evidence that the second implementation made (`tests/second/make_evidence_answers.py`): the
//! same parts give the same bytes, and the same answers.

use dualseal::checkpoint::{AttestedRing, Checkpoint, CheckpointVerifier, Pins, PlaceProof};
use dualseal::domain::Row;
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::evidence::{EvidenceFile, EvidenceParts, EvidencePolicy, EvidenceRecord, QuorumEvidence, SealEvidence};
use dualseal::key::{PublicRing, Unprepared};
use dualseal::krunica::{Checker, Krunica};
use dualseal::note::{Note, NoteBody, NoteKey, NoteKind, NoteName, NoteSignature, Witnesses};
use dualseal::seal::Seal;
use dualseal::threshold::ThresholdResult;
use dualseal::vault::VaultRecord;
use dualseal::{Domain, PublicKey, SignatureRecord, SigningKey, Timestamp, Verified};
use dualseal_tests::nodes::Nodes;
use dualseal_tests::prelude::*;
use dualseal_tests::vectors::{bytes, items, json, string};
use serde_json::Value;
use sha3::{Digest, Sha3_256};

fn answers() -> Value {
    json("known_answers_evidence.json")
}

/// One log with what it shows, at one size.
struct State<'a> {
    log: &'a Value,
    state: &'a Value,
    domain: Domain,
    checkpoint: Verified<Checkpoint>,
    ring: PublicRing,
    note: Note,
    /// Up to the size.
    chain: Krunica,
}

fn number(case: &Value, name: &str) -> u64 {
    case[name].as_u64().unwrap()
}

fn text_of(value: &Value) -> String {
    serde_json::to_string(value).unwrap()
}

fn signing_key(case: &Value) -> SigningKey {
    SigningKey::from_seed(&bytes(case, "seed_hex")).unwrap()
}

fn note_signer(case: &Value, member: &str) -> Ed25519SigningKey {
    Ed25519SigningKey::from_seed(&bytes(case, member)).unwrap()
}

fn domain(log: &Value) -> Domain {
    let name = log["domena"].as_str().unwrap_or("DUALSEAL");
    Domain::builder(name).prefix(Row::Krunica, string(log, "krunica_prefix")).build().unwrap()
}

impl<'a> State<'a> {
    fn all(answers: &'a Value) -> Vec<Self> {
        let of = |log: &'a Value| items(log, "states").iter().map(move |state| Self::new(log, state));
        items(answers, "logs").iter().flat_map(of).collect()
    }

    fn new(log: &'a Value, state: &'a Value) -> Self {
        let domain = domain(log);
        let checkpoint = Checkpoint::from_json(text_of(&state["checkpoint"]).as_bytes()).unwrap();
        let pins = Pins {
            origin: checkpoint.origin().to_string(),
            identity_id: *checkpoint.identity_id(),
            key_hash: *SigningKey::from_seed(&bytes(log, "log_seed_hex")).unwrap().public_key().hash(),
            least_size: 0,
        };
        let verdict = CheckpointVerifier::new(&domain, &pins, None, &Unprepared).verify(checkpoint);
        let checkpoint = verdict.valid().expect("signed by the log");
        let mut ring = state["ring"].clone();
        for key in ring["keys"].as_array_mut().unwrap() {
            key["javni_kljuc"] = signing_key(key).public_key().to_hex().into();
            key.as_object_mut().unwrap().remove("seed_hex");
        }
        let size = usize::try_from(checkpoint.record().tree_head().size).unwrap();
        let chain = Value::from(log["chain"].as_array().unwrap()[..size].to_vec());
        Self {
            note: Note::from_text(string(state, "note")).unwrap(),
            ring: PublicRing::from_json(text_of(&ring).as_bytes()).unwrap(),
            chain: Krunica::from_json(text_of(&chain).as_bytes()).unwrap(),
            log,
            state,
            domain,
            checkpoint,
        }
    }

    fn place(&self, seq: u64) -> PlaceProof {
        let path = Nodes::of(self.chain.entries()).path(self.checkpoint.record().tree_head().size, seq);
        let entry = self.chain.entries()[usize::try_from(seq).unwrap()].clone();
        PlaceProof::new(self.checkpoint.record().clone(), entry, path).unwrap()
    }

    fn parts(&self, kept: &Value) -> EvidenceParts<'_> {
        let (record, public_key) = (record(kept), signing_key(kept).public_key().clone());
        EvidenceParts {
            domain: &self.domain,
            name: self.log["domena"].as_str(),
            record,
            place: self.place(number(kept, "seq")),
            ring: self.place(number(self.state, "ring_entry")),
            key: self.ring.prove(public_key.hash()).expect("a key of the ring"),
            public_key,
            note: Some(self.note.clone()),
        }
    }

    fn policy(&self, witnesses: Witnesses) -> EvidencePolicy<'_> {
        let domain = self.log["domena"].is_null().then_some(&self.domain);
        let log = string(self.log, "fingerprint").parse().unwrap();
        EvidencePolicy { domain, witnesses, ..EvidencePolicy::of_log(log) }
    }
}

fn record(kept: &Value) -> EvidenceRecord {
    let record = &kept["record"];
    let text = text_of(record);
    let identity_id = || string(record, "identity_id").parse().unwrap();
    let public_key = || PublicKey::from_hex(string(record, "javni_kljuc")).unwrap();
    match string(kept, "vrsta") {
        "potpis" => EvidenceRecord::Signature(SignatureRecord::from_json(text.as_bytes()).unwrap()),
        "pecat" => {
            let Seal::Dual(seal) = string(record, "seal").parse().unwrap() else { panic!("a legacy seal") };
            EvidenceRecord::Seal(SealEvidence { identity_id: identity_id(), public_key: public_key(), seal })
        }
        "kvorum" => {
            let result = ThresholdResult::from_json(text_of(&record["result"]).as_bytes()).unwrap();
            let ThresholdResult::Signed(result) = result else { panic!("it failed") };
            let session_id = string(record, "session_id").parse().unwrap();
            EvidenceRecord::Quorum(QuorumEvidence {
                identity_id: identity_id(),
                public_key: public_key(),
                result,
                session_id,
            })
        }
        _ => EvidenceRecord::Vault(VaultRecord::from_json(text.as_bytes()).unwrap().into()),
    }
}

fn witnesses(answers: &Value) -> Witnesses {
    let keys: Vec<_> =
        items(answers, "witnesses").iter().map(|one| NoteKey::from_text(string(one, "key")).unwrap()).collect();
    Witnesses::new(&keys, usize::try_from(number(answers, "needed")).unwrap()).unwrap()
}

#[cfg_attr(test, test)]
pub(crate) fn the_same_parts_give_the_same_file_and_answer() {
    let answers = answers();
    let mut files = 0;
    for state in State::all(&answers) {
        for (kept, expected) in items(state.log, "records").iter().zip(items(state.state, "files")) {
            let file = EvidenceFile::new(state.parts(kept)).unwrap();
            let (text, kind) = (file.to_json(), string(kept, "vrsta"));
            assert_eq!(hex::encode(Sha3_256::digest(&text)), string(expected, "json_sha3_256"), "{kind}");
            let read: Value = serde_json::from_str(&text).unwrap();
            assert_eq!((&read["key"], &read["path"]), (&expected["key"], &expected["path"]), "{kind}");
            let open = file.open(&state.policy(witnesses(&answers))).unwrap();
            let report = open.verify(&bytes(kept, "document_hex")).unwrap().to_json();
            assert_eq!(serde_json::from_str::<Value>(&report).unwrap(), expected["report"], "{kind}");
            files += 1;
        }
    }
    assert_eq!(files, 11);
}

/// The heads, the ring root and the fingerprints are those that this side computes from the chain and the ring.
#[cfg_attr(test, test)]
pub(crate) fn the_logs_are_what_their_checkpoints_say() {
    let answers = answers();
    for state in State::all(&answers) {
        let mut checker = Checker::new();
        state.chain.entries().iter().for_each(|entry| checker.push(entry).unwrap());
        let stated = state.checkpoint.record();
        assert_eq!(checker.into_head().tree_head(), *stated.tree_head());
        assert!(!stated.tree_head().size.is_power_of_two());
        assert_eq!(stated.fingerprint(&state.domain).to_hex(), string(state.log, "fingerprint"));
        let attested = AttestedRing::new(state.ring.clone(), &state.checkpoint).unwrap();
        assert_eq!(attested.known_to(), Some(stated.tree_head().size));
    }
}

#[cfg_attr(test, test)]
pub(crate) fn the_notes_are_signed_and_cosigned_alike() {
    let answers = answers();
    for state in State::all(&answers) {
        let stated = state.checkpoint.record();
        let (origin, head) = (NoteName::new(stated.origin()).unwrap(), stated.tree_head());
        let log = note_signer(state.log, "note_seed_hex");
        assert_eq!(stated.note_key(), Some(log.public_key()));
        let mut note = Note::sign(NoteBody { origin: origin.clone(), size: head.size, root: head.root }, &log);
        for witness in items(&answers, "witnesses") {
            let (key, seed) = (NoteKey::from_text(string(witness, "key")).unwrap(), note_signer(witness, "seed_hex"));
            assert_eq!(key.key(), seed.public_key());
            let start: Timestamp = "2026-11-21T10:00:00.000Z".parse().unwrap();
            let minutes = i64::try_from(number(witness, "minute")).unwrap();
            let time = Timestamp::from_millis(start.as_millis() + 60_000 * minutes).unwrap();
            note.add(NoteSignature::cosign(note.body(), key.name(), &seed, time).unwrap()).unwrap();
        }
        assert_eq!(note.to_text(), string(state.state, "note"));
        note.verify(&NoteKey::new(origin, NoteKind::Log, log.public_key())).unwrap();
    }
}

/// What the log says later of the same keys continues what it said before.
#[cfg_attr(test, test)]
pub(crate) fn the_later_files_take_nothing_back() {
    let answers = answers();
    let states = State::all(&answers);
    let [early, late, _] = &states[..] else { panic!("two states and one") };
    for kept in items(early.log, "records") {
        let document = bytes(kept, "document_hex");
        let [early, late] = [early, late]
            .map(|state| EvidenceFile::new(state.parts(kept)).unwrap().open(&state.policy(Witnesses::none())).unwrap());
        let (early, late) = (early.verify(&document).unwrap(), late.verify(&document).unwrap());
        late.compare(&early).unwrap();
        early.compare(&late).unwrap();
    }
}
