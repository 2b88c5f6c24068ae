//! What key generation and signing compute with: `libcrux-ml-dsa`, or `ml-dsa` where that is not built in and for
//! statements that come too long to be kept; where libcrux signs and there are kernels, they make the keys. All give
//! the same bytes for the same seed, statement and hedge.
//!
//! Either leaves masks and copies of the key in its frames, which are cleared behind it.

#[cfg(feature = "libcrux")]
use super::SIGNATURE_BYTES;
use super::sign::Hedge;
use super::statement::Statement;
use super::{Mu, PUBLIC_KEY_BYTES, PreparedKey, PublicKey, Signature};
use crate::error::{Error, Misuse};
use crate::secret::{Secret, apart};
use alloc::boxed::Box;
use once_cell::race::OnceBox;

/// Bytes of a seed, the private key.
pub const SEED_BYTES: usize = 32;

/// Bytes of an expanded signing key.
pub const EXPANDED_KEY_BYTES: usize = 4032;

#[cfg_attr(feature = "libcrux", allow(dead_code, reason = "libcrux makes the keys and signs what is short"))]
mod by_ml_dsa {
    use super::{
        Box, EXPANDED_KEY_BYTES, Error, Hedge, Misuse, Mu, PUBLIC_KEY_BYTES, PublicKey, SEED_BYTES, Secret, Signature,
        Statement, apart,
    };
    use ml_dsa::{EncodedSignature, KeyExport, MlDsa65};
    use rand_core::TryCryptoRng;
    use zeroize::Zeroize;

    /// So many bytes below a caller's frame hold something of a key that was made, and a quarter more: how deep frames
    /// go depends on the compiler's profile.
    pub(super) const MAKING: usize = 208 << 10;
    /// The same of one that has signed.
    pub(super) const SIGNING: usize = 128 << 10;

    /// A key that signs, in the form that makes signing fast.
    pub(in crate::mldsa) struct Key(Form);

    /// What `ml-dsa` makes of a seed holds the expanded form in a box of its own.
    enum Form {
        OfSeed(Box<ml_dsa::SigningKey<MlDsa65>>),
        Read(Box<ml_dsa::ExpandedSigningKey<MlDsa65>>),
    }

    impl Key {
        /// `ML-DSA.KeyGen_internal` (FIPS 204, algorithm 6), with the public key.
        pub(in crate::mldsa) fn from_seed(seed: &Secret<SEED_BYTES>) -> (Self, PublicKey) {
            apart::<MAKING, _>(|| {
                let copy = zeroize::Zeroizing::new(ml_dsa::Seed::from(*seed.expose()));
                let key = Box::new(ml_dsa::SigningKey::from_seed(&copy));
                let verifying: &ml_dsa::VerifyingKey<MlDsa65> = (*key).as_ref();
                let public = PublicKey::from_array(&verifying.to_bytes().into());
                (Self(Form::OfSeed(key)), public)
            })
        }

        /// Reads the form of 4032 bytes (FIPS 204, algorithm 25), of which `s1` and `s2` were checked: `ml-dsa` panics
        /// where a coefficient is out of its bounds.
        pub(in crate::mldsa) fn from_bytes(bytes: &[u8; EXPANDED_KEY_BYTES]) -> Self {
            apart::<MAKING, _>(|| {
                let mut encoded = ml_dsa::ExpandedSigningKeyBytes::<MlDsa65>::from(*bytes);
                #[allow(deprecated, reason = "the only way to read this form; its panic is excluded by a check before")]
                let key = Box::new(ml_dsa::ExpandedSigningKey::<MlDsa65>::from_expanded(&encoded));
                encoded.zeroize();
                Self(Form::Read(key))
            })
        }

        /// The public key, computed from `s1` and `s2`.
        pub(in crate::mldsa) fn compute_public_key(&self) -> [u8; PUBLIC_KEY_BYTES] {
            apart::<MAKING, _>(|| self.expanded().verifying_key().to_bytes().into())
        }

        fn expanded(&self) -> &ml_dsa::ExpandedSigningKey<MlDsa65> {
            match &self.0 {
                Form::OfSeed(key) => key.expanded_key(),
                Form::Read(key) => key,
            }
        }

        pub(in crate::mldsa) fn to_bytes(&self) -> Secret<EXPANDED_KEY_BYTES> {
            apart::<SIGNING, _>(|| {
                #[allow(deprecated, reason = "the only way to write this form")]
                let mut encoded = self.expanded().to_expanded();
                let mut secret = Secret::zeroed();
                secret.expose_mut().copy_from_slice(&encoded);
                encoded.zeroize();
                secret
            })
        }

        pub(in crate::mldsa) fn duplicate(&self) -> Self {
            apart::<MAKING, _>(|| Self(Form::Read(Box::new(self.expanded().clone()))))
        }

        pub(in crate::mldsa) fn sign(
            &self,
            public: &PublicKey,
            statement: &Statement<'_>,
            hedge: &Hedge,
        ) -> Result<Signature, Error> {
            self.sign_mu(statement.mu(public), hedge)
        }

        pub(in crate::mldsa) fn sign_mu(&self, mu: Mu, hedge: &Hedge) -> Result<Signature, Error> {
            apart::<SIGNING, _>(|| {
                let signature = self.expanded().sign_mu_randomized(&mu.finish().into(), &mut Drawn(hedge.bytes()));
                let bytes: EncodedSignature<MlDsa65> = signature.map_err(|_| Misuse::UnfitKey)?.encode();
                Ok(Signature::from_array(&bytes.into()))
            })
        }
    }

    /// Gives 32 bytes that were drawn before, so that a failing generator and a failing key are told apart.
    pub(super) struct Drawn<'a>(pub(super) &'a [u8; 32]);

    impl rand_core::TryRng for Drawn<'_> {
        type Error = core::convert::Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            Ok(0)
        }

        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            Ok(0)
        }

        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
            for (to, from) in bytes.iter_mut().zip(self.0) {
                *to = *from;
            }
            Ok(())
        }
    }

    impl TryCryptoRng for Drawn<'_> {}
}

#[cfg(feature = "libcrux")]
mod by_libcrux {
    use super::{
        Box, EXPANDED_KEY_BYTES, Error, Hedge, Misuse, PUBLIC_KEY_BYTES, PublicKey, SEED_BYTES, SIGNATURE_BYTES,
        Secret, Signature, Statement, apart, by_ml_dsa,
    };
    use libcrux_ml_dsa::ml_dsa_65;
    use once_cell::race::OnceBox;

    /// As of `ml-dsa`, but a twentieth more than is written to where it is compiled with optimisation: what is deepest
    /// samples what is public, and what is cleared is asked of every caller's stack.
    pub(super) const MAKING_BY_KERNELS: usize = 40 << 10;
    pub(super) const MAKING_BY_LIBCRUX: usize = 72 << 10;
    pub(super) const SIGNING: usize = 124 << 10;

    const MAKING: usize = if cfg!(feature = "simd") { MAKING_BY_KERNELS } else { MAKING_BY_LIBCRUX };

    /// libcrux's function for this processor, which writes where it is told. What chooses by itself hands keys and
    /// signatures from frame to frame, and takes 12 KiB more of the stack.
    macro_rules! chosen {
        ($function:ident) => {{
            #[cfg(all(target_arch = "x86_64", not(feature = "small")))]
            let chosen = if libcrux_platform::simd256_support() {
                ml_dsa_65::avx2::$function
            } else {
                ml_dsa_65::portable::$function
            };
            #[cfg(all(target_arch = "x86_64", feature = "small"))]
            let chosen = ml_dsa_65::avx2::$function;
            #[cfg(target_arch = "aarch64")]
            let chosen = ml_dsa_65::neon::$function;
            #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
            let chosen = ml_dsa_65::portable::$function;
            chosen
        }};
    }

    /// Whether libcrux signs here at all: its code for every processor is left out of what is small.
    fn is_here() -> bool {
        !cfg!(all(target_arch = "x86_64", feature = "small")) || libcrux_platform::simd256_support()
    }

    /// A key that signs: its 4032 bytes, and what `ml-dsa` makes of them for the first statement that is too long.
    pub(in crate::mldsa) struct Key {
        encoded: Secret<EXPANDED_KEY_BYTES>,
        long: OnceBox<by_ml_dsa::Key>,
    }

    impl Key {
        /// `ML-DSA.KeyGen_internal` (FIPS 204, algorithm 6), with the public key.
        pub(in crate::mldsa) fn from_seed(seed: &Secret<SEED_BYTES>) -> (Self, PublicKey) {
            let (mut encoded, mut public) = (Secret::zeroed(), Box::new([0; PUBLIC_KEY_BYTES]));
            apart::<MAKING, _>(|| make(seed.expose(), encoded.expose_mut(), &mut public));
            (Self { encoded, long: OnceBox::new() }, PublicKey::from_array(&public))
        }

        /// From 4032 bytes, of which `s1` and `s2` were checked.
        pub(in crate::mldsa) fn from_bytes(bytes: &[u8; EXPANDED_KEY_BYTES]) -> Self {
            Self { encoded: copied(bytes), long: OnceBox::new() }
        }

        /// The public key, computed from `s1` and `s2`.
        pub(in crate::mldsa) fn compute_public_key(&self) -> [u8; PUBLIC_KEY_BYTES] {
            self.long().compute_public_key()
        }

        pub(in crate::mldsa) fn to_bytes(&self) -> Secret<EXPANDED_KEY_BYTES> {
            copied(self.encoded.expose())
        }

        pub(in crate::mldsa) fn duplicate(&self) -> Self {
            Self::from_bytes(self.encoded.expose())
        }

        fn long(&self) -> &by_ml_dsa::Key {
            self.long.get_or_init(|| Box::new(by_ml_dsa::Key::from_bytes(self.encoded.expose())))
        }

        /// `ML-DSA.Sign` with an empty context (FIPS 204, algorithm 2).
        pub(in crate::mldsa) fn sign(
            &self,
            public: &PublicKey,
            statement: &Statement<'_>,
            hedge: &Hedge,
        ) -> Result<Signature, Error> {
            let Some(statement) = statement.short().filter(|_| is_here()) else {
                return self.long().sign_mu(statement.mu(public), hedge);
            };
            let (sign, mut signature) = (chosen!(sign_mut), Box::new([0; SIGNATURE_BYTES]));
            let signed =
                apart::<SIGNING, _>(|| sign(self.encoded.expose(), statement, &[], *hedge.bytes(), &mut signature));
            signed.map_err(|_| Misuse::UnfitKey)?;
            Ok(Signature::from_array(&signature))
        }
    }

    #[cfg(feature = "simd")]
    fn make(seed: &[u8; SEED_BYTES], key: &mut [u8; EXPANDED_KEY_BYTES], public: &mut [u8; PUBLIC_KEY_BYTES]) {
        dualseal_kernels::mldsa::make_key(dualseal_kernels::Level::best(), seed, key, public);
    }

    #[cfg(not(feature = "simd"))]
    fn make(seed: &[u8; SEED_BYTES], key: &mut [u8; EXPANDED_KEY_BYTES], public: &mut [u8; PUBLIC_KEY_BYTES]) {
        chosen!(generate_key_pair_mut)(*seed, key, public);
    }

    fn copied(bytes: &[u8; EXPANDED_KEY_BYTES]) -> Secret<EXPANDED_KEY_BYTES> {
        let mut secret = Secret::zeroed();
        secret.expose_mut().copy_from_slice(bytes);
        secret
    }
}

/// How many bytes are cleared behind whoever made a key (the kernels, libcrux, `ml-dsa`) and signed (libcrux,
/// `ml-dsa`).
#[cfg(all(feature = "libcrux", feature = "hazmat-vectors"))]
pub const CLEARED: [usize; 5] = [
    by_libcrux::MAKING_BY_KERNELS,
    by_libcrux::MAKING_BY_LIBCRUX,
    by_ml_dsa::MAKING,
    by_libcrux::SIGNING,
    by_ml_dsa::SIGNING,
];

#[cfg(feature = "libcrux")]
use by_libcrux::Key;
#[cfg(not(feature = "libcrux"))]
use by_ml_dsa::Key;

/// A key that signs with its public half. What it signed is verified before anybody has it, by the code that everybody
/// else's signatures are verified with: neither a fault of the machine nor one of what signs gets out, of which one
/// may tell the key.
pub(super) struct Signing {
    key: Key,
    public: PublicKey,
    prepared: OnceBox<PreparedKey>,
}

impl Signing {
    pub(super) fn from_seed(seed: &Secret<SEED_BYTES>) -> Self {
        let (key, public) = Key::from_seed(seed);
        Self::new(key, public)
    }

    /// From 4032 bytes, of which `s1` and `s2` were checked. The public key is computed from them.
    pub(super) fn from_bytes(bytes: &[u8; EXPANDED_KEY_BYTES]) -> Self {
        let key = Key::from_bytes(bytes);
        let public = PublicKey::from_array(&key.compute_public_key());
        Self::new(key, public)
    }

    fn new(key: Key, public: PublicKey) -> Self {
        Self { key, public, prepared: OnceBox::new() }
    }

    pub(super) fn public_key(&self) -> &PublicKey {
        &self.public
    }

    pub(super) fn to_bytes(&self) -> Secret<EXPANDED_KEY_BYTES> {
        self.key.to_bytes()
    }

    pub(super) fn duplicate(&self) -> Self {
        Self::new(self.key.duplicate(), self.public.clone())
    }

    /// # Errors
    /// [`Misuse::UnfitKey`] for a signature that does not hold, which is not given out.
    pub(super) fn sign(&self, statement: &Statement<'_>, hedge: &Hedge) -> Result<Signature, Error> {
        let signature = self.key.sign(&self.public, statement, hedge)?;
        let prepared = self.prepared.get_or_init(|| Box::new(self.public.prepare()));
        if prepared.accepts(statement.mu(&self.public), &signature) {
            Ok(signature)
        } else {
            Err(Misuse::UnfitKey.into())
        }
    }
}

#[cfg(test)]
mod guard {
    use super::{Error, Hedge, Key, Misuse, Secret, Signing, Statement};

    /// As after a fault, or an error of what signs: the signature is another key's.
    #[test]
    fn no_signature_that_does_not_hold_is_given_out() {
        let [one, other] = [[7; 32], [8; 32]].map(|seed| Key::from_seed(&Secret::from_slice("seed", &seed).unwrap()));
        let statement = Statement::Whole(b"a statement");
        let wrong = Signing::new(one.0, other.1);
        assert_eq!(wrong.sign(&statement, &Hedge::deterministic()).unwrap_err(), Error::Misuse(Misuse::UnfitKey));
        let right = Signing::new(other.0, wrong.public);
        assert!(right.sign(&statement, &Hedge::deterministic()).is_ok());
    }
}

#[cfg(all(test, feature = "libcrux"))]
mod tests {
    use super::{Hedge, Key, Mu, Secret, Signature, Statement, by_ml_dsa};
    use crate::mldsa::{Kept, PublicKey};
    use alloc::vec;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    /// What each of both makes of a seed.
    fn both(seed: &[u8; 32]) -> (Key, by_ml_dsa::Key, PublicKey) {
        let seed = Secret::from_slice("seed", seed).unwrap();
        let ((ours, public), (theirs, same)) = (Key::from_seed(&seed), by_ml_dsa::Key::from_seed(&seed));
        assert_eq!(public, same);
        assert_eq!(*public.as_bytes(), theirs.compute_public_key());
        assert_eq!(*public.as_bytes(), ours.compute_public_key());
        assert_eq!(ours.to_bytes().expose(), theirs.to_bytes().expose());
        (ours, theirs, public)
    }

    fn in_parts(public: &PublicKey, statement: &[u8], part: usize) -> (Mu, Kept) {
        let (mut mu, mut kept) = (Mu::new(public), Kept::begin());
        for part in statement.chunks(part) {
            mu.update(part);
            kept.push(part);
        }
        (mu, kept)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn both_make_the_same_key_and_signature(seed: [u8; 32], rnd: [u8; 32], text: Vec<u8>, length in 0_usize..2000) {
            let (ours, theirs, public) = both(&seed);
            let text: Vec<u8> = text.into_iter().chain([7]).cycle().take(length).collect();
            let statement = Statement::Whole(&text);
            for hedge in [Hedge::draw(&mut by_ml_dsa::Drawn(&rnd)).unwrap(), Hedge::deterministic()] {
                let signature: Signature = theirs.sign(&public, &statement, &hedge).unwrap();
                prop_assert_eq!(&ours.sign(&public, &statement, &hedge).unwrap(), &signature);
                prop_assert_eq!(&ours.duplicate().sign(&public, &statement, &hedge).unwrap(), &signature);
                let (mu, kept) = in_parts(&public, &text, 100);
                prop_assert_eq!(ours.sign(&public, &Statement::Parts(&mu, &kept), &hedge).unwrap(), signature);
            }
        }
    }

    /// Whichever of both signs at the length where one takes over from the other, and whether the statement comes in
    /// parts.
    #[test]
    fn nothing_changes_where_a_statement_is_too_long() {
        let (ours, theirs, public) = both(&[7; 32]);
        for length in [0, (1 << 16) - 1, 1 << 16, (1 << 16) + 1, 200_000] {
            let text = vec![0x5a; length];
            let statement = Statement::Whole(&text);
            assert_eq!(statement.short().is_some(), length <= 1 << 16);
            let signature = theirs.sign(&public, &statement, &Hedge::deterministic()).unwrap();
            assert_eq!(ours.sign(&public, &statement, &Hedge::deterministic()).unwrap(), signature, "{length}");
            let (mu, kept) = in_parts(&public, &text, 3000);
            let parts = Statement::Parts(&mu, &kept);
            assert_eq!(parts.short(), statement.short());
            assert_eq!(ours.sign(&public, &parts, &Hedge::deterministic()).unwrap(), signature, "{length}");
        }
    }
}
