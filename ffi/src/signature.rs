//! Signature records: signed and verified.

use crate::args::{Buffer, Out, bytes, optional, read, required, text};
use crate::cache::{KeyCache, keys};
use crate::call_error::CallError;
use crate::constants::{DUALSEAL_ID_TEXT_BYTES, DUALSEAL_PUBLIC_KEY_BYTES};
use crate::domain::Domain;
use crate::guard::{guard, guard_verdict};
use crate::head::Head;
use crate::located::Located;
use crate::ring::{Ring, of_signer};
use crate::signing_key::SigningKey;
use crate::status::StatusValue;
use crate::verdict::{Dates, Verdict};
use dualseal_core::{HashedContent, SignatureRecord, Signer, SystemRng, Timestamp, VerdictKind, Verifier};
use std::ffi::c_char;

/// Signs content for `identity_id`, for which it was hashed (`dualseal_content_hash`): appends an entry at the head,
/// moves the head on, and makes a record that names the entry. `time_ms` counts from 1970-01-01T00:00:00Z. The caller
/// stores record, entry and head, or none of them. Signatures mix in fresh randomness of the system (FIPS 204, section
/// 3.4). One signing key serves one domain.
///
/// `ring` says whether `key` is the identity's current key, and valid: `DUALSEAL_STATUS_NOT_CURRENT` for one that was
/// rotated or called back, or is another's, `DUALSEAL_STATUS_UNKNOWN_IDENTITY` for an identity without a key. What such
/// a key signs is invalid for good, so that a program reads its ring anew before it signs. Only where it has no ring is
/// `ring` NULL, and `no_ring` 1.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signature_sign(
    domain: *const Domain,
    identity_id: *const c_char,
    key: *const SigningKey,
    ring: *const Ring,
    no_ring: i32,
    content_hash: *const c_char,
    head: *mut Head,
    time_ms: i64,
    record_json: *mut *mut c_char,
    entry_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (domain, key, head) = (required("domain", domain)?, required("key", key)?, required("head", head)?);
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let ring = of_signer(ring, no_ring)?;
        let content = text("content_hash", content_hash)?.parse()?;
        let (record_json, entry_json) = (Out::new("record_json", record_json)?, Out::new("entry_json", entry_json)?);
        let key = key.0.statement_key();
        let signer = match ring {
            Some(ring) => Signer::current(&domain.0, ring, &identity_id, key)?,
            None => Signer::new(&domain.0, &identity_id, key),
        };
        let content = HashedContent::from_parts(&identity_id, content);
        let signed = signer.sign(&content, &head.0, Timestamp::from_millis(time_ms)?, &mut SystemRng)?;
        record_json.text(&signed.record.to_json());
        head.advance_over(&signed.entry, signed.head, entry_json);
        Ok(())
    })
}

/// Verifies a record by `identity_id`, the signer who is expected, over a content hash that was made for that identity
/// (`dualseal_content_hash`). Anybody else's record is Invalid, whoever in the ring signed it. The status is the
/// verdict, and only 0 is Valid; a status from 100 on says that there is no verdict. `cache` may be NULL. `place` may
/// be NULL; else it shows the record's place in the chain: a record by a key that was retired since is Valid when that
/// place is before the retirement, and a proof of another record's place makes it Invalid. `verdict` may be NULL; else
/// it is set with each of the five verdicts.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signature_verify(
    domain: *const Domain,
    ring: *const Ring,
    cache: *const KeyCache,
    identity_id: *const c_char,
    content_hash: *const c_char,
    record_json: *const c_char,
    record_json_len: usize,
    place: *const Located,
    verdict: *mut *mut Verdict,
    error: *mut *mut CallError,
) -> StatusValue {
    guard_verdict(error, || {
        let (domain, ring) = (required("domain", domain)?, required("ring", ring)?);
        let content = expected(identity_id, content_hash)?;
        let record = read("record_json", record_json, record_json_len, SignatureRecord::from_json)?;
        let at = optional("place", place)?.map(|place| &place.0);
        let verifier = Verifier::new(&domain.0, &ring.0, keys(optional("cache", cache)?));
        Ok(told(&dated(&verifier, &content, record, at), verdict))
    })
}

/// What a record says, for a program that reads no JSON: whose it claims to be, the hash of what was signed, the short
/// handle of its entry in the chain (each `DUALSEAL_ID_TEXT_BYTES` long), the key (`DUALSEAL_PUBLIC_KEY_BYTES`), and
/// when, in milliseconds since 1970-01-01T00:00:00Z. **Nothing is verified**: anybody can write such a record, and
/// which signer is expected must not be read from it. Whoever wants only some of them gives NULL for the others.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signature_record_parts(
    record_json: *const c_char,
    record_json_len: usize,
    identity_id: *mut c_char,
    identity_id_len: usize,
    content_hash: *mut c_char,
    content_hash_len: usize,
    krunica_hash: *mut c_char,
    krunica_hash_len: usize,
    public_key: *mut u8,
    public_key_len: usize,
    time_ms: *mut i64,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let record = read("record_json", record_json, record_json_len, SignatureRecord::from_json)?;
        let wanted = |name, start: *mut c_char, length| {
            (!start.is_null()).then(|| Buffer::text(name, start, length, DUALSEAL_ID_TEXT_BYTES)).transpose()
        };
        let identity_id = wanted("identity_id", identity_id, identity_id_len)?;
        let content_hash = wanted("content_hash", content_hash, content_hash_len)?;
        let krunica_hash = wanted("krunica_hash", krunica_hash, krunica_hash_len)?;
        let key = || Buffer::bytes("public_key", public_key, public_key_len, DUALSEAL_PUBLIC_KEY_BYTES);
        let key = (!public_key.is_null()).then(key).transpose()?;
        let texts = [
            (identity_id, record.identity_id().to_hex()),
            (content_hash, record.content_hash().to_hex()),
            (krunica_hash, record.krunica_hash().to_hex()),
        ];
        for (buffer, text) in texts {
            if let Some(buffer) = buffer {
                buffer.fill_text(&text);
            }
        }
        if let Some(key) = key {
            key.fill(record.public_key().as_bytes());
        }
        if let Some(time_ms) = Out::optional(time_ms) {
            time_ms.set(record.time().as_millis());
        }
        Ok(())
    })
}

/// A verdict, with its dates where there is a place.
fn dated(
    verifier: &Verifier<'_>,
    content: &HashedContent,
    record: SignatureRecord,
    place: Option<&dualseal_core::Located>,
) -> (dualseal_core::Verdict<SignatureRecord>, Option<Dates>) {
    match place {
        None => (verifier.verify(content, record, None), None),
        Some(place) => {
            let as_of = verifier.verify_as_of(content, record, place);
            let dates = Dates::of(&as_of, Some(place));
            (as_of.verdict, dates)
        }
    }
}

/// Hands a verdict over where it is wanted, and gives its number.
fn told(
    (outcome, dates): &(dualseal_core::Verdict<SignatureRecord>, Option<Dates>),
    verdict: *mut *mut Verdict,
) -> StatusValue {
    if let Some(verdict) = Out::optional(verdict) {
        verdict.handle(Verdict::dated(outcome, dates.clone()));
    }
    outcome.kind().code().into()
}

/// Whose signature over which content is expected.
pub(crate) fn expected(identity_id: *const c_char, content_hash: *const c_char) -> Result<HashedContent, CallError> {
    let identity_id = text("identity_id", identity_id)?.parse()?;
    Ok(HashedContent::from_parts(&identity_id, text("content_hash", content_hash)?.parse()?))
}

/// Verifies a record over content in memory by whomever of the ring it names, for a caller who then decides by that
/// identity: each of them can sign any content, so that the status alone authorises nothing. `signer`, which is
/// `DUALSEAL_ID_TEXT_BYTES` long, takes it; for every status but 0 it is the empty text. The rest is as for
/// `dualseal_signature_verify`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signature_verify_any_signer(
    domain: *const Domain,
    ring: *const Ring,
    cache: *const KeyCache,
    content: *const u8,
    content_len: usize,
    record_json: *const c_char,
    record_json_len: usize,
    place: *const Located,
    signer: *mut c_char,
    signer_len: usize,
    verdict: *mut *mut Verdict,
    error: *mut *mut CallError,
) -> StatusValue {
    guard_verdict(error, || {
        let signer = Buffer::text("signer", signer, signer_len, DUALSEAL_ID_TEXT_BYTES)?;
        let (domain, ring) = (required("domain", domain)?, required("ring", ring)?);
        let content = bytes("content", content, content_len)?;
        let record = read("record_json", record_json, record_json_len, SignatureRecord::from_json)?;
        let at = optional("place", place)?.map(|place| &place.0);
        let verifier = Verifier::new(&domain.0, &ring.0, keys(optional("cache", cache)?));
        let who = *record.identity_id();
        let outcome = dated(&verifier, &domain.0.content_hash(&who, content), record, at);
        match outcome.0.kind() {
            VerdictKind::Valid => signer.fill_text(&who.to_hex()),
            _ => signer.fill(&[0; DUALSEAL_ID_TEXT_BYTES]),
        }
        Ok(told(&outcome, verdict))
    })
}
