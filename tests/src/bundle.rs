//! Files of evidence as a log's operator makes them, and what a stranger asks of them.

use crate::log::{ORIGIN, head_at, log_identity, log_key, mark, stated_ring};
use crate::nodes::Nodes;
use crate::quorum::{self, Board, board};
use crate::random::Constant;
use crate::registry::Registry;
use crate::vault::Archive;
use crate::{identity, key, minute};
use dualseal::checkpoint::{Checkpoint, CheckpointSigner, LogFingerprint, PlaceProof};
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::evidence::{EvidenceFile, EvidenceParts, EvidencePolicy, EvidenceRecord, QuorumEvidence, SealEvidence};
use dualseal::key::RingHead;
use dualseal::krunica::TreeHead;
use dualseal::note::{Note, NoteBody, NoteKey, NoteKind, NoteName, NoteSignature, Witnesses};
use dualseal::seal::{SealKey, Sealer};
use dualseal::threshold::SessionKind;
use dualseal::vault::{Encryption, Tier, VaultRecord};
use dualseal::{Domain, PublicKey, Signer, VaultId};

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

/// What a verifier knows of a witness.
pub fn witness_key(number: u8) -> NoteKey {
    NoteKey::new(witness_name(number), NoteKind::Witness, witness(number).public_key())
}

/// Witnesses 1 to 3, of whom so many are needed.
pub fn witnesses(needed: usize) -> Witnesses {
    Witnesses::new(&[1, 2, 3].map(witness_key), needed).expect("three keys")
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
    // Anybody may repeat the message of a change: it does not count at another place.
    let ring_entry = entries.iter().rfind(|entry| stated_ring(std::slice::from_ref(entry)).is_some());
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

/// The document of [`Kept::of_every_kind`], but of the erasure.
pub const DOCUMENT: &[u8] = b"resolution 7";

/// A record in its log, and what it is of.
#[derive(Debug)]
pub struct Kept {
    pub registry: Registry,
    pub record: EvidenceRecord,
    pub public_key: PublicKey,
    pub seq: u64,
    pub document: Vec<u8>,
    /// Of an erasure, what it erased.
    pub erased: Option<VaultId>,
}

impl Kept {
    /// Of each kind one, in the order of their numbers, each in a log of its own.
    pub fn of_every_kind() -> Vec<Self> {
        let [vault, erasure] = Self::vaults();
        vec![Self::contract(), Self::sealed(), vault, Self::resolved(), erasure]
    }

    /// Ana's key, a record of hers at 1, and what came later.
    pub fn contract() -> Self {
        let (mut registry, ana, signing) = (Registry::new(), identity("ana"), key(1));
        registry.add(&ana, signing.public_key());
        let signer = Signer::new(&registry.domain, &ana, &signing);
        let content = signer.content_hash(DOCUMENT);
        let signed = signer.sign_deterministic(&content, registry.chain.head(), minute(1)).expect("a fit key");
        registry.chain.push(signed.entry).expect("at the head");
        registry.chain.append(&registry.domain, &ana, "filler", minute(2)).expect("free text");
        Self::new(registry, EvidenceRecord::Signature(signed.record), 1, DOCUMENT)
    }

    fn new(registry: Registry, record: EvidenceRecord, seq: u64, document: &[u8]) -> Self {
        let public_key = record.public_key().unwrap_or(key(1).public_key()).clone();
        Self { registry, record, public_key, seq, document: document.to_vec(), erased: None }
    }

    fn sealed() -> Self {
        let (mut registry, ana, signing) = (Registry::new(), identity("ana"), key(1));
        registry.add(&ana, signing.public_key());
        let seal_key = SealKey::from_slice(&[9; 32]).expect("32 bytes");
        let sealer = Sealer::new(&registry.domain, &ana, &seal_key, &signing);
        let seal = sealer.seal(DOCUMENT, &mut Constant(2)).expect("not reserved");
        let appended = seal.append_to(registry.chain.head(), &registry.domain, &ana, minute(1)).expect("at the head");
        registry.chain.push(appended.entry).expect("at the head");
        let record = SealEvidence { identity_id: ana, public_key: signing.public_key().clone(), seal };
        Self::new(registry, EvidenceRecord::Seal(record), 1, DOCUMENT)
    }

    /// A result of a quorum, whose key the ring took later.
    fn resolved() -> Self {
        let mut board_of_three = Board::mldsa(2, 3);
        let result = board_of_three.signed(&quorum::message());
        let mut registry = Registry { chain: board_of_three.chain.clone(), ..Registry::new() };
        let SessionKind::MlDsa65 { public_key, .. } = board_of_three.session().kind().clone() else {
            panic!("of the second kind")
        };
        registry.add(&board(), &public_key);
        let session_id = *board_of_three.session().session_id();
        let record = QuorumEvidence { identity_id: board(), public_key, result, session_id };
        Self::new(registry, EvidenceRecord::Quorum(record), 2, DOCUMENT)
    }

    /// A vault record and its erasure.
    fn vaults() -> [Self; 2] {
        [false, true].map(|erasure| {
            let mut archive = Archive::new(1);
            let sealed = archive.seal(DOCUMENT, "NOTE", Encryption::Stream, Tier::Public);
            let index = if erasure { archive.erase(sealed, &[]) } else { sealed };
            let record: VaultRecord = archive.kept[index].record();
            let (seq, erased) = (record.entry().seq(), archive.kept[sealed].record().header().vault_id);
            let stored = archive.kept[index].stored.clone();
            let kept = Self::new(archive.registry, EvidenceRecord::Vault(record.into()), seq, &stored);
            Self { erased: erasure.then_some(erased), ..kept }
        })
    }

    /// What shows it as of now.
    pub fn into_file(self) -> EvidenceFile {
        file(&self.registry, self.record, &self.public_key, self.seq)
    }
}
