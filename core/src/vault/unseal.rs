//! Taking documents out again: a second pass over the stored bytes, after every layer passed in a first one.

use super::record::{Encryption, LayerHash};
use super::verifier::OperatorRecord;
use crate::error::{Error, Misuse, VaultFault};
use crate::hash::{HashFunction, Sha3_256};
use crate::stream::{CHUNK_BYTES, Decryptor, KeyMaterial};
use crate::verdict::Verified;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

/// Plain bytes of a document whose end was not seen yet. They may be withdrawn: whoever acts on them must be able to
/// undo it until [`Unsealer::finish`]. They are wiped when dropped.
#[derive(Default)]
pub struct Provisional(Plain);

impl Provisional {
    /// None.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The bytes since the last [`clear`](Self::clear).
    #[must_use]
    pub fn provisional_bytes(&self) -> &[u8] {
        &self.0.0
    }

    /// Lets them go, and keeps the buffer for the next ones.
    pub fn clear(&mut self) {
        self.0.0.clear();
    }
}

/// A document that was unsealed, all of it. It is wiped when dropped.
pub struct Document(Plain);

impl Deref for Document {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0.0
    }
}

/// Plain bytes that are wiped. All at once: byte by byte, as by `Zeroizing`, takes a sixth of the time of decrypting.
#[derive(Default)]
struct Plain(Vec<u8>);

impl Plain {
    /// Makes room. A buffer that grew by itself would leave a copy behind that nobody wipes.
    fn reserve(&mut self, more: usize) {
        let needed = self.0.len().saturating_add(more);
        if needed > self.0.capacity() {
            let mut larger = Self(Vec::with_capacity(needed));
            larger.0.extend_from_slice(&self.0);
            *self = larger;
        }
    }
}

impl Drop for Plain {
    fn drop(&mut self) {
        let room = self.0.capacity();
        self.0.clear();
        self.0.resize(room, 0);
        // The compiler may not leave out writes that something could still read.
        zeroize::optimization_barrier(self.0.as_slice());
    }
}

/// Proof that what an [`Unsealer`] gave was the whole document, unchanged since it was verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "without it the document is provisional"]
pub struct Unsealed {
    length: u64,
}

impl Unsealed {
    /// The number of stored bytes that were read.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }
}

/// Unseals a document whose stored bytes come in parts of any size. The honeypot fragment is no part of it.
pub struct Unsealer<'a> {
    expected: LayerHash,
    hash: Sha3_256,
    length: u64,
    seen: u64,
    state: State<'a>,
}

enum State<'a> {
    Plain,
    Encrypted(Decryptor<'a, dyn KeyMaterial + 'a>),
    Refused,
}

impl<'a> Unsealer<'a> {
    /// Begins the second pass over the stored bytes of a record that the operator's policy verified.
    ///
    /// # Errors
    /// [`Misuse::NoVaultSecret`] where the record is encrypted and no secret is given.
    pub fn new(record: &'a Verified<OperatorRecord>, secret: Option<&'a dyn KeyMaterial>) -> Result<Self, Error> {
        let operator = record.record();
        let header = operator.record().header();
        let state = match (header.encryption, secret) {
            (Encryption::None, _) => State::Plain,
            (Encryption::Stream, Some(secret)) => {
                let room = usize::try_from(header.length).unwrap_or(usize::MAX);
                State::Encrypted(Decryptor::with_room(secret, operator.purpose(), room))
            }
            (Encryption::Stream, None) => return Err(Misuse::NoVaultSecret.into()),
        };
        let expected = *operator.record().baseline();
        Ok(Self { expected, hash: Sha3_256::default(), length: header.length, seen: 0, state })
    }

    /// Takes the next part of the stored bytes and adds plain bytes to `out`. Those of an encrypted document are
    /// authenticated, in their place; all are provisional until [`finish`](Self::finish).
    ///
    /// # Errors
    /// [`VaultFault::StoredChanged`] as soon as there are too many bytes; for an encrypted document
    /// [`StreamFault`](crate::error::StreamFault) `OtherKey`, before anything is decrypted, and `Chunk`;
    /// [`Misuse::StreamEnded`] after an error.
    pub fn update(&mut self, stored: &[u8], out: &mut Provisional) -> Result<(), Error> {
        let taken = self.take(stored, out);
        if taken.is_err() {
            self.state = State::Refused;
        }
        taken
    }

    /// Adds the last plain bytes to `out`. With them it was the whole document.
    ///
    /// # Errors
    /// [`VaultFault::StoredChanged`] when the stored bytes are not those that were verified; otherwise as
    /// [`update`](Self::update).
    pub fn finish(mut self, out: &mut Provisional) -> Result<Unsealed, Error> {
        match self.state {
            State::Plain => {}
            State::Encrypted(decryptor) => {
                out.0.reserve(at_most_a_chunk(self.seen));
                decryptor.finish(&mut out.0.0)?;
            }
            State::Refused => return Err(Misuse::StreamEnded.into()),
        }
        if self.seen != self.length || LayerHash::from_bytes(self.hash.finish()) != self.expected {
            return Err(VaultFault::StoredChanged.into());
        }
        Ok(Unsealed { length: self.seen })
    }

    fn take(&mut self, stored: &[u8], out: &mut Provisional) -> Result<(), Error> {
        let before = self.seen;
        self.seen = self.seen.saturating_add(u64::try_from(stored.len()).unwrap_or(u64::MAX));
        if self.seen > self.length {
            return Err(VaultFault::StoredChanged.into());
        }
        self.hash.update(stored);
        match &mut self.state {
            State::Plain => {
                out.0.reserve(stored.len());
                out.0.0.extend_from_slice(stored);
            }
            State::Encrypted(decryptor) => {
                // What was held back before may come out with it.
                out.0.reserve(stored.len().saturating_add(at_most_a_chunk(before)));
                decryptor.update(stored, &mut out.0.0)?;
            }
            State::Refused => return Err(Misuse::StreamEnded.into()),
        }
        Ok(())
    }
}

/// Unseals a document in memory: all of it or nothing.
///
/// # Errors
/// As [`Unsealer`].
pub fn unseal(
    record: &Verified<OperatorRecord>,
    secret: Option<&dyn KeyMaterial>,
    stored: &[u8],
) -> Result<Document, Error> {
    let mut out = Provisional::new();
    let mut unsealer = Unsealer::new(record, secret)?;
    unsealer.update(stored, &mut out)?;
    let Unsealed { .. } = unsealer.finish(&mut out)?;
    Ok(Document(out.0))
}

/// What a decryptor may hold back of so many bytes.
fn at_most_a_chunk(seen: u64) -> usize {
    usize::try_from(seen).map_or(CHUNK_BYTES, |seen| seen.min(CHUNK_BYTES))
}

impl fmt::Debug for Provisional {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provisional").field("length", &self.provisional_bytes().len()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document").field("length", &self.len()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Unsealer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unsealer").field("seen", &self.seen).field("length", &self.length).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK_BYTES, Plain, at_most_a_chunk};
    use alloc::vec;

    #[test]
    fn room_is_made_before_bytes_come_and_once() {
        let mut plain = Plain(vec![7; 3]);
        plain.reserve(100);
        assert!(plain.0.capacity() >= 103);
        assert_eq!(plain.0, [7; 3]);
        let (place, room) = (plain.0.as_ptr(), plain.0.capacity());
        plain.reserve(room - 3);
        assert_eq!((plain.0.as_ptr(), plain.0.capacity()), (place, room));
    }

    #[test]
    fn no_more_is_held_back_than_was_seen_or_a_chunk_has() {
        let chunk = CHUNK_BYTES as u64;
        let held = [0, 1, 2, chunk, chunk + 1, u64::MAX].map(at_most_a_chunk);
        assert_eq!(held, [0, 1, 2, CHUNK_BYTES, CHUNK_BYTES, CHUNK_BYTES]);
    }
}
