//! Logs of random histories (rings, sessions, ledgers, splits, erasures): a proof of each place gives what the whole
//! chain gives, the verdicts with their dates are those of one key alone, and a log that lies is caught by whom the
//! table in section 18 of FORMAT.md says.

use dualseal::checkpoint::{AttestedKey, AttestedRing, Comparison, PlaceProof, compare};
use dualseal::error::{CheckpointFault, Error, RingFault};
use dualseal::evidence::{EvidenceFile, EvidenceKind, EvidenceRecord, QuorumEvidence};
use dualseal::id::MessageHash;
use dualseal::key::{RingFile, RingHead, SetState, Unprepared};
use dualseal::krunica::Krunica;
use dualseal::shamir::SplitId;
use dualseal::shard::Prepared;
use dualseal::threshold::{Founding, QuorumResult, SessionKind};
use dualseal::tree::TreeHash;
use dualseal::vault::{Encryption, Tier};
use dualseal::{Domain, KeyRing, KeyState, Located, PublicKey, SignatureRecord, Signer, SystemRng, Verified, Verifier};
use dualseal_tests::bundle::{parts, policy};
use dualseal_tests::log::{ORIGIN, covering, head_at, mark, retimed, stated_ring, verified_mark};
use dualseal_tests::nodes::Nodes;
use dualseal_tests::quorum::{Board, board, owners, secretary};
use dualseal_tests::registry::authority;
use dualseal_tests::vault::Archive;
use dualseal_tests::{identity, key, minute, reading};
use proptest::collection::vec;
use proptest::prelude::*;

const CONTENT: &[u8] = b"one contract";
const MESSAGE: &[u8] = b"resolution 7";

/// One log in which a signer, a board and an archive work, and what each has to show.
struct History {
    archive: Archive,
    board: Board,
    /// The number of Ivan's current key.
    current: u8,
    signed: Vec<(SignatureRecord, u64, u8)>,
    resolved: Vec<(QuorumResult, u64)>,
    /// Of the records in the ledger, which are encrypted and not erased; and the split of theirs that is prepared.
    kept: Vec<(usize, Option<Prepared>)>,
    erased: Vec<usize>,
}

impl History {
    fn new() -> Self {
        let mut archive = Archive::new(1);
        let domain = Domain::default();
        let (founder, owners) = (secretary(), owners(3));
        let time = minute(1);
        let head = archive.registry.chain.head();
        let founding = Founding { domain: &domain, founder: &founder, owners: &owners, k: 2, head, time };
        let founded = founding.mldsa(&board(), &mut SystemRng).unwrap();
        archive.registry.chain.push(founded.entry).unwrap();
        let SessionKind::MlDsa65 { public_key, .. } = founded.session.kind().clone() else { panic!("of that kind") };
        let board_of_three =
            Board { domain, chain: Krunica::new(), records: vec![founded.session], shares: founded.shares };
        archive.registry.add(&board(), &public_key);
        archive.registry.add(&identity("ivan"), key(11).public_key());
        let (signed, resolved, kept, erased) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { archive, board: board_of_three, current: 11, signed, resolved, kept, erased }
    }

    fn size(&self) -> u64 {
        self.archive.registry.chain.head().size()
    }

    /// The board works on the chain of the archive.
    fn meet<T>(&mut self, act: impl FnOnce(&mut Board) -> T) -> T {
        self.board.chain = self.archive.registry.chain.clone();
        let done = act(&mut self.board);
        self.archive.registry.chain = self.board.chain.clone();
        done
    }

    fn sign(&mut self) {
        let (ivan, signing, seq) = (identity("ivan"), key(self.current), self.size());
        let registry = &mut self.archive.registry;
        let signer = Signer::new(&registry.domain, &ivan, &signing);
        let content = signer.content_hash(CONTENT);
        let time = minute(i64::try_from(seq).unwrap());
        let signed = signer.sign_deterministic(&content, registry.chain.head(), time).unwrap();
        registry.chain.push(signed.entry).unwrap();
        self.signed.push((signed.record, seq, self.current));
    }

    fn step(&mut self, step: u8, which: u8, asked: u8) {
        let seq = self.size();
        match step {
            0..3 => self.sign(),
            3 => {
                self.current += 1;
                self.archive.registry.rotate(&identity("ivan"), key(self.current).public_key());
            }
            4..7 => {
                let held = *key(11 + which % (self.current - 10)).public_key().hash();
                let states = [KeyState::Valid, KeyState::Revoked, KeyState::Decoy, KeyState::Suspended];
                let state = states[usize::from(asked) % 4];
                let set = match state {
                    KeyState::Revoked if which.is_multiple_of(2) => {
                        SetState::compromised_from(u64::from(asked) % (seq + 1))
                    }
                    state => SetState::from(state),
                };
                self.archive.registry.set_state(&identity("ivan"), Some(&held), set);
            }
            7..9 => {
                let encryption = if which.is_multiple_of(4) { Encryption::None } else { Encryption::Stream };
                let index = self.archive.seal(&[which; 40], "DEED", encryption, Tier::Public);
                if encryption == Encryption::Stream {
                    self.kept.push((index, None));
                }
            }
            9 if !self.kept.is_empty() => {
                let which = usize::from(which) % self.kept.len();
                let (index, prepared) = &mut self.kept[which];
                match prepared.take() {
                    Some(ready) => {
                        self.archive.commit(*index, &ready);
                    }
                    None => *prepared = Some(self.archive.prepare(*index)),
                }
            }
            10 if !self.kept.is_empty() => {
                let (index, prepared) = self.kept.remove(usize::from(which) % self.kept.len());
                let open: Vec<SplitId> = prepared.iter().map(|ready| *ready.preparation.split_id()).collect();
                let erasure = self.archive.erase(index, &open);
                self.erased.push(erasure);
            }
            11 => {
                let result = self.meet(|board| board.signed(&MessageHash::of(MESSAGE)));
                self.resolved.push((result, seq));
            }
            12 => drop(self.meet(|board| board.deal_again(&[1, 2], 2, 3))),
            // Whoever may write to the log writes what begins like the library's own, or repeats it.
            13 => {
                let entries = self.archive.registry.chain.entries();
                let message = entries[usize::from(which) % entries.len()].message().to_string();
                self.archive.written(&identity("eva"), &message);
            }
            _ => self.archive.written(&identity("eva"), "free text"),
        }
    }
}

fn steps() -> impl Strategy<Value = Vec<(u8, u8, u8)>> {
    vec((0_u8..15, any::<u8>(), any::<u8>()), 1..28)
}

fn told(steps: &[(u8, u8, u8)]) -> History {
    let mut history = History::new();
    for &(step, which, asked) in steps {
        history.step(step, which, asked);
    }
    history
}

/// All places below a size, as the whole chain gives them.
fn places(chain: &Krunica, size: usize) -> Vec<Located> {
    let reader = reading::under(&covering(ORIGIN, chain, size));
    reading::read(reader, chain.entries(), |reader| reader.places(|_| true)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// At every size and every place, also when proof and checkpoint travelled as text.
    #[test]
    fn the_chain_and_the_proof_of_a_place_agree(steps in steps()) {
        let chain = told(&steps).archive.registry.chain;
        let mut nodes = Nodes::of(chain.entries());
        for size in 1..=chain.entries().len() {
            let checkpoint = covering(ORIGIN, &chain, size);
            let found = places(&chain, size);
            prop_assert_eq!(found.len(), size);
            for (seq, located) in (0..).zip(&found) {
                let (path, entry) = (nodes.path(size as u64, seq), located.entry().clone());
                let proof = PlaceProof::new(checkpoint.record().clone(), entry, path).unwrap();
                let proof = PlaceProof::from_json(proof.to_json().as_bytes()).unwrap();
                prop_assert_eq!(&proof.verify(&checkpoint).unwrap(), located);
            }
        }
    }

    /// The operator's ring, the public ring under a checkpoint and one key of it alone give one verdict with its dates;
    /// and a file of evidence gives the same, of every kind of record.
    #[test]
    fn whoever_knows_the_key_says_the_same(steps in steps()) {
        let History { archive, board: quorum, signed, resolved, kept, erased, .. } = told(&steps);
        let registry = &archive.registry;
        let checkpoint = covering(ORIGIN, &registry.chain, registry.chain.entries().len());
        let size = checkpoint.record().tree_head().size;
        let attested = AttestedRing::new(registry.ring.public().clone(), &checkpoint).unwrap();
        let content = registry.domain.content_hash(&identity("ivan"), CONTENT);
        let located = places(&registry.chain, registry.chain.entries().len());
        let at = |seq: u64| &located[usize::try_from(seq).unwrap()];
        for (record, seq, by) in signed {
            let proof = attested.public().prove(key(by).public_key().hash()).unwrap();
            let alone = AttestedKey::new(&proof, key(by).public_key().clone(), &checkpoint).unwrap();
            let said = |ring: &KeyRing| {
                let verifier = Verifier::new(&registry.domain, ring, &Unprepared);
                verifier.verify_as_of(&content, record.clone(), at(seq)).to_public_json()
            };
            let expected = said(&attested);
            prop_assert_eq!(&said(&alone), &expected);
            // The operator knows as much, as of the last change or decoy.
            let known = registry.ring.known_to().unwrap();
            let size_of = |size: u64| format!("\"size\":{size}");
            prop_assert_eq!(said(&registry.ring).replace(&size_of(known), &size_of(size)), expected);
        }
        let shows = |record: EvidenceRecord, public_key: &PublicKey, seq: u64, document: &[u8]| {
            let file = EvidenceFile::new(parts(registry, record, public_key, seq)).unwrap();
            let open = file.open(&policy()).unwrap();
            let report = open.verify(document).unwrap();
            assert_eq!((report.as_of.place, report.as_of.size, report.as_of.failed), (Some(seq), Some(size), None));
            report.kind
        };
        for (result, seq) in resolved {
            let SessionKind::MlDsa65 { public_key, .. } = quorum.records[0].kind() else { panic!("of that kind") };
            let session_id = *quorum.records[0].session_id();
            let record = QuorumEvidence { identity_id: board(), public_key: public_key.clone(), result, session_id };
            prop_assert_eq!(shows(EvidenceRecord::Quorum(record), public_key, seq, MESSAGE), EvidenceKind::Quorum);
        }
        let vaults = kept.iter().map(|(index, _)| (*index, EvidenceKind::Vault));
        for (index, kind) in vaults.chain(erased.iter().map(|index| (*index, EvidenceKind::Erasure))) {
            let kept = &archive.kept[index];
            let (record, seq) = (kept.record(), kept.record().entry().seq());
            let record = EvidenceRecord::Vault(record.into());
            prop_assert_eq!(shows(record, archive.key.public_key(), seq, &kept.stored), kind);
        }
        // The ledger, the board's session and the ring hold on the same chain.
        archive.check().unwrap();
        let told = Board { chain: registry.chain.clone(), ..quorum };
        let in_force = told.check(&told.records).unwrap();
        prop_assert_eq!(in_force.session().map(|(session, _)| session), told.records.last());
        let file = RingFile::from_json(registry.file().as_bytes()).unwrap();
        let reader = reading::under(&checkpoint);
        let ring = authority(&registry.domain);
        let found = reading::read(reader, registry.chain.entries(), |reader| reader.ring(file, &ring, |_| false));
        prop_assert_eq!(found.unwrap().ring().ring_head(), stated_ring(registry.chain.entries()));
    }

    /// Each lie of a log's signer, and who catches it.
    #[test]
    fn a_log_that_lies_is_caught_by_whoever_can(steps in steps(), size in any::<usize>(), seq in any::<usize>()) {
        let history = told(&steps);
        let (registry, chain) = (&history.archive.registry, &history.archive.registry.chain);
        let size = 1 + size % chain.entries().len();
        let (seq, stated) = (seq % size, stated_ring(&chain.entries()[..size]));
        let honest = head_at(chain, size).tree_head();
        let read = |checkpoint: &Verified<_>| {
            reading::read(reading::under(checkpoint), chain.entries(), |reader| reader.places(|_| true))
        };
        let ring_read = |checkpoint: &Verified<_>| {
            let file = RingFile::from_json(registry.file().as_bytes()).unwrap();
            let ring = authority(&registry.domain);
            let reader = reading::under(checkpoint);
            reading::read(reader, chain.entries(), |reader| reader.ring(file, &ring, |_| false)).map(drop)
        };
        let forks = |one: &Verified<_>, other: &Verified<_>| matches!(compare(one, other), Ok(Comparison::Fork(_)));
        let good = covering(ORIGIN, chain, size);
        prop_assert!(read(&good).is_ok() && ring_read(&good).is_ok());

        // A root over another tree: its proofs hold under it, and whoever reads the entries tells.
        let other = retimed(chain, seq, minute(9_999));
        let mut head = honest;
        head.root = head_at(&other, size).tree_head().root;
        let lie = verified_mark(&mark(ORIGIN, &head, stated));
        let path = Nodes::of(other.entries()).path(size as u64, seq as u64);
        let proof = PlaceProof::new(lie.record().clone(), other.entries()[seq].clone(), path).unwrap();
        let found = proof.verify(&lie).unwrap();
        prop_assert_eq!(found.entry(), &other.entries()[seq]);
        let disagrees: Error = CheckpointFault::TreeDisagrees { size: size as u64 }.into();
        prop_assert_eq!(read(&lie).unwrap_err(), disagrees);
        prop_assert!(forks(&good, &lie));

        // A ring root that is not the chain's, and another ring of the same revision: of the same chain and tree, so
        // that whoever has the ring key tells, and whoever has both checkpoints.
        let root = TreeHash::from_bytes([7; 32]);
        if let Some(ring) = stated {
            let lie = verified_mark(&mark(ORIGIN, &honest, Some(RingHead { root, ..ring })));
            prop_assert!(read(&lie).is_ok());
            let misstated: Error = RingFault::Misstated { size: size as u64 }.into();
            prop_assert_eq!(ring_read(&lie).unwrap_err(), misstated);
            prop_assert!(forks(&good, &lie));
        }

        // Written anew from some entry on: whoever has both checkpoints of a size, and whoever reads the chain.
        let mut forked = Krunica::new();
        chain.entries()[..seq].iter().for_each(|entry| forked.push(entry.clone()).unwrap());
        while forked.entries().len() < size {
            forked.append(&Domain::new("ELSEWHERE").unwrap(), &identity("eva"), "another", minute(0)).unwrap();
        }
        let lie = verified_mark(&mark(ORIGIN, &head_at(&forked, size).tree_head(), stated));
        prop_assert!(forks(&good, &lie));
        prop_assert!(matches!(read(&lie).unwrap_err(), Error::Rejected(_)));
    }
}
