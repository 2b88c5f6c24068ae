//! What a set of shares amounts to, by the commitments of its session.

use super::session::{Session, anchor, commitment};
use super::share::SessionShare;
use crate::domain::Domain;
use crate::field::Fp521;
use crate::shamir::{Commitments, Health, Threshold, health};
use subtle::{Choice, ConstantTimeEq};

/// What a set of shares amounts to, found out without rebuilding anything (`/borg/kvorum`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quorum {
    /// Which share numbers are present, missing, invalid and foreign.
    pub health: Health,
    /// How many good shares the session needs.
    pub needed: u8,
    /// Whether there are as many.
    pub reached: bool,
}

impl Session {
    /// Tells what a set of shares amounts to. A number that is there twice may show in two lists.
    #[must_use]
    pub fn quorum(&self, domain: &Domain, shares: &[SessionShare]) -> Quorum {
        let health = health(&Committed { domain, session: self }, shares);
        let needed = self.threshold.k();
        let reached = health.present.len() >= usize::from(needed);
        Quorum { health, needed, reached }
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
        let place = usize::from(share.share.index().get()).checked_sub(1);
        let Some(committed) = place.and_then(|place| self.session.commitments.get(place)) else {
            return Choice::from(0);
        };
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
