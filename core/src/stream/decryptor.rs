//! The way out.

use super::{CHUNK_BYTES, Chunks, HEADER_BYTES, KeyMaterial, MAGIC, Purpose, TAG_BYTES, derive};
use crate::error::{Error, Misuse, Problem, StreamFault};
use aead_stream::StreamPrimitive;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

const SEALED_CHUNK_BYTES: usize = CHUNK_BYTES + TAG_BYTES;

/// Decrypts a stream that comes in parts of any size.
///
/// Every byte that it gives out is authenticated, and in its place. That nothing is missing at the end, only
/// [`finish`](Self::finish) tells: whoever acts before must be able to undo it. After an error it gives nothing more.
///
/// ```
/// use dualseal::secret::Secret;
/// use dualseal::stream::{self, Decryptor, Purpose};
/// use dualseal::{Domain, SystemRng};
///
/// let domain = Domain::default();
/// let ana = domain.identity_id(b"", "ana", "")?;
/// let purpose = Purpose::new(&domain, ana.as_bytes(), "CONTRACT")?;
/// let secret = Secret::<32>::random(&mut SystemRng)?;
/// let stored = stream::seal(&secret, &purpose, b"some text", &mut SystemRng)?;
///
/// let mut plain = Vec::new();
/// let mut decryptor = Decryptor::new(&secret, &purpose);
/// for part in stored.chunks(10) {
///     decryptor.update(part, &mut plain)?;
/// }
/// decryptor.finish(&mut plain)?;
/// assert_eq!(plain, b"some text");
/// # Ok::<(), dualseal::Error>(())
/// ```
pub struct Decryptor<'a, K: KeyMaterial + ?Sized> {
    state: State<'a, K>,
    position: u32,
    /// Less than a header, or at most one chunk: whether it is the last is known when more comes, or nothing.
    pending: Zeroizing<Vec<u8>>,
}

enum State<'a, K: ?Sized> {
    Header(&'a K, &'a Purpose),
    Chunks(Box<Chunks>),
    Refused,
}

impl<'a, K: KeyMaterial + ?Sized> Decryptor<'a, K> {
    /// Begins before the header.
    #[must_use]
    pub fn new(secret: &'a K, purpose: &'a Purpose) -> Self {
        Self::with_room(secret, purpose, SEALED_CHUNK_BYTES)
    }

    /// As [`new`](Self::new), for a stream of at most so many bytes: wiping a whole chunk takes longer than decrypting
    /// a key.
    pub(crate) fn with_room(secret: &'a K, purpose: &'a Purpose, stored: usize) -> Self {
        let pending = Zeroizing::new(Vec::with_capacity(stored.min(SEALED_CHUNK_BYTES)));
        Self { state: State::Header(secret, purpose), position: 0, pending }
    }

    /// Takes the next part, and writes the plaintext of every chunk that is complete and not the last to the end of
    /// `out`.
    ///
    /// # Errors
    /// [`Problem::StreamHeader`]; [`StreamFault::OtherKey`], before anything is decrypted; [`StreamFault::Chunk`];
    /// [`Misuse::StreamEnded`] after an error.
    pub fn update(&mut self, stored: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        let taken = self.take(stored, out);
        if taken.is_err() {
            self.state = State::Refused;
        }
        taken
    }

    /// Writes the plaintext of the last chunk to the end of `out`: with it, it is the whole.
    ///
    /// # Errors
    /// As [`update`](Self::update). A stream that was cut off is a [`StreamFault::Chunk`], or a [`Problem::Length`] of
    /// `stream` within its header.
    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        match self.state {
            State::Header(..) => {
                let problem = Problem::Length { expected: HEADER_BYTES, found: self.pending.len() };
                Err(Error::malformed("stream", problem))
            }
            _ => self.decrypt(true, out),
        }
    }

    fn take(&mut self, stored: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        let mut rest = stored;
        while !rest.is_empty() {
            let full = match self.state {
                State::Header(..) => HEADER_BYTES,
                State::Chunks(_) => SEALED_CHUNK_BYTES,
                State::Refused => return Err(Misuse::StreamEnded.into()),
            };
            if self.pending.len() == full {
                self.decrypt(false, out)?;
                // Position 2^32-1 is the last of any stream.
                self.position = self.position.checked_add(1).ok_or_else(|| self.fault())?;
            }
            let room = full.saturating_sub(self.pending.len()).min(rest.len());
            let (now, later) = rest.split_at_checked(room).unwrap_or((rest, &[]));
            self.pending.extend_from_slice(now);
            rest = later;
            self.read_header()?;
        }
        Ok(())
    }

    /// Once the header is complete, checks that the stream was made under this secret for this purpose.
    fn read_header(&mut self) -> Result<(), Error> {
        let State::Header(secret, purpose) = self.state else {
            return Ok(());
        };
        let (magic, rest) = self.pending.split_at_checked(MAGIC.len()).unwrap_or((&self.pending, &[]));
        if !MAGIC.starts_with(magic) {
            return Err(Error::malformed("stream", Problem::StreamHeader));
        }
        let Some((salt, commit)) = rest.split_first_chunk::<32>().filter(|(_, commit)| commit.len() == 32) else {
            return Ok(());
        };
        let (chunks, expected) = derive(secret, purpose, salt);
        if !bool::from(expected.as_slice().ct_eq(commit)) {
            return Err(StreamFault::OtherKey.into());
        }
        self.state = State::Chunks(chunks);
        self.pending.clear();
        Ok(())
    }

    fn decrypt(&mut self, last: bool, out: &mut Vec<u8>) -> Result<(), Error> {
        let State::Chunks(chunks) = &self.state else {
            return Err(Misuse::StreamEnded.into());
        };
        // An empty last chunk stands for an empty plaintext and for nothing else: each plaintext has one length.
        if last && self.position > 0 && self.pending.len() == TAG_BYTES {
            return Err(self.fault());
        }
        chunks.decrypt_in_place(self.position, last, &[], &mut *self.pending).map_err(|_| self.fault())?;
        out.extend_from_slice(&self.pending);
        self.pending.clear();
        Ok(())
    }

    fn fault(&self) -> Error {
        StreamFault::Chunk { index: self.position.into() }.into()
    }

    #[cfg(test)]
    pub(super) fn set_position(&mut self, position: u32) {
        self.position = position;
    }
}

impl<K: KeyMaterial + ?Sized> fmt::Debug for Decryptor<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decryptor").field("position", &self.position).finish_non_exhaustive()
    }
}

/// Decrypts a stream that is in memory: all of it or nothing.
///
/// # Errors
/// As [`Decryptor`].
pub fn open<K: KeyMaterial + ?Sized>(
    secret: &K,
    purpose: &Purpose,
    stored: &[u8],
) -> Result<Zeroizing<Vec<u8>>, Error> {
    // Room for all of it, so that the plaintext never moves and leaves a copy behind.
    let mut out = Zeroizing::new(Vec::with_capacity(stored.len()));
    let mut decryptor = Decryptor::with_room(secret, purpose, stored.len());
    decryptor.update(stored, &mut out)?;
    decryptor.finish(&mut out)?;
    Ok(out)
}
