//! Verifying what a quorum signed.

use super::in_force::{SessionInForce, fault};
use super::rebuilt::Rebuilt;
use super::result::{QuorumResult, QuorumSignature, Statement};
use super::session::SessionKind;
use super::share::SessionShare;
use super::witness::witness_message;
use crate::domain::Domain;
use crate::error::{Error, ThresholdFault};
use crate::hash::HmacSha3_512;
use crate::id::{IdentityId, MessageHash, SessionId};
use crate::key::{Algorithm, KeyRing, PreparedKeys, dummy_key, prepared};
use crate::krunica::{Entry, Located};
use crate::mldsa::{Mu, PublicKey};
use crate::shamir::Index;
use crate::verdict::{AsOf, Checks, InvalidReason, Judged, Placed, Subject, Verdict, decide, invalid};
use alloc::string::String;
use alloc::vec::Vec;

/// A result of the first kind that k shares confirmed. It was made by somebody who had k shares, which may be the
/// verifiers themselves: whoever must convince others founds a session of the second kind. Only a verification makes
/// one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthenticResult {
    result: QuorumResult,
    culprits: Vec<Index>,
    misdealt: Vec<Index>,
}

impl AuthenticResult {
    /// The result.
    #[must_use]
    pub fn result(&self) -> &QuorumResult {
        &self.result
    }

    /// The numbers of the shares given now that do not hold, ascending.
    #[must_use]
    pub fn culprits(&self) -> &[Index] {
        &self.culprits
    }

    /// The numbers of the shares given now that hold and are not on the others' polynomial, as
    /// [`Reconstructed::misdealt`](crate::shamir::Reconstructed::misdealt).
    #[must_use]
    pub fn misdealt(&self) -> &[Index] {
        &self.misdealt
    }
}

impl SessionInForce {
    /// Verifies a result of the first kind with k shares. The secret exists in memory while this takes.
    ///
    /// # Errors
    /// [`ThresholdFault::Signature`] when the result is not what this session made of this message;
    /// [`ThresholdFault::OtherKind`] for a result or session of the second kind; as
    /// [`reconstruct`](crate::shamir::reconstruct) for the shares.
    pub fn verify_with_shares(
        &self,
        message: &MessageHash,
        result: QuorumResult,
        shares: &[SessionShare],
    ) -> Result<AuthenticResult, Error> {
        let QuorumSignature::Hmac(expected) = &result.signature else {
            return Err(fault(ThresholdFault::OtherKind));
        };
        if *self.founder().kind() != SessionKind::Hmac {
            return Err(fault(ThresholdFault::OtherKind));
        }
        let Rebuilt { secret, culprits, misdealt, .. } = self.reconstruct(shares)?;
        let mut mac = HmacSha3_512::new(secret.to_bytes().as_slice());
        let (domain, session_id) = (self.domain(), self.founder().session_id());
        mac.update(statement(domain, Algorithm::ThresholdHmac, session_id, message, &result).as_bytes());
        if bool::from(mac.verify(expected)) && names_one_entry(&result) {
            Ok(AuthenticResult { result, culprits, misdealt })
        } else {
            Err(fault(ThresholdFault::Signature))
        }
    }
}

/// Verifies a result of the second kind by the session in force: its public key must be one of its identity in the
/// ring, and its state there gives the verdict as for every other record. Needs no share and no secret.
///
/// The verdict is about the identity that the founder's record names, which its subject repeats. A result by a retired
/// quorum key is valid only at a proven `place` of its signing entry before the retirement.
pub fn verify_quorum(
    session: &SessionInForce,
    message: &MessageHash,
    result: QuorumResult,
    ring: &KeyRing,
    keys: &dyn PreparedKeys,
    place: Option<&Located>,
) -> Verdict<QuorumResult> {
    let Some(quorum) = PinnedQuorum::of(session) else {
        return of_no_key(&result);
    };
    verify_pinned_quorum(session.domain(), &quorum, message, result, ring, keys, place)
}

/// As [`verify_quorum`], with what became of the quorum's key before and after the place of the signing entry.
pub fn verify_quorum_as_of(
    session: &SessionInForce,
    message: &MessageHash,
    result: QuorumResult,
    ring: &KeyRing,
    keys: &dyn PreparedKeys,
    place: &Located,
) -> AsOf<QuorumResult> {
    let Some(quorum) = PinnedQuorum::of(session) else {
        let (requester, key, failed) = (result.requester, *dummy_key().hash(), Some(InvalidReason::Signature));
        let judged = Judged { verdict: of_no_key(&result), key, placed: Placed::Unknown, failed };
        return AsOf::new(judged, ring, &requester);
    };
    verify_pinned_quorum_as_of(session.domain(), &quorum, message, result, ring, keys, place)
}

/// A session of the second kind as somebody pinned it by hand: nothing shows that it stands in a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinnedQuorum {
    /// The session.
    pub session_id: SessionId,
    /// The identity whose key the quorum's is.
    pub identity_id: IdentityId,
    /// The quorum's public key.
    pub public_key: PublicKey,
}

impl PinnedQuorum {
    /// That of a session of the second kind.
    fn of(session: &SessionInForce) -> Option<Self> {
        let founder = session.founder();
        let SessionKind::MlDsa65 { identity_id, public_key } = founder.kind().clone() else { return None };
        Some(Self { session_id: *founder.session_id(), identity_id, public_key })
    }
}

/// As [`verify_quorum`], for a verifier without the chain: of whom the quorum is, the caller's word is taken. Never
/// build it from a session record that came with the result: a member of the ring could name himself there, and sign
/// alone.
pub fn verify_pinned_quorum(
    domain: &Domain,
    quorum: &PinnedQuorum,
    message: &MessageHash,
    result: QuorumResult,
    ring: &KeyRing,
    keys: &dyn PreparedKeys,
    place: Option<&Located>,
) -> Verdict<QuorumResult> {
    judge(domain, quorum, message, result, ring, keys, place).verdict
}

/// As [`verify_pinned_quorum`], with what became of the quorum's key before and after the place of the signing entry.
pub fn verify_pinned_quorum_as_of(
    domain: &Domain,
    quorum: &PinnedQuorum,
    message: &MessageHash,
    result: QuorumResult,
    ring: &KeyRing,
    keys: &dyn PreparedKeys,
    place: &Located,
) -> AsOf<QuorumResult> {
    AsOf::new(judge(domain, quorum, message, result, ring, keys, Some(place)), ring, &quorum.identity_id)
}

fn judge(
    domain: &Domain,
    quorum: &PinnedQuorum,
    message: &MessageHash,
    result: QuorumResult,
    ring: &KeyRing,
    keys: &dyn PreparedKeys,
    place: Option<&Located>,
) -> Judged<QuorumResult> {
    let PinnedQuorum { session_id, identity_id, public_key } = quorum;
    let (found, key) = ring.find(identity_id, public_key);
    let statement = statement(domain, Algorithm::ThresholdMlDsa65, session_id, message, &result);
    let mu = Mu::of(&key, statement.as_bytes());
    let entry_message = witness_message(domain, &domain.threshold_binding(session_id, message));
    let is_own = |entry: &Entry| {
        *entry.identity_id() == result.requester
            && entry.message() == entry_message
            && entry.krunica_hash() == result.krunica_hash
            && entry.time() == result.time
    };
    let checks = Checks {
        reserved: false,
        content: true,
        // Without a signature the state decides all the same, as for every other record that does not verify.
        signature: match &result.signature {
            QuorumSignature::MlDsa65(signature) => {
                prepared(keys, &key).accepts(mu, signature) && names_one_entry(&result)
            }
            QuorumSignature::Hmac(_) => false,
        },
        placed: Placed::of(ring, place, is_own),
    };
    let subject = subject(&result, *identity_id);
    decide(result, subject, *key.hash(), found, &checks)
}

/// A session of the first kind has no key.
fn of_no_key(result: &QuorumResult) -> Verdict<QuorumResult> {
    invalid(subject(result, result.requester), InvalidReason::Signature)
}

fn subject(result: &QuorumResult, identity_id: IdentityId) -> Subject {
    Subject { identity_id, algorithm: Algorithm::ThresholdMlDsa65, time: Some(result.time), state: None }
}

/// A dishonest quorum could sign the two names of two entries, of which only the short one is found in a chain.
fn names_one_entry(result: &QuorumResult) -> bool {
    result.witness.krunica_hash() == result.krunica_hash
}

fn statement(
    domain: &Domain,
    algorithm: Algorithm,
    session_id: &SessionId,
    message: &MessageHash,
    result: &QuorumResult,
) -> String {
    let QuorumResult { witness, requester, krunica_hash, time, culprits, .. } = result;
    Statement {
        algorithm,
        session_id,
        binding: &domain.threshold_binding(session_id, message),
        requester,
        witness,
        krunica_hash,
        time: *time,
        culprits,
    }
    .text(domain)
}
