//! Content hashes: what a signature is over.

use crate::args::{Buffer, Out, bytes, json, required, text};
use crate::constants::DUALSEAL_ID_TEXT_BYTES;
use crate::domain::Domain;
use crate::failure::{Failure, guard, release};
use crate::status::StatusValue;
use dualseal_core::encoding::json::Value;
use dualseal_core::id;
use std::ffi::c_char;

/// Hashes content that comes in parts, of any size. For one thread at a time.
#[derive(Debug)]
pub struct ContentHasher(id::ContentHasher);

/// The hash of content in memory for a signature by `identity_id`. `content_hash_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_content_hash(
    domain: Option<&Domain>,
    identity_id: *const c_char,
    content: *const u8,
    content_len: usize,
    content_hash: *mut c_char,
    content_hash_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let content = bytes("content", content, content_len)?;
        let out = Buffer::text("content_hash", content_hash, content_hash_len, DUALSEAL_ID_TEXT_BYTES)?;
        out.fill_text(&domain.0.content_hash(&identity_id, content).to_hex());
        Ok(())
    })
}

/// As `dualseal_content_hash`, for a JSON text, which is hashed in its canonical form (RFC 8785): spacing and the order
/// of members do not count.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_content_hash_json(
    domain: Option<&Domain>,
    identity_id: *const c_char,
    content_json: *const c_char,
    content_hash: *mut c_char,
    content_hash_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let canonical = canonical(content_json)?;
        let out = Buffer::text("content_hash", content_hash, content_hash_len, DUALSEAL_ID_TEXT_BYTES)?;
        out.fill_text(&domain.0.content_hash(&identity_id, canonical.as_bytes()).to_hex());
        Ok(())
    })
}

/// The canonical form of an argument `content_json`.
pub(crate) fn canonical(content_json: *const c_char) -> Result<String, Failure> {
    Ok(Value::parse(json("content_json", content_json)?)?.to_canonical()?)
}

/// Begins to hash content for a signature by `identity_id`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_content_hasher_new(
    domain: Option<&Domain>,
    identity_id: *const c_char,
    hasher: *mut *mut ContentHasher,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let identity_id = text("identity_id", identity_id)?.parse()?;
        Out::new("hasher", hasher)?.handle(ContentHasher(domain.0.content_hasher(&identity_id)));
        Ok(())
    })
}

/// Takes the next part of the content.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_content_hasher_update(
    hasher: Option<&mut ContentHasher>,
    content: *const u8,
    content_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        required("hasher", hasher)?.0.update(bytes("content", content, content_len)?);
        Ok(())
    })
}

/// The hash of all parts so far; the hasher can go on. `content_hash_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_content_hasher_finish(
    hasher: Option<&ContentHasher>,
    content_hash: *mut c_char,
    content_hash_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let hasher = required("hasher", hasher)?;
        let out = Buffer::text("content_hash", content_hash, content_hash_len, DUALSEAL_ID_TEXT_BYTES)?;
        out.fill_text(&hasher.0.clone().finish().to_hex());
        Ok(())
    })
}

/// Frees a hasher. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_content_hasher_free(hasher: Option<Box<ContentHasher>>) {
    release(|| drop(hasher));
}
