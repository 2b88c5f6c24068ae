//! ML-DSA-65 verification and key generation on every level that this processor has: the `ml-dsa` crate says what is
//! right.

mod forged;
mod keys;
mod random;
mod reference;
mod vectors;

use dualseal_kernels::Level;
use dualseal_kernels::mldsa::{Claim, ExpandedKey, SIGNATURE_BYTES, verify, verify_batch};
use ml_dsa::{EncodedVerifyingKey, MlDsa65, VerifyingKey};
use random::Random;
use reference::{Mu, PublicKey, Signature};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What this processor has, as the standard library sees it; the kernels ask through another crate. One that they
/// would leave out is missed here.
fn levels() -> Vec<Level> {
    let levels: Vec<_> = Level::all().collect();
    let mut names = vec!["portable"];
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        let avx2 = has!("avx2") && has!("bmi1") && has!("bmi2");
        let avx512 = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl");
        names.extend(avx2.then_some("avx2"));
        names.extend((avx2 && avx512).then_some("avx512"));
    }
    assert_eq!(levels.iter().map(|level| level.name()).collect::<Vec<_>>(), names);
    levels
}

/// A public key in every form, for every level.
struct Verifier {
    bytes: PublicKey,
    expanded: Vec<(Level, ExpandedKey)>,
    oracle: VerifyingKey<MlDsa65>,
}

impl Verifier {
    fn of(key: &PublicKey) -> Self {
        Self {
            bytes: *key,
            expanded: levels().into_iter().map(|level| (level, ExpandedKey::expand(level, key))).collect(),
            oracle: VerifyingKey::decode(&EncodedVerifyingKey::<MlDsa65>::from(*key)),
        }
    }

    /// What the oracle and all levels say.
    #[track_caller]
    fn accepts(&self, mu: &Mu, signature: &Signature) -> bool {
        let accepted = ml_dsa::Signature::<MlDsa65>::decode(&(*signature).into())
            .is_some_and(|signature| self.oracle.verify_mu(&(*mu).into(), &signature));
        for (level, key) in &self.expanded {
            assert_eq!(verify(*level, key, mu, signature), accepted, "{level:?}, where ml-dsa says {accepted}");
            let mut verdict = [!accepted];
            verify_batch(*level, &[Claim { key, mu, signature }], &mut verdict);
            assert_eq!(verdict, [accepted], "a batch, {level:?}, where ml-dsa says {accepted}");
        }
        accepted
    }

    /// The message representative of FIPS 204, algorithm 3.
    fn mu(&self, context: &[u8], message: &[u8]) -> Mu {
        let tr: [u8; 64] = reference::shake256(&[&self.bytes]);
        reference::shake256(&[&tr, &[0, u8::try_from(context.len()).unwrap()], context, message])
    }
}

/// A key and its signature over `mu`, by the oracle.
fn signed(random: &mut Random, mu: &Mu) -> (PublicKey, Signature) {
    let key = ml_dsa::SigningKey::<MlDsa65>::from_seed(&random.bytes::<32>().into());
    let key = key.expanded_key();
    let signature = key.sign_mu_deterministic(&(*mu).into()).encode();
    (key.verifying_key().encode().into(), signature.into())
}

/// Does `one` for each number below `usual`, or below what the environment says, on all cores.
fn for_each(environment: &str, usual: usize, one: impl Fn(usize) + Sync) {
    let count = std::env::var(environment).map_or(usual, |count| count.parse().unwrap());
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    match next.fetch_add(1, Ordering::Relaxed) {
                        number if number < count => one(number),
                        _ => return,
                    }
                }
            });
        }
    });
}

#[test]
fn signatures_of_many_keys_hold() {
    for_each("DUALSEAL_KERNEL_KEYS", 220, |number| {
        let mut random = Random::of(&format!("key {number}"));
        let mu = random.bytes();
        let (key, signature) = signed(&mut random, &mu);
        assert!(Verifier::of(&key).accepts(&mu, &signature), "key {number}");
    });
}

#[test]
fn an_expansion_leaves_nothing_of_another() {
    let mut random = Random::of("expanded over another");
    let mu = random.bytes();
    let (first, of_first) = signed(&mut random, &mu);
    let (second, of_second) = signed(&mut random, &mu);
    for level in levels() {
        let mut key = ExpandedKey::expand(level, &first);
        assert!(verify(level, &key, &mu, &of_first) && !verify(level, &key, &mu, &of_second), "{level:?}");
        key.expand_into(level, &second);
        assert!(!verify(level, &key, &mu, &of_first) && verify(level, &key, &mu, &of_second), "{level:?}");
        // What one level expands, another verifies under.
        assert!(levels().into_iter().all(|other| verify(other, &key, &mu, &of_second)));
    }
}

/// Under it A and t1 are 0, and so is w1, whatever z is.
#[test]
fn nothing_holds_under_a_key_that_was_not_expanded() {
    let mu = [7; 64];
    let mut signature = [0; SIGNATURE_BYTES];
    signature[..48].copy_from_slice(&reference::shake256::<48>(&[&mu, &[0; 768]]));
    for z in signature[48..48 + 3200].as_chunks_mut::<5>().0 {
        // gamma1 and gamma1: z is 0.
        *z = [0, 0, 8, 0, 0x80];
    }
    let claim = Claim { key: &ExpandedKey::EMPTY, mu: &mu, signature: &signature };
    for level in levels() {
        assert!(!verify(level, claim.key, &mu, &signature), "{level:?}");
        let mut verdicts = [true; 3];
        verify_batch(level, &[claim; 3], &mut verdicts);
        assert_eq!(verdicts, [false; 3], "{level:?}");
    }
}

/// Each kind of refusal stands in each lane, among claims that hold, and no batch is of a length that fits the lanes.
#[test]
fn a_batch_has_the_verdicts_of_its_claims() {
    let mut random = Random::of("batch");
    let mus: [Mu; 9] = [(); 9].map(|()| random.bytes());
    let signed = mus.map(|mu| signed(&mut random, &mu));
    for level in levels() {
        let keys: Vec<_> = signed.iter().map(|(key, _)| ExpandedKey::expand(level, key)).collect();
        let mut bad = signed;
        for (i, (_, signature)) in bad.iter_mut().enumerate() {
            match i % 4 {
                0 => signature[random.below(48)] ^= 1,
                // The first polynomial's first coefficient is gamma1, which is too large.
                1 => (signature[48], signature[49], signature[50]) = (0, 0, signature[50] & 0xf0),
                2 => signature[3308] = 99,
                _ => signature[48 + random.below(3200)] ^= 0x10,
            }
        }
        for count in 0..40 {
            let choices: Vec<_> = (0..count).map(|_| (random.below(9), random.below(3) > 0)).collect();
            let claims: Vec<_> = choices
                .iter()
                .map(|&(i, holds)| Claim {
                    key: &keys[i],
                    mu: &mus[i],
                    signature: if holds { &signed[i].1 } else { &bad[i].1 },
                })
                .collect();
            let mut verdicts = vec![count % 2 == 0; count];
            verify_batch(level, &claims, &mut verdicts);
            assert!(
                verdicts.iter().zip(&choices).all(|(verdict, (_, holds))| verdict == holds),
                "{level:?} {choices:?}"
            );
        }
        let other = Claim { key: &keys[0], mu: &mus[1], signature: &signed[1].1 };
        let empty = Claim { key: &ExpandedKey::EMPTY, mu: &mus[1], signature: &signed[1].1 };
        let right = Claim { key: &keys[1], mu: &mus[1], signature: &signed[1].1 };
        let mut verdicts = [false; 5];
        verify_batch(level, &[other, right, empty, right, other], &mut verdicts);
        assert_eq!(verdicts, [false, true, false, true, false], "{level:?}");
    }
}

#[test]
#[should_panic(expected = "a verdict for each claim")]
fn a_batch_with_too_few_verdicts_panics() {
    let claim = Claim { key: &ExpandedKey::EMPTY, mu: &[0; 64], signature: &[0; SIGNATURE_BYTES] };
    verify_batch(Level::best(), &[claim; 2], &mut [true]);
}
