//! Sealing and unsealing a vault's documents from file to file: what is written is whole under its name, or not there.
//! It is not where a ledger keeps them.

use crate::disk::{self, Disk, Readers};
use dualseal::Verified;
use dualseal::rand_core::TryCryptoRng;
use dualseal::stream::KeyMaterial;
use dualseal::vault::{Destination, Encryption, IoError, OperatorRecord, Sealed, Unsealed, VaultSealer, unseal_to};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// What went wrong between two files. Where the new one has its name, what was made is in it.
pub type FileError<T> = disk::FileError<T, IoError>;

/// Seals a file, and writes the bytes to be stored to another one, by [`Disk::replace`]: whenever the power goes, what
/// was there is there, or all of what is new. Only the owner may read them. The folder must be one that can be read: it
/// is opened before anything is written, to be forced to the disk at the end.
///
/// # Errors
/// [`FileError::NotForced`], with what was made, where the file has its name and only forcing the folder to the disk
/// failed. On every other error what was there is there: as [`VaultSealer::seal_from`]; [`ErrorKind::InvalidInput`] has
/// [`SameFile`] inside it where both files are one, and [`disk::Refused::NotAFile`] where what is there is not a
/// regular file.
pub fn seal_file<R: TryCryptoRng + ?Sized>(
    vault: &VaultSealer<'_>,
    kind: &str,
    encryption: Encryption,
    destination: &Destination<'_>,
    rng: &mut R,
    from: &Path,
    to: &Path,
) -> Result<Sealed, FileError<Sealed>> {
    let mut document = open(from, to)?;
    replace(&Disk::new(), to, |file| vault.seal_from(kind, encryption, destination, rng, &mut document, file))
}

/// Unseals a file of stored bytes to another file, which gets its name after the last byte was checked. It is written
/// as by [`seal_file`].
///
/// # Errors
/// As [`unseal_to`] and [`seal_file`]. What was written is removed again, but on [`FileError::NotForced`]: then the
/// whole document has its name.
pub fn unseal_file(
    record: &Verified<OperatorRecord>,
    secret: Option<&dyn KeyMaterial>,
    from: &Path,
    to: &Path,
) -> Result<Unsealed, FileError<Unsealed>> {
    let mut stored = open(from, to)?;
    replace(&Disk::new(), to, |file| unseal_to(record, secret, &mut stored, file))
}

fn replace<T>(
    disk: &Disk,
    to: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, IoError>,
) -> Result<T, FileError<T>> {
    disk.replace(to, Readers::Owner, |file| write(file).map_err(Written)).map_err(|error| match error {
        disk::FileError::Failed(Written(error)) => FileError::Failed(error),
        disk::FileError::NotForced { made, error } => FileError::NotForced { made, error },
    })
}

/// An error of the library's, or of the disk as one.
struct Written(IoError);

impl From<disk::Error> for Written {
    fn from(error: disk::Error) -> Self {
        Self(IoError::Write(error.into_io()))
    }
}

/// Opens what is read, which must not be what is replaced: a document that is sealed in place is gone for whoever loses
/// the secret before it is kept, and unsealing in place would take the ledger's stored bytes.
fn open(from: &Path, to: &Path) -> Result<File, IoError> {
    let file = File::open(from).map_err(IoError::Read)?;
    match (fs::canonicalize(from), fs::canonicalize(to)) {
        (Ok(from), Ok(to)) if from == to => Err(IoError::Write(io::Error::new(ErrorKind::InvalidInput, SameFile))),
        _ => Ok(file),
    }
}

/// Both files are one: sealed in place, a document is gone with a secret that was not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SameFile;

impl fmt::Display for SameFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is the file that is read, and is not replaced")
    }
}

impl std::error::Error for SameFile {}

#[cfg(test)]
mod tests;
