//! The secret of a session in force, and which generation of it signs.

use super::generation::Generation;
use super::in_force::{SessionInForce, fault};
use super::quorum::Committed;
use super::seed::to_seed;
use super::session::SessionKind;
use super::share::SessionShare;
use crate::error::{Error, Rejected, SharingFault, SharingProblem, ThresholdFault};
use crate::field::Fp521;
use crate::id::IdentityId;
use crate::krunica::{Ignored, IgnoredReason};
use crate::mldsa::SigningKey;
use crate::shamir::{Commitments, DrawnSecret, Index, Reconstructed, Repaired, Share, reconstruct, repair};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// What the shares of the generation in force give.
pub(super) struct Rebuilt<'a> {
    pub(super) generation: &'a Generation,
    pub(super) secret: DrawnSecret<Fp521>,
    pub(super) culprits: Vec<Index>,
    pub(super) misdealt: Vec<Index>,
    pub(super) ignored: Ignored,
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
        if self.founder.session.kind == SessionKind::Hmac {
            return Err(fault(ThresholdFault::OtherKind));
        }
        let Rebuilt { secret, culprits, misdealt, .. } = self.reconstruct(shares)?;
        let key = self.key(&secret)?;
        Ok(Lent { given: work(&key), culprits, misdealt })
    }

    /// Makes a lost share of the generation in force again from k others, for a custodian. It keeps its split, and
    /// nothing is appended.
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
        let Rebuilt { generation, .. } = self.reconstruct(shares)?;
        let committed = self.committed(generation);
        let (session_id, split_id) = (generation.session.session_id, generation.session.split_id);
        let wrap = |share: Share<Fp521>| SessionShare { session_id, split_id, owner: *owner, share };
        let given = self.counting(generation, shares).into_iter().map(SessionShare::copy).collect::<Vec<_>>();
        let repaired = repair(&committed, &given, lost, wrap);
        if let Err(Error::Rejected(Rejected::Sharing(SharingFault { problem: SharingProblem::DealerFault, .. }))) =
            repaired
        {
            // A wrong owner is no fault of the dealer's: the shares gave the secret that was dealt.
            return Err(fault(ThresholdFault::NotCommitted { index: lost.get() }));
        }
        repaired
    }

    /// The secret by the shares of the generation in force, which alone signs and names culprits.
    pub(super) fn reconstruct(&self, shares: &[SessionShare]) -> Result<Rebuilt<'_>, Error> {
        let (generation, ignored) = self.told_by(shares)?;
        let counting = self.counting(generation, shares);
        let Reconstructed { secret, culprits, misdealt } = reconstruct(&self.committed(generation), &counting)?;
        Ok(Rebuilt { generation, secret, culprits, misdealt, ignored })
    }

    /// The generation in force, and all that counts for nothing: by the chain where it tells, else by the secret, for
    /// which k shares of one candidate must be there.
    pub(super) fn told_by(&self, shares: &[SessionShare]) -> Result<(&Generation, Ignored), Error> {
        match self.decided() {
            Some(decided) => Ok((decided, self.ignored.clone())),
            None => Ok(self.authorised(&self.any_secret(shares)?)),
        }
    }

    /// The generation in force, of an HMAC session by its secret.
    pub(super) fn in_force_by(&self, secret: Option<&DrawnSecret<Fp521>>) -> &Generation {
        secret.map_or(self.latest(), |secret| self.authorised(secret).0)
    }

    /// The secret of an HMAC session, by whichever candidate k shares hold for: it is the same in all generations.
    fn any_secret(&self, shares: &[SessionShare]) -> Result<DrawnSecret<Fp521>, Error> {
        let mut tried: Vec<Vec<usize>> = Vec::new();
        for generation in self.generations().filter(|generation| self.has_enough(generation, shares)) {
            let holding = (0_usize..).zip(shares).filter(|(_, share)| self.holds(generation, share));
            let (places, own): (Vec<usize>, Vec<&SessionShare>) = holding.unzip();
            // A prepared record that somebody burnt has the commitments of the one that was committed.
            if tried.contains(&places) {
                continue;
            }
            if let Ok(found) = reconstruct(&self.committed(generation), &own) {
                return Ok(found.secret);
            }
            tried.push(places);
        }
        let generation = self.nearest(shares);
        Ok(reconstruct(&self.committed(generation), &self.counting(generation, shares))?.secret)
    }

    /// The candidate by which shares are told of that give no secret: the founder where it has enough of them, else
    /// that of the others which has the most.
    pub(super) fn nearest(&self, shares: &[SessionShare]) -> &Generation {
        if self.has_enough(&self.founder, shares) {
            return &self.founder;
        }
        let few = self.generations().filter(|generation| !self.has_enough(generation, shares));
        few.max_by_key(|generation| self.numbers(generation, shares)).unwrap_or(&self.founder)
    }

    fn has_enough(&self, generation: &Generation, shares: &[SessionShare]) -> bool {
        self.numbers(generation, shares) >= usize::from(generation.session.threshold.k())
    }

    /// How many different shares hold for a generation.
    fn numbers(&self, generation: &Generation, shares: &[SessionShare]) -> usize {
        let holding = shares.iter().filter(|share| self.holds(generation, share));
        holding.map(SessionShare::index).collect::<BTreeSet<_>>().len()
    }

    /// The generation of an HMAC session in force by its secret, and all that counts for nothing.
    fn authorised(&self, secret: &DrawnSecret<Fp521>) -> (&Generation, Ignored) {
        let (mut current, mut ignored) = (&self.founder, self.ignored.clone());
        let mut counted = BTreeSet::from([self.founder.session.split_id]);
        for candidate in &self.later {
            let session = &candidate.session;
            if !session.is_authorised_by_secret(&self.domain, secret) {
                ignored.push(candidate.seq, IgnoredReason::ForgedGeneration);
            } else if counted.contains(&session.split_id) {
                ignored.push(candidate.seq, IgnoredReason::Repeated);
            } else if session.previous == Some(current.session.split_id) {
                counted.insert(session.split_id);
                current = candidate;
            } else {
                ignored.push(candidate.seq, IgnoredReason::Predecessor);
            }
        }
        (current, ignored)
    }

    /// The shares but for those of other splits and of other records at hand: who sends one of those is behind the
    /// others or ahead of them, and no cheat.
    fn counting<'s>(&self, generation: &Generation, shares: &'s [SessionShare]) -> Vec<&'s SessionShare> {
        let of_another = |share: &&SessionShare| share.session_id != generation.session.session_id;
        shares.iter().filter(|share| of_another(share) || self.is_of(generation, share)).collect()
    }

    /// Whether a share is of a generation's split, good or bad, and of no other record at hand.
    pub(super) fn is_of(&self, generation: &Generation, share: &SessionShare) -> bool {
        let elsewhere = || {
            self.generations().any(|known| self.holds(known, share))
                || self.others.iter().any(|other| bool::from(self.committed_to(other).share_holds(share)))
        };
        self.committed(generation).belongs(share) && (self.holds(generation, share) || !elsewhere())
    }

    fn holds(&self, generation: &Generation, share: &SessionShare) -> bool {
        let committed = self.committed(generation);
        committed.belongs(share) && bool::from(committed.share_holds(share))
    }

    pub(super) fn committed<'a>(&'a self, generation: &'a Generation) -> Committed<'a> {
        self.committed_to(&generation.session)
    }

    fn committed_to<'a>(&'a self, session: &'a super::session::Session) -> Committed<'a> {
        Committed { domain: &self.domain, session }
    }

    /// The signing key that a rebuilt secret is the seed of.
    pub(super) fn key(&self, secret: &DrawnSecret<Fp521>) -> Result<SigningKey, Error> {
        let SessionKind::MlDsa65 { public_key, .. } = &self.founder.session.kind else {
            return Err(fault(ThresholdFault::OtherKind));
        };
        let key = to_seed(secret).and_then(|seed| SigningKey::from_secret(seed).ok());
        key.filter(|key| key.public_key() == public_key).ok_or_else(|| fault(ThresholdFault::OtherKey))
    }
}
