//! Signature records.

use super::bench::Bench;
use super::dated;
use super::verdict;
use crate::commands::sign::content_of;
use crate::failure::{Failure, status_of};
use crate::input;
use crate::output::{Report, path_text};
use crate::trust;
use dualseal::encoding::json::Value;
use dualseal::key::Unprepared;
use dualseal::verdict::AsOf;
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
    let shown = bench.place(&of_record)?;
    let mut at: Option<Located> = shown.at.clone();
    let dated = |at: &Located| verifier.verify_as_of(&content, record.clone(), at);
    let mut as_of: Option<AsOf<SignatureRecord>> = at.as_ref().map(dated);
    let compromised_from = ring.compromised_from(record.identity_id(), record.public_key().hash());
    let alone = if as_of.is_none() { Some(verifier.verify(&content, record.clone(), None)) } else { None };
    // The operator's own chain is asked only where it can make a difference: it may be long.
    if alone.as_ref().is_some_and(|verdict| is_retired(verdict) || compromised_from.is_some()) {
        at = bench.own_place(&of_record)?;
        as_of = at.as_ref().map(dated);
    }
    let verdict = as_of.as_ref().map(|as_of| &as_of.verdict).or(alone.as_ref());
    let verdict = verdict.ok_or_else(|| Failure::defect("a record was not verified"))?;
    let report = shown.tell(trust::tell(&bench.trust, verdict::report("signature", verdict, bench.args.public)));
    let holds = !matches!(verdict, Verdict::Invalid(_));
    let report = match &as_of {
        Some(as_of) => dated::tell(report, as_of, bench.is_own(), bench.args.public),
        None => dated::tell_unplaced(report, compromised_from.filter(|_| holds), bench.args.public),
    };
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
