//! The keys of notes, and the names that they sign under.

use super::spelling::{decoded, encoded};
use crate::ed25519::Ed25519PublicKey;
use crate::encoding::check_label;
use crate::error::{Error, Problem};
use crate::tree::hashed;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use sha2::{Digest, Sha256};

/// The name of a log or a witness: 1 to 255 bytes, no white space, no `+`, no control character, and as every origin
/// without `::` and a leading `:`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NoteName(String);

impl NoteName {
    /// A name.
    ///
    /// # Errors
    /// [`Problem::Range`], [`Problem::Ambiguous`] and [`Problem::Control`] as for an origin;
    /// [`Problem::UnknownValue`] for white space or a `+`, which no note can hold: such a log has none.
    pub fn new(name: &str) -> Result<Self, Error> {
        if name.chars().any(|c| c == '+' || c.is_whitespace()) {
            return Err(Error::malformed("origin", Problem::UnknownValue));
        }
        check_label("origin", name)?;
        Ok(Self(name.to_string()))
    }

    /// Under which a witness keeps what he saw of this log: SHA-256 of the name, 64 hexadecimal characters.
    #[must_use]
    pub fn folder(&self) -> String {
        hashed(&[self.0.as_bytes()]).to_hex()
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for NoteName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a key signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// A log's own notes: Ed25519 over the body (type 01).
    Log,
    /// A witness's cosignatures: Ed25519 over the body and a time (type 04).
    Witness,
}

impl NoteKind {
    fn byte(self) -> u8 {
        match self {
            Self::Log => 1,
            Self::Witness => 4,
        }
    }
}

/// An Ed25519 key under the name that it signs as: `<name>+<key id>+<base64 of the type and the key>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteKey {
    name: NoteName,
    kind: NoteKind,
    key: Ed25519PublicKey,
}

impl NoteKey {
    /// A key under a name.
    #[must_use]
    pub fn new(name: NoteName, kind: NoteKind, key: &Ed25519PublicKey) -> Self {
        Self { name, kind, key: *key }
    }

    /// Reads the text that logs and witnesses publish.
    ///
    /// # Errors
    /// [`Error::Malformed`] for `note_key`: not three parts, a name that is none, a key id that is not the key's, a
    /// type that is not known here, a key that can verify nothing.
    pub fn from_text(text: &str) -> Result<Self, Error> {
        let malformed = || Error::malformed("note_key", Problem::UnknownValue);
        let (name, rest) = text.split_once('+').ok_or_else(malformed)?;
        let (_, encoded) = rest.split_once('+').ok_or_else(malformed)?;
        let bytes = decoded(encoded).ok_or_else(malformed)?;
        let (kind, key) = bytes.split_first().ok_or_else(malformed)?;
        let kind = [NoteKind::Log, NoteKind::Witness].into_iter().find(|known| known.byte() == *kind);
        let key = Ed25519PublicKey::from_bytes(<[u8; 32]>::try_from(key).map_err(|_| malformed())?);
        let name = NoteName::new(name).map_err(|_| malformed())?;
        let key = Self { name, kind: kind.ok_or_else(malformed)?, key };
        // The key id in its one spelling, among the rest.
        if key.key.is_strict() && key.to_text() == text { Ok(key) } else { Err(malformed()) }
    }

    /// The text that is published.
    #[must_use]
    pub fn to_text(&self) -> String {
        let id = u32::from_be_bytes(self.id());
        format!("{}+{id:08x}+{}", self.name, encoded(&self.typed()))
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &NoteName {
        &self.name
    }

    /// What it signs.
    #[must_use]
    pub fn kind(&self) -> NoteKind {
        self.kind
    }

    /// The key itself.
    #[must_use]
    pub fn key(&self) -> &Ed25519PublicKey {
        &self.key
    }

    /// The key id: the first four bytes of `SHA-256(name ‖ LF ‖ type ‖ key)`.
    #[must_use]
    pub fn id(&self) -> [u8; 4] {
        let mut hash = Sha256::new();
        hash.update(self.name.as_str());
        hash.update(b"\n");
        hash.update(self.typed());
        let [first, second, third, fourth, ..] = <[u8; 32]>::from(hash.finalize());
        [first, second, third, fourth]
    }

    fn typed(&self) -> Vec<u8> {
        [&[self.kind.byte()], &self.key.as_bytes()[..]].concat()
    }
}
