//! Signature records.

use super::bench::Bench;
use super::verdict;
use crate::commands::sign::content_of;
use crate::failure::{Failure, status_of};
use crate::input;
use crate::output::{Report, path_text};
use dualseal::encoding::json::Value;
use dualseal::key::Unprepared;
use dualseal::verdict::InvalidReason;
use dualseal::{Entry, HashedContent, IdentityId, Located, SignatureRecord, Verdict, VerdictKind, Verifier};

pub(super) fn verify(bench: &Bench<'_>, record: &SignatureRecord) -> Result<Report, Failure> {
    let (asked, domain) = (bench.asked()?, bench.domain.domain());
    if asked.is_some_and(|asked| asked != *record.identity_id()) {
        let hint = "the record is somebody else's: ask the sender for the right one";
        return Err(Failure::new(status_of(VerdictKind::Invalid.code()), "NOT VALID: another identity signed", hint));
    }
    let ring = bench.ring(asked.as_ref(), Some(record.identity_id()))?;
    let expected = bench.trust.expected(asked, bench.args.signer.any_signer, record.identity_id())?;
    let content = content(bench, record, &expected)?;
    let verifier = Verifier::new(domain, &ring, &Unprepared);
    let handle = *record.krunica_hash();
    let of_record = |entry: &Entry| entry.krunica_hash() == handle;
    let mut at: Option<Located> = bench.place(&of_record)?;
    let mut verdict = verifier.verify(&content, record.clone(), at.as_ref());
    // The operator's own chain is asked only where it can make a difference: it may be long.
    if at.is_none() && is_retired(&verdict) {
        at = bench.own_place(&of_record)?;
        if at.is_some() {
            verdict = verifier.verify(&content, record.clone(), at.as_ref());
        }
    }
    let report = bench.trust.tell(verdict::report("signature", &verdict, bench.args.public));
    Ok(report
        .detail("kind", "record", "signature record")
        .detail("document", "document", path_text(&bench.document))
        .detail("domain", "domain", bench.domain.to_words())
        .detail("krunica_hash", "handle", handle.to_hex())
        .placed(at.as_ref()))
}

/// The hash of the document, or of its canonical form where that is asked for and is what was signed.
fn content(bench: &Bench<'_>, record: &SignatureRecord, expected: &IdentityId) -> Result<HashedContent, Failure> {
    let hashed = |bytes: &[u8]| {
        let mut hasher = bench.domain.domain().content_hasher(expected);
        hasher.update(bytes);
        hasher.finish()
    };
    if bench.args.canonical {
        let bytes = input::small(&bench.document)?;
        let canonical = Value::parse(&bytes).and_then(|json| json.to_canonical());
        let canonical = canonical.map(|json| hashed(json.as_bytes()));
        return Ok(canonical
            .ok()
            .filter(|content| content.hash() == record.content_hash())
            .unwrap_or_else(|| hashed(&bytes)));
    }
    let mut hasher = bench.domain.domain().content_hasher(expected);
    content_of(&bench.document, false, |part| hasher.update(part))?;
    Ok(hasher.finish())
}

/// Whether a place in the chain is what is missing.
pub(super) fn is_retired<T>(verdict: &Verdict<T>) -> bool {
    matches!(verdict, Verdict::Invalid(rejection) if rejection.reason() == InvalidReason::RetiredKey)
}
