//! Encryption of data of any size under one secret, in chunks, each of which is authenticated before it is released.
//!
//! ```text
//! stored = "DSV1" ‖ salt[32] ‖ commit[32] ‖ chunks
//! HKDF-SHA3-256(ikm = secret, salt, info = P::AEAD::<identity_id>::<type>::S, 64 bytes) = K[32] ‖ commit[32]
//! chunk i: ChaCha20-Poly1305 (RFC 8439) under K of 65,536 bytes, the last of fewer, with the nonce
//!          7 zero bytes ‖ i in 4 bytes, big-endian ‖ 01 for the last chunk, else 00
//! ```
//!
//! with the vault row's constants. The chunks are the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár
//! (*Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance*, 2015) with a 32-bit counter. `commit`
//! makes a stream open under one secret only, which ChaCha20-Poly1305 alone does not promise; it is compared in
//! constant time before anything is decrypted.
//!
//! A [`Decryptor`] gives out each chunk as soon as its tag holds, so what a truncated stream gives is a true beginning
//! of the plaintext: only [`Decryptor::finish`] says that it was the whole. [`open`] gives nothing until then.

mod decryptor;
mod encryptor;

pub use decryptor::{Decryptor, open};
pub use encryptor::{Encryptor, seal};

use crate::domain::{Domain, Label, Row};
use crate::encoding::{check_label, hex};
use crate::error::Error;
use crate::hash::hkdf_sha3_256;
use crate::secret::Secret;
use aead_stream::{NewStream, StreamBE32};
use alloc::boxed::Box;
use alloc::string::String;
use chacha20poly1305::ChaCha20Poly1305;
use core::fmt;
use zeroize::Zeroizing;

/// The first four bytes of a stream.
pub const MAGIC: [u8; 4] = *b"DSV1";

/// Bytes before the first chunk: [`MAGIC`], the salt and the commitment.
pub const HEADER_BYTES: usize = 68;

/// Bytes of plaintext in every chunk but the last.
pub const CHUNK_BYTES: usize = 65_536;

/// Bytes that each chunk is longer when it is encrypted.
pub const TAG_BYTES: usize = 16;

/// What a stream is encrypted under: a [`DrawnSecret`](crate::shamir::DrawnSecret), a [`Secret<32>`], or a
/// [`Secret<66>`] for bytes of an element of F_p that nobody vouches for. It cannot be implemented outside this crate.
pub trait KeyMaterial: sealed::Sealed + Send + Sync {}

pub(crate) mod sealed {
    pub trait Sealed {
        /// Lends the bytes of the secret.
        fn with_key(&self, lend: &mut dyn FnMut(&[u8]));
    }
}

impl sealed::Sealed for Secret<32> {
    fn with_key(&self, lend: &mut dyn FnMut(&[u8])) {
        lend(self.expose());
    }
}

impl KeyMaterial for Secret<32> {}

impl sealed::Sealed for Secret<66> {
    fn with_key(&self, lend: &mut dyn FnMut(&[u8])) {
        lend(self.expose());
    }
}

impl KeyMaterial for Secret<66> {}

/// What a stream is for: a deployment, an identity and a type. It opens under the same three only.
///
/// ```
/// use dualseal::Domain;
/// use dualseal::stream::Purpose;
///
/// let domain = Domain::default();
/// let ana = domain.identity_id(b"", "ana", "")?;
/// let purpose = Purpose::new(&domain, ana.as_bytes(), "CONTRACT")?;
/// assert!(Purpose::new(&domain, ana.as_bytes(), "a::b").is_err());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Purpose {
    info: String,
}

impl Purpose {
    /// Names the 32 bytes of an [`IdentityId`](crate::IdentityId) and a type: 1 to 255 bytes of text that contains no
    /// `::`, does not begin with `:` and has no control character.
    ///
    /// # Errors
    /// [`Problem::Range`](crate::error::Problem::Range), [`Problem::Ambiguous`](crate::error::Problem::Ambiguous) or
    /// [`Problem::Control`](crate::error::Problem::Control) for `type`.
    pub fn new(domain: &Domain, identity_id: &[u8; 32], kind: &str) -> Result<Self, Error> {
        check_label("type", kind)?;
        Ok(Self::of_checked(domain, identity_id, kind))
    }

    /// As [`new`](Self::new), for a type that was checked before.
    pub(crate) fn of_checked(domain: &Domain, identity_id: &[u8; 32], kind: &str) -> Self {
        let info = domain.join(Row::Vault, &[domain.label(Label::VaultAead), &hex::encode(identity_id), kind]);
        Self { info }
    }
}

impl fmt::Debug for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Purpose").field(&self.info).finish()
    }
}

/// How long a stream over so many bytes is: 84 bytes more, and 16 for each chunk after the first.
#[must_use]
pub fn stored_length(plaintext: usize) -> usize {
    let chunks = plaintext.div_ceil(CHUNK_BYTES).max(1);
    plaintext.saturating_add(chunks.saturating_mul(TAG_BYTES)).saturating_add(HEADER_BYTES)
}

/// The cipher, on the heap so that moving it leaves no copy of the key, and what the header says of the key.
fn derive<K: KeyMaterial + ?Sized>(secret: &K, purpose: &Purpose, salt: &[u8; 32]) -> (Box<Chunks>, [u8; 32]) {
    let mut derived = Secret::<64>::zeroed();
    secret.with_key(&mut |ikm| derived = hkdf_sha3_256(ikm, salt, &[purpose.info.as_bytes()]));
    let mut key = Zeroizing::new(chacha20poly1305::Key::default());
    let mut commit = [0; 32];
    let (first, second) = derived.expose().split_at(32);
    key.copy_from_slice(first);
    commit.copy_from_slice(second);
    let nonce = aead_stream::Nonce::<ChaCha20Poly1305, Chunks>::default();
    (Box::new(StreamBE32::new(&key, &nonce)), commit)
}

type Chunks = StreamBE32<ChaCha20Poly1305>;
