//! Founding a session, and dealing its secret anew.

use super::in_force::SessionInForce;
use super::quorum::Committed;
use super::seed::from_seed;
use super::session::{Session, SessionKind, anchor, commitment};
use super::share::SessionShare;
use crate::domain::Domain;
use crate::encoding::time::Timestamp;
use crate::error::{Error, Problem};
use crate::field::Fp521;
use crate::id::{IdentityId, SessionId};
use crate::key::Algorithm;
use crate::krunica::{Appended, Entry, Head};
use crate::mldsa::SigningKey;
use crate::secret::Secret;
use crate::shamir::{DrawnSecret, Index, Reconstructed, SplitId, Threshold, reconstruct};
use alloc::vec::Vec;
use core::fmt;
use rand_core::TryCryptoRng;

/// What every session entry is made from: who asks, who holds, and where it goes in the chain.
#[derive(Clone, Copy)]
pub struct Founding<'a> {
    /// The domain.
    pub domain: &'a Domain,
    /// Whoever asks: the `w3` of the session entry.
    pub founder: &'a IdentityId,
    /// The custodians, one for each share, in the order of the share numbers: n of them, 2 to 255. An identity that is
    /// there twice has two votes; whoever wants k different people names n different identities.
    pub owners: &'a [IdentityId],
    /// How many shares sign: 2 to n.
    pub k: u8,
    /// The head of the chain.
    pub head: &'a Head,
    /// The time of the record and its entry.
    pub time: Timestamp,
}

/// A new session record with its shares, its chain entry and the head after it: stored together, or none of them. Each
/// share goes to its custodian, and nowhere else.
#[derive(Debug)]
pub struct Founded {
    /// The record.
    pub session: Session,
    /// The shares, in the order of their numbers.
    pub shares: Vec<SessionShare>,
    /// The entry: `t` is the record's `kreiran`.
    pub entry: Entry,
    /// The head after the entry.
    pub head: Head,
    /// The numbers of the shares that did not hold when an earlier splitting was rebuilt, ascending.
    pub culprits: Vec<Index>,
    /// As [`Reconstructed::misdealt`], of the earlier splitting.
    pub misdealt: Vec<Index>,
}

impl Founding<'_> {
    /// Founds a session of the first kind: its results are verified with k shares.
    ///
    /// # Errors
    /// [`Problem::Range`] for `n` or `k`; [`Error::Randomness`].
    pub fn hmac<R: TryCryptoRng + ?Sized>(&self, rng: &mut R) -> Result<Founded, Error> {
        let secret = DrawnSecret::draw(rng)?;
        self.deal(draw_session(rng)?, SessionKind::Hmac, &secret, rng)
    }

    /// Founds a session of the second kind: its results are verified with the public key, which the caller adds to a
    /// ring under `identity_id`.
    ///
    /// # Errors
    /// [`Problem::Range`] for `n` or `k`; [`Error::Randomness`].
    pub fn mldsa<R: TryCryptoRng + ?Sized>(&self, identity_id: &IdentityId, rng: &mut R) -> Result<Founded, Error> {
        let key = SigningKey::generate(rng)?;
        let kind = SessionKind::MlDsa65 { identity_id: *identity_id, public_key: key.public_key().clone() };
        self.deal(draw_session(rng)?, kind, &from_seed(key.seed())?, rng)
    }

    /// As [`rethreshold`](Self::rethreshold), where k and n must be those that the session has. Who holds the shares
    /// may change: a record does not name its custodians.
    ///
    /// # Errors
    /// As [`rethreshold`](Self::rethreshold); [`Problem::Range`] for `k` or `n` when it is another.
    pub fn refresh<R: TryCryptoRng + ?Sized>(
        &self,
        session: &SessionInForce,
        shares: &[SessionShare],
        rng: &mut R,
    ) -> Result<Founded, Error> {
        let threshold = session.session().threshold;
        for (field, asked, has) in [("k", usize::from(self.k), threshold.k()), ("n", self.owners.len(), threshold.n())]
        {
            if asked != usize::from(has) {
                return Err(Error::malformed(field, Problem::Range));
            }
        }
        self.rethreshold(session, shares, rng)
    }

    /// Deals the secret of a session anew, to these custodians and with this k: other shares, the same results. The
    /// shares must hold for the session in force.
    ///
    /// # Errors
    /// As [`hmac`](Self::hmac), before anything is rebuilt; and as [`reconstruct`](crate::shamir::reconstruct) for the
    /// shares.
    pub fn rethreshold<R: TryCryptoRng + ?Sized>(
        &self,
        session: &SessionInForce,
        shares: &[SessionShare],
        rng: &mut R,
    ) -> Result<Founded, Error> {
        // Before the secret exists.
        self.threshold()?;
        self.head.check_room()?;
        // In the domain that it is dealt in: shares of another do not hold, and nothing is dealt across.
        let record = session.session();
        let Reconstructed { secret, culprits, misdealt } =
            reconstruct(&Committed { domain: self.domain, session: record }, shares)?;
        let founded = self.deal(record.session_id, record.kind.clone(), &secret, rng)?;
        Ok(Founded { culprits, misdealt, ..founded })
    }

    fn threshold(&self) -> Result<Threshold, Error> {
        Threshold::new(self.k.into(), u64::try_from(self.owners.len()).unwrap_or(u64::MAX))
    }

    fn deal<R: TryCryptoRng + ?Sized>(
        &self,
        session_id: SessionId,
        kind: SessionKind,
        secret: &DrawnSecret<Fp521>,
        rng: &mut R,
    ) -> Result<Founded, Error> {
        let Self { domain, founder, owners, head, time, .. } = *self;
        let threshold = self.threshold()?;
        let split_id = SplitId::draw(rng)?;
        let algorithm = match kind {
            SessionKind::Hmac => Algorithm::ThresholdHmac,
            SessionKind::MlDsa65 { .. } => Algorithm::ThresholdMlDsa65,
        };
        let shares: Vec<_> = secret
            .split(threshold, rng)?
            .into_iter()
            .zip(owners)
            .map(|(share, owner)| SessionShare { session_id, split_id, owner: *owner, share })
            .collect();
        let ids = (&session_id, &split_id);
        let commitments = shares.iter().map(|s| commitment(domain, ids, threshold, &s.owner, &s.share)).collect();
        let anchor = anchor(domain, &session_id, algorithm, secret.element());
        let session = Session { session_id, split_id, threshold, anchor, commitments, kind, created: time };
        let Appended { entry, head } = head.append_own(founder, &session.message(domain), time)?;
        Ok(Founded { session, shares, entry, head, culprits: Vec::new(), misdealt: Vec::new() })
    }
}

fn draw_session<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<SessionId, Error> {
    Ok(SessionId::from_bytes(*Secret::random(rng)?.expose()))
}

impl fmt::Debug for Founding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Founding")
            .field("founder", self.founder)
            .field("owners", &self.owners.len())
            .field("k", &self.k)
            .finish_non_exhaustive()
    }
}
