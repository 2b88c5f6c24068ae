//! The vault from files to files: what is written is whole under its name, or not there.

use crate::args::{Out, optional, path, required, text};
use crate::call_error::CallError;
use crate::guard::guard;
use crate::head::Head;
use crate::sharing::secret::Secret;
use crate::status::{Status, StatusValue};
use crate::vault::ledger_head::LedgerHead;
use crate::vault::report::VaultReport;
use crate::vault::sealed::Sealed;
use crate::vault::sealer::{EncryptionValue, Ends, VaultSealer, encryption};
use dualseal_core::SystemRng;
use dualseal_operator::vault_file::{self, FileError};
use std::ffi::c_char;
use std::io;

/// Seals the file `source`, of any size, and writes the bytes to be stored to the file `target`. The rest as for
/// `dualseal_vault_sealer_seal`. They are written without that name, forced to the disk, and named: whenever the power
/// goes, what was there is there, or all of what is new. Only the owner may read them. The folder of `target` must be
/// one that can be read: it is opened before anything is written, to be forced to the disk at the end.
///
/// `DUALSEAL_STATUS_FILE_READ` and `DUALSEAL_STATUS_FILE_WRITE` say which file failed, and `dualseal_error_os` why. The
/// latter is returned too where both are one file, and where a device, a pipe, a folder or a link has the name. On all
/// of these nothing was replaced or made.
///
/// `DUALSEAL_STATUS_FILE_NOT_FORCED` is another thing: the new file has its name, whole, and only forcing the folder to
/// the disk failed. `sealed` is set and both heads have moved on, as for 0, and are kept as then.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_sealer_seal_file(
    sealer: *const VaultSealer,
    source: *const c_char,
    target: *const c_char,
    kind: *const c_char,
    encryption: EncryptionValue,
    ledger: *mut LedgerHead,
    head: *mut Head,
    note: *const c_char,
    note_len: usize,
    time_ms: i64,
    sealed: *mut *mut Sealed,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let sealer = required("sealer", sealer)?;
        let (source, target) = (path("source", source)?, path("target", target)?);
        let (kind, encryption) = (text("kind", kind)?, self::encryption(encryption)?);
        let ends = Ends::new(ledger, head, (note, note_len), time_ms)?;
        let out = Out::new("sealed", sealed)?;
        let (vault, place) = (sealer.0.vault(), ends.place());
        match vault_file::seal_file(&vault, kind, encryption, &place, &mut SystemRng, source, target) {
            Ok(made) => ends.set(made, out),
            Err(FileError::NotForced { made, error }) => {
                ends.set(*made, out);
                return Err(not_forced(&error));
            }
            Err(FileError::Failed(error)) => return Err(CallError::between(error)),
        }
        Ok(())
    })
}

fn not_forced(error: &io::Error) -> CallError {
    CallError::file(Status::FileNotForced, "target", error)
}

/// Unseals the file `source` of stored bytes to the file `target`, which gets its name after the last byte was checked.
/// `report` and `secret` as for `dualseal_vault_unseal`, the files as for `dualseal_vault_sealer_seal_file`. On a
/// failure what was written is removed again, and what was there is there; but on `DUALSEAL_STATUS_FILE_NOT_FORCED` the
/// whole document has its name, and only forcing the folder to the disk failed. What `source` holds is compared with
/// what was verified, and may have been changed since.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_unseal_file(
    report: *const VaultReport,
    secret: *const Secret,
    source: *const c_char,
    target: *const c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let report = required("report", report)?;
        let (source, target) = (path("source", source)?, path("target", target)?);
        let secret = optional("secret", secret)?.map(|secret| secret.0.key());
        let unsealed = vault_file::unseal_file(report.0.operator()?, secret, source, target);
        match unsealed {
            Ok(_) => Ok(()),
            Err(FileError::NotForced { error, .. }) => Err(not_forced(&error)),
            Err(FileError::Failed(error)) => Err(CallError::between(error)),
        }
    })
}
