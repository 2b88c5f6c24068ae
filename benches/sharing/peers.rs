//! Other crates, each as its documentation says to use it, on a secret of 32 bytes.
//!
//! `vsss-rs` and `shamirsecretsharing` take the same time for every secret; `blahaj` and `sharks` look secrets up in
//! tables, which is faster and tells them to whoever shares the cache.

use criterion::BenchmarkGroup;
use criterion::measurement::WallTime;
use dualseal::SystemRng;
use dualseal::rand_core::UnwrapErr;
use k256::Scalar;
use shamirsecretsharing::hazmat::{combine_keyshares, create_keyshares};
use std::hint::black_box;
use vsss_rs::{Gf256, IdentifierPrimeField, PrimeFieldShare, ReadableShareSet};

const SECRET: [u8; 32] = [0xa5; 32];

type ScalarShare = PrimeFieldShare<Scalar>;

fn scalar() -> IdentifierPrimeField<Scalar> {
    IdentifierPrimeField(Scalar::from(0xa5a5_a5a5_a5a5_a5a5_u64).invert().expect("not zero"))
}

fn split_scalar(k: u8, n: u8) -> Vec<ScalarShare> {
    let secret = black_box(scalar());
    vsss_rs::shamir::split_secret::<ScalarShare>(k.into(), n.into(), &secret, &mut UnwrapErr(SystemRng))
        .expect("shares")
}

fn split_bytes(k: u8, n: u8) -> Vec<Vec<u8>> {
    Gf256::split_bytes(k.into(), n.into(), black_box(SECRET), UnwrapErr(SystemRng)).expect("shares")
}

fn split_blahaj(k: u8, n: u8) -> Vec<blahaj::Share> {
    blahaj::Sharks(k).dealer(black_box(&SECRET)).take(n.into()).collect()
}

fn split_sharks(k: u8, n: u8) -> Vec<sharks::Share> {
    sharks::Sharks(k).dealer(black_box(&SECRET)).take(n.into()).collect()
}

pub(super) fn split(group: &mut BenchmarkGroup<'_, WallTime>, k: u8, n: u8) {
    group.bench_function("vsss-rs, secp256k1 scalar", |b| b.iter(|| split_scalar(k, n)));
    group.bench_function("vsss-rs, 32 x GF(2^8)", |b| b.iter(|| split_bytes(k, n)));
    group.bench_function("shamirsecretsharing, 32 x GF(2^8)", |b| {
        b.iter(|| create_keyshares(black_box(&SECRET), n, k).expect("shares"));
    });
    group.bench_function("blahaj, 32 x GF(2^8), tables", |b| b.iter(|| split_blahaj(k, n)));
    group.bench_function("sharks, 32 x GF(2^8), tables", |b| b.iter(|| split_sharks(k, n)));
}

pub(super) fn combine(group: &mut BenchmarkGroup<'_, WallTime>, k: u8, n: u8) {
    let first = usize::from(n - k);
    let shares = &split_scalar(k, n)[first..];
    assert_eq!(shares.combine().expect("a secret"), scalar());
    group.bench_function("vsss-rs, secp256k1 scalar", |b| b.iter(|| black_box(shares).combine()));

    let shares = &split_bytes(k, n)[first..];
    assert_eq!(Gf256::combine_bytes(shares).expect("a secret"), SECRET);
    group.bench_function("vsss-rs, 32 x GF(2^8)", |b| b.iter(|| Gf256::combine_bytes(black_box(shares))));

    let shares = &create_keyshares(&SECRET, n, k).expect("shares")[first..];
    assert_eq!(combine_keyshares(shares).expect("a secret"), SECRET);
    group.bench_function("shamirsecretsharing, 32 x GF(2^8)", |b| b.iter(|| combine_keyshares(black_box(shares))));

    let shares = &split_blahaj(k, n)[first..];
    assert_eq!(blahaj::Sharks(k).recover(shares).expect("a secret"), SECRET);
    group.bench_function("blahaj, 32 x GF(2^8), tables", |b| {
        b.iter(|| blahaj::Sharks(k).recover(black_box(shares)).expect("a secret"));
    });

    let shares = &split_sharks(k, n)[first..];
    assert_eq!(sharks::Sharks(k).recover(shares).expect("a secret"), SECRET);
    group.bench_function("sharks, 32 x GF(2^8), tables", |b| {
        b.iter(|| sharks::Sharks(k).recover(black_box(shares)).expect("a secret"));
    });
}
