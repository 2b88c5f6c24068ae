//! Which generation of a session counts: the last one that continues the founder under a checkpoint.

use super::generation::Generation;
use super::result::QuorumSignature;
use super::session::{Session, SessionKind};
use crate::domain::Domain;
use crate::error::{Error, Rejected, ThresholdFault};
use crate::key::KeyRing;
use crate::krunica::{Head, Ignored, IgnoredReason};
use crate::shamir::SplitId;
use alloc::vec::Vec;

/// What a chain says of a session below a verified checkpoint: its founder, which the caller pinned, and the
/// generations that continue it. Only a [`LocatedSession`](super::LocatedSession)
/// makes one.
///
/// Of an ML-DSA session the last generation is in force. Of an HMAC session, whose authority only the secret tells,
/// every later generation is a candidate: when k shares of one of them give the secret, the authority of all is
/// checked, and the last that holds signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionInForce {
    pub(super) domain: Domain,
    pub(super) founder: Generation,
    /// In the order of the chain.
    pub(super) later: Vec<Generation>,
    /// Which of the generations the caller pinned last: the founder is 0.
    pub(super) settled: usize,
    /// Records at hand that are of no generation: holding a share of theirs is no cheat.
    pub(super) others: Vec<Session>,
    pub(super) ignored: Ignored,
    pub(super) revoked_from: Option<u64>,
    /// Where what was read ends.
    pub(super) covered: Head,
}

impl SessionInForce {
    /// The founder's record, which the caller pinned: what a session never changes is there, its identifier, anchor,
    /// kind and key. Its k, n and split may be replaced by now.
    #[must_use]
    pub fn founder(&self) -> &Session {
        &self.founder.session
    }

    /// The record in force and the position of its chain entry, where the chain alone tells it: of an ML-DSA session,
    /// and of an HMAC session that nothing continues, or nothing since what was [pinned](Self::settled). `None` where
    /// only shares tell which of the [`candidates`](Self::candidates) it is: [`quorum`](Self::quorum) says so of a set
    /// of shares.
    #[must_use]
    pub fn session(&self) -> Option<(&Session, u64)> {
        let decided = self.decided()?;
        Some((&decided.session, decided.seq))
    }

    /// The session, whose quorum's key is its identity's current one in a ring, and valid: what it signs else, as a
    /// result, for the next generation or [lent](Self::with_quorum_key), is invalid for good. A session of the first
    /// kind has no key that a ring would hold, and is given back as it is.
    ///
    /// ```
    /// use dualseal::id::MessageHash;
    /// use dualseal::threshold::{QuorumSigned, SessionInForce, SessionShare};
    /// use dualseal::{Error, Head, IdentityId, KeyRing, SystemRng, Timestamp};
    ///
    /// fn resolve(
    ///     in_force: &SessionInForce,
    ///     ring: &KeyRing,
    ///     secretary: &IdentityId,
    ///     shares: &[SessionShare],
    ///     (head, time): (&Head, Timestamp),
    /// ) -> Result<QuorumSigned, Error> {
    ///     let message = MessageHash::of(b"resolution 7");
    ///     Ok(in_force.current(ring)?.sign(&message, secretary, shares, head, time, &mut SystemRng)?)
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`KeyRing::check_signer`].
    pub fn current(&self, ring: &KeyRing) -> Result<&Self, Error> {
        if let SessionKind::MlDsa65 { identity_id, public_key } = self.founder().kind() {
            ring.check_signer(identity_id, public_key)?;
        }
        Ok(self)
    }

    /// The founder's record and the later ones that may be of generations, each with the position of its chain entry
    /// and in that order. Those of an ML-DSA session are authorised, and the last is in force. Of an HMAC session
    /// **anybody who may write to the log wrote any but the first**: shares alone tell which of them hold.
    pub fn candidates(&self) -> impl Iterator<Item = (&Session, u64)> {
        self.generations().map(|generation| (&generation.session, generation.seq))
    }

    /// The session as whoever committed a generation knows it. He pins the record, as he pinned the founder: when it
    /// was committed it was compared with what was in force then, and it has an authority that he was handed with its
    /// shares. Of an HMAC session that no record at hand continues since, it is in force without shares that tell it;
    /// of an ML-DSA session the chain tells what is in force, and nothing is pinned.
    ///
    /// **Never pin what the chain or anybody else tells**: of an HMAC session whoever may write to the log writes such
    /// records.
    ///
    /// # Errors
    /// [`ThresholdFault::StaleGeneration`] when the record is none of an HMAC session's
    /// [`candidates`](Self::candidates).
    pub fn settled(mut self, committed: &Session) -> Result<Self, Error> {
        if self.founder.session.kind != SessionKind::Hmac {
            return Ok(self);
        }
        let place = self.generations().position(|known| known.session == *committed);
        let place = place.ok_or_else(|| fault(ThresholdFault::StaleGeneration))?;
        self.settled = self.settled.max(place);
        Ok(self)
    }

    /// The entries of the session that count for nothing, each with its reason. Whoever may write to the log can write
    /// such entries: they stop nothing and blame nobody.
    #[must_use]
    pub fn ignored(&self) -> &Ignored {
        &self.ignored
    }

    /// Where the checkpoint ends under which it was found.
    #[must_use]
    pub fn covered(&self) -> &Head {
        &self.covered
    }

    /// The domain under which it was found in the chain.
    pub(super) fn domain(&self) -> &Domain {
        &self.domain
    }

    pub(super) fn generations(&self) -> impl DoubleEndedIterator<Item = &Generation> {
        core::iter::once(&self.founder).chain(&self.later)
    }

    /// The generation in force, where the chain alone tells it.
    pub(super) fn decided(&self) -> Option<&Generation> {
        let is_told = self.later.len() == self.settled || self.founder.session.kind != SessionKind::Hmac;
        is_told.then(|| self.latest())
    }

    pub(super) fn latest(&self) -> &Generation {
        self.later.last().unwrap_or(&self.founder)
    }

    /// Whether the quorum's key authorises nothing at this position any more.
    pub(super) fn is_revoked_at(&self, seq: u64) -> bool {
        self.revoked_from.is_some_and(|from| seq >= from)
    }

    /// Looks at the next entry of the session, and at its record, or why there is none.
    pub(super) fn take(&mut self, seq: u64, record: Result<&Session, IgnoredReason>) {
        let record = match record {
            Ok(record) => record,
            Err(reason) => {
                self.ignored.push(seq, reason);
                return;
            }
        };
        match self.admits(seq, record) {
            Ok(()) => self.later.push(Generation { session: record.clone(), seq }),
            Err(reason) => {
                self.ignored.push(seq, reason);
                let is_known = |known: &Session| known == record;
                if !self.others.iter().any(is_known) && !self.generations().any(|known| is_known(&known.session)) {
                    self.others.push(record.clone());
                }
            }
        }
    }

    /// Whether a record is a generation, or for an HMAC session could be one.
    fn admits(&self, seq: u64, record: &Session) -> Result<(), IgnoredReason> {
        let is_hmac = self.founder.session.kind == SessionKind::Hmac;
        let stood = |split_id: &SplitId| self.generations().any(|known| known.session.split_id == *split_id);
        let continues =
            |split_id: SplitId| if is_hmac { stood(&split_id) } else { self.latest().session.split_id == split_id };
        // Of an HMAC session only the founder's split is known to have counted: one of a candidate may be burnt.
        let is_new = if is_hmac { record.split_id != self.founder.session.split_id } else { !stood(&record.split_id) };
        let is_again = self.generations().any(|known| known.session == *record);
        if !is_new || is_again {
            Err(IgnoredReason::Repeated)
        } else if !record.previous.is_some_and(continues) {
            Err(IgnoredReason::Predecessor)
        } else if !self.founder.session.continues_as(record) {
            Err(IgnoredReason::Changed)
        } else if self.is_revoked_at(seq) {
            Err(IgnoredReason::Revoked)
        } else {
            let holds = match &record.authority {
                Some(QuorumSignature::Hmac(_)) => is_hmac,
                Some(QuorumSignature::MlDsa65(_)) => record.is_authorised_by_key(&self.domain),
                None => false,
            };
            if holds { Ok(()) } else { Err(IgnoredReason::ForgedGeneration) }
        }
    }
}

/// What is in force of a session at the head of one's own chain. It says what a commitment goes on from, and proves
/// nothing to anybody: signing and verifying go by a [`SessionInForce`].
#[derive(Clone, Debug)]
pub struct SessionAtHead {
    pub(super) found: SessionInForce,
}

impl SessionAtHead {
    /// The head that a commitment extends.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.found.covered
    }

    /// As [`SessionInForce::settled`].
    ///
    /// # Errors
    /// As [`SessionInForce::settled`].
    pub fn settled(self, committed: &Session) -> Result<Self, Error> {
        Ok(Self { found: self.found.settled(committed)? })
    }
}

pub(super) fn fault(fault: ThresholdFault) -> Error {
    Error::Rejected(Rejected::Threshold(fault))
}
