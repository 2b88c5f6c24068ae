//! What verification computes with: the kernels, which take what the processor has, or `ml-dsa` where they are not
//! built in. Both give the same answer to everything.

#[cfg(feature = "simd")]
mod by_kernels {
    use crate::mldsa::{PUBLIC_KEY_BYTES, SIGNATURE_BYTES};
    use alloc::boxed::Box;
    use alloc::vec;
    use alloc::vec::Vec;
    use dualseal_kernels::Level;
    use dualseal_kernels::mldsa::{self, Claim, ExpandedKey};

    /// An expanded public key.
    #[derive(Clone)]
    pub(in crate::mldsa) struct VerifyingKey(Box<ExpandedKey>);

    impl VerifyingKey {
        pub(in crate::mldsa) const BYTES: usize = size_of::<ExpandedKey>();

        pub(in crate::mldsa) fn expand(key: &[u8; PUBLIC_KEY_BYTES]) -> Self {
            let mut expanded = Box::new(ExpandedKey::EMPTY);
            expanded.expand_into(Level::best(), key);
            Self(expanded)
        }

        pub(in crate::mldsa) fn accepts(&self, mu: &[u8; 64], signature: &[u8; SIGNATURE_BYTES]) -> bool {
            mldsa::verify(Level::best(), &self.0, mu, signature)
        }
    }

    /// Of each claim whether it holds.
    pub(in crate::mldsa) fn accept_all<'a>(
        claims: impl Iterator<Item = (&'a VerifyingKey, &'a [u8; 64], &'a [u8; SIGNATURE_BYTES])>,
    ) -> Vec<bool> {
        let claims: Vec<_> = claims.map(|(key, mu, signature)| Claim { key: &key.0, mu, signature }).collect();
        let mut verdicts = vec![false; claims.len()];
        mldsa::verify_batch(Level::best(), &claims, &mut verdicts);
        verdicts
    }
}

#[cfg(any(not(feature = "simd"), test))]
#[cfg_attr(feature = "simd", allow(dead_code, reason = "with the kernels it is what the tests compare them with"))]
mod by_ml_dsa {
    use crate::mldsa::{PUBLIC_KEY_BYTES, SIGNATURE_BYTES};
    use alloc::vec::Vec;
    use ml_dsa::{EncodedSignature, EncodedVerifyingKey, MlDsa65, Signature};

    /// An expanded public key.
    #[derive(Clone)]
    pub(in crate::mldsa) struct VerifyingKey(ml_dsa::VerifyingKey<MlDsa65>);

    impl VerifyingKey {
        /// The matrix of 6 x 5 polynomials, twelve more polynomials, of 256 coefficients of 4 bytes each, and the key.
        pub(in crate::mldsa) const BYTES: usize = (6 * 5 + 12) * 256 * 4 + PUBLIC_KEY_BYTES;

        pub(in crate::mldsa) fn expand(key: &[u8; PUBLIC_KEY_BYTES]) -> Self {
            Self(ml_dsa::VerifyingKey::decode(&EncodedVerifyingKey::<MlDsa65>::from(*key)))
        }

        pub(in crate::mldsa) fn accepts(&self, mu: &[u8; 64], signature: &[u8; SIGNATURE_BYTES]) -> bool {
            let signature = Signature::<MlDsa65>::decode(&EncodedSignature::<MlDsa65>::from(*signature));
            signature.is_some_and(|signature| self.0.verify_mu(&(*mu).into(), &signature))
        }
    }

    /// Of each claim whether it holds.
    pub(in crate::mldsa) fn accept_all<'a>(
        claims: impl Iterator<Item = (&'a VerifyingKey, &'a [u8; 64], &'a [u8; SIGNATURE_BYTES])>,
    ) -> Vec<bool> {
        claims.map(|(key, mu, signature)| key.accepts(mu, signature)).collect()
    }
}

#[cfg(feature = "simd")]
pub(super) use by_kernels::{VerifyingKey, accept_all};
#[cfg(not(feature = "simd"))]
pub(super) use by_ml_dsa::{VerifyingKey, accept_all};

#[cfg(all(test, feature = "simd"))]
mod tests {
    use super::{by_kernels, by_ml_dsa};
    use ml_dsa::{KeyExport, MlDsa65};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Of what was altered anywhere, alone and in a batch. What is altered in the kernels' own tests is more.
        #[test]
        fn both_give_the_same_answer(seed: [u8; 32], mu: [u8; 64], place in 0_usize..3309 + 1952 + 64, bit in 0_u8..9) {
            let signing = ml_dsa::SigningKey::<MlDsa65>::from_seed(&seed.into());
            let signature = signing.expanded_key().sign_mu_deterministic(&mu.into());
            let (mut signature, mut key, mut mu): ([u8; 3309], _, _) =
                (signature.encode().into(), signing.expanded_key().verifying_key().to_bytes().into(), mu);
            let mut all = signature.iter_mut().chain(&mut key).chain(&mut mu);
            if let Some(byte) = all.nth(place).filter(|_| bit < 8) {
                *byte ^= 1 << bit;
            }
            let (ours, theirs) = (by_kernels::VerifyingKey::expand(&key), by_ml_dsa::VerifyingKey::expand(&key));
            let answer = theirs.accepts(&mu, &signature);
            // With `mu` made before, a key whose t1 is altered by a little may be as good.
            prop_assert!(answer || bit < 8);
            prop_assert_eq!(ours.accepts(&mu, &signature), answer);
            let claims = (0..9).map(|_| (&ours, &mu, &signature));
            prop_assert_eq!(by_kernels::accept_all(claims), [answer; 9]);
        }
    }
}
