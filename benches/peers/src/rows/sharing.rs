//! Secrets of 32 bytes split and combined, plainly: shares and nothing else.
//!
//! `vsss-rs` and `shamirsecretsharing` take the same time for every secret; `blahaj` and `sharks` look secrets up in
//! tables, which is faster and tells them to whoever shares the cache: they stand beside, and are no peers.

use crate::table::{Row, Table};
use dualseal::SystemRng;
use dualseal::field::{Field, Fp521, Gf2_256};
use dualseal::rand_core::UnwrapErr;
use dualseal::shamir::{DrawnSecret, Share, Threshold, reconstruct_unanchored};
use k256::Scalar;
use shamirsecretsharing::hazmat::{combine_keyshares, create_keyshares};
use std::hint::black_box;
use vsss_rs::{Gf256, IdentifierPrimeField, PrimeFieldShare, ReadableShareSet};

const SECRET: [u8; 32] = [0xa5; 32];
const THRESHOLDS: [(u8, u8); 6] = [(2, 3), (3, 5), (5, 9), (10, 16), (16, 31), (128, 255)];

type ScalarShare = PrimeFieldShare<Scalar>;

pub fn measure(table: &mut Table) {
    table.group("Sharing");
    for (k, n) in THRESHOLDS {
        split(table, k, n);
        combine(table, k, n);
    }
}

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

fn split_ours<F: Field>(secret: &DrawnSecret<F>, k: u8, n: u8) -> Vec<Share<F>> {
    let threshold = Threshold::new(k.into(), n.into()).expect("a threshold");
    secret.split(threshold, &mut SystemRng).expect("shares")
}

fn drawn<F: Field>() -> DrawnSecret<F> {
    DrawnSecret::draw(&mut SystemRng).expect("a secret")
}

fn split(table: &mut Table, k: u8, n: u8) {
    let (large, small) = (drawn::<Fp521>(), drawn::<Gf2_256>());
    table.row(
        Row::new(format!("split {k} of {n}"))
            .ours("dualseal F_p", || split_ours(&large, k, n))
            .ours("dualseal GF(2^256)", || split_ours(&small, k, n))
            .peer("vsss-rs, secp256k1 scalar", || split_scalar(k, n))
            .peer("vsss-rs, 32 x GF(2^8)", || split_bytes(k, n))
            .peer("shamirsecretsharing", || create_keyshares(black_box(&SECRET), n, k).expect("shares"))
            .beside("blahaj (tables)", || split_blahaj(k, n))
            .beside("sharks (tables)", || split_sharks(k, n)),
    );
}

/// The last k shares: the indices with the largest weights.
fn combine(table: &mut Table, k: u8, n: u8) {
    let first = usize::from(n - k);
    let large = &split_ours(&drawn::<Fp521>(), k, n)[first..];
    let small = &split_ours(&drawn::<Gf2_256>(), k, n)[first..];
    let (scalars, bytes) = (&split_scalar(k, n)[first..], &split_bytes(k, n)[first..]);
    let keyshares = &create_keyshares(&SECRET, n, k).expect("shares")[first..];
    let (blahajs, sharkss) = (&split_blahaj(k, n)[first..], &split_sharks(k, n)[first..]);
    table.row(
        Row::new(format!("combine {k} of {n}"))
            .ours("dualseal F_p", || reconstruct_unanchored(k.into(), black_box(large)).expect("a secret"))
            .ours("dualseal GF(2^256)", || reconstruct_unanchored(k.into(), black_box(small)).expect("a secret"))
            .peer("vsss-rs, secp256k1 scalar", || assert_eq!(black_box(scalars).combine().expect("one"), scalar()))
            .peer("vsss-rs, 32 x GF(2^8)", || {
                assert_eq!(Gf256::combine_bytes(black_box(bytes)).expect("a secret"), SECRET);
            })
            .peer("shamirsecretsharing", || {
                assert_eq!(combine_keyshares(black_box(keyshares)).expect("a secret"), SECRET);
            })
            .beside("blahaj (tables)", || {
                assert_eq!(blahaj::Sharks(k).recover(black_box(blahajs)).expect("a secret"), SECRET);
            })
            .beside("sharks (tables)", || {
                assert_eq!(sharks::Sharks(k).recover(black_box(sharkss)).expect("a secret"), SECRET);
            }),
    );
}
