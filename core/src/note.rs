//! Signed notes: a log's size and root as the transparency ecosystem writes them (C2SP `signed-note`,
//! `tlog-checkpoint`), the cosignatures of its witnesses (`tlog-cosignature`), and proofs that something stands in the
//! log (`tlog-proof`).
//!
//! ```text
//! example.org/log
//! 3
//! wvvmOTDqxkuVlL6TIqTAMJ3fVWJ2nFAHIqzYQeR2nMY=
//!
//! — example.org/log 2Bwb…
//! — witness.example 9oU4…
//! ```

mod key;
mod place;
mod spelling;
#[cfg(test)]
mod tests;
mod witness;

pub use key::{NoteKey, NoteKind, NoteName};
pub use place::LogProof;
pub use witness::{Witnessed, Witnesses};

use crate::ed25519::{Ed25519Signature, Ed25519SigningKey};
use crate::error::{Error, NoteFault, Problem};
use crate::tree::TreeHash;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use spelling::{decoded, encoded};

/// More lines of signatures than any log has, and few enough to be checked at once.
const MOST_LINES: usize = 64;
/// What a line of a signature begins with.
const DASH: &str = "\u{2014} ";

/// What a note says: the name of the log, the number of its leaves, and their root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteBody {
    /// The log.
    pub origin: NoteName,
    /// The number of leaves.
    pub size: u64,
    /// The root over them.
    pub root: TreeHash,
}

impl NoteBody {
    /// Its three lines, which are what is signed.
    #[must_use]
    pub fn to_text(&self) -> String {
        let Self { origin, size, root } = self;
        format!("{origin}\n{size}\n{}\n", encoded(root.as_bytes()))
    }

    fn read(text: &str) -> Result<Self, Error> {
        let malformed = |line, problem| Error::malformed_at("note", line, problem);
        let mut lines = text.split('\n');
        let (Some(origin), Some(size), Some(root), None) = (lines.next(), lines.next(), lines.next(), lines.next())
        else {
            return Err(malformed(0, Problem::UnknownValue));
        };
        let origin = NoteName::new(origin).map_err(|_| malformed(0, Problem::UnknownValue))?;
        let number: u64 = size.parse().map_err(|_| malformed(1, Problem::Range))?;
        let hash = decoded(root).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
        let root = TreeHash::from_bytes(hash.ok_or_else(|| malformed(2, Problem::UnknownValue))?);
        let body = Self { origin, size: number, root };
        // One spelling: no sign, no leading zeros.
        if number.to_string() == size { Ok(body) } else { Err(malformed(1, Problem::Range)) }
    }
}

/// One line of a signature: who says to have made it, with which key, and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSignature {
    /// Of a stranger's line any name that C2SP allows.
    name: String,
    key_id: [u8; 4],
    bytes: Vec<u8>,
}

impl NoteSignature {
    /// Who says to have made it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The beginning of the hash of the key, as the signer says.
    #[must_use]
    pub fn key_id(&self) -> &[u8; 4] {
        &self.key_id
    }

    /// Whether it says to be by this key.
    fn names(&self, key: &NoteKey) -> bool {
        self.name == key.name().as_str() && self.key_id == key.id()
    }

    fn write(&self, out: &mut String) {
        let bytes = [&self.key_id[..], &self.bytes].concat();
        out.push_str(&[DASH, &self.name, " ", &encoded(&bytes), "\n"].concat());
    }

    fn read(line: &str) -> Option<Self> {
        let (name, encoded) = line.strip_prefix(DASH)?.split_once(' ')?;
        let bytes = decoded(encoded)?;
        let (key_id, bytes) = bytes.split_first_chunk()?;
        let is_name = !name.is_empty() && !name.contains(|c: char| c == '+' || c.is_whitespace());
        (is_name && !bytes.is_empty()).then(|| Self { name: name.into(), key_id: *key_id, bytes: bytes.to_vec() })
    }
}

/// A note with the lines of its signatures, of which nobody looked at one yet.
///
/// ```
/// use dualseal::ed25519::Ed25519SigningKey;
/// use dualseal::note::{Note, NoteBody, NoteKey, NoteKind, NoteName};
/// use dualseal::tree::TreeHash;
///
/// let key = Ed25519SigningKey::from_seed(&[7; 32])?;
/// let origin = NoteName::new("example.org/log")?;
/// let note = Note::sign(NoteBody { origin: origin.clone(), size: 0, root: TreeHash::empty() }, &key);
///
/// let read = Note::from_text(&note.to_text())?;
/// assert_eq!(read, note);
/// read.verify(&NoteKey::new(origin, NoteKind::Log, key.public_key()))?;
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    body: NoteBody,
    signatures: Vec<NoteSignature>,
}

impl Note {
    /// Signs what a log says, under its name.
    #[must_use]
    pub fn sign(body: NoteBody, key: &Ed25519SigningKey) -> Self {
        let named = NoteKey::new(body.origin.clone(), NoteKind::Log, key.public_key());
        let signature = key.sign(body.to_text().as_bytes());
        let line =
            NoteSignature { name: body.origin.to_string(), key_id: named.id(), bytes: signature.as_bytes().to_vec() };
        Self { body, signatures: [line].into() }
    }

    /// Reads a note.
    ///
    /// # Errors
    /// [`Error::Malformed`] for `note` with the line, from 0: a body that has not exactly three lines of their forms,
    /// no empty line behind it, no signature or more than 64, a line that is none.
    pub fn from_text(text: &str) -> Result<Self, Error> {
        let malformed = |line, problem| Error::malformed_at("note", line, problem);
        let (body, signatures) = text.split_once("\n\n").ok_or_else(|| malformed(3, Problem::MissingMember))?;
        let body = NoteBody::read(body)?;
        let lines = signatures.strip_suffix('\n').ok_or_else(|| malformed(4, Problem::MissingMember))?;
        if lines.split('\n').count() > MOST_LINES {
            return Err(malformed(4, Problem::Range));
        }
        let read = |(number, line)| NoteSignature::read(line).ok_or_else(|| malformed(number, Problem::UnknownValue));
        let signatures = (4..).zip(lines.split('\n')).map(read).collect::<Result<_, _>>()?;
        Ok(Self { body, signatures })
    }

    /// The note with all its signatures.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = self.body.to_text();
        text.push('\n');
        self.signatures.iter().for_each(|signature| signature.write(&mut text));
        text
    }

    /// What it says, which nobody vouches for before a signature was verified.
    #[must_use]
    pub fn body(&self) -> &NoteBody {
        &self.body
    }

    /// The lines of signatures.
    #[must_use]
    pub fn signatures(&self) -> &[NoteSignature] {
        &self.signatures
    }

    /// The note with the lines alone that say to be by this key.
    #[must_use]
    pub fn by(&self, key: &NoteKey) -> Self {
        let lines = self.signatures.iter().filter(|signature| signature.names(key));
        Self { body: self.body.clone(), signatures: lines.cloned().collect() }
    }

    /// Adds a signature, as of a witness.
    ///
    /// # Errors
    /// [`Problem::Range`] where there are 64 already.
    pub fn add(&mut self, signature: NoteSignature) -> Result<(), Error> {
        if self.signatures.len() >= MOST_LINES {
            return Err(Error::malformed("note", Problem::Range));
        }
        self.signatures.push(signature);
        Ok(())
    }

    /// Whether the log whose key this is signed it: at least one line is by that key, and all that say to be are.
    ///
    /// # Errors
    /// [`NoteFault::Unsigned`], also for the key of another log; [`NoteFault::Signature`].
    pub fn verify(&self, log: &NoteKey) -> Result<(), Error> {
        if log.kind() != NoteKind::Log || *log.name() != self.body.origin {
            return Err(NoteFault::Unsigned.into());
        }
        let text = self.body.to_text();
        let mut of_log = self.signatures.iter().filter(|signature| signature.names(log)).peekable();
        if of_log.peek().is_none() {
            return Err(NoteFault::Unsigned.into());
        }
        let holds = |signature: &NoteSignature| {
            let signature = <[u8; 64]>::try_from(&*signature.bytes).map(Ed25519Signature::from_bytes);
            signature.is_ok_and(|signature| log.key().accepts(text.as_bytes(), &signature))
        };
        if of_log.all(holds) { Ok(()) } else { Err(NoteFault::Signature.into()) }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text())
    }
}
