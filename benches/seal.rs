//! Seals under each policy, and the chain's check for each entry, beside the bare crates doing exactly the same work in
//! the same run: the difference is what this library adds.

mod bare_seal;

use bare_seal::Bare;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use dualseal::key::PreparedKeyCache;
use dualseal::krunica::{Checker, JsonLines};
use dualseal::seal::{Conclusion, LayerOutcome, Legacy, Policy, Seal, SealKey, SealVerifier, Sealer};
use dualseal::tree::{Frontier, TreeHash};
use dualseal::{Domain, Entry, KeyRing, Krunica, SigningKey, SystemRng, Timestamp, Verdict};
use sha2::Sha256;
use sha3::{Digest, Sha3_512};
use std::hint::black_box;

const SEED: [u8; 32] = [7; 32];
const SEAL_KEY: [u8; 64] = [9; 64];
const SIZES: [usize; 3] = [64, 1 << 10, 1 << 20];
const ENTRIES: u64 = 1000;

fn seal(c: &mut Criterion) {
    let (domain, signing) = (Domain::default(), SigningKey::from_seed(&SEED).expect("a seed"));
    let id = domain.identity_id(b"bench", "bench", "").expect("an identity");
    let seal_key = SealKey::from_slice(&SEAL_KEY).expect("64 bytes");
    let bare = Bare::new(&SEED, &SEAL_KEY, &id.to_hex());
    let sealer = Sealer::new(&domain, &id, &seal_key, &signing);
    let mut group = c.benchmark_group("seal");
    for size in SIZES {
        let payload = vec![0x5a; size];
        group.throughput(Throughput::Bytes(size as u64));
        group.bench_with_input(BenchmarkId::new("dualseal", size), &payload, |b, payload| {
            b.iter(|| sealer.seal(black_box(payload), &mut SystemRng));
        });
        group.bench_with_input(BenchmarkId::new("bare crates", size), &payload, |b, payload| {
            b.iter(|| bare.seal(black_box(payload)));
        });
    }
    group.finish();
}

fn verify(c: &mut Criterion) {
    let (domain, signing) = (Domain::default(), SigningKey::from_seed(&SEED).expect("a seed"));
    let id = domain.identity_id(b"bench", "bench", "").expect("an identity");
    let seal_key = SealKey::from_slice(&SEAL_KEY).expect("64 bytes");
    let bare = Bare::new(&SEED, &SEAL_KEY, &id.to_hex());
    let ring = KeyRing::pinned(&id, signing.public_key().clone());
    let cache = PreparedKeyCache::new(1 << 20);
    let verifier = SealVerifier::new(&domain, &ring, &cache);
    for (name, policy, a, b) in [
        ("both", Policy::Both(&seal_key), true, true),
        ("layer A", Policy::LayerA(&seal_key), true, false),
        ("layer B", Policy::LayerB, false, true),
    ] {
        let mut group = c.benchmark_group(format!("verify, {name}"));
        for size in SIZES {
            let payload = vec![0x5a; size];
            let bare_seal = bare.seal(&payload);
            let text = format!("SEAL-DUAL::{}::{}", hex::encode(bare_seal.0), hex::encode(bare_seal.1));
            let seal: Seal = text.parse().expect("a seal");
            let report = verifier.verify(&seal, &payload, &id, policy, Legacy::Refused, None);
            assert!(
                matches!(report.layer_a, LayerOutcome::Pass) == a && matches!(report.layer_b, LayerOutcome::Pass) == b
            );
            let good =
                matches!(report.conclusion, Conclusion::Verdict(Verdict::Valid(_)) | Conclusion::Authenticated(_));
            assert!(good && bare.verify(&payload, &bare_seal, a, b));
            group.throughput(Throughput::Bytes(size as u64));
            group.bench_with_input(BenchmarkId::new("dualseal", size), &payload, |bench, payload| {
                bench.iter(|| verifier.verify(&seal, black_box(payload), &id, policy, Legacy::Refused, None));
            });
            group.bench_with_input(BenchmarkId::new("bare crates", size), &payload, |bench, payload| {
                bench.iter(|| bare.verify(black_box(payload), &bare_seal, a, b));
            });
        }
        group.finish();
    }
}

/// What a check of one entry has at hand, as bytes and as the text of the wire.
struct Parts {
    w3: [u8; 32],
    message: String,
    prev: [u8; 64],
    seq: String,
    h: [u8; 64],
    t: String,
}

impl Parts {
    fn of(entry: &Entry) -> Self {
        Self {
            w3: *entry.identity_id().as_bytes(),
            message: entry.message().to_string(),
            prev: *entry.prev().as_bytes(),
            seq: entry.seq().to_string(),
            h: *entry.hash().as_bytes(),
            t: entry.time().to_string(),
        }
    }

    /// The entry's hash, and that of its leaf in the tree, over hexadecimal as the formulas ask.
    fn check(&self) -> ([u8; 64], TreeHash) {
        let (mut w3, mut long) = ([0; 64], [0; 128]);
        let mut hash = Sha3_512::new();
        Digest::update(&mut hash, base16ct::lower::encode(&self.w3, &mut w3).expect("room"));
        Digest::update(&mut hash, b"|");
        Digest::update(&mut hash, &self.message);
        Digest::update(&mut hash, b"|");
        Digest::update(&mut hash, base16ct::lower::encode(&self.prev, &mut long).expect("room"));
        Digest::update(&mut hash, b"|");
        Digest::update(&mut hash, &self.seq);
        let own = hash.finalize().into();
        let mut leaf = Sha256::new_with_prefix(b"\0{\"h\":\"");
        Digest::update(&mut leaf, base16ct::lower::encode(&self.h, &mut long).expect("room"));
        Digest::update(&mut leaf, b"\",\"seq\":");
        Digest::update(&mut leaf, &self.seq);
        Digest::update(&mut leaf, b",\"t\":\"");
        Digest::update(&mut leaf, &self.t);
        Digest::update(&mut leaf, b"\"}");
        (own, TreeHash::from_bytes(leaf.finalize().into()))
    }
}

/// One line of a chain file as serde reads it. It tells nothing of duplicates or unknown members, and takes any `t`.
#[derive(serde::Deserialize)]
struct Line<'a> {
    h: &'a str,
    #[serde(rename = "poruka")]
    message: String,
    prev: &'a str,
    t: &'a str,
    w3: &'a str,
}

impl Line<'_> {
    fn read(line: &[u8], seq: u64) -> Parts {
        let line: Line<'_> = serde_json::from_slice(line).expect("an entry");
        let (mut w3, mut prev, mut h) = ([0; 32], [0; 64], [0; 64]);
        base16ct::lower::decode(line.w3, &mut w3).expect("hexadecimal");
        base16ct::lower::decode(line.prev, &mut prev).expect("hexadecimal");
        base16ct::lower::decode(line.h, &mut h).expect("hexadecimal");
        Parts { w3, message: line.message, prev, seq: seq.to_string(), h, t: line.t.to_string() }
    }
}

fn chain(c: &mut Criterion) {
    let domain = Domain::default();
    let id = domain.identity_id(b"bench", "bench", "").expect("an identity");
    let mut chain = Krunica::new();
    for number in 0..ENTRIES {
        let message = domain.content_hash(&id, &number.to_be_bytes()).to_hex();
        chain.append(&domain, &id, &message, Timestamp::MIN).expect("not reserved");
    }
    let lines: String = chain.entries().iter().map(Entry::to_json_line).collect();
    let parts: Vec<Parts> = chain.entries().iter().map(Parts::of).collect();

    let mut group = c.benchmark_group("chain check, for each entry");
    group.throughput(Throughput::Elements(ENTRIES));
    group.bench_function("typed", |b| {
        b.iter(|| {
            let mut checker = Checker::new();
            chain.entries().iter().try_for_each(|entry| checker.push(black_box(entry)))
        });
    });
    group.bench_function("JSON lines", |b| {
        b.iter(|| {
            let (mut cut, mut checker) = (JsonLines::new(), Checker::new());
            cut.push(black_box(lines.as_bytes()), |line| Ok(checker.push_json(line).map(drop)?))
        });
    });
    group.bench_function("bare crates and serde_json", |b| {
        b.iter(|| {
            let mut tree = Frontier::new();
            black_box(lines.as_bytes()).split_inclusive(|byte| *byte == b'\n').zip(0..).all(|(line, seq)| {
                let parts = Line::read(line, seq);
                let (own, leaf) = parts.check();
                own == parts.h && tree.push(leaf)
            })
        });
    });
    group.bench_function("bare crates", |b| {
        b.iter(|| {
            let mut tree = Frontier::new();
            parts.iter().all(|parts| {
                let (own, leaf) = black_box(parts).check();
                own == parts.h && tree.push(leaf)
            })
        });
    });
    group.finish();
}

criterion_group!(benches, seal, verify, chain);
criterion_main!(benches);
