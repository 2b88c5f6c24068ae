//! Signature records.

use super::dated;
use super::means::Means;
use super::verdict;
use super::who::{ShownBy, Who};
use crate::failure::{Failure, status_of};
use crate::input;
use crate::output::{Report, path_text};
use crate::trust;
use dualseal::encoding::json::Value;
use dualseal::key::Unprepared;
use dualseal::verdict::AsOf;
use dualseal::verdict::InvalidReason;
use dualseal::{Entry, HashedContent, IdentityId, KeyRing, Located, SignatureRecord, Verdict, VerdictKind, Verifier};

pub(super) fn verify(means: &Means<'_>, record: &SignatureRecord) -> Result<Report, Failure> {
    let (asked, domain) = (means.asked()?, means.domain.domain());
    if asked.is_some_and(|asked| asked != *record.identity_id()) {
        let hint = "the record is somebody else's: ask the sender for the right one";
        return Err(Failure::new(status_of(VerdictKind::Invalid.code()), "NOT VALID: another identity signed", hint));
    }
    let ring = means.ring(asked.as_ref(), Some(record.identity_id()))?;
    let expected = means.trust.expected(asked, means.args.signer.any_signer, record.identity_id())?;
    let content = content(means, record, &expected)?;
    let verifier = Verifier::new(domain, &ring, &Unprepared);
    let handle = *record.krunica_hash();
    let of_record = |entry: &Entry| entry.krunica_hash() == handle;
    let shown = means.place(&of_record)?;
    let mut at: Option<Located> = shown.at.clone();
    let dated = |at: &Located| verifier.verify_as_of(&content, record.clone(), at);
    let mut as_of: Option<AsOf<SignatureRecord>> = at.as_ref().map(dated);
    let compromised_from = ring.compromised_from(record.identity_id(), record.public_key().hash());
    let alone = if as_of.is_none() { Some(verifier.verify(&content, record.clone(), None)) } else { None };
    // The operator's own chain is asked only where it can make a difference: it may be long.
    if alone.as_ref().is_some_and(|verdict| is_retired(verdict) || compromised_from.is_some()) {
        at = means.own_place(&of_record)?;
        as_of = at.as_ref().map(dated);
    }
    let verdict = as_of.as_ref().map(|as_of| &as_of.verdict).or(alone.as_ref());
    let mut verdict = verdict.ok_or_else(|| Failure::defect("a record was not verified"))?;
    let mut who = means.who(record.identity_id(), Some(record.public_key().hash()))?;
    // Whatever was pinned: a home folder that is here knows what became of its keys.
    let better = if verdict.kind() == VerdictKind::Valid {
        means.better(record.identity_id(), Some(record.public_key()))
    } else {
        None
    };
    let by_home = better.as_ref().map(|ring| {
        let verifier = Verifier::new(domain, ring, &Unprepared);
        verifier.verify(&content, record.clone(), shown.at.as_ref())
    });
    let is_known = by_home.as_ref().filter(|known| means.is_worse(known.kind()));
    if let Some(known) = is_known {
        verdict = known;
        who = Who { shown_by: ShownBy::Ring, ..who };
    }
    let report = if !means.is_domain_told && is_signature_refused(means, record, verdict) {
        verdict::other_domain("signature", verdict, &means.domain, &who)
    } else {
        verdict::report_of("signature", verdict, means.args.public, &who)
    };
    let report = if is_known.is_some() { report.note(KNOWN_HERE) } else { report };
    let report = if is_canonical(means, record, verdict, &expected)? { report.note(SAME_JSON) } else { report };
    let report = shown.tell(trust::tell(&means.trust, report));
    let holds = !matches!(verdict, Verdict::Invalid(_));
    let report = match &as_of {
        Some(as_of) if is_known.is_none() => dated::tell(report, as_of, means.is_own(), means.args.public),
        Some(_) => report.member("as_of", Value::Null),
        None => dated::tell_unplaced(report, compromised_from.filter(|_| holds), means.args.public),
    };
    Ok(report
        .detail("kind", "record", "signature record")
        .detail("document", "document", path_text(&means.document))
        .detail("domain", "domain", means.domain.to_words())
        .detail("krunica_hash", "handle", handle.to_hex())
        .placed(at.as_ref(), shown.until))
}

/// What is said where the JSON is the one that was signed, and its bytes are others.
const SAME_JSON: &str =
    "It is the JSON that was signed, in another spacing or member order: add --canonical to have it judged as JSON.";

/// Whether a document that does not hold is JSON whose canonical form does.
fn is_canonical(
    means: &Means<'_>,
    record: &SignatureRecord,
    verdict: &Verdict<SignatureRecord>,
    expected: &IdentityId,
) -> Result<bool, Failure> {
    let Verdict::Invalid(rejection) = verdict else { return Ok(false) };
    let is_asked = rejection.reason() == InvalidReason::Content && !means.args.canonical;
    if !is_asked || input::is_stream(&means.document) {
        return Ok(false);
    }
    if std::fs::metadata(&means.document).is_ok_and(|found| found.len() > MOST_JSON) {
        return Ok(false);
    }
    let Ok(json) = Value::parse(&means.whole()?) else { return Ok(false) };
    let Ok(canonical) = json.to_canonical() else { return Ok(false) };
    let mut hasher = means.domain.domain().content_hasher(expected);
    hasher.update(canonical.as_bytes());
    Ok(hasher.finish().hash() == record.content_hash())
}

/// Longer JSON is not looked at for a hint.
const MOST_JSON: u64 = 16 << 20;

/// What is said where a home folder knows of a pinned key what whoever pinned it did not ask.
pub(crate) const KNOWN_HERE: &str =
    "The home folder here knows this key: leave --key out to have the record judged by its ring and chain.";

/// Whether the signature itself is what does not hold: another document than the signed one shows in any domain.
fn is_signature_refused(means: &Means<'_>, record: &SignatureRecord, verdict: &Verdict<SignatureRecord>) -> bool {
    let Verdict::Invalid(rejection) = verdict else { return false };
    if !matches!(rejection.reason(), InvalidReason::Signature | InvalidReason::Content) {
        return false;
    }
    let own = HashedContent::from_parts(record.identity_id(), *record.content_hash());
    let ring = KeyRing::pinned(record.identity_id(), record.public_key().clone());
    let alone = Verifier::new(means.domain.domain(), &ring, &Unprepared).verify(&own, record.clone(), None);
    alone.kind() != VerdictKind::Valid
}

/// The hash of the document, or of its canonical form where that is asked for and is what was signed.
fn content(means: &Means<'_>, record: &SignatureRecord, expected: &IdentityId) -> Result<HashedContent, Failure> {
    let hashed = |bytes: &[u8]| {
        let mut hasher = means.domain.domain().content_hasher(expected);
        hasher.update(bytes);
        hasher.finish()
    };
    if means.args.canonical {
        let bytes = means.whole()?;
        let canonical = Value::parse(&bytes).and_then(|json| json.to_canonical());
        let canonical = canonical.map(|json| hashed(json.as_bytes()));
        return Ok(canonical
            .ok()
            .filter(|content| content.hash() == record.content_hash())
            .unwrap_or_else(|| hashed(&bytes)));
    }
    let mut hasher = means.domain.domain().content_hasher(expected);
    means.parts(|part| hasher.update(part))?;
    Ok(hasher.finish())
}

/// Whether a place in the chain is what is missing.
pub(super) fn is_retired<T>(verdict: &Verdict<T>) -> bool {
    matches!(verdict, Verdict::Invalid(rejection) if rejection.reason() == InvalidReason::RetiredKey)
}
