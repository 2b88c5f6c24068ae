//! What a set of shares amounts to, by the commitments of its session.

use super::generation::Generation;
use super::in_force::SessionInForce;
use super::session::{Session, anchor, commitment};
use super::share::SessionShare;
use crate::domain::Domain;
use crate::field::Fp521;
use crate::krunica::Ignored;
use crate::shamir::{Commitments, Health, SplitId, Threshold, health};
use subtle::{Choice, ConstantTimeEq};

/// What a set of shares amounts to in a session (`/borg/kvorum`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quorum {
    /// Which share numbers are present, missing, invalid and foreign, by one record of the session. Foreign are also
    /// those of its other records and splits: whoever sends one is no cheat.
    pub health: Health,
    /// The split of that record.
    pub split_id: SplitId,
    /// The position of that record's chain entry.
    pub seq: u64,
    /// Whether that record is known to be in force. Of an HMAC session that is continued k good shares tell it; without
    /// them it is the candidate that most of the shares are of, and somebody else may have written it.
    pub in_force: bool,
    /// How many good shares that record needs.
    pub needed: u8,
    /// Whether it is in force and there are as many.
    pub reached: bool,
    /// The entries of the session that count for nothing; where k good shares told which record is in force, with the
    /// forged ones.
    pub ignored: Ignored,
}

impl SessionInForce {
    /// Tells what a set of shares amounts to: they are sorted by the commitments of every record, as for signing, so
    /// that no forged one makes an honest custodian's share invalid. A number that is there twice may show in two
    /// lists.
    ///
    /// Nothing is rebuilt but where only the secret tells which record is in force: of an HMAC session that is
    /// continued, when k shares of one record are there.
    #[must_use]
    pub fn quorum(&self, shares: &[SessionShare]) -> Quorum {
        let told = self.told_by(shares);
        let in_force = told.is_ok();
        let (generation, ignored) = told.unwrap_or_else(|_| (self.nearest(shares), self.ignored.clone()));
        let health = health(&Sorted { session: self, generation }, shares);
        let needed = generation.session.threshold.k();
        let reached = in_force && health.present.len() >= usize::from(needed);
        Quorum {
            health,
            split_id: generation.session.split_id,
            seq: generation.seq,
            in_force,
            needed,
            reached,
            ignored,
        }
    }
}

impl Session {
    /// Tells what a set of shares is by this record alone, without rebuilding anything. Whether the record is in force
    /// it does not tell, and whose record it is neither: a share that is invalid here may be a good one of the session.
    /// Whoever has the chain asks [`SessionInForce::quorum`]. A number that is there twice may show in two lists.
    #[must_use]
    pub fn health(&self, domain: &Domain, shares: &[SessionShare]) -> Health {
        health(&Committed { domain, session: self }, shares)
    }
}

/// A generation's commitments, beside those of all other records at hand.
struct Sorted<'a> {
    session: &'a SessionInForce,
    generation: &'a Generation,
}

impl Sorted<'_> {
    fn committed(&self) -> Committed<'_> {
        self.session.committed(self.generation)
    }
}

impl Commitments<Fp521, SessionShare> for Sorted<'_> {
    fn threshold(&self) -> Threshold {
        self.generation.session.threshold
    }

    fn belongs(&self, share: &SessionShare) -> bool {
        self.session.is_of(self.generation, share)
    }

    fn share_holds(&self, share: &SessionShare) -> Choice {
        self.committed().share_holds(share)
    }

    fn secret_holds(&self, secret: &Fp521) -> Choice {
        Commitments::<Fp521, SessionShare>::secret_holds(&self.committed(), secret)
    }
}

/// A session's commitments under a domain.
pub(super) struct Committed<'a> {
    pub(super) domain: &'a Domain,
    pub(super) session: &'a Session,
}

impl Commitments<Fp521, SessionShare> for Committed<'_> {
    fn threshold(&self) -> Threshold {
        self.session.threshold
    }

    fn belongs(&self, share: &SessionShare) -> bool {
        share.session_id == self.session.session_id && share.split_id == self.session.split_id
    }

    /// With the identifiers that the share itself names, so that one of another session or split does not hold.
    fn share_holds(&self, share: &SessionShare) -> Choice {
        let Some(committed) = self.session.commitment(share.index()) else { return Choice::from(0) };
        let ids = (&share.session_id, &share.split_id);
        commitment(self.domain, ids, self.session.threshold, &share.owner, &share.share).ct_eq(committed)
    }

    fn secret_holds(&self, secret: &Fp521) -> Choice {
        let computed = anchor(self.domain, &self.session.session_id, self.session.algorithm(), secret);
        computed.as_bytes().ct_eq(self.session.anchor.as_bytes())
    }
}

impl Commitments<Fp521, &SessionShare> for Committed<'_> {
    fn threshold(&self) -> Threshold {
        self.session.threshold
    }

    fn belongs(&self, share: &&SessionShare) -> bool {
        Commitments::<Fp521, SessionShare>::belongs(self, share)
    }

    fn share_holds(&self, share: &&SessionShare) -> Choice {
        Commitments::<Fp521, SessionShare>::share_holds(self, share)
    }

    fn secret_holds(&self, secret: &Fp521) -> Choice {
        Commitments::<Fp521, SessionShare>::secret_holds(self, secret)
    }
}
