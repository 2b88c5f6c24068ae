//! Verifying: what everybody is told, and what natives are told beside it.

use dualseal::checkpoint::LogFingerprint;
use dualseal::evidence::{EvidenceFile, EvidencePolicy, ExpectedSigner};
use dualseal::key::PreparedKeyCache;
use dualseal::{
    CheckedRing, Domain, Error, HashedContent, IdentityId, KeyRing, KeyState, Located, PublicResult, SignatureRecord,
    Timestamp, VerdictKind, Verifier,
};

/// A record with what it is verified by.
pub(in super::super) struct Asked<'a> {
    pub(in super::super) domain: &'a Domain,
    pub(in super::super) ring: &'a CheckedRing,
    pub(in super::super) keys: &'a PreparedKeyCache,
    pub(in super::super) content: &'a HashedContent,
    pub(in super::super) place: Option<&'a Located>,
    /// The state, there, of a key that signed in the decoy's world.
    pub(in super::super) decoy: Option<KeyState>,
}

/// The public's answer, and whether a honeypot was shown.
///
/// # Errors
/// None: what is told is written here.
pub(in super::super) fn judge(asked: &Asked<'_>, record: SignatureRecord) -> Result<(PublicResult, bool), Error> {
    let Asked { domain, ring, keys, content, place, decoy } = asked;
    let identity_id = *record.identity_id();
    // One verification, whatever the key: its time tells nobody which it was.
    let pinned = KeyRing::pinned(record.identity_id(), record.public_key().clone());
    let ring: &KeyRing = if decoy.is_some() { &pinned } else { ring };
    let verdict = Verifier::new(domain, ring, *keys).verify(content, record, *place);
    let told = match decoy {
        // Whoever called it back there sees that it is.
        Some(state @ (KeyState::Revoked | KeyState::Suspended)) => {
            refused(&identity_id, Some(*state), verdict.public().as_ref().time)?
        }
        _ => verdict.public(),
    };
    Ok((told, decoy.is_some() || verdict.kind() == VerdictKind::Decoy))
}

/// An evidence bundle of this service's own log, whose key is this identity's; with whether a honeypot was shown. A
/// bundle speaks as of its checkpoint, and this service knows what became of the key since.
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
) -> Result<(PublicResult, bool), Error> {
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
            Ok(report) => {
                let key = ring.keys(identity_id).find(|(key, _)| *key.hash() == report.key);
                return match key.map(|(_, state)| state) {
                    Some(state @ (KeyState::Valid | KeyState::Decoy)) => {
                        Ok((report.as_of.verdict.public(), state == KeyState::Decoy))
                    }
                    state => refused(identity_id, state, None).map(|told| (told, false)),
                };
            }
            Err(error @ Error::Malformed(_)) => return Err(error),
            Err(_) => {}
        }
    }
    refused(identity_id, None, None).map(|told| (told, false))
}

/// What does not hold, or is by a key that was called back or suspended since.
fn refused(identity_id: &IdentityId, state: Option<KeyState>, time: Option<Timestamp>) -> Result<PublicResult, Error> {
    let time = time.map_or_else(|| "null".to_owned(), |time| format!("\"{time}\""));
    let named = state.map_or_else(|| "null".to_owned(), |state| format!("\"{state}\""));
    let (reason, valid) =
        if state == Some(KeyState::Suspended) { ("suspended", "null") } else { ("rejected", "false") };
    let text = format!(
        r#"{{"algoritam":"ML-DSA-65","bela_stanje":{named},"identity_id":"{identity_id}",
            "razlog":"{reason}","timestamp":{time},"validan":{valid}}}"#
    );
    PublicResult::from_json(text.as_bytes())
}
