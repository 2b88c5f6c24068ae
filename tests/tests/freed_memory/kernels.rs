//! What has a name when the kernels make a key is wiped by them; frames are cleared by who calls them. Each thing is
//! seen in the kernels' frame while they work, so that one that is not there afterwards was there.

use super::frames::{BELOW, memory_below};
use crate::bytes;
use dualseal::mldsa::{EXPANDED_KEY_BYTES, PUBLIC_KEY_BYTES};
use dualseal_kernels::Level;
use dualseal_kernels::mldsa::make_key;
use dualseal_tests::primitive::shake256;
use std::collections::{BTreeSet, HashSet};
use std::fs::File;
use std::hint::black_box;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

const Q: i64 = 8_380_417;

type Polynomial = [i64; 256];

/// A thing as the kernels have it.
enum Form {
    Bytes(Vec<u8>),
    /// Words of 32 bits, each of which may be any representative modulo q.
    Coefficients(Vec<i64>),
}

/// The names of the things of which sixteen neighbouring bytes are in this memory.
fn found(things: &[(&'static str, Form)], memory: &[u8]) -> BTreeSet<&'static str> {
    let of_bytes: HashSet<_> = memory.windows(16).collect();
    let residues = |offset: usize| -> Vec<_> {
        let words = memory[offset..].as_chunks().0.iter();
        words.map(|word| i64::from(i32::from_le_bytes(*word)).rem_euclid(Q)).collect()
    };
    let of_words = [0, 1, 2, 3].map(residues);
    let of_words: HashSet<_> = of_words.iter().flat_map(|words| words.windows(4)).collect();
    let is_there = |form: &Form| match form {
        Form::Bytes(bytes) => bytes.windows(16).any(|window| of_bytes.contains(window)),
        Form::Coefficients(words) => words.windows(4).any(|window| of_words.contains(window)),
    };
    things.iter().filter(|(_, form)| is_there(form)).map(|(name, _)| *name).collect()
}

/// Algorithm 41 of FIPS 204, its first layers.
fn transformed(mut w: Polynomial, layers: u32) -> Polynomial {
    let power = |exponent: u8| (0..exponent).fold(1, |power, _| power * 1753 % Q);
    let mut m = 0_u8;
    for layer in 0..layers {
        let len = 128 >> layer;
        for start in (0..256).step_by(2 * len) {
            m += 1;
            let zeta = power(m.reverse_bits());
            for j in start..start + len {
                let t = zeta * w[j + len] % Q;
                (w[j], w[j + len]) = ((w[j] + t) % Q, (w[j] - t).rem_euclid(Q));
            }
        }
    }
    w
}

/// Half of the way to the transposed square: a step of what the kernels do.
fn half_transposed(w: &Polynomial) -> Polynomial {
    std::array::from_fn(|i| w[i / 4 + 64 * (i % 4)])
}

/// So many bits of each coefficient.
fn unpacked(bytes: &[u8], bits: usize) -> Polynomial {
    let bit = |place: usize| i64::from(bytes[place / 8] >> (place % 8) & 1);
    std::array::from_fn(|i| (0..bits).map(|place| bit(bits * i + place) << place).sum())
}

/// What is secret while a key is made, from the seed and the key.
fn secrets(
    seed: &[u8; 32],
    key: &[u8; EXPANDED_KEY_BYTES],
    public: &[u8; PUBLIC_KEY_BYTES],
) -> Vec<(&'static str, Form)> {
    let (short, t0) = (key[128..1536].as_chunks::<128>().0, key[1536..].as_chunks::<416>().0);
    let halves = |from: &[[u8; 128]]| {
        let halves = |byte: &u8| [byte & 15, byte >> 4];
        Form::Bytes(from.as_flattened().iter().flat_map(halves).collect())
    };
    let polynomials =
        |all: &mut dyn Iterator<Item = Polynomial>| Form::Coefficients(all.collect::<Vec<_>>().as_flattened().to_vec());
    let short_of = |encoded: &[u8; 128]| unpacked(encoded, 4).map(|half| 4 - half);
    let s1 = || short[..5].iter().map(short_of);
    let t: Vec<Polynomial> = public[32..]
        .as_chunks::<320>()
        .0
        .iter()
        .zip(t0)
        .map(|(t1, t0)| {
            let (t1, t0) = (unpacked(t1, 10), unpacked(t0, 13));
            std::array::from_fn(|i| ((t1[i] << 13) + (1 << 12) - t0[i]).rem_euclid(Q))
        })
        .collect();
    // Where the inverse is transposed, its result has four layers before it, which do not halve, and 2^-24.
    let by = (0..28).fold(1, |power, _| power * ((Q + 1) / 2) % Q);
    let inverse = |(t, s2): (&Polynomial, &[u8; 128])| {
        let s2 = short_of(s2);
        let product = std::array::from_fn(|i| (t[i] - s2[i]).rem_euclid(Q));
        let there = transformed(product, 4).map(|coefficient| coefficient * by % Q);
        // Three steps forward from the natural order are one from the transposed.
        half_transposed(&half_transposed(&half_transposed(&there)))
    };
    vec![
        ("the seed of s1 and s2", Form::Bytes(shake256(&[seed, &[6, 5]])[32..].to_vec())),
        // As they are kept of the streams, before two of them are put into a byte.
        ("halves of s1", halves(&short[..5])),
        ("halves of s2", halves(&short[5..])),
        ("s1, half transposed", polynomials(&mut s1().map(|s1| half_transposed(&transformed(s1, 4))))),
        ("s1, transformed", polynomials(&mut s1().map(|s1| half_transposed(&half_transposed(&transformed(s1, 8)))))),
        ("A s1, half transposed", polynomials(&mut t.iter().zip(&short[5..]).map(inverse))),
        ("t", polynomials(&mut t.iter().copied())),
    ]
}

/// What is found while `work` is done again and again by another thread, until all is, or for a minute.
fn seen_while(things: &[(&'static str, Form)], mut work: impl FnMut() + Send) -> BTreeSet<&'static str> {
    let (top, ends) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (memory, start) = (File::open("/proc/self/mem").unwrap(), Instant::now());
    let mut seen = BTreeSet::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            let here = 0_u8;
            top.store((&raw const here).expose_provenance(), SeqCst);
            while !ends.load(SeqCst) {
                work();
            }
            black_box(&here);
        });
        let mut copy = vec![0; BELOW];
        while seen.len() < things.len() && start.elapsed() < Duration::from_mins(1) {
            let top = top.load(SeqCst);
            if top > 0 {
                memory.read_exact_at(&mut copy, (top - BELOW).try_into().unwrap()).unwrap();
                seen.append(&mut found(things, &copy));
            }
        }
        ends.store(true, SeqCst);
    });
    seen
}

#[test]
fn kernels_wipe_what_they_name() {
    let seed = bytes::<32>("seed of the kernels");
    let (mut key, mut public) = (Box::new([0; EXPANDED_KEY_BYTES]), Box::new([0; PUBLIC_KEY_BYTES]));
    for level in Level::all() {
        make_key(level, &seed, &mut key, &mut public);
        let secrets = secrets(&seed, &key, &public);
        let mut make = || make_key(level, &seed, &mut key, &mut public);
        let all: BTreeSet<_> = secrets.iter().map(|(name, _)| *name).collect();
        assert_eq!(seen_while(&secrets, &mut make), all, "{level:?}: at work");
        assert_eq!(found(&secrets, &memory_below(make)), BTreeSet::new(), "{level:?}: afterwards");
    }
}
