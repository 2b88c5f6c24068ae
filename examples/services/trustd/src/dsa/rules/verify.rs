//! Verifying: what everybody is told, and what natives are told beside it.

use dualseal::checkpoint::LogFingerprint;
use dualseal::evidence::{EvidenceFile, EvidencePolicy, ExpectedSigner};
use dualseal::key::PreparedKeyCache;
use dualseal::{
    CheckedRing, Domain, Error, HashedContent, IdentityId, KeyRing, Located, PublicResult, SignatureRecord,
    VerdictKind, Verifier,
};

/// A record with what it is verified by.
pub(in super::super) struct Asked<'a> {
    pub(in super::super) domain: &'a Domain,
    pub(in super::super) ring: &'a CheckedRing,
    pub(in super::super) keys: &'a PreparedKeyCache,
    pub(in super::super) content: &'a HashedContent,
    pub(in super::super) place: Option<&'a Located>,
    /// Whether the record's key signed in the decoy's world.
    pub(in super::super) is_decoy_key: bool,
}

/// The public's answer, and whether a honeypot was shown.
pub(in super::super) fn judge(asked: &Asked<'_>, record: SignatureRecord) -> (PublicResult, bool) {
    let Asked { domain, ring, keys, content, place, is_decoy_key } = asked;
    // The ring does the same work for an unknown key, so both are verified alike.
    let verdict = Verifier::new(domain, ring, *keys).verify(content, record.clone(), *place);
    let pinned = KeyRing::pinned(record.identity_id(), record.public_key().clone());
    if *is_decoy_key {
        let verdict = Verifier::new(domain, &pinned, *keys).verify(content, record, *place);
        return (verdict.public(), true);
    }
    (verdict.public(), verdict.kind() == VerdictKind::Decoy)
}

/// An evidence bundle, as of this service's own log, whose key is this identity's.
///
/// # Errors
/// [`Error::Malformed`] for what is no bundle.
pub(in super::super) fn judge_evidence(
    domain: &Domain,
    ring: &CheckedRing,
    log: &IdentityId,
    text: &str,
    identity_id: &IdentityId,
    document: &[u8],
) -> Result<PublicResult, Error> {
    let file = EvidenceFile::from_json(text.as_bytes())?;
    let origin = ring.origin().unwrap_or_default();
    let mut keys = ring.keys(log).map(|(key, _)| key.clone()).collect::<Vec<_>>();
    keys.dedup();
    for key in keys {
        let mut policy = EvidencePolicy::of_log(LogFingerprint::of(domain, origin, log, &key));
        policy.log_until = ring.counts_until(log, key.hash());
        policy.domain = Some(domain);
        policy.signer = ExpectedSigner::Identity(*identity_id);
        match file.duplicate().open(&policy).and_then(|opened| opened.verify(document)) {
            Ok(report) => return Ok(report.as_of.verdict.public()),
            Err(error @ Error::Malformed(_)) => return Err(error),
            Err(_) => {}
        }
    }
    rejected(identity_id)
}

/// What does not hold, of which nobody knows more.
fn rejected(identity_id: &IdentityId) -> Result<PublicResult, Error> {
    let text = format!(
        r#"{{"algoritam":"ML-DSA-65","bela_stanje":null,"identity_id":"{identity_id}",
            "razlog":"rejected","timestamp":null,"validan":false}}"#
    );
    PublicResult::from_json(text.as_bytes())
}
