//! What a stranger needs to see that an entry stands in a log: one file, or the whole chain; and what an append costs.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use dualseal::checkpoint::{Checkpoint, CheckpointSigner, CheckpointVerifier, Growth, HighWaterMark, Pins, PlaceProof};
use dualseal::key::Unprepared;
use dualseal::krunica::{Checker, JsonLines};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::tree::{NodeReader, TreeHash, prove_leaf, root_of};
use dualseal::{Domain, Entry, Head, IdentityId, Krunica, SigningKey, SystemRng, Timestamp, Verified};
use sha2::{Digest, Sha256};
use sha3::Sha3_512;
use std::convert::Infallible;
use std::hint::black_box;

const ORIGIN: &str = "bench/log";

/// Entries that a chain in memory has; the figures of longer ones follow from them.
const ENTRIES: u64 = 1000;

/// A log of any size, all of whose leaves but one are made up: the levels of its tree are what a hash says of their
/// numbers, except above the one entry.
struct Simulated {
    seq: u64,
    leaf: TreeHash,
}

impl NodeReader for Simulated {
    type Error = Infallible;

    fn node(&mut self, level: u8, index: u64) -> Result<TreeHash, Infallible> {
        if self.seq >> level != index {
            let digest = Sha256::new().chain_update([level]).chain_update(index.to_be_bytes()).finalize();
            return Ok(TreeHash::from_bytes(digest.into()));
        }
        let Some(below) = level.checked_sub(1) else { return Ok(self.leaf) };
        let (left, right) = (self.node(below, index * 2)?, self.node(below, index * 2 + 1)?);
        let digest =
            Sha256::new_with_prefix([1]).chain_update(left.as_bytes()).chain_update(right.as_bytes()).finalize();
        Ok(TreeHash::from_bytes(digest.into()))
    }
}

struct Log {
    domain: Domain,
    id: IdentityId,
    key: SigningKey,
}

impl Log {
    fn new() -> Self {
        let domain = Domain::default();
        let id = domain.identity_id(b"bench", "log", "").expect("an identity");
        Self { domain, id, key: SigningKey::from_seed(&[5; 32]).expect("a seed") }
    }

    /// The entry that a signature would leave at this place.
    fn entry(&self, seq: u64) -> Entry {
        let frontier = vec![TreeHash::from_bytes([7; 32]); seq.count_ones() as usize];
        let top = if seq == 0 { "00" } else { "5a" }.repeat(64).parse().expect("a hash");
        let head = Head::from_parts(seq, top, &frontier).expect("a head");
        let message = self.domain.content_hash(&self.id, &seq.to_be_bytes()).to_hex();
        head.append(&self.domain, &self.id, &message, Timestamp::MIN).expect("not reserved").entry
    }

    fn sign(&self, size: u64, top: &str, root: &TreeHash) -> Checkpoint {
        let mark = format!(r#"{{"origin":"{ORIGIN}","ring":null,"root":"{root}","size":{size},"top":"{top}"}}"#);
        let mark = HighWaterMark::from_json(mark.as_bytes()).expect("a mark");
        let signer = CheckpointSigner::new(&self.domain, ORIGIN, &self.id, &self.key).expect("an origin");
        signer.sign(&mark, Timestamp::MIN, &mut SystemRng).expect("signed")
    }

    fn verify(&self, checkpoint: Checkpoint) -> Verified<Checkpoint> {
        let key_hash = *self.key.public_key().hash();
        let pins = Pins { origin: ORIGIN.to_owned(), identity_id: self.id, key_hash, least_size: 1 };
        let verdict = CheckpointVerifier::new(&self.domain, &pins, None, &Unprepared).verify(checkpoint);
        verdict.valid().expect("just signed")
    }
}

fn place(c: &mut Criterion) {
    let log = Log::new();
    let mut group = c.benchmark_group("one place");
    for size in [1_000, 1_000_000, 1_000_000_000] {
        let seq = size / 3;
        let entry = log.entry(seq);
        let mut nodes = Simulated { seq, leaf: entry.leaf_hash() };
        let root = root_of(&mut nodes, size).expect("simulated");
        let path = prove_leaf(&mut nodes, size, seq).expect("simulated").expect("below the size");
        let proof = PlaceProof::new(log.sign(size, &"5a".repeat(64), &root), entry, path).expect("it stands");
        let text = proof.to_json();
        println!("{size} entries: {} bytes, {} of them the checkpoint", text.len(), proof.checkpoint().to_json().len());
        let checkpoint = log.verify(proof.checkpoint().clone());
        group.bench_function(BenchmarkId::new("the place under a verified checkpoint", size), |b| {
            b.iter(|| black_box(&proof).verify(&checkpoint));
        });
        group.bench_function(BenchmarkId::new("the file, read and verified with its checkpoint", size), |b| {
            b.iter(|| {
                let read = PlaceProof::from_json(black_box(text.as_bytes())).expect("a proof");
                let checkpoint = log.verify(read.checkpoint().clone());
                read.verify(&checkpoint)
            });
        });
    }
    group.finish();
}

fn whole_chain(c: &mut Criterion) {
    let log = Log::new();
    let mut chain = Krunica::new();
    for number in 0..ENTRIES {
        let message = log.domain.content_hash(&log.id, &number.to_be_bytes()).to_hex();
        chain.append(&log.domain, &log.id, &message, Timestamp::MIN).expect("not reserved");
    }
    let lines: String = chain.entries().iter().map(Entry::to_json_line).collect();
    println!("whole chain: {} bytes an entry", lines.len() as u64 / ENTRIES);
    let mut group = c.benchmark_group("whole chain, for each entry");
    group.throughput(Throughput::Elements(ENTRIES));
    group.bench_function("JSON lines", |b| {
        b.iter(|| {
            let (mut cut, mut checker) = (JsonLines::new(), Checker::new());
            cut.push(black_box(lines.as_bytes()), |line| Ok(checker.push_json(line).map(drop)?))
        });
    });
    let from = Head::EMPTY.tree_head();
    group.bench_function("growth by the entries", |b| {
        b.iter(|| Growth::by_entries(&from, Head::EMPTY, black_box(chain.entries())));
    });
    group.finish();
}

/// What an operator reads after the last checkpoint, whatever stands before it: the places of so many entries under the
/// next one, from the head that was stored with the last, after none and after 10^6.
fn after_a_checkpoint(c: &mut Criterion) {
    let log = Log::new();
    let mut group = c.benchmark_group("after a checkpoint, for each entry");
    group.throughput(Throughput::Elements(ENTRIES)).sample_size(20);
    let mut head = Head::EMPTY;
    let append = |head: &mut Head| {
        let message = log.domain.content_hash(&log.id, &head.size().to_be_bytes()).to_hex();
        let appended = head.append(&log.domain, &log.id, &message, Timestamp::MIN).expect("not reserved");
        *head = appended.head;
        appended.entry
    };
    for before in [0, 1_000_000] {
        while head.size() < before {
            append(&mut head);
        }
        let stored = TrustedHead::stored(&head);
        let lines: String = (0..ENTRIES).map(|_| append(&mut head).to_json_line()).collect();
        let (size, top, root) = (head.size(), head.top().to_hex(), head.root());
        let next = log.verify(log.sign(size, &top, &root));
        group.bench_function(BenchmarkId::new("the places of what follows", before), |b| {
            b.iter(|| {
                let mut reader = ChainReader::new(&log.domain, &stored).under(&next).expect("before its end");
                let places = reader.places(|_| true).expect("before the first entry");
                reader.push_lines(black_box(lines.as_bytes())).expect("a sound chain");
                let located = reader.finish().and_then(|mut proofs| proofs.take(places)).expect("it agrees");
                assert_eq!(located.len() as u64, ENTRIES);
            });
        });
    }
    group.finish();
}

/// Beside the two hashes over hexadecimal that an append made while a running hash covered the times.
fn append(c: &mut Criterion) {
    let log = Log::new();
    let message = "5a".repeat(32);
    let mut group = c.benchmark_group("append an entry");
    for size in [1_u64 << 20, (1 << 20) + 1, (1 << 20) - 1] {
        let frontier = vec![TreeHash::from_bytes([7; 32]); size.count_ones() as usize];
        let head = Head::from_parts(size, "5a".repeat(64).parse().expect("a hash"), &frontier).expect("a head");
        group.bench_function(BenchmarkId::new("dualseal", size), |b| {
            b.iter(|| black_box(&head).append(&log.domain, &log.id, &message, Timestamp::MIN));
        });
    }
    let (w3, prev, time) = (log.id.to_hex(), "5a".repeat(64), Timestamp::MIN.to_string());
    group.bench_function("the entry's hash and a running hash over the times", |b| {
        b.iter(|| {
            let of_entry = Sha3_512::new()
                .chain_update(black_box(&w3))
                .chain_update(b"|")
                .chain_update(&message)
                .chain_update(b"|")
                .chain_update(&prev)
                .chain_update(b"|1048576")
                .finalize();
            let running = Sha3_512::new()
                .chain_update(&prev)
                .chain_update(b"|")
                .chain_update(dualseal::encoding::hex::encode(&of_entry))
                .chain_update(b"|")
                .chain_update(&time)
                .finalize();
            (of_entry, running)
        });
    });
    group.finish();
}

criterion_group!(benches, place, whole_chain, after_a_checkpoint, append);
criterion_main!(benches);
