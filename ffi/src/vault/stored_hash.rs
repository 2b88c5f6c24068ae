//! One pass over the bytes that are stored beside a record.

use crate::args::{Out, bytes, optional_path, required};
use crate::call_error::CallError;
use crate::domain::Domain;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::status::{Status, StatusValue};
use dualseal_core::Error;
use dualseal_core::error::Misuse;
use dualseal_core::vault;
use std::ffi::c_char;
use std::fs::File;

/// What the layers need of stored bytes. It fits every record: each is compared with what it says of them. For one
/// thread at a time while it is updated; threads may share it then.
#[derive(Debug)]
pub struct StoredHash(Hashed);

#[derive(Debug)]
enum Hashed {
    Parts(vault::StoredHasher),
    Whole(vault::StoredHash),
}

impl StoredHash {
    /// Of all the bytes so far.
    pub(crate) fn finished(&self) -> vault::StoredHash {
        match &self.0 {
            Hashed::Parts(hasher) => hasher.clone().finish(),
            Hashed::Whole(hash) => hash.clone(),
        }
    }
}

/// The hash of the file `source` of stored bytes, of any size, which is then whole: `DUALSEAL_STATUS_FILE_READ` where
/// it cannot be read. With NULL for `source` it is the hash of no bytes, which `dualseal_stored_hash_update` adds to.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_stored_hash_new(
    domain: *const Domain,
    source: *const c_char,
    stored_hash: *mut *mut StoredHash,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (domain, source) = (required("domain", domain)?, optional_path("source", source)?);
        let out = Out::new("stored_hash", stored_hash)?;
        let hashed = match source {
            Some(path) => {
                let read = File::open(path).and_then(|mut file| vault::StoredHash::read(&domain.0, &mut file));
                Hashed::Whole(read.map_err(|error| CallError::file(Status::FileRead, "source", &error))?)
            }
            None => Hashed::Parts(vault::StoredHasher::new(&domain.0)),
        };
        out.handle(StoredHash(hashed));
        Ok(())
    })
}

/// Adds the stored bytes, or the next part of them. What takes a hash takes it of all the bytes so far. One of a file
/// is whole, and gives `DUALSEAL_STATUS_STREAM_ENDED`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_stored_hash_update(
    stored_hash: *mut StoredHash,
    stored: *const u8,
    stored_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let Hashed::Parts(hasher) = &mut required("stored_hash", stored_hash)?.0 else {
            return Err(Error::Misuse(Misuse::StreamEnded).into());
        };
        hasher.update(bytes("stored", stored, stored_len)?);
        Ok(())
    })
}

/// Frees a hash. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_stored_hash_free(stored_hash: *mut StoredHash) {
    release(|| give_back(stored_hash));
}
