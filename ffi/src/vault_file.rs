//! The vault from files to files: what is written is whole under its name, or not there.

use crate::args::{Out, path, required, text};
use crate::domain::Domain;
use crate::failure::{Failure, guard};
use crate::head::Head;
use crate::ledger_head::LedgerHead;
use crate::secret::Secret;
use crate::status::{Status, StatusValue};
use crate::stored_hash::StoredHash;
use crate::vault::{EncryptionValue, Ends, Sealed, Vault, encryption};
use crate::vault_report::VerifiedRecord;
use dualseal_core::SystemRng;
use dualseal_core::vault::{self, FileError};
use std::ffi::c_char;
use std::fs::File;
use std::io;

/// Seals the file `source`, of any size, and writes the bytes to be stored to the file `target`. The rest as for
/// `dualseal_vault_seal`. They are written beside it, as `<name>.unfinished`, forced to the disk, and renamed: whenever
/// the power goes, what was there is there, or all of what is new. Only the owner may read them. The folder of `target`
/// must be one that can be read: it is opened before anything is written, to be forced to the disk at the end.
///
/// `DUALSEAL_STATUS_FILE_READ` and `DUALSEAL_STATUS_FILE_WRITE` say which file failed, and `dualseal_error_os` why. The
/// latter is returned too where both are one file, where a device, a pipe, a folder or a link has the name, and where
/// the unfinished file is there: somebody else is writing it, or a crash left it, and whoever knows that removes it.
/// On all of these nothing was replaced or made.
///
/// `DUALSEAL_STATUS_FILE_NOT_FORCED` is another thing: the new file has its name, whole, and only forcing the folder to
/// the disk failed. `sealed` is set and both heads have moved on, as for 0, and are kept as then.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_seal_file(
    vault: Option<&Vault>,
    source: *const c_char,
    target: *const c_char,
    kind: *const c_char,
    encryption: EncryptionValue,
    ledger: Option<&mut LedgerHead>,
    head: Option<&mut Head>,
    note: *const c_char,
    time_ms: i64,
    sealed: *mut *mut Sealed,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let vault = required("vault", vault)?;
        let (source, target) = (path("source", source)?, path("target", target)?);
        let (kind, encryption) = (text("kind", kind)?, self::encryption(encryption)?);
        let ends = Ends::new(ledger, head, note, time_ms)?;
        let out = Out::new("sealed", sealed)?;
        let made = vault.0.vault().seal_file(kind, encryption, &ends.place(), &mut SystemRng, source, target);
        match made {
            Ok(made) => ends.set(made, out),
            Err(FileError::NotForced { made, error }) => {
                ends.set(*made, out);
                return Err(not_forced(&error));
            }
            Err(FileError::Failed(error)) => return Err(Failure::between(error)),
        }
        Ok(())
    })
}

fn not_forced(error: &io::Error) -> Failure {
    Failure::file(Status::FileNotForced, "target", error)
}

/// Hashes the file `source` of stored bytes, of any size, for `dualseal_verify_vault_record` and whatever else takes
/// stored bytes as their hash. `DUALSEAL_STATUS_FILE_READ` where it cannot be read.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_stored_hash_of_file(
    domain: Option<&Domain>,
    source: *const c_char,
    stored_hash: *mut *mut StoredHash,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (domain, source) = (required("domain", domain)?, path("source", source)?);
        let out = Out::new("stored_hash", stored_hash)?;
        let read = File::open(source).and_then(|mut file| vault::StoredHash::read(&domain.0, &mut file));
        out.handle(StoredHash(read.map_err(|error| Failure::file(Status::FileRead, "source", &error))?));
        Ok(())
    })
}

/// Unseals the file `source` of stored bytes to the file `target`, which gets its name after the last byte was checked.
/// `verified` and `secret` as for `dualseal_unseal`, the files as for `dualseal_vault_seal_file`. On a failure what was
/// written is removed again, and what was there is there; but on `DUALSEAL_STATUS_FILE_NOT_FORCED` the whole document
/// has its name, and only forcing the folder to the disk failed. What `source` holds is compared with what was
/// verified, and may have been changed since.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_unseal_file(
    verified: Option<&VerifiedRecord>,
    secret: Option<&Secret>,
    source: *const c_char,
    target: *const c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let verified = required("verified", verified)?;
        let (source, target) = (path("source", source)?, path("target", target)?);
        let secret = secret.map(|secret| secret.0.key());
        let unsealed = vault::unseal_file(verified.0.operator()?, secret, source, target);
        match unsealed {
            Ok(_) => Ok(()),
            Err(FileError::NotForced { error, .. }) => Err(not_forced(&error)),
            Err(FileError::Failed(error)) => Err(Failure::between(error)),
        }
    })
}
