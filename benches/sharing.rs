//! Splitting and combining secrets on both fields, plain and against commitments. `cargo xtask bench` has the plain
//! ones beside other crates.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use dualseal::field::{Field, Fp521, Gf2_256};
use dualseal::secret::Secret;
use dualseal::shamir::{Dealing, DrawnSecret, Share, Threshold, reconstruct, reconstruct_unanchored};
use dualseal::stream::{Purpose, open, seal};
use dualseal::{Domain, SystemRng};
use std::hint::black_box;
use std::time::Duration;

const THRESHOLDS: [(u8, u8); 6] = [(2, 3), (3, 5), (5, 9), (16, 31), (64, 128), (128, 255)];

fn split(c: &mut Criterion) {
    for (k, n) in THRESHOLDS {
        let mut group = group(c, &format!("split {k} of {n}"));
        ours_split::<Fp521>(&mut group, "F_p", k, n);
        ours_split::<Gf2_256>(&mut group, "GF(2^256)", k, n);
        group.finish();
    }
}

fn combine(c: &mut Criterion) {
    for (k, n) in THRESHOLDS {
        let mut group = group(c, &format!("combine {k} of {n}"));
        ours_combine::<Fp521>(&mut group, "F_p", k, n);
        ours_combine::<Gf2_256>(&mut group, "GF(2^256)", k, n);
        group.finish();
    }
}

fn group<'a>(c: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = c.benchmark_group(name);
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_millis(1500)).sample_size(30);
    group
}

fn threshold(k: u8, n: u8) -> Threshold {
    Threshold::new(k.into(), n.into()).expect("a threshold")
}

fn ours_split<F: Field>(group: &mut BenchmarkGroup<'_, WallTime>, field: &str, k: u8, n: u8) {
    let (domain, threshold) = (Domain::default(), threshold(k, n));
    let secret = DrawnSecret::<F>::draw(&mut SystemRng).expect("a secret");
    group.bench_function(format!("dualseal {field}, plain"), |b| {
        b.iter(|| black_box(&secret).split(threshold, &mut SystemRng));
    });
    group.bench_function(format!("dualseal {field}, anchored"), |b| {
        b.iter(|| Dealing::deal(&domain, black_box(&secret), threshold, &mut SystemRng));
    });
}

/// The last k shares: the indices with the largest weights.
fn ours_combine<F: Field>(group: &mut BenchmarkGroup<'_, WallTime>, field: &str, k: u8, n: u8) {
    let secret = DrawnSecret::<F>::draw(&mut SystemRng).expect("a secret");
    let dealt = Dealing::deal(&Domain::default(), &secret, threshold(k, n), &mut SystemRng).expect("shares");
    let shares: &[Share<F>] = &dealt.shares[usize::from(n - k)..];
    group.bench_function(format!("dualseal {field}, plain"), |b| {
        b.iter(|| reconstruct_unanchored(k.into(), black_box(shares)));
    });
    group.bench_function(format!("dualseal {field}, anchored"), |b| {
        b.iter(|| reconstruct(&dealt.dealing, black_box(shares)));
    });
}

fn correct(c: &mut Criterion) {
    let mut group = group(c, "correct wrong shares without commitments");
    for (k, n, wrong) in [(3, 5, 1), (16, 31, 7), (64, 128, 32)] {
        correct_on::<Fp521>(&mut group, "F_p", k, n, wrong);
        correct_on::<Gf2_256>(&mut group, "GF(2^256)", k, n, wrong);
    }
    group.finish();
}

fn correct_on<F: Field>(group: &mut BenchmarkGroup<'_, WallTime>, field: &str, k: u8, n: u8, wrong: usize) {
    let threshold = threshold(k, n);
    let [secret, other] = [(); 2].map(|()| DrawnSecret::<F>::draw(&mut SystemRng).expect("a secret"));
    let shares = secret.split(threshold, &mut SystemRng).expect("shares");
    let mut mixed = other.split(threshold, &mut SystemRng).expect("shares");
    mixed.truncate(wrong);
    mixed.extend(shares.into_iter().skip(wrong));
    group.bench_function(format!("{field}, {wrong} of {n}, k = {k}"), |b| {
        b.iter(|| reconstruct_unanchored(k.into(), black_box(&mixed)).expect("corrected"));
    });
}

fn stream(c: &mut Criterion) {
    let domain = Domain::default();
    let purpose = Purpose::new(&domain, &[7; 32], "BENCH").expect("a purpose");
    let secret = Secret::<32>::random(&mut SystemRng).expect("a secret");
    for size in [32, 1 << 20] {
        let mut group = group(c, &format!("stream of {size} bytes"));
        group.throughput(Throughput::Bytes(size as u64));
        let plaintext = vec![0x5a; size];
        let stored = seal(&secret, &purpose, &plaintext, &mut SystemRng).expect("a stream");
        group.bench_function("seal", |b| b.iter(|| seal(&secret, &purpose, black_box(&plaintext), &mut SystemRng)));
        group.bench_function("open", |b| b.iter(|| open(&secret, &purpose, black_box(&stored))));
        group.finish();
    }
}

criterion_group!(benches, split, combine, correct, stream);
criterion_main!(benches);
