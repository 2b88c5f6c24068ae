//! What vault records need of primitives, by the bare crates.

use chacha20poly1305::aead::AeadInOut;
use chacha20poly1305::{ChaCha20Poly1305, Key, Nonce};
use dualseal::SystemRng;
use hmac::{Hmac, KeyInit, Mac, SimpleHmac};
use ml_dsa::{Keypair, MlDsa65, VerifyingKey};
use sha2::Sha256;
use sha3::{Digest, Sha3_256, Sha3_512};
use std::hint::black_box;

/// Bytes of a chunk of the encrypted stream.
pub(crate) const CHUNK: usize = 65_536;

/// The primitives over bytes that lie ready, as long as those of a record over so large a payload.
pub(crate) struct Bare {
    seed: [u8; 32],
    signing: ml_dsa::SigningKey<MlDsa65>,
    verifying: VerifyingKey<MlDsa65>,
    signature: ml_dsa::Signature<MlDsa65>,
    cipher: ChaCha20Poly1305,
    chunks: Vec<Vec<u8>>,
    stored: Vec<u8>,
    hex: Vec<u8>,
    /// L5's payload as hexadecimal.
    block: Vec<u8>,
    /// The seal string.
    seal: Vec<u8>,
}

impl Bare {
    /// The record as it is stored, its stored bytes, its seal string, and what was sealed.
    pub(crate) fn new(seed: &[u8; 32], json: &str, stored: &[u8], seal: &str, payload: &[u8]) -> Self {
        let signing = ml_dsa::SigningKey::<MlDsa65>::from_seed(&ml_dsa::Seed::from(*seed));
        let (_, sealed) = json.split_once("\"sealed\":").expect("the last member");
        let block = hex::encode(sealed).into_bytes();
        let signature = signing.expanded_key().sign_deterministic(&block, &[]).expect("signed");
        let mut chunks: Vec<Vec<u8>> = payload.chunks(CHUNK).map(<[u8]>::to_vec).collect();
        for chunk in &mut chunks {
            chunk.reserve(16);
        }
        Self {
            verifying: signing.verifying_key().clone(),
            signing,
            seed: *seed,
            signature,
            cipher: ChaCha20Poly1305::new(&Key::from([1; 32])),
            chunks,
            stored: stored.to_vec(),
            hex: hex::encode(stored).into_bytes(),
            block,
            seal: seal.as_bytes().to_vec(),
        }
    }

    /// L0 and L3 share one pass; the identifier is over the hexadecimal.
    fn hashes(&self) {
        black_box(Sha3_256::digest(black_box(&self.stored)));
        black_box(Sha3_256::digest(black_box(&self.hex)));
    }

    fn encrypt(&mut self) {
        for chunk in &mut self.chunks {
            self.cipher.encrypt_in_place(&Nonce::default(), &[], chunk).expect("room");
            chunk.truncate(chunk.len() - 16);
        }
    }

    /// Decryption costs what encryption does; what lies ready here is no ciphertext.
    fn decrypt(&mut self) {
        self.encrypt();
    }

    /// HKDF: one HMAC to extract, and one for each 32 bytes.
    fn derive(&self, bytes: usize) {
        for message in [&self.block[..32]].into_iter().chain((0..bytes / 32).map(|_| &self.block[..130])) {
            let mut mac = <SimpleHmac<Sha3_256> as KeyInit>::new_from_slice(&[1; 32]).expect("any length");
            mac.update(message);
            black_box(mac.finalize());
        }
    }

    /// With the keys of L2, L5 and L7, their three MACs.
    fn macs(&self) {
        self.derive(32);
        self.derive(64);
        self.derive(32);
        let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&[1; 32]).expect("any length");
        mac.update(&self.block[..98]);
        black_box(mac.finalize());
        let mut mac = <SimpleHmac<Sha3_512> as KeyInit>::new_from_slice(&[1; 64]).expect("any length");
        mac.update(&self.block);
        black_box(mac.finalize());
        let mut mac = <SimpleHmac<Sha3_256> as KeyInit>::new_from_slice(&[1; 32]).expect("any length");
        mac.update(&self.block[..160]);
        black_box(mac.finalize());
    }

    /// The seal's identifier, L7's digest, L8's entry and its handle.
    fn chain(&self) {
        black_box(Sha3_256::digest(black_box(&self.seal)));
        black_box(Sha3_256::digest(&self.block[..32]));
        black_box(Sha3_512::digest(&self.block[..480]));
        black_box(Sha3_256::digest(&self.block[..128]));
    }

    fn verify(&self) {
        assert!(self.verifying.verify_with_context(black_box(&self.block), &[], &self.signature));
    }

    pub(crate) fn seal(&mut self) {
        self.derive(64);
        self.encrypt();
        self.hashes();
        self.macs();
        self.chain();
        black_box(ml_dsa::SigningKey::<MlDsa65>::from_seed(&ml_dsa::Seed::from(black_box(self.seed))));
        let signed = self.signing.expanded_key().sign_randomized(black_box(&self.block), &[], &mut SystemRng);
        black_box(signed.expect("signed"));
    }

    pub(crate) fn verify_public(&self) {
        self.hashes();
        self.chain();
        self.verify();
    }

    /// With a place in the chain, the key in force there is tried as well.
    pub(crate) fn verify_operator(&self) {
        self.hashes();
        self.macs();
        self.chain();
        self.verify();
        self.verify();
    }

    /// The second pass.
    pub(crate) fn unseal(&mut self) {
        self.derive(64);
        black_box(Sha3_256::digest(black_box(&self.stored)));
        self.decrypt();
    }
}
