//! HKDF over HMAC-SHA3-256 (RFC 5869).

use super::{HmacKey, HmacSha3_256, Sha3_256};
use crate::secret::Secret;
use zeroize::Zeroizing;

/// Derives `N` bytes, at most 255 * 32, from input key material. An empty salt means the RFC's default salt of zeros.
///
/// ```
/// use dualseal::hash::hkdf_sha3_256;
///
/// let one = hkdf_sha3_256::<64>(&[1; 32], &[], &[b"purpose", b"::", b"one"]);
/// let two = hkdf_sha3_256::<64>(&[1; 32], &[], &[b"purpose::two"]);
/// assert_ne!(one.expose(), two.expose());
/// ```
///
/// `info` is the concatenation of its parts.
#[must_use]
pub fn hkdf_sha3_256<const N: usize>(ikm: &[u8], salt: &[u8], info: &[&[u8]]) -> Secret<N> {
    const { assert!(N <= 255 * 32, "HKDF gives at most 255 blocks") };
    let mut extract = HmacSha3_256::new(salt);
    extract.update(ikm);
    let prk = Zeroizing::new(extract.finish());

    let mut okm = Secret::zeroed();
    let mut previous = Zeroizing::new([0; 32]);
    let expand_key = HmacKey::<Sha3_256>::new(prk.as_slice());
    for (counter, chunk) in (1u8..=255).zip(okm.expose_mut().chunks_mut(32)) {
        let mut expand = expand_key.start();
        if counter > 1 {
            expand.update(previous.as_slice());
        }
        for part in info {
            expand.update(part);
        }
        expand.update(&[counter]);
        previous = Zeroizing::new(expand.finish());
        for (to, from) in chunk.iter_mut().zip(previous.iter()) {
            *to = *from;
        }
    }
    okm
}
