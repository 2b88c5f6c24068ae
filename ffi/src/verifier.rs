//! Verification of signature records.

use crate::agreement::Located;
use crate::args::{Out, bytes, json, required, text};
use crate::cache::{KeyCache, keys};
use crate::domain::Domain;
use crate::failure::{Failure, guard_verdict};
use crate::hasher::canonical;
use crate::ring::Ring;
use crate::status::StatusValue;
use crate::verdict::Verdict;
use dualseal_core::{ContentHash, SignatureRecord, Verifier};
use std::ffi::c_char;

fn verify(
    domain: Option<&Domain>,
    ring: Option<&Ring>,
    cache: Option<&KeyCache>,
    record_json: *const c_char,
    at: Option<&dualseal_core::Located>,
    verdict: *mut *mut Verdict,
    hash: impl FnOnce(&dualseal_core::Domain, &SignatureRecord) -> Result<ContentHash, Failure>,
) -> Result<StatusValue, Failure> {
    let (domain, ring) = (required("domain", domain)?, required("ring", ring)?);
    let record = SignatureRecord::from_json(json("record_json", record_json)?)?;
    let content = hash(&domain.0, &record)?;
    let outcome = Verifier::new(&domain.0, &ring.0, keys(cache)).verify(&content, record, at);
    let status = outcome.kind().code().into();
    if let Some(verdict) = Out::optional(verdict) {
        verdict.handle(Verdict::of(&outcome));
    }
    Ok(status)
}

/// Verifies a record over content in memory. The status is the verdict, and only 0 is Valid; a status from 100 on says
/// that there is no verdict. `cache` may be NULL. `verdict` may be NULL; else it is set with each of the five verdicts.
///
/// Valid means that the identity which the record names signed this content. Whether it is the identity that should
/// have signed, the caller compares (`dualseal_verdict_identity_id`).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_verify(
    domain: Option<&Domain>,
    ring: Option<&Ring>,
    cache: Option<&KeyCache>,
    content: *const u8,
    content_len: usize,
    record_json: *const c_char,
    verdict: *mut *mut Verdict,
    error: *mut *mut Failure,
) -> StatusValue {
    guard_verdict(error, || {
        verify(domain, ring, cache, record_json, None, verdict, |domain, record| {
            let content = bytes("content", content, content_len)?;
            Ok(domain.content_hash(record.identity_id(), content))
        })
    })
}

/// As `dualseal_verify`, for content that was hashed for the expected identity (`dualseal_content_hasher_new`).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_verify_hash(
    domain: Option<&Domain>,
    ring: Option<&Ring>,
    cache: Option<&KeyCache>,
    content_hash: *const c_char,
    record_json: *const c_char,
    verdict: *mut *mut Verdict,
    error: *mut *mut Failure,
) -> StatusValue {
    guard_verdict(error, || {
        verify(domain, ring, cache, record_json, None, verdict, |_, _| Ok(text("content_hash", content_hash)?.parse()?))
    })
}

/// As `dualseal_verify`, for a JSON text, over its canonical form (RFC 8785).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_verify_json(
    domain: Option<&Domain>,
    ring: Option<&Ring>,
    cache: Option<&KeyCache>,
    content_json: *const c_char,
    record_json: *const c_char,
    verdict: *mut *mut Verdict,
    error: *mut *mut Failure,
) -> StatusValue {
    guard_verdict(error, || {
        verify(domain, ring, cache, record_json, None, verdict, |domain, record| {
            Ok(domain.content_hash(record.identity_id(), canonical(content_json)?.as_bytes()))
        })
    })
}

/// As `dualseal_verify`, for a record that `located` shows at its place in the chain: a record by a key that was
/// retired since is Valid when that place is before the retirement. A proof of another record's place makes it Invalid.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_verify_at(
    domain: Option<&Domain>,
    ring: Option<&Ring>,
    cache: Option<&KeyCache>,
    content: *const u8,
    content_len: usize,
    record_json: *const c_char,
    located: Option<&Located>,
    verdict: *mut *mut Verdict,
    error: *mut *mut Failure,
) -> StatusValue {
    guard_verdict(error, || {
        let at = Some(&required("located", located)?.0);
        verify(domain, ring, cache, record_json, at, verdict, |domain, record| {
            let content = bytes("content", content, content_len)?;
            Ok(domain.content_hash(record.identity_id(), content))
        })
    })
}

/// As `dualseal_verify_at`, for content that was hashed for the expected identity.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_verify_hash_at(
    domain: Option<&Domain>,
    ring: Option<&Ring>,
    cache: Option<&KeyCache>,
    content_hash: *const c_char,
    record_json: *const c_char,
    located: Option<&Located>,
    verdict: *mut *mut Verdict,
    error: *mut *mut Failure,
) -> StatusValue {
    guard_verdict(error, || {
        let at = Some(&required("located", located)?.0);
        verify(domain, ring, cache, record_json, at, verdict, |_, _| Ok(text("content_hash", content_hash)?.parse()?))
    })
}

/// As `dualseal_verify_at`, for a JSON text, over its canonical form (RFC 8785).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_verify_json_at(
    domain: Option<&Domain>,
    ring: Option<&Ring>,
    cache: Option<&KeyCache>,
    content_json: *const c_char,
    record_json: *const c_char,
    located: Option<&Located>,
    verdict: *mut *mut Verdict,
    error: *mut *mut Failure,
) -> StatusValue {
    guard_verdict(error, || {
        let at = Some(&required("located", located)?.0);
        verify(domain, ring, cache, record_json, at, verdict, |domain, record| {
            Ok(domain.content_hash(record.identity_id(), canonical(content_json)?.as_bytes()))
        })
    })
}
