//! ML-DSA-65 by others, each as its documentation says to use it.

use aws_lc_rs::signature::{KeyPair, ML_DSA_65, ML_DSA_65_SIGNING, ParsedPublicKey, PqdsaKeyPair, UnparsedPublicKey};
use dualseal::SystemRng;
use dualseal::rand_core::TryRng;
use fips204::ml_dsa_65 as fips;
use fips204::traits::{KeyGen, SerDes, Signer, Verifier};
use libcrux_ml_dsa::ml_dsa_65 as libcrux;
use ml_dsa::{Keypair, MlDsa65};
use mldsa_native_rs::ffi as native;
use oqs_sys::sig as oqs;
use pqcrypto_mldsa::mldsa65 as pqcrypto;
use pqcrypto_traits::sign::{DetachedSignature, PublicKey, SecretKey};
use std::ptr::null;

pub const SEED: [u8; 32] = [7; 32];
pub type KeyBytes = [u8; 1952];
pub type ExpandedBytes = [u8; 4032];
pub type SignatureBytes = [u8; 3309];

/// Other code for the same standard, with the key pair of [`SEED`] in the form that serves it best. Contexts are empty.
pub trait Peer: Sync {
    fn name(&self) -> &'static str;

    /// A key pair that is drawn.
    fn generate(&self);

    /// With the key that it keeps, hedged.
    fn sign(&self, message: &[u8]) -> SignatureBytes;

    /// With a key that it has as a seed only. None where it takes no seeds.
    fn sign_from_seed(&self, seed: &[u8; 32], message: &[u8]) -> Option<SignatureBytes>;

    /// By the key that it keeps, prepared as far as it can be.
    fn verify(&self, message: &[u8], signature: &SignatureBytes) -> bool;

    /// By a key that it sees for the first time.
    fn verify_by(&self, key: &KeyBytes, message: &[u8], signature: &SignatureBytes) -> bool;
}

/// All of them.
pub fn peers(key: &KeyBytes, expanded: &ExpandedBytes) -> Vec<Box<dyn Peer>> {
    vec![
        Box::new(MlDsa::new()),
        Box::new(Libcrux::new()),
        Box::new(Fips204::new()),
        Box::new(AwsLc::new()),
        Box::new(PqCrypto::new(key, expanded)),
        Box::new(Liboqs { key: *key, expanded: *expanded }),
        Box::new(Native { key: *key, expanded: *expanded }),
    ]
}

pub fn drawn() -> [u8; 32] {
    let mut bytes = [0; 32];
    SystemRng.try_fill_bytes(&mut bytes).expect("randomness");
    bytes
}

pub struct MlDsa {
    signing: ml_dsa::SigningKey<MlDsa65>,
    verifying: ml_dsa::VerifyingKey<MlDsa65>,
}

impl MlDsa {
    pub fn new() -> Self {
        let signing = Self::from_seed(&SEED);
        Self { verifying: signing.verifying_key().clone(), signing }
    }

    fn from_seed(seed: &[u8; 32]) -> ml_dsa::SigningKey<MlDsa65> {
        ml_dsa::SigningKey::from_seed(&ml_dsa::Seed::from(*seed))
    }

    fn sign_with(key: &ml_dsa::SigningKey<MlDsa65>, message: &[u8]) -> SignatureBytes {
        key.expanded_key().sign_randomized(message, &[], &mut SystemRng).expect("signed").encode().into()
    }

    fn accepts(key: &ml_dsa::VerifyingKey<MlDsa65>, message: &[u8], signature: &SignatureBytes) -> bool {
        ml_dsa::Signature::decode(&(*signature).into()).is_some_and(|s| key.verify_with_context(message, &[], &s))
    }

    /// By the key that it keeps, where the message is hashed already.
    pub fn verify_mu(&self, mu: &[u8; 64], signature: &SignatureBytes) -> bool {
        ml_dsa::Signature::decode(&(*signature).into()).is_some_and(|s| self.verifying.verify_mu(&(*mu).into(), &s))
    }
}

impl Peer for MlDsa {
    fn name(&self) -> &'static str {
        "ml-dsa"
    }

    fn generate(&self) {
        std::hint::black_box(Self::from_seed(&drawn()).verifying_key().encode());
    }

    fn sign(&self, message: &[u8]) -> SignatureBytes {
        Self::sign_with(&self.signing, message)
    }

    fn sign_from_seed(&self, seed: &[u8; 32], message: &[u8]) -> Option<SignatureBytes> {
        Some(Self::sign_with(&Self::from_seed(seed), message))
    }

    fn verify(&self, message: &[u8], signature: &SignatureBytes) -> bool {
        Self::accepts(&self.verifying, message, signature)
    }

    fn verify_by(&self, key: &KeyBytes, message: &[u8], signature: &SignatureBytes) -> bool {
        Self::accepts(&ml_dsa::VerifyingKey::decode(&(*key).into()), message, signature)
    }
}

struct Libcrux(libcrux::MLDSA65KeyPair);

impl Libcrux {
    fn new() -> Self {
        Self(libcrux::generate_key_pair(SEED))
    }
}

impl Peer for Libcrux {
    fn name(&self) -> &'static str {
        "libcrux-ml-dsa"
    }

    fn generate(&self) {
        std::hint::black_box(libcrux::generate_key_pair(drawn()));
    }

    fn sign(&self, message: &[u8]) -> SignatureBytes {
        *libcrux::sign(&self.0.signing_key, message, b"", drawn()).expect("signed").as_ref()
    }

    fn sign_from_seed(&self, seed: &[u8; 32], message: &[u8]) -> Option<SignatureBytes> {
        let pair = libcrux::generate_key_pair(*seed);
        Some(*libcrux::sign(&pair.signing_key, message, b"", drawn()).expect("signed").as_ref())
    }

    fn verify(&self, message: &[u8], signature: &SignatureBytes) -> bool {
        let signature = libcrux::MLDSA65Signature::new(*signature);
        libcrux::verify(&self.0.verification_key, message, b"", &signature).is_ok()
    }

    fn verify_by(&self, key: &KeyBytes, message: &[u8], signature: &SignatureBytes) -> bool {
        let (key, signature) = (libcrux::MLDSA65VerificationKey::new(*key), libcrux::MLDSA65Signature::new(*signature));
        libcrux::verify(&key, message, b"", &signature).is_ok()
    }
}

struct Fips204 {
    public: fips::PublicKey,
    private: fips::PrivateKey,
}

impl Fips204 {
    fn new() -> Self {
        let (public, private) = fips::KG::keygen_from_seed(&SEED);
        Self { public, private }
    }
}

impl Peer for Fips204 {
    fn name(&self) -> &'static str {
        "fips204"
    }

    fn generate(&self) {
        std::hint::black_box(fips::try_keygen().expect("a key pair"));
    }

    fn sign(&self, message: &[u8]) -> SignatureBytes {
        self.private.try_sign(message, &[]).expect("signed")
    }

    fn sign_from_seed(&self, seed: &[u8; 32], message: &[u8]) -> Option<SignatureBytes> {
        Some(fips::KG::keygen_from_seed(seed).1.try_sign(message, &[]).expect("signed"))
    }

    fn verify(&self, message: &[u8], signature: &SignatureBytes) -> bool {
        self.public.verify(message, signature, &[])
    }

    fn verify_by(&self, key: &KeyBytes, message: &[u8], signature: &SignatureBytes) -> bool {
        fips::PublicKey::try_from_bytes(*key).is_ok_and(|key| key.verify(message, signature, &[]))
    }
}

struct AwsLc {
    pair: PqdsaKeyPair,
    public: ParsedPublicKey,
}

impl AwsLc {
    fn new() -> Self {
        let pair = Self::from_seed(&SEED);
        Self { public: ParsedPublicKey::new(&ML_DSA_65, pair.public_key()).expect("a key"), pair }
    }

    fn from_seed(seed: &[u8; 32]) -> PqdsaKeyPair {
        PqdsaKeyPair::from_seed(&ML_DSA_65_SIGNING, seed).expect("a key pair")
    }

    fn sign_with(pair: &PqdsaKeyPair, message: &[u8]) -> SignatureBytes {
        let mut signature = [0; 3309];
        assert_eq!(pair.sign(message, &mut signature), Ok(3309));
        signature
    }
}

impl Peer for AwsLc {
    fn name(&self) -> &'static str {
        "aws-lc-rs"
    }

    fn generate(&self) {
        std::hint::black_box(PqdsaKeyPair::generate(&ML_DSA_65_SIGNING).expect("a key pair"));
    }

    fn sign(&self, message: &[u8]) -> SignatureBytes {
        Self::sign_with(&self.pair, message)
    }

    fn sign_from_seed(&self, seed: &[u8; 32], message: &[u8]) -> Option<SignatureBytes> {
        Some(Self::sign_with(&Self::from_seed(seed), message))
    }

    fn verify(&self, message: &[u8], signature: &SignatureBytes) -> bool {
        self.public.verify_sig(message, signature).is_ok()
    }

    fn verify_by(&self, key: &KeyBytes, message: &[u8], signature: &SignatureBytes) -> bool {
        UnparsedPublicKey::new(&ML_DSA_65, key).verify(message, signature).is_ok()
    }
}

struct PqCrypto {
    public: pqcrypto::PublicKey,
    secret: pqcrypto::SecretKey,
}

impl PqCrypto {
    fn new(key: &KeyBytes, expanded: &ExpandedBytes) -> Self {
        let public = PublicKey::from_bytes(key).expect("1952 bytes");
        Self { public, secret: SecretKey::from_bytes(expanded).expect("4032 bytes") }
    }

    fn accepts(key: &pqcrypto::PublicKey, message: &[u8], signature: &SignatureBytes) -> bool {
        let signature = DetachedSignature::from_bytes(signature).expect("3309 bytes");
        pqcrypto::verify_detached_signature(&signature, message, key).is_ok()
    }
}

impl Peer for PqCrypto {
    fn name(&self) -> &'static str {
        "pqcrypto-mldsa"
    }

    fn generate(&self) {
        std::hint::black_box(pqcrypto::keypair());
    }

    fn sign(&self, message: &[u8]) -> SignatureBytes {
        pqcrypto::detached_sign(message, &self.secret).as_bytes().try_into().expect("3309 bytes")
    }

    fn sign_from_seed(&self, _: &[u8; 32], _: &[u8]) -> Option<SignatureBytes> {
        None
    }

    fn verify(&self, message: &[u8], signature: &SignatureBytes) -> bool {
        Self::accepts(&self.public, message, signature)
    }

    fn verify_by(&self, key: &KeyBytes, message: &[u8], signature: &SignatureBytes) -> bool {
        Self::accepts(&PublicKey::from_bytes(key).expect("1952 bytes"), message, signature)
    }
}

struct Liboqs {
    key: KeyBytes,
    expanded: ExpandedBytes,
}

impl Peer for Liboqs {
    fn name(&self) -> &'static str {
        "liboqs 0.13"
    }

    fn generate(&self) {
        let (mut key, mut expanded) = ([0; 1952], [0; 4032]);
        // SAFETY: both have the room that the function's header states.
        let status = unsafe { oqs::OQS_SIG_ml_dsa_65_keypair(key.as_mut_ptr(), expanded.as_mut_ptr()) };
        assert!(status == oqs_sys::common::OQS_STATUS::OQS_SUCCESS);
        std::hint::black_box((key, expanded));
    }

    fn sign(&self, message: &[u8]) -> SignatureBytes {
        let (mut signature, mut bytes) = ([0; 3309], 0);
        // SAFETY: signature and key are as long as the function's header states, the message as is said.
        let status = unsafe {
            let (to, key) = (signature.as_mut_ptr(), self.expanded.as_ptr());
            oqs::OQS_SIG_ml_dsa_65_sign(to, &raw mut bytes, message.as_ptr(), message.len(), key)
        };
        assert!(status == oqs_sys::common::OQS_STATUS::OQS_SUCCESS && bytes == 3309);
        signature
    }

    fn sign_from_seed(&self, _: &[u8; 32], _: &[u8]) -> Option<SignatureBytes> {
        None
    }

    fn verify(&self, message: &[u8], signature: &SignatureBytes) -> bool {
        self.verify_by(&self.key, message, signature)
    }

    fn verify_by(&self, key: &KeyBytes, message: &[u8], signature: &SignatureBytes) -> bool {
        let (message, bytes) = (message.as_ptr(), message.len());
        // SAFETY: signature and key are as long as the function's header states, the message as is said.
        let status = unsafe { oqs::OQS_SIG_ml_dsa_65_verify(message, bytes, signature.as_ptr(), 3309, key.as_ptr()) };
        status == oqs_sys::common::OQS_STATUS::OQS_SUCCESS
    }
}

/// The code that liboqs carries since 0.16.
pub struct Native {
    pub key: KeyBytes,
    pub expanded: ExpandedBytes,
}

impl Native {
    fn sign_with(expanded: &ExpandedBytes, message: &[u8]) -> SignatureBytes {
        let (mut signature, mut bytes) = ([0; 3309], 0);
        // SAFETY: signature and key are as long as the function's header states, the message as is said; there is no
        // context.
        let status = unsafe {
            let (to, key) = (signature.as_mut_ptr(), expanded.as_ptr());
            native::mldsa65_signature(to, &raw mut bytes, message.as_ptr(), message.len(), null(), 0, key)
        };
        assert!(status == native::SUCCESS && bytes == 3309);
        signature
    }

    /// Where the message is hashed already.
    pub fn verify_mu(&self, mu: &[u8; 64], signature: &SignatureBytes) -> bool {
        // SAFETY: all three are as long as the function's header states.
        let status = unsafe { native::mldsa65_verify_extmu(signature.as_ptr(), 3309, mu.as_ptr(), self.key.as_ptr()) };
        status == native::SUCCESS
    }
}

impl Peer for Native {
    fn name(&self) -> &'static str {
        "mldsa-native (liboqs 0.16)"
    }

    fn generate(&self) {
        let (mut key, mut expanded) = ([0; 1952], [0; 4032]);
        // SAFETY: both have the room that the function's header states.
        let status = unsafe { native::mldsa65_keypair(key.as_mut_ptr(), expanded.as_mut_ptr()) };
        assert!(status == native::SUCCESS);
        std::hint::black_box((key, expanded));
    }

    fn sign(&self, message: &[u8]) -> SignatureBytes {
        Self::sign_with(&self.expanded, message)
    }

    fn sign_from_seed(&self, seed: &[u8; 32], message: &[u8]) -> Option<SignatureBytes> {
        let (mut key, mut expanded) = ([0; 1952], [0; 4032]);
        // SAFETY: all three are as long as the function's header states.
        let status =
            unsafe { native::mldsa65_keypair_internal(key.as_mut_ptr(), expanded.as_mut_ptr(), seed.as_ptr()) };
        assert!(status == native::SUCCESS);
        Some(Self::sign_with(&expanded, message))
    }

    fn verify(&self, message: &[u8], signature: &SignatureBytes) -> bool {
        self.verify_by(&self.key, message, signature)
    }

    fn verify_by(&self, key: &KeyBytes, message: &[u8], signature: &SignatureBytes) -> bool {
        let (from, message, bytes) = (signature.as_ptr(), message.as_ptr(), message.len());
        // SAFETY: signature and key are as long as the function's header states, the message as is said; there is no
        // context.
        let status = unsafe { native::mldsa65_verify(from, 3309, message, bytes, null(), 0, key.as_ptr()) };
        status == native::SUCCESS
    }
}
