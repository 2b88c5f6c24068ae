//! Sealing, hashing and unsealing from readers to writers, in memory for one chunk.
#![cfg(feature = "std")]

use super::record::Encryption;
use super::sealing::{Destination, Sealed, Sealing, VaultSealer};
use super::stored::{StoredHash, StoredHasher};
use super::unseal::{Provisional, Unsealed, Unsealer};
use super::verifier::OperatorRecord;
use crate::domain::Domain;
use crate::error::Error;
use crate::stream::{CHUNK_BYTES, HEADER_BYTES, KeyMaterial, TAG_BYTES};
use crate::verdict::Verified;
use alloc::vec::Vec;
use core::fmt;
use rand_core::TryCryptoRng;
use std::io::{ErrorKind, Read, Write};
use zeroize::Zeroizing;

/// What went wrong between a reader and a writer.
#[derive(Debug)]
pub enum IoError {
    /// The reader failed.
    Read(std::io::Error),
    /// The writer failed.
    Write(std::io::Error),
    /// The library refused.
    Dualseal(Error),
}

impl From<Error> for IoError {
    fn from(error: Error) -> Self {
        Self::Dualseal(error)
    }
}

impl fmt::Display for IoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "cannot read: {error}"),
            Self::Write(error) => write!(f, "cannot write: {error}"),
            Self::Dualseal(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for IoError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(error) | Self::Write(error) => Some(error),
            Self::Dualseal(error) => Some(error),
        }
    }
}

impl VaultSealer<'_> {
    /// Seals a document from a reader, and writes the bytes to be stored to a writer. They are the same as those of
    /// [`seal`](VaultSealer::seal) for the same draws.
    ///
    /// # Errors
    /// As [`VaultSealer::seal`], and what the reader and the writer say. What was written until then is worth nothing.
    pub fn seal_from<R: TryCryptoRng + ?Sized>(
        &self,
        kind: &str,
        encryption: Encryption,
        destination: &Destination<'_>,
        rng: &mut R,
        from: &mut dyn Read,
        to: &mut dyn Write,
    ) -> Result<Sealed, IoError> {
        let mut out = Vec::with_capacity(CHUNK_BYTES + TAG_BYTES + HEADER_BYTES);
        let mut sealing = self.begin(kind, encryption, rng, &mut out)?;
        sealing.copy(from, to, &mut out)?;
        let sealed = sealing.finish(destination, rng, &mut out)?;
        to.write_all(&out).map_err(IoError::Write)?;
        Ok(sealed)
    }
}

impl Sealing<'_> {
    /// Takes all of a reader, and writes bytes to be stored to a writer, `out` first. What stays in `out` goes before
    /// what [`finish`](Sealing::finish) adds to it.
    ///
    /// # Errors
    /// As [`update`](Sealing::update), and what the reader and the writer say.
    pub fn copy(&mut self, from: &mut dyn Read, to: &mut dyn Write, out: &mut Vec<u8>) -> Result<(), IoError> {
        read_all(from, IoError::Read, |part| {
            self.update(part, out)?;
            to.write_all(out).map_err(IoError::Write)?;
            out.clear();
            Ok(())
        })
    }
}

impl StoredHash {
    /// Of the stored bytes that a reader gives.
    ///
    /// # Errors
    /// What the reader says.
    pub fn read(domain: &Domain, from: &mut dyn Read) -> Result<Self, std::io::Error> {
        let mut hasher = StoredHasher::new(domain);
        read_all(
            from,
            |error| error,
            |part| {
                hasher.update(part);
                Ok(())
            },
        )?;
        Ok(hasher.finish())
    }
}

/// Unseals from a reader to a writer. What the writer got is provisional until this returns: a file is written under
/// another name and renamed then.
///
/// # Errors
/// As [`Unsealer`], and what the reader and the writer say.
pub fn unseal_to(
    record: &Verified<OperatorRecord>,
    secret: Option<&dyn KeyMaterial>,
    from: &mut dyn Read,
    to: &mut dyn Write,
) -> Result<Unsealed, IoError> {
    let mut unsealer = Unsealer::new(record, secret)?;
    let mut out = Provisional::new();
    read_all(from, IoError::Read, |part| {
        unsealer.update(part, &mut out)?;
        to.write_all(out.provisional_bytes()).map_err(IoError::Write)?;
        out.clear();
        Ok(())
    })?;
    let unsealed = unsealer.finish(&mut out)?;
    to.write_all(out.provisional_bytes()).map_err(IoError::Write)?;
    Ok(unsealed)
}

fn read_all<E>(
    from: &mut dyn Read,
    failed: impl Fn(std::io::Error) -> E,
    mut each: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let mut buffer = Zeroizing::new(alloc::vec![0; CHUNK_BYTES]);
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => each(buffer.get(..count).unwrap_or_default())?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(failed(error)),
        }
    }
}
