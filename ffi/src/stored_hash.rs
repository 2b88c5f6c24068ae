//! One pass over the bytes that are stored beside a record.

use crate::args::{Buffer, Out, bytes, required};
use crate::constants::DUALSEAL_ID_TEXT_BYTES;
use crate::domain::Domain;
use crate::failure::{Failure, guard, release};
use crate::status::StatusValue;
use dualseal_core::vault;
use std::ffi::c_char;

/// What the layers need of stored bytes. It fits every record: each is compared with what it says of them. Never
/// changes; threads may share it.
#[derive(Debug)]
pub struct StoredHash(pub(crate) vault::StoredHash);

/// Hashes stored bytes in memory.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_stored_hash_of(
    domain: Option<&Domain>,
    stored: *const u8,
    stored_len: usize,
    stored_hash: *mut *mut StoredHash,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (domain, stored) = (required("domain", domain)?, bytes("stored", stored, stored_len)?);
        Out::new("stored_hash", stored_hash)?.handle(StoredHash(vault::StoredHash::of(&domain.0, stored)));
        Ok(())
    })
}

/// SHA3-256 over the stored bytes (L3). `baseline_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_stored_hash_baseline(
    stored_hash: Option<&StoredHash>,
    baseline: *mut c_char,
    baseline_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let hash = required("stored_hash", stored_hash)?;
        let out = Buffer::text("baseline", baseline, baseline_len, DUALSEAL_ID_TEXT_BYTES)?;
        out.fill_text(&hash.0.baseline().to_hex());
        Ok(())
    })
}

/// The number of stored bytes.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_stored_hash_length(
    stored_hash: Option<&StoredHash>,
    length: *mut u64,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let hash = required("stored_hash", stored_hash)?;
        Out::new("length", length)?.set(hash.0.length());
        Ok(())
    })
}

/// Frees a hash. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_stored_hash_free(stored_hash: Option<Box<StoredHash>>) {
    release(|| drop(stored_hash));
}

/// Hashes stored bytes that come in parts, of any size. For one thread at a time.
#[derive(Debug)]
pub struct StoredHasher(vault::StoredHasher);

/// Begins before the first stored byte.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_stored_hasher_new(
    domain: Option<&Domain>,
    hasher: *mut *mut StoredHasher,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        Out::new("hasher", hasher)?.handle(StoredHasher(vault::StoredHasher::new(&domain.0)));
        Ok(())
    })
}

/// Takes the next part.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_stored_hasher_update(
    hasher: Option<&mut StoredHasher>,
    stored: *const u8,
    stored_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        required("hasher", hasher)?.0.update(bytes("stored", stored, stored_len)?);
        Ok(())
    })
}

/// What the layers need of all parts so far; the hasher can go on.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_stored_hasher_finish(
    hasher: Option<&StoredHasher>,
    stored_hash: *mut *mut StoredHash,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let hasher = required("hasher", hasher)?;
        Out::new("stored_hash", stored_hash)?.handle(StoredHash(hasher.0.clone().finish()));
        Ok(())
    })
}

/// Frees a hasher. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_stored_hasher_free(hasher: Option<Box<StoredHasher>>) {
    release(|| drop(hasher));
}
