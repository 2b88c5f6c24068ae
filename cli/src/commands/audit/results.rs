//! What quorums signed, each over the document that its name says, in one of the sessions that are here.

use super::judgement::{Judgement, Mark};
use super::kinds::What;
use super::known::Audit;
use crate::commands::verify::{dates, unplaced};
use dualseal::hash::{HashFunction, Sha3_512};
use dualseal::id::MessageHash;
use dualseal::key::Algorithm;
use dualseal::threshold::{
    PinnedQuorum, QuorumResult, Session, SessionKind, ThresholdResult, verify_pinned_quorum, verify_pinned_quorum_as_of,
};
use dualseal::{IdentityId, KeyRing, Verdict, VerdictKind};
use std::collections::BTreeMap;
use std::io;

/// A result does not say which session it is of: so many are tried at most.
const TRIED: usize = 64;

/// What is said of one that nothing here checks.
const NO_SESSION: &str = "its session is not here, or only its custodians can check it: `dualseal session verify`";

/// What a result shows to whoever does not know its session.
pub(super) const QUORUM: &str = "a key of the ring signed it; whether a quorum did, `dualseal session verify` tells";

impl Audit<'_> {
    pub(super) fn check_results(&mut self) {
        let mut outcomes = Vec::new();
        for index in 0..self.whats.len() {
            let What::Result(result) = &self.whats[index] else { continue };
            let (document, (signer, outcome)) = match (&**result, self.named(index)) {
                (ThresholdResult::Failed(failure), _) => {
                    let text = format!("nothing was signed: {}", failure.reason);
                    (None, (None, Judgement::new(Mark::Noted, text)))
                }
                (ThresholdResult::Signed(_), None) => (None, (None, Judgement::no_document())),
                (ThresholdResult::Signed(result), Some(document)) => {
                    let outcome = self.result(result, document);
                    let unreadable = |error: io::Error| (None, Judgement::new(Mark::Unreadable, error.to_string()));
                    self.hashed += self.files[document].length();
                    (Some(document), outcome.unwrap_or_else(unreadable))
                }
            };
            outcomes.push((index, document, signer, outcome));
        }
        self.tell_all(outcomes);
    }

    /// What came of one, and whose it is, where it is of a session that is here.
    fn result(&self, result: &QuorumResult, document: usize) -> io::Result<(Option<IdentityId>, Judgement)> {
        if result.algorithm() != Algorithm::ThresholdMlDsa65 {
            return Ok((None, Judgement::new(Mark::Unchecked, NO_SESSION)));
        }
        let mut hash = Sha3_512::default();
        self.files[document].read(|part| hash.update(part))?;
        let message = MessageHash::from_bytes(hash.finish());
        let at = self.handles.get(result.krunica_hash());
        let sessions = self.sessions();
        let mut best: Option<Judgement> = None;
        for session in sessions.iter().take(TRIED) {
            let SessionKind::MlDsa65 { identity_id, public_key } = session.kind().clone() else { continue };
            let ring = self.ring(&identity_id);
            let quorum = PinnedQuorum { session_id: *session.session_id(), identity_id, public_key };
            let result = || result.clone();
            let verify = |ring: &KeyRing, at| {
                verify_pinned_quorum(self.domain(), &quorum, &message, result(), ring, &self.cache, at)
            };
            // The state of a key decides without a signature too: of another session's it would be told here.
            let alone = verify(&KeyRing::pinned(&identity_id, quorum.public_key.clone()), None);
            if alone.kind() != VerdictKind::Valid {
                let outcome = Judgement::verdict(&alone, self.args.public);
                best = best.or(Some(self.told_by([&identity_id].into_iter(), outcome)));
                continue;
            }
            let verdict = verify(&ring, at);
            if let Verdict::Invalid(rejection) = &verdict
                && self.is_unknown(&identity_id, rejection.reason())
            {
                let outcome = self.told_by([&identity_id].into_iter(), Judgement::unknown());
                return Ok((Some(identity_id), outcome));
            }
            let outcome = Judgement::verdict(&verdict, self.args.public);
            let compromised_from = ring.compromised_from(&identity_id, quorum.public_key.hash());
            let dates = match (compromised_from.filter(|_| !self.args.public), at) {
                (None, _) => Vec::new(),
                (Some(from), None) => vec![unplaced(from)],
                (Some(_), Some(at)) => {
                    let (domain, cache) = (self.domain(), &self.cache);
                    dates(&verify_pinned_quorum_as_of(domain, &quorum, &message, result(), &ring, cache, at))
                }
            };
            let outcome = self.told_by([&identity_id].into_iter(), outcome);
            if outcome.mark == Mark::Valid && self.trusted.known(&identity_id).is_some() {
                // A ring holds other keys as well, and this record could be made up by whoever has one of them.
                return Ok((Some(identity_id), Judgement::new(Mark::Unchecked, QUORUM).and(dates)));
            }
            return Ok((Some(identity_id), outcome.and(dates)));
        }
        if sessions.len() > TRIED {
            let text = format!("{} sessions are here, and the first {TRIED} are not its own", sessions.len());
            return Ok((None, Judgement::new(Mark::Unchecked, text)));
        }
        Ok((None, best.unwrap_or_else(|| Judgement::new(Mark::Unchecked, NO_SESSION))))
    }

    /// The sessions that a stranger can check results of, copies once.
    fn sessions(&self) -> Vec<&Session> {
        let sessions = self.whats.iter().filter_map(|what| match what {
            What::Session(session) if matches!(session.kind(), SessionKind::MlDsa65 { .. }) => Some(&**session),
            _ => None,
        });
        let by_id: BTreeMap<String, &Session> = sessions.map(|session| (session.to_json(), session)).collect();
        by_id.into_values().collect()
    }
}
