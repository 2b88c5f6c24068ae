//! Which record of a session counts: the last one in the chain, under a checkpoint and with the anchor that the caller
//! pinned.

use super::quorum::Committed;
use super::seed::to_seed;
use super::session::{Session, SessionAnchor, SessionKind};
use super::share::SessionShare;
use crate::checkpoint::{AgreedChain, ChainCheck, Checkpoint};
use crate::domain::{Domain, Label, Row};
use crate::error::{Error, Rejected, SharingFault, SharingProblem, ThresholdFault};
use crate::field::Fp521;
use crate::id::{IdentityId, SessionId};
use crate::krunica::{Entry, Located};
use crate::mldsa::SigningKey;
use crate::shamir::{Index, Reconstructed, Repaired, Share, reconstruct, repair};
use crate::verdict::Verified;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use subtle::ConstantTimeEq;

/// A session record that was shown to be the last one of its session below a verified checkpoint, with the pinned
/// anchor. Only a [`SessionCheck`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionInForce {
    domain: Domain,
    session: Session,
    seq: u64,
}

/// What a call gave that a quorum lent its key to.
#[derive(Clone, Debug)]
pub struct Lent<T> {
    /// What the call gave.
    pub given: T,
    /// The numbers of the shares that do not hold, ascending.
    pub culprits: Vec<Index>,
    /// As [`Reconstructed::misdealt`].
    pub misdealt: Vec<Index>,
}

impl SessionInForce {
    /// The record.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The position of its chain entry.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// Lends the quorum's ML-DSA key for one call, so that a quorum makes ordinary signature records, seals and
    /// checkpoints. The key is wiped when the call returns.
    ///
    /// # Errors
    /// As [`reconstruct`]; [`ThresholdFault::OtherKind`] for a session of the first kind; [`ThresholdFault::OtherKey`]
    /// when the rebuilt seed is not that of the session's public key.
    pub fn with_quorum_key<T>(
        &self,
        shares: &[SessionShare],
        work: impl FnOnce(&SigningKey) -> T,
    ) -> Result<Lent<T>, Error> {
        if self.session.kind == SessionKind::Hmac {
            return Err(fault(ThresholdFault::OtherKind));
        }
        let Reconstructed { secret, culprits, misdealt } = self.reconstruct(shares)?;
        let key = self.key(&secret)?;
        Ok(Lent { given: work(&key), culprits, misdealt })
    }

    /// Makes a lost share again from k others, for a custodian.
    ///
    /// # Errors
    /// As [`repair`]; [`ThresholdFault::NotCommitted`] when the shares are good and what comes out was not committed to
    /// for this number and `owner`.
    pub fn repair(
        &self,
        shares: &[SessionShare],
        lost: Index,
        owner: &IdentityId,
    ) -> Result<Repaired<SessionShare>, Error> {
        let Session { session_id, split_id, .. } = self.session;
        let wrap = |share: Share<Fp521>| SessionShare { session_id, split_id, owner: *owner, share };
        let repaired = repair(&self.committed(), shares, lost, wrap);
        if let Err(Error::Rejected(Rejected::Sharing(SharingFault { problem: SharingProblem::DealerFault, .. }))) =
            repaired
        {
            // A wrong owner is no fault of the dealer's: the shares still give the secret that was dealt.
            self.reconstruct(shares)?;
            return Err(fault(ThresholdFault::NotCommitted { index: lost.get() }));
        }
        repaired
    }

    /// The domain under which it was found in the chain.
    pub(super) fn domain(&self) -> &Domain {
        &self.domain
    }

    pub(super) fn reconstruct(&self, shares: &[SessionShare]) -> Result<Reconstructed<Fp521>, Error> {
        reconstruct(&self.committed(), shares)
    }

    fn committed(&self) -> Committed<'_> {
        Committed { domain: &self.domain, session: &self.session }
    }

    /// The signing key that a rebuilt secret is the seed of.
    pub(super) fn key(&self, secret: &crate::shamir::DrawnSecret<Fp521>) -> Result<SigningKey, Error> {
        let SessionKind::MlDsa65 { public_key, .. } = &self.session.kind else {
            return Err(fault(ThresholdFault::OtherKind));
        };
        let key = to_seed(secret).and_then(|seed| SigningKey::from_secret(seed).ok());
        key.filter(|key| key.public_key() == public_key).ok_or_else(|| fault(ThresholdFault::OtherKey))
    }
}

/// Streams a chain past a checkpoint and finds the record of a session that is in force.
pub struct SessionCheck<'a> {
    domain: &'a Domain,
    anchor: SessionAnchor,
    chain: ChainCheck<'a>,
}

impl<'a> SessionCheck<'a> {
    /// Begins at seq 0. `anchor` is the one that the caller pinned when the session was founded.
    #[must_use]
    pub fn new(
        domain: &'a Domain,
        session_id: &SessionId,
        anchor: &SessionAnchor,
        checkpoint: &'a Verified<Checkpoint>,
    ) -> Self {
        let beginning = beginning(domain, session_id);
        let chain = ChainCheck::new(checkpoint).keeping(move |entry| entry.message().starts_with(&beginning));
        Self { domain, anchor: *anchor, chain }
    }

    /// Takes the next entry.
    ///
    /// # Errors
    /// As [`ChainCheck::push`].
    pub fn push(&mut self, entry: &Entry) -> Result<(), Error> {
        self.chain.push(entry)
    }

    /// Takes the next entry as JSON text, without `seq`.
    ///
    /// # Errors
    /// As [`ChainCheck::push_json`].
    pub fn push_json(&mut self, text: &[u8]) -> Result<Entry, Error> {
        self.chain.push_json(text)
    }

    /// Ends the chain. `records` holds at least the first and the last record of the session that the chain has entries
    /// of; those between are compared with the first as well, where they are given.
    ///
    /// # Errors
    /// [`ThresholdFault::NoSession`], [`ThresholdFault::MissingRecord`], [`ThresholdFault::Changed`],
    /// [`ThresholdFault::OtherAnchor`], and as [`ChainCheck::finish`].
    pub fn finish(self, records: &[Session]) -> Result<SessionInForce, Error> {
        let agreed: AgreedChain = self.chain.finish()?;
        let (Some(first), Some(last)) = (agreed.places().first(), agreed.places().last()) else {
            return Err(fault(ThresholdFault::NoSession));
        };
        let record_of = |located: &Located| {
            let entry = located.entry();
            let of =
                |record: &&Session| record.message(self.domain) == entry.message() && record.created == entry.time();
            records.iter().find(of).ok_or_else(|| fault(ThresholdFault::MissingRecord { seq: entry.seq() }))
        };
        let (founded, in_force) = (record_of(first)?, record_of(last)?);
        // What lies between does not count any more; where it is at hand it shows who wrote into the log.
        for located in agreed.places() {
            if let Ok(later) = record_of(located) {
                check_unchanged(founded, later)?;
            }
        }
        if !bool::from(in_force.anchor.as_bytes().ct_eq(self.anchor.as_bytes())) {
            return Err(fault(ThresholdFault::OtherAnchor));
        }
        Ok(SessionInForce { domain: self.domain.clone(), session: in_force.clone(), seq: last.entry().seq() })
    }
}

/// What never changes while a session lives. Its `session_id` is in the messages that were compared.
fn check_unchanged(founded: &Session, in_force: &Session) -> Result<(), Error> {
    let parts = |session: &Session| match &session.kind {
        SessionKind::Hmac => (None, None),
        SessionKind::MlDsa65 { identity_id, public_key } => (Some(*identity_id), Some(public_key.clone())),
    };
    let ((old_id, old_key), (new_id, new_key)) = (parts(founded), parts(in_force));
    for (member, same) in [
        ("algoritam", founded.algorithm() == in_force.algorithm()),
        ("javni_sidro", founded.anchor == in_force.anchor),
        ("identity_id", old_id == new_id),
        ("javni_kljuc", old_key == new_key),
    ] {
        if !same {
            return Err(fault(ThresholdFault::Changed { member }));
        }
    }
    Ok(())
}

fn beginning(domain: &Domain, session_id: &SessionId) -> String {
    let label = domain.label(Label::ThresholdSession);
    alloc::format!("{}::{label}::{session_id}::", domain.prefix(Row::Threshold))
}

pub(super) fn fault(fault: ThresholdFault) -> Error {
    Error::Rejected(Rejected::Threshold(fault))
}

impl fmt::Debug for SessionCheck<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionCheck").field("chain", &self.chain).finish_non_exhaustive()
    }
}
