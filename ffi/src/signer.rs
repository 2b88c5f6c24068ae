//! Signers: records made for one identity in one domain.

use crate::args::{Out, bytes, required, text};
use crate::domain::Domain;
use crate::failure::{Failure, guard, release};
use crate::hasher::canonical;
use crate::head::Head;
use crate::signing_key::{Key, SigningKey};
use crate::status::StatusValue;
use dualseal_core::{ContentHash, IdentityId, Signed, SystemRng, Timestamp};
use std::ffi::c_char;
use std::sync::Arc;

/// Signs for one identity in one domain. Never changes; threads may share it. It keeps what it needs of the domain and
/// the key, which may be freed before it.
#[derive(Debug)]
pub struct Signer {
    domain: dualseal_core::Domain,
    identity_id: IdentityId,
    key: Arc<Key>,
}

impl Signer {
    fn sign(
        &self,
        content: &ContentHash,
        head: &mut Head,
        time_ms: i64,
        record_json: *mut *mut c_char,
        entry_json: *mut *mut c_char,
        sign: fn(&dualseal_core::Signer<'_>, &ContentHash, &Head, Timestamp) -> Result<Signed, dualseal_core::Error>,
    ) -> Result<(), Failure> {
        let (record_json, entry_json) = (Out::new("record_json", record_json)?, Out::new("entry_json", entry_json)?);
        let signer = dualseal_core::Signer::new(&self.domain, &self.identity_id, self.key.statement_key());
        let signed = sign(&signer, content, head, Timestamp::from_millis(time_ms)?)?;
        record_json.text(&signed.record.to_json());
        head.advance_over(&signed.entry, signed.head, entry_json);
        Ok(())
    }
}

fn hedged(
    signer: &dualseal_core::Signer<'_>,
    content: &ContentHash,
    head: &Head,
    time: Timestamp,
) -> Result<Signed, dualseal_core::Error> {
    signer.sign(content, &head.0, time, &mut SystemRng)
}

/// A signer for `identity_id`. One signing key serves one domain.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signer_new(
    domain: Option<&Domain>,
    identity_id: *const c_char,
    key: Option<&SigningKey>,
    signer: *mut *mut Signer,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (domain, key) = (required("domain", domain)?, required("key", key)?);
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let signer = Out::new("signer", signer)?;
        signer.handle(Signer { domain: domain.0.clone(), identity_id, key: Arc::clone(&key.0) });
        Ok(())
    })
}

/// Signs content in memory: appends an entry at the head, moves the head on, and makes a record that names the entry.
/// `time_ms` counts from 1970-01-01T00:00:00Z. The caller stores record, entry and head, or none of them. Signatures
/// mix in fresh randomness of the system (FIPS 204, section 3.4).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signer_sign(
    signer: Option<&Signer>,
    content: *const u8,
    content_len: usize,
    head: Option<&mut Head>,
    time_ms: i64,
    record_json: *mut *mut c_char,
    entry_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (signer, head) = (required("signer", signer)?, required("head", head)?);
        let content = bytes("content", content, content_len)?;
        let hash = signer.domain.content_hash(&signer.identity_id, content);
        signer.sign(&hash, head, time_ms, record_json, entry_json, hedged)
    })
}

/// As `dualseal_signer_sign`, for content whose hash for the signer's identity is known
/// (`dualseal_content_hasher_new`).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signer_sign_hash(
    signer: Option<&Signer>,
    content_hash: *const c_char,
    head: Option<&mut Head>,
    time_ms: i64,
    record_json: *mut *mut c_char,
    entry_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (signer, head) = (required("signer", signer)?, required("head", head)?);
        let hash = text("content_hash", content_hash)?.parse()?;
        signer.sign(&hash, head, time_ms, record_json, entry_json, hedged)
    })
}

/// As `dualseal_signer_sign`, for a JSON text, over its canonical form (RFC 8785). Nothing marks the record as one over
/// JSON.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signer_sign_json(
    signer: Option<&Signer>,
    content_json: *const c_char,
    head: Option<&mut Head>,
    time_ms: i64,
    record_json: *mut *mut c_char,
    entry_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (signer, head) = (required("signer", signer)?, required("head", head)?);
        let content = canonical(content_json)?;
        let hash = signer.domain.content_hash(&signer.identity_id, content.as_bytes());
        signer.sign(&hash, head, time_ms, record_json, entry_json, hedged)
    })
}

/// As `dualseal_signer_sign_hash`, in the deterministic variant of FIPS 204, for tests and known answers. Prefer the
/// others, which resist faults better.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signer_sign_hash_deterministic(
    signer: Option<&Signer>,
    content_hash: *const c_char,
    head: Option<&mut Head>,
    time_ms: i64,
    record_json: *mut *mut c_char,
    entry_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (signer, head) = (required("signer", signer)?, required("head", head)?);
        let hash = text("content_hash", content_hash)?.parse()?;
        signer.sign(&hash, head, time_ms, record_json, entry_json, |signer, content, head, time| {
            signer.sign_deterministic(content, &head.0, time)
        })
    })
}

/// Frees a signer. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signer_free(signer: Option<Box<Signer>>) {
    release(|| drop(signer));
}
