//! Identifiers, key pairs, signing and verifying, beside the bare `ml-dsa` crate doing the same work.
//!
//! The specification's reference timings are 11 ms for a key pair, 52 ms to sign and 12 ms to verify.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use dualseal::key::{PreparedKeyCache, Unprepared};
use dualseal::{Domain, Head, KeyRing, Signer, SigningKey, SystemRng, Timestamp, VerdictKind, Verifier};
use ml_dsa::{Keypair, MlDsa65};
use std::hint::black_box;

const SEED: [u8; 32] = [7; 32];
const SIZES: [usize; 3] = [64, 1 << 10, 1 << 20];

fn identifiers(c: &mut Criterion) {
    let domain = Domain::default();
    let mut group = c.benchmark_group("identifier");
    for size in SIZES {
        let content = vec![0x5a; size];
        group.throughput(Throughput::Bytes(size as u64));
        group.bench_with_input(BenchmarkId::new("general", size), &content, |b, content| {
            b.iter(|| domain.identity_id(black_box(content), "creator", "context"));
        });
        group.bench_with_input(BenchmarkId::new("vault", size), &content, |b, content| {
            b.iter(|| domain.vault_id(black_box(content), "creator", "context", 1));
        });
    }
    group.finish();
}

fn key_pair(c: &mut Criterion) {
    let mut group = c.benchmark_group("key pair (specification: 11 ms)");
    group.bench_function("dualseal", |b| b.iter(|| SigningKey::from_seed(black_box(&SEED))));
    group.bench_function("ml-dsa", |b| {
        b.iter(|| ml_dsa::SigningKey::<MlDsa65>::from_seed(&ml_dsa::Seed::from(black_box(SEED))));
    });
    group.finish();
}

fn sign(c: &mut Criterion) {
    let (domain, key) = (Domain::default(), SigningKey::from_seed(&SEED).expect("a seed"));
    let id = domain.identity_id(b"bench", "bench", "").expect("an identity");
    let signer = Signer::new(&domain, &id, &key);
    let content = signer.content_hash(b"content");
    let raw = ml_dsa::SigningKey::<MlDsa65>::from_seed(&ml_dsa::Seed::from(SEED));
    // As long as a statement, so that both hash the same amount.
    let message = [0x5a; 300];

    let mut group = c.benchmark_group("sign (specification: 52 ms)");
    group
        .bench_function("dualseal", |b| b.iter(|| signer.sign(&content, &Head::EMPTY, Timestamp::MIN, &mut SystemRng)));
    group.bench_function("ml-dsa", |b| {
        b.iter(|| raw.expanded_key().sign_randomized(black_box(&message), &[], &mut SystemRng));
    });
    group.finish();
}

fn verify(c: &mut Criterion) {
    let (domain, key) = (Domain::default(), SigningKey::from_seed(&SEED).expect("a seed"));
    let id = domain.identity_id(b"bench", "bench", "").expect("an identity");
    let signer = Signer::new(&domain, &id, &key);
    let content = signer.content_hash(b"content");
    let record = signer.sign_deterministic(&content, &Head::EMPTY, Timestamp::MIN).expect("a signature").record;
    let ring = KeyRing::pinned(&id, key.public_key().clone());
    let cache = PreparedKeyCache::new(1 << 20);

    let raw = ml_dsa::SigningKey::<MlDsa65>::from_seed(&ml_dsa::Seed::from(SEED));
    let message = [0x5a; 300];
    let signature = raw.expanded_key().sign_deterministic(&message, &[]).expect("a signature");
    let raw_key = raw.verifying_key();
    let encoded = raw_key.encode();

    let mut group = c.benchmark_group("verify (specification: 12 ms)");
    let prepared = Verifier::new(&domain, &ring, &cache);
    assert_eq!(prepared.verify(&content, record.clone(), None).kind(), VerdictKind::Valid);
    group.bench_function("dualseal, prepared key", |b| b.iter(|| prepared.verify(&content, record.clone(), None)));
    // As long as for a known one, or the time tells who is in the ring.
    let nobody = KeyRing::pinned(&id, SigningKey::from_seed(&[8; 32]).expect("a key").public_key().clone());
    let unknown = Verifier::new(&domain, &nobody, &cache);
    assert_eq!(unknown.verify(&content, record.clone(), None).kind(), VerdictKind::Invalid);
    group.bench_function("dualseal, unknown key", |b| b.iter(|| unknown.verify(&content, record.clone(), None)));
    group.bench_function("ml-dsa, prepared key", |b| {
        b.iter(|| raw_key.verify_with_context(black_box(&message), &[], &signature));
    });
    let unprepared = Verifier::new(&domain, &ring, &Unprepared);
    group.bench_function("dualseal, unprepared key", |b| b.iter(|| unprepared.verify(&content, record.clone(), None)));
    group.bench_function("ml-dsa, unprepared key", |b| {
        b.iter(|| {
            ml_dsa::VerifyingKey::<MlDsa65>::decode(black_box(&encoded)).verify_with_context(&message, &[], &signature)
        });
    });
    group.finish();
}

criterion_group!(benches, identifiers, key_pair, sign, verify);
criterion_main!(benches);
