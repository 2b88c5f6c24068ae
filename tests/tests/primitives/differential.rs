//! Signatures, messages and keys with something changed, and what each verification that there is says of them: the
//! library's own, alone and together; every level of its kernels, alone and together; `ml-dsa`, which stands in where
//! there are no kernels; `libcrux-ml-dsa` and `fips204`, which share no code with either. One answer, each time.

use dualseal::mldsa::{PUBLIC_KEY_BYTES, SIGNATURE_BYTES, vectors};
use dualseal::{PublicKey, Signature, SigningKey};
use dualseal_kernels::Level;
use dualseal_kernels::mldsa::{Claim, ExpandedKey, verify, verify_batch};
use dualseal_tests::primitive;
use fips204::ml_dsa_65 as fips;
use fips204::traits::{SerDes, Verifier as _};
use libcrux_ml_dsa::ml_dsa_65::{self as libcrux, MLDSA65Signature, MLDSA65VerificationKey};
use ml_dsa::{EncodedSignature, EncodedVerifyingKey, MlDsa65, VerifyingKey};
use shake::{ExtendableOutput, Shake128, Shake128Reader, Update, XofReader};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Of one signature: it as it is, then so many changes to it or its message, and to its key.
const CHANGED: usize = 456;
const OF_KEYS: usize = 44;
/// Signatures in each run of the tests: 100,000 changes.
const USUAL: usize = 200;

/// The parts of a signature: c~, z, the positions of hints, their ends.
const PARTS: [Range<usize>; 4] = [0..48, 48..3248, 3248..3303, 3303..3309];

/// The same bytes in each run.
struct Random(Shake128Reader);

impl Random {
    fn of(name: &str) -> Self {
        let mut hash = Shake128::default();
        hash.update(name.as_bytes());
        Self(hash.finalize_xof())
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.read(&mut bytes);
        bytes
    }

    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        usize::try_from(u64::from_le_bytes(self.bytes()) % u64::try_from(end).unwrap()).unwrap()
    }

    /// Changes something in `bytes`, or what stands there already.
    fn mutate(&mut self, bytes: &mut [u8]) {
        for _ in 0..=self.below(3) {
            let (i, [new]) = (self.below(bytes.len()), self.bytes());
            match self.below(6) {
                0 | 1 => bytes[i] ^= 1 << (new % 8),
                2 => bytes[i] = new,
                3 => bytes[i] = bytes[i].wrapping_add(1),
                4 => bytes[i] = [0, 1, 0x7f, 0x80, 0xff][usize::from(new) % 5],
                _ => bytes.swap(i, self.below(bytes.len())),
            }
        }
    }
}

/// A public key in the form of each.
struct Everybody {
    key: PublicKey,
    levels: Vec<(Level, ExpandedKey)>,
    ml_dsa: VerifyingKey<MlDsa65>,
    libcrux: MLDSA65VerificationKey,
    fips204: fips::PublicKey,
}

type Answers = Vec<(String, Vec<bool>)>;

impl Everybody {
    fn of(bytes: &[u8; PUBLIC_KEY_BYTES]) -> Self {
        Self {
            key: PublicKey::from_slice(bytes).unwrap(),
            levels: Level::all().map(|level| (level, ExpandedKey::expand(level, bytes))).collect(),
            ml_dsa: VerifyingKey::decode(&EncodedVerifyingKey::<MlDsa65>::from(*bytes)),
            libcrux: MLDSA65VerificationKey::new(*bytes),
            fips204: fips::PublicKey::try_from_bytes(*bytes).unwrap(),
        }
    }

    fn mu(&self, message: &[u8]) -> [u8; 64] {
        primitive::mu(&self.key, b"", message).unwrap()
    }

    /// What those answer that take a representative.
    fn of_representatives(&self, claims: &[([u8; 64], Signature)]) -> Answers {
        let core = vectors::accept(&self.key, claims);
        let mut answers = vec![("alone".to_owned(), core.0), ("together".to_owned(), core.1)];
        for (level, key) in &self.levels {
            let one = |(mu, signature): &([u8; 64], Signature)| verify(*level, key, mu, signature.as_bytes());
            answers.push((format!("{level:?} alone"), claims.iter().map(one).collect()));
            let all = claims.iter().map(|(mu, signature)| Claim { key, mu, signature: signature.as_bytes() });
            let all: Vec<_> = all.collect();
            // Whatever stood there before.
            let mut verdicts: Vec<_> = (0..all.len()).map(|i| i % 2 == 0).collect();
            verify_batch(*level, &all, &mut verdicts);
            answers.push((format!("{level:?} together"), verdicts));
        }
        let ml_dsa = |(mu, signature): &([u8; 64], Signature)| {
            let decoded = ml_dsa::Signature::decode(&EncodedSignature::<MlDsa65>::from(*signature.as_bytes()));
            decoded.is_some_and(|signature| self.ml_dsa.verify_mu(&(*mu).into(), &signature))
        };
        answers.push(("ml-dsa".to_owned(), claims.iter().map(ml_dsa).collect()));
        answers
    }

    /// What all answer, those included that take a message.
    fn of_messages(&self, claims: &[(Vec<u8>, Signature)]) -> Answers {
        let represented: Vec<_> = claims.iter().map(|(text, signature)| (self.mu(text), signature.clone())).collect();
        let mut answers = self.of_representatives(&represented);
        let libcrux = |(message, signature): &(Vec<u8>, Signature)| {
            libcrux::verify(&self.libcrux, message, b"", &MLDSA65Signature::new(*signature.as_bytes())).is_ok()
        };
        answers.push(("libcrux-ml-dsa".to_owned(), claims.iter().map(libcrux).collect()));
        let fips204 =
            |(message, signature): &(Vec<u8>, Signature)| self.fips204.verify(message, signature.as_bytes(), b"");
        answers.push(("fips204".to_owned(), claims.iter().map(fips204).collect()));
        answers
    }
}

/// What all of them say.
#[track_caller]
fn agreed(answers: Answers, seed: usize) -> Vec<bool> {
    let mut answers = answers.into_iter();
    let (first, verdicts) = answers.next().unwrap();
    for (name, others) in answers {
        let differs = others.iter().zip(&verdicts).position(|(other, verdict)| other != verdict);
        assert_eq!((differs, others.len()), (None, verdicts.len()), "{name} and {first}, of signature {seed}");
    }
    verdicts
}

/// How many were asked about, and how many hold.
#[derive(Default)]
struct Counts {
    asked: AtomicUsize,
    held: AtomicUsize,
}

impl Counts {
    fn add(&self, verdicts: &[bool]) {
        self.asked.fetch_add(verdicts.len(), Ordering::Relaxed);
        self.held.fetch_add(verdicts.iter().filter(|held| **held).count(), Ordering::Relaxed);
    }
}

fn one(seed: usize, changed: &Counts, of_keys: &Counts) {
    let mut random = Random::of(&format!("changed signature {seed}"));
    let key = SigningKey::from_seed(&random.bytes::<32>()).unwrap();
    let message = random.bytes::<200>()[random.below(200)..].to_vec();
    let signature = primitive::sign_by_core(&key, &message, Some(&random.bytes::<32>()));
    let everybody = Everybody::of(key.public_key().as_bytes());
    let mut claims = vec![(message.clone(), signature.clone())];
    for change in 0..CHANGED {
        let (mut text, mut bytes): (_, [u8; SIGNATURE_BYTES]) = (message.clone(), *signature.as_bytes());
        match PARTS.get(change % 5) {
            Some(part) => random.mutate(&mut bytes[part.clone()]),
            None => random.mutate(&mut text),
        }
        claims.push((text, Signature::from_slice(&bytes).unwrap()));
    }
    let verdicts = agreed(everybody.of_messages(&claims), seed);
    for ((text, other), holds) in claims.iter().zip(&verdicts) {
        assert_eq!(*holds, (text, other) == (&message, &signature), "of signature {seed}");
    }
    changed.add(&verdicts[1..]);

    let mu = everybody.mu(&message);
    for change in 0..OF_KEYS {
        let mut bytes = *key.public_key().as_bytes();
        random.mutate(&mut bytes[[0..32, 32..PUBLIC_KEY_BYTES][change % 2].clone()]);
        let other = Everybody::of(&bytes);
        let verdict = agreed(other.of_messages(&[(message.clone(), signature.clone())]), seed);
        assert_eq!(verdict, [other.key == *key.public_key()], "under another key, of signature {seed}");
        // Where the representative stays, a bit of t1 that no high bit of w feels changes nothing.
        of_keys.add(&agreed(other.of_representatives(&[(mu, signature.clone())]), seed));
    }
}

#[test]
fn every_verification_gives_the_same_answer() {
    let asked = |name, usual| std::env::var(name).map_or(usual, |number| number.parse().unwrap());
    let (first, signatures) = (asked("DUALSEAL_DIFFERENTIAL_FROM", 0), asked("DUALSEAL_DIFFERENTIAL", USUAL));
    let (next, changed, of_keys) = (AtomicUsize::new(first), Counts::default(), Counts::default());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let seed @ 0.. = next.fetch_add(1, Ordering::Relaxed)
                    && seed < first + signatures
                {
                    one(seed, &changed, &of_keys);
                }
            });
        }
    });
    let [asked, held, keys, keys_held] =
        [changed.asked, changed.held, of_keys.asked, of_keys.held].map(AtomicUsize::into_inner);
    assert_eq!((asked, keys), (signatures * CHANGED, signatures * OF_KEYS));
    // A byte that was set to what it was; and a bit of t1.
    assert!(held > 0 && keys_held > 0 && held < asked / 10 && keys_held < keys / 2, "{held} {keys_held}");
    let levels = Level::all().count();
    println!("{asked} changed signatures and messages ({held} hold), {keys} changed keys ({keys_held} hold)");
    println!("asked: core, {levels} levels of the kernels, ml-dsa, libcrux-ml-dsa, fips204; alone and together");
}
