//! Content: identified, brought to a canonical form, and hashed for a signature.

use crate::args::{Buffer, Out, bytes, path, read, required, sized_text, text};
use crate::call_error::CallError;
use crate::constants::DUALSEAL_ID_TEXT_BYTES;
use crate::domain::Domain;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::status::{Status, StatusValue};
use dualseal_core::encoding::json::Value;
use dualseal_core::id;
use std::ffi::c_char;
use std::fs::File;
use std::io;

/// The general identifier of `content` by `creator` in `context`, both of which may be empty, contain no `::` and do
/// not begin with `:`. `identity_id_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_identity_id(
    domain: *const Domain,
    content: *const u8,
    content_len: usize,
    creator: *const c_char,
    creator_len: usize,
    context: *const c_char,
    context_len: usize,
    identity_id: *mut c_char,
    identity_id_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let content = bytes("content", content, content_len)?;
        let (creator, context) =
            (sized_text("creator", creator, creator_len)?, sized_text("context", context, context_len)?);
        let out = Buffer::text("identity_id", identity_id, identity_id_len, DUALSEAL_ID_TEXT_BYTES)?;
        out.fill_text(&domain.0.identity_id(content, creator, context)?.to_hex());
        Ok(())
    })
}

/// The canonical form (RFC 8785) of a JSON text, in which spacing and the order of members do not count: what is hashed
/// of content that is JSON. Fractions, exponents and integers beyond 2^53-1 are refused.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_json_canonical(
    text_json: *const c_char,
    text_json_len: usize,
    canonical_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let value = read("text_json", text_json, text_json_len, Value::parse)?;
        let out = Out::new("canonical_json", canonical_json)?;
        out.text(&value.to_canonical()?);
        Ok(())
    })
}

/// The hash of content in memory for a signature by `identity_id`. `content_hash_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_content_hash(
    domain: *const Domain,
    identity_id: *const c_char,
    content: *const u8,
    content_len: usize,
    content_hash: *mut c_char,
    content_hash_len: usize,
    error: *mut *mut CallError,
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

/// The same of the file `source`, of any size: `DUALSEAL_STATUS_FILE_READ` where it cannot be read. It is read once;
/// what it holds later is another matter.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_content_hash_of_file(
    domain: *const Domain,
    identity_id: *const c_char,
    source: *const c_char,
    content_hash: *mut c_char,
    content_hash_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let source = path("source", source)?;
        let out = Buffer::text("content_hash", content_hash, content_hash_len, DUALSEAL_ID_TEXT_BYTES)?;
        let mut hasher = domain.0.content_hasher(&identity_id);
        File::open(source)
            .and_then(|mut file| io::copy(&mut file, &mut hasher))
            .map_err(|error| CallError::file(Status::FileRead, "source", &error))?;
        out.fill_text(&hasher.finish().to_hex());
        Ok(())
    })
}

/// Hashes content that comes in parts, of any size. For one thread at a time.
#[derive(Debug)]
pub struct ContentHasher(id::ContentHasher);

/// Begins to hash content for a signature by `identity_id`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_content_hasher_new(
    domain: *const Domain,
    identity_id: *const c_char,
    hasher: *mut *mut ContentHasher,
    error: *mut *mut CallError,
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
    hasher: *mut ContentHasher,
    content: *const u8,
    content_len: usize,
    error: *mut *mut CallError,
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
    hasher: *const ContentHasher,
    content_hash: *mut c_char,
    content_hash_len: usize,
    error: *mut *mut CallError,
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
pub extern "C" fn dualseal_content_hasher_free(hasher: *mut ContentHasher) {
    release(|| give_back(hasher));
}
