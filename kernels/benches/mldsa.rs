//! ML-DSA-65 verification, the message representative given, the expansion of a key and the making of a pair, beside
//! the `ml-dsa` crate and for pairs `libcrux-ml-dsa`: in turn, a round each. `cargo bench -p dualseal-kernels --bench
//! mldsa`

use dualseal_kernels::Level;
use dualseal_kernels::mldsa::{Claim, ExpandedKey, make_key, verify, verify_batch};
use libcrux_ml_dsa::ml_dsa_65;
use ml_dsa::{EncodedVerifyingKey, MlDsa65, SigningKey, VerifyingKey};
use std::hint::black_box;
use std::time::Instant;

type Work<'a> = (String, Box<dyn FnMut() + 'a>);

/// Median and least nanoseconds of one call of each.
fn in_turn(rounds: usize, calls: u32, work: &mut [Work<'_>]) {
    let mut seen = vec![Vec::new(); work.len()];
    for _ in 0..rounds {
        for (seen, (_, work)) in seen.iter_mut().zip(&mut *work) {
            let start = Instant::now();
            for _ in 0..calls {
                work();
            }
            seen.push(start.elapsed().as_secs_f64() * 1e9 / f64::from(calls));
        }
    }
    let cycle = nanoseconds_of_a_cycle();
    for (seen, (name, _)) in seen.iter_mut().zip(work) {
        seen.sort_by(f64::total_cmp);
        let median = seen[seen.len() / 2];
        println!("{name:36} {median:9.0} ns  {:9.0} cycles  (least {:9.0})", median / cycle, seen[0] / cycle);
    }
}

/// Of a chain of multiplications and additions, which take three cycles and one on every processor that this is for.
fn nanoseconds_of_a_cycle() -> f64 {
    let chain = || {
        let mut square = black_box(3u64);
        let start = Instant::now();
        for _ in 0..1_000_000 {
            square = square.wrapping_mul(square).wrapping_add(5);
        }
        black_box(square);
        start.elapsed().as_secs_f64() * 1e9 / 4e6
    };
    (0..50).map(|_| chain()).min_by(f64::total_cmp).unwrap()
}

fn main() {
    let signing = SigningKey::<MlDsa65>::from_seed(&[7; 32].into());
    let mu = [9; 64];
    let signature = signing.expanded_key().sign_mu_deterministic(&mu.into());
    let verifying = signing.expanded_key().verifying_key();
    let public: [u8; 1952] = verifying.encode()[..].try_into().unwrap();
    let encoded: [u8; 3309] = signature.encode()[..].try_into().unwrap();
    let expanded = ExpandedKey::expand(Level::PORTABLE, &public);

    let (expanded, verifying) = (&expanded, &verifying);
    let mut work: Vec<Work<'_>> = Vec::new();
    work.push((
        "verify, ml-dsa, decoding included".into(),
        Box::new(|| {
            let signature = ml_dsa::Signature::<MlDsa65>::decode(&black_box(encoded).into()).unwrap();
            assert!(verifying.verify_mu(&black_box(mu).into(), &signature));
        }),
    ));
    for level in Level::all() {
        let run = move || assert!(verify(level, black_box(expanded), black_box(&mu), black_box(&encoded)));
        work.push((format!("verify, {level:?}"), Box::new(run)));
    }
    let claims = [Claim { key: expanded, mu: &mu, signature: &encoded }; 8];
    for level in Level::all() {
        let run = move || {
            let mut verdicts = [false; 8];
            verify_batch(level, black_box(&claims), &mut verdicts);
            assert_eq!(verdicts, [true; 8]);
        };
        work.push((format!("verify eight, {level:?}"), Box::new(run)));
    }
    in_turn(100, 100, &mut work);

    let mut work: Vec<Work<'_>> = Vec::new();
    work.push((
        "expand, ml-dsa".into(),
        Box::new(|| {
            black_box(VerifyingKey::<MlDsa65>::decode(&EncodedVerifyingKey::<MlDsa65>::from(black_box(public))));
        }),
    ));
    for level in Level::all() {
        let mut place = expanded.clone();
        work.push((format!("expand, {level:?}"), Box::new(move || place.expand_into(level, black_box(&public)))));
    }
    in_turn(100, 50, &mut work);

    let mut work: Vec<Work<'_>> = Vec::new();
    work.push((
        "make a pair, ml-dsa".into(),
        Box::new(|| {
            black_box(SigningKey::<MlDsa65>::from_seed(&black_box([7; 32]).into()));
        }),
    ));
    let (mut private, mut made) = ([0; 4032], [0; 1952]);
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        let run = move || ml_dsa_65::avx2::generate_key_pair_mut(black_box([7; 32]), &mut private, &mut made);
        work.push(("make a pair, libcrux-ml-dsa, AVX2".into(), Box::new(run)));
    }
    let run = move || ml_dsa_65::portable::generate_key_pair_mut(black_box([7; 32]), &mut private, &mut made);
    work.push(("make a pair, libcrux-ml-dsa, portable".into(), Box::new(run)));
    for level in Level::all() {
        let run = move || make_key(level, &black_box([7; 32]), &mut private, &mut made);
        work.push((format!("make a pair, {level:?}"), Box::new(run)));
    }
    in_turn(100, 20, &mut work);
}
