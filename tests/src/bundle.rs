//! Files of evidence as a log's operator makes them, and what a stranger asks of them.

use crate::log::{ORIGIN, head_at, log_identity, log_key, mark, stated_ring};
use crate::minute;
use crate::nodes::Nodes;
use crate::random::Constant;
use crate::registry::Registry;
use dualseal::checkpoint::{Checkpoint, CheckpointSigner, LogFingerprint, PlaceProof};
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::evidence::{EvidenceFile, EvidenceParts, EvidencePolicy, EvidenceRecord};
use dualseal::key::RingHead;
use dualseal::krunica::TreeHead;
use dualseal::note::{Note, NoteBody, NoteKey, NoteKind, NoteName, NoteSignature, Witnesses};
use dualseal::{Domain, PublicKey};

/// The key by which the log signs its notes.
pub fn note_key() -> Ed25519SigningKey {
    Ed25519SigningKey::from_seed(&[90; 32]).expect("not all zeros")
}

/// The key of a witness, from 1.
pub fn witness(number: u8) -> Ed25519SigningKey {
    Ed25519SigningKey::from_seed(&[90 + number; 32]).expect("not all zeros")
}

fn witness_name(number: u8) -> NoteName {
    NoteName::new(&format!("witness-{number}.example")).expect("a name")
}

/// Witnesses 1 to 3, of whom so many are needed.
pub fn witnesses(needed: usize) -> Witnesses {
    let keys =
        [1, 2, 3].map(|number| NoteKey::new(witness_name(number), NoteKind::Witness, witness(number).public_key()));
    Witnesses::new(&keys, needed).expect("three keys")
}

/// A checkpoint of the test log over any state, which states the key of its notes.
pub fn signed(head: &TreeHead, ring: Option<RingHead>) -> Checkpoint {
    let (domain, note_key) = (Domain::default(), note_key());
    let signer = CheckpointSigner::new(&domain, ORIGIN, &log_identity(), log_key()).expect("an origin");
    let signer = signer.with_note_key(note_key.public_key());
    signer.sign(&mark(ORIGIN, head, ring), minute(120), &mut Constant(1)).expect("a fit key")
}

/// The fingerprint of the test log.
pub fn fingerprint() -> LogFingerprint {
    LogFingerprint::of(&Domain::default(), ORIGIN, &log_identity(), log_key().public_key())
}

/// The log's note for a checkpoint, cosigned by these witnesses so many minutes after the start.
pub fn note(checkpoint: &Checkpoint, cosigned: &[(u8, i64)]) -> Note {
    let (head, origin) = (checkpoint.tree_head(), NoteName::new(checkpoint.origin()).expect("a name"));
    let mut note = Note::sign(NoteBody { origin, size: head.size, root: head.root }, &note_key());
    for (number, minutes) in cosigned {
        let cosignature =
            NoteSignature::cosign(note.body(), &witness_name(*number), &witness(*number), minute(*minutes));
        note.add(cosignature.expect("after 1970")).expect("few lines");
    }
    note
}

/// What a stranger asks who believes the test log, and needs no witness.
pub fn policy() -> EvidencePolicy<'static> {
    EvidencePolicy::of_log(fingerprint())
}

/// The parts for a record at a place of a registry's whole chain.
pub fn parts(registry: &Registry, record: EvidenceRecord, public_key: &PublicKey, seq: u64) -> EvidenceParts<'static> {
    static DOMAIN: std::sync::OnceLock<Domain> = std::sync::OnceLock::new();
    let entries = registry.chain.entries();
    let ring_entry = entries.iter().rfind(|entry| entry.message().starts_with("DUALSEAL-SIGN::RING::"));
    let ring_entry = ring_entry.expect("a change of the ring").seq();
    let checkpoint = signed(&head_at(&registry.chain, entries.len()).tree_head(), stated_ring(entries));
    let mut nodes = Nodes::of(entries);
    let [place, ring] = [seq, ring_entry].map(|seq| {
        let path = nodes.path(checkpoint.tree_head().size, seq);
        let entry = entries.iter().find(|entry| entry.seq() == seq).expect("such an entry").clone();
        PlaceProof::new(checkpoint.clone(), entry, path).expect("of this chain")
    });
    EvidenceParts {
        domain: DOMAIN.get_or_init(Domain::default),
        name: Some("DUALSEAL"),
        record,
        public_key: public_key.clone(),
        place,
        ring,
        key: registry.ring.public().prove(public_key.hash()).expect("a key of the ring"),
        note: Some(note(&checkpoint, &[(1, 130), (2, 140), (3, 150)])),
    }
}

/// The file.
pub fn file(registry: &Registry, record: EvidenceRecord, public_key: &PublicKey, seq: u64) -> EvidenceFile {
    EvidenceFile::new(parts(registry, record, public_key, seq)).expect("parts of one log")
}
