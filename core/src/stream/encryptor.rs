//! The way in.

use super::{CHUNK_BYTES, Chunks, KeyMaterial, MAGIC, Purpose, TAG_BYTES, derive, stored_length};
use crate::error::{Error, Misuse};
use crate::secret::Distinct;
use aead_stream::StreamPrimitive;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use rand_core::{TryCryptoRng, TryRng};
use zeroize::Zeroizing;

/// Encrypts data that comes in parts of any size.
///
/// ```
/// use dualseal::secret::Secret;
/// use dualseal::stream::{self, Encryptor, Purpose};
/// use dualseal::{Domain, SystemRng};
///
/// let domain = Domain::default();
/// let ana = domain.identity_id(b"", "ana", "")?;
/// let purpose = Purpose::new(&domain, ana.as_bytes(), "CONTRACT")?;
/// let secret = Secret::<32>::random(&mut SystemRng)?;
///
/// let mut stored = Vec::new();
/// let mut encryptor = Encryptor::new(&secret, &purpose, &mut SystemRng, &mut stored)?;
/// encryptor.update(b"first part, ", &mut stored)?;
/// encryptor.update(b"second part", &mut stored)?;
/// encryptor.finish(&mut stored)?;
/// assert_eq!(*stream::open(&secret, &purpose, &stored)?, b"first part, second part");
/// # Ok::<(), dualseal::Error>(())
/// ```
pub struct Encryptor {
    chunks: Box<Chunks>,
    position: u32,
    /// At most one chunk: whether it is the last is known when more comes, or nothing.
    pending: Zeroizing<Vec<u8>>,
    /// Something was refused: a stream that ends here would look whole without it.
    refused: bool,
}

impl Encryptor {
    /// Draws a salt and writes the header, 68 bytes, to the end of `out`.
    ///
    /// # Errors
    /// [`Error::Randomness`] when the generator fails, or gives nothing but zeros.
    pub fn new<K, R>(secret: &K, purpose: &Purpose, rng: &mut R, out: &mut Vec<u8>) -> Result<Self, Error>
    where
        K: KeyMaterial + ?Sized,
        R: TryCryptoRng + ?Sized,
    {
        Self::with_room(secret, purpose, rng, out, CHUNK_BYTES)
    }

    /// As [`new`](Self::new), for at most so much plaintext: wiping a whole chunk takes longer than encrypting a key.
    pub(crate) fn with_room<K, R>(
        secret: &K,
        purpose: &Purpose,
        rng: &mut R,
        out: &mut Vec<u8>,
        plaintext: usize,
    ) -> Result<Self, Error>
    where
        K: KeyMaterial + ?Sized,
        R: TryCryptoRng + ?Sized,
    {
        let mut salt = [0; 32];
        // A generator that is stuck would publish the key as the salt.
        let mut drawn = false;
        secret.with_key(&mut |key| drawn = Distinct::beside(rng, key).try_fill_bytes(&mut salt).is_ok());
        if !drawn || salt == [0; 32] {
            return Err(Error::Randomness);
        }
        let (chunks, commit) = derive(secret, purpose, &salt);
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&salt);
        out.extend_from_slice(&commit);
        // Room for the tag, so that the buffer never moves and leaves plaintext behind.
        let room = plaintext.min(CHUNK_BYTES).saturating_add(TAG_BYTES);
        let pending = Zeroizing::new(Vec::with_capacity(room));
        Ok(Self { chunks, position: 0, pending, refused: false })
    }

    /// Takes the next part, and writes the chunks that are full to the end of `out`.
    ///
    /// # Errors
    /// [`Misuse::StreamTooLong`] after 2^32 chunks (256 TiB).
    pub fn update(&mut self, plaintext: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        let mut rest = plaintext;
        while !rest.is_empty() {
            if self.pending.len() == CHUNK_BYTES {
                let Some(next) = self.position.checked_add(1).filter(|_| !self.refused) else {
                    self.refused = true;
                    return Err(Misuse::StreamTooLong.into());
                };
                self.encrypt(false, out)?;
                self.position = next;
            }
            let room = CHUNK_BYTES.saturating_sub(self.pending.len()).min(rest.len());
            let (now, later) = rest.split_at_checked(room).unwrap_or((rest, &[]));
            self.pending.extend_from_slice(now);
            rest = later;
        }
        Ok(())
    }

    /// Writes the last chunk to the end of `out`. A stream without it does not open.
    ///
    /// # Errors
    /// [`Misuse::StreamTooLong`] after an [`update`](Self::update) that gave it.
    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        if self.refused {
            return Err(Misuse::StreamTooLong.into());
        }
        self.encrypt(true, out)
    }

    fn encrypt(&mut self, last: bool, out: &mut Vec<u8>) -> Result<(), Error> {
        self.chunks
            .encrypt_in_place(self.position, last, &[], &mut *self.pending)
            .map_err(|_| Error::from(Misuse::StreamTooLong))?;
        out.extend_from_slice(&self.pending);
        self.pending.clear();
        Ok(())
    }
}

impl fmt::Debug for Encryptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encryptor").field("position", &self.position).finish_non_exhaustive()
    }
}

/// Encrypts data that is in memory. The result is 68 bytes longer, and 16 more for each chunk of 65,536 bytes.
///
/// ```
/// use dualseal::field::Fp521;
/// use dualseal::shamir::DrawnSecret;
/// use dualseal::stream::{self, Purpose};
/// use dualseal::{Domain, SystemRng};
///
/// let domain = Domain::default();
/// let ana = domain.identity_id(b"", "ana", "")?;
/// let purpose = Purpose::new(&domain, ana.as_bytes(), "PASSWORD")?;
/// // A password could be guessed from its anchor; what is shared is the drawn secret that encrypts it.
/// let secret = DrawnSecret::<Fp521>::draw(&mut SystemRng)?;
/// let stored = stream::seal(&secret, &purpose, b"correct horse", &mut SystemRng)?;
/// assert_eq!(stored.len(), 68 + 13 + 16);
/// assert_eq!(*stream::open(&secret, &purpose, &stored)?, b"correct horse");
/// # Ok::<(), dualseal::Error>(())
/// ```
///
/// # Errors
/// As [`Encryptor::new`] and [`Encryptor::update`].
pub fn seal<K, R>(secret: &K, purpose: &Purpose, plaintext: &[u8], rng: &mut R) -> Result<Vec<u8>, Error>
where
    K: KeyMaterial + ?Sized,
    R: TryCryptoRng + ?Sized,
{
    let mut out = Vec::with_capacity(stored_length(plaintext.len()));
    let mut encryptor = Encryptor::with_room(secret, purpose, rng, &mut out, plaintext.len())?;
    encryptor.update(plaintext, &mut out)?;
    encryptor.finish(&mut out)?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Domain;
    use crate::error::StreamFault;
    use crate::field::contract::Repeatable;
    use crate::secret::Secret;
    use crate::stream::{Decryptor, HEADER_BYTES, open};

    /// What was refused is missing, so the stream cannot end as if it were whole.
    #[test]
    fn a_stream_that_refused_a_part_does_not_end() {
        let purpose = Purpose::new(&Domain::default(), &[1; 32], "TEST").unwrap();
        let secret = Secret::<32>::from_slice("secret", &[2; 32]).unwrap();
        let mut out = Vec::new();
        let mut encryptor = Encryptor::new(&secret, &purpose, &mut Repeatable(3), &mut out).unwrap();
        encryptor.position = u32::MAX;
        encryptor.update(&alloc::vec![7; CHUNK_BYTES], &mut out).unwrap();
        for _ in 0..2 {
            assert_eq!(encryptor.update(&[7], &mut out), Err(Misuse::StreamTooLong.into()));
        }
        assert_eq!(encryptor.finish(&mut out), Err(Misuse::StreamTooLong.into()));
        assert_eq!(out.len(), HEADER_BYTES);
    }

    #[test]
    fn the_counter_does_not_start_again() {
        let purpose = Purpose::new(&Domain::default(), &[1; 32], "TEST").unwrap();
        let secret = Secret::<32>::from_slice("secret", &[2; 32]).unwrap();
        let mut out = Vec::new();
        let mut encryptor = Encryptor::new(&secret, &purpose, &mut Repeatable(3), &mut out).unwrap();
        encryptor.position = u32::MAX - 1;
        let mut decryptor = Decryptor::new(&secret, &purpose);
        let chunk = alloc::vec![7; CHUNK_BYTES];
        encryptor.update(&chunk, &mut out).unwrap();
        // Position 2^32-2 is not the last, 2^32-1 can be nothing else.
        encryptor.update(&chunk, &mut out).unwrap();
        encryptor.finish(&mut out).unwrap();
        assert_eq!(out.len(), HEADER_BYTES + 2 * (CHUNK_BYTES + TAG_BYTES));

        let mut plain = Vec::new();
        assert_eq!(decryptor.update(&out, &mut plain), Err(StreamFault::Chunk { index: 0 }.into()));
        assert_eq!(open(&secret, &purpose, &out).unwrap_err(), StreamFault::Chunk { index: 0 }.into());
        let mut decryptor = Decryptor::new(&secret, &purpose);
        decryptor.set_position(u32::MAX - 1);
        decryptor.update(&out, &mut plain).unwrap();
        decryptor.finish(&mut plain).unwrap();
        assert_eq!(plain, alloc::vec![7; 2 * CHUNK_BYTES]);
        let mut decryptor = Decryptor::new(&secret, &purpose);
        decryptor.set_position(u32::MAX - 1);
        out.push(0);
        assert_eq!(decryptor.update(&out, &mut plain), Err(StreamFault::Chunk { index: u64::from(u32::MAX) }.into()));
    }
}
