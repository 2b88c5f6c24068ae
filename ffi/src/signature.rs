//! Signature records: signed and verified.

use crate::agreed_chain::Located;
use crate::args::{Out, json, required, text};
use crate::cache::{KeyCache, keys};
use crate::call_error::CallError;
use crate::domain::Domain;
use crate::guard::{guard, guard_verdict};
use crate::head::Head;
use crate::ring::Ring;
use crate::signing_key::SigningKey;
use crate::status::StatusValue;
use crate::verdict::Verdict;
use dualseal_core::{SignatureRecord, Signer, SystemRng, Timestamp, Verifier};
use std::ffi::c_char;

/// Signs content for `identity_id`, for which it was hashed (`dualseal_content_hash`): appends an entry at the head,
/// moves the head on, and makes a record that names the entry. `time_ms` counts from 1970-01-01T00:00:00Z. The caller
/// stores record, entry and head, or none of them. Signatures mix in fresh randomness of the system (FIPS 204, section
/// 3.4). One signing key serves one domain.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signature_sign(
    domain: Option<&Domain>,
    identity_id: *const c_char,
    key: Option<&SigningKey>,
    content_hash: *const c_char,
    head: Option<&mut Head>,
    time_ms: i64,
    record_json: *mut *mut c_char,
    entry_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (domain, key, head) = (required("domain", domain)?, required("key", key)?, required("head", head)?);
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let content = text("content_hash", content_hash)?.parse()?;
        let (record_json, entry_json) = (Out::new("record_json", record_json)?, Out::new("entry_json", entry_json)?);
        let signer = Signer::new(&domain.0, &identity_id, key.0.statement_key());
        let signed = signer.sign(&content, &head.0, Timestamp::from_millis(time_ms)?, &mut SystemRng)?;
        record_json.text(&signed.record.to_json());
        head.advance_over(&signed.entry, signed.head, entry_json);
        Ok(())
    })
}

/// Verifies a record over a content hash: the verdict says who signed it, and the caller compares that identity
/// (`dualseal_verdict_identity_id`) with the one that should have. The status is the verdict, and only 0 is Valid; a
/// status from 100 on says that there is no verdict. `cache` may be NULL. `place` may be NULL; else it shows the
/// record's place in the chain: a record by a key that was retired since is Valid when that place is before the
/// retirement, and a proof of another record's place makes it Invalid. `verdict` may be NULL; else it is set with each
/// of the five verdicts.
///
/// Valid means that the identity which the record names signed this hash with a valid key of the ring. For whom the
/// content was hashed says nothing of that: whoever has a key in the ring can sign a hash that was made for another.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signature_verify(
    domain: Option<&Domain>,
    ring: Option<&Ring>,
    cache: Option<&KeyCache>,
    content_hash: *const c_char,
    record_json: *const c_char,
    record_json_len: usize,
    place: Option<&Located>,
    verdict: *mut *mut Verdict,
    error: *mut *mut CallError,
) -> StatusValue {
    guard_verdict(error, || {
        let (domain, ring) = (required("domain", domain)?, required("ring", ring)?);
        let content = text("content_hash", content_hash)?.parse()?;
        let record = SignatureRecord::from_json(json("record_json", record_json, record_json_len)?)?;
        let at = place.map(|place| &place.0);
        let outcome = Verifier::new(&domain.0, &ring.0, keys(cache)).verify(&content, record, at);
        if let Some(verdict) = Out::optional(verdict) {
            verdict.handle(Verdict::of(&outcome));
        }
        Ok(outcome.kind().code().into())
    })
}
