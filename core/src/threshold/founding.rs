//! Founding a session, and dealing its secret.

use super::seed::{from_seed, seed_in};
use super::session::{Session, SessionKind, anchor, commitment};
use super::share::SessionShare;
use crate::domain::Domain;
use crate::encoding::time::Timestamp;
use crate::error::Error;
use crate::field::Fp521;
use crate::id::{IdentityId, SessionId};
use crate::key::Algorithm;
use crate::krunica::{Appended, Entry, Head};
use crate::mldsa::SigningKey;
use crate::secret::{Distinct, Secret, apart};
use crate::shamir::{DrawnSecret, SplitId, Threshold};
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
/// share goes to its custodian, and nowhere else. Whoever relies on the session pins the entry's handle.
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
}

impl Founding<'_> {
    /// Founds a session of the first kind: its results are verified with k shares.
    ///
    /// # Errors
    /// [`Problem::Range`](crate::error::Problem::Range) for `n` or `k`; [`Error::Randomness`].
    pub fn hmac<R: TryCryptoRng + ?Sized>(&self, rng: &mut R) -> Result<Founded, Error> {
        let rng = &mut Distinct::new(rng);
        let secret = DrawnSecret::draw(rng)?;
        self.found(SessionKind::Hmac, &secret, rng)
    }

    /// Founds a session of the second kind: its results are verified with the public key, which the caller adds to a
    /// ring under `identity_id`.
    ///
    /// # Errors
    /// [`Problem::Range`](crate::error::Problem::Range) for `n` or `k`; [`Error::Randomness`].
    pub fn mldsa<R: TryCryptoRng + ?Sized>(&self, identity_id: &IdentityId, rng: &mut R) -> Result<Founded, Error> {
        let rng = &mut Distinct::new(rng);
        let key = SigningKey::generate(rng)?;
        let kind = SessionKind::MlDsa65 { identity_id: *identity_id, public_key: key.public_key().clone() };
        self.found(kind, &from_seed(key.seed())?, rng)
    }

    fn found<R: TryCryptoRng + ?Sized>(
        &self,
        kind: SessionKind,
        secret: &DrawnSecret<Fp521>,
        rng: &mut R,
    ) -> Result<Founded, Error> {
        let Self { domain, founder, owners, k, head, time } = *self;
        let session_id = draw_session(rng)?;
        let renewal = Renewal { owners, k, time };
        let Dealt { session, shares } = deal(domain, session_id, kind, secret, &renewal, None, rng)?;
        let Appended { entry, head } = head.append_own(founder, &session.message(domain), time)?;
        Ok(Founded { session, shares, entry, head })
    }
}

/// To whom the secret of a session is dealt anew, and when.
#[derive(Clone, Copy, Debug)]
pub struct Renewal<'a> {
    /// The custodians, one for each new share, in the order of their numbers: 2 to 255.
    pub owners: &'a [IdentityId],
    /// How many of the new shares sign: 2 to n.
    pub k: u8,
    /// The time of the record and its entry.
    pub time: Timestamp,
}

/// A record without authority, and its shares.
pub(super) struct Dealt {
    pub(super) session: Session,
    pub(super) shares: Vec<SessionShare>,
}

/// Deals a secret to custodians: for the first time, or in the place of an earlier split.
pub(super) fn deal<R: TryCryptoRng + ?Sized>(
    domain: &Domain,
    session_id: SessionId,
    kind: SessionKind,
    secret: &DrawnSecret<Fp521>,
    to: &Renewal<'_>,
    previous: Option<SplitId>,
    rng: &mut R,
) -> Result<Dealt, Error> {
    let threshold = threshold_of(to.k, to.owners)?;
    let rng = &mut apart::<8192, _>(|| {
        let bytes = secret.to_bytes();
        // As it was drawn: a seed stands behind zeros.
        let drawn = match kind {
            SessionKind::Hmac => bytes.as_ref(),
            SessionKind::MlDsa65 { .. } => seed_in(&bytes),
        };
        Distinct::beside(rng, drawn)
    });
    let split_id = SplitId::draw(rng)?;
    let algorithm = match kind {
        SessionKind::Hmac => Algorithm::ThresholdHmac,
        SessionKind::MlDsa65 { .. } => Algorithm::ThresholdMlDsa65,
    };
    let shares: Vec<_> = secret
        .split(threshold, rng)?
        .into_iter()
        .zip(to.owners)
        .map(|(share, owner)| SessionShare { session_id, split_id, owner: *owner, share })
        .collect();
    let ids = (&session_id, &split_id);
    let commitments = shares.iter().map(|s| commitment(domain, ids, threshold, &s.owner, &s.share)).collect();
    let anchor = apart::<8192, _>(|| anchor(domain, &session_id, algorithm, secret.element()));
    let (created, authority) = (to.time, None);
    let session = Session { session_id, split_id, threshold, anchor, commitments, kind, created, previous, authority };
    Ok(Dealt { session, shares })
}

pub(super) fn threshold_of(k: u8, owners: &[IdentityId]) -> Result<Threshold, Error> {
    Threshold::new(k.into(), u64::try_from(owners.len()).unwrap_or(u64::MAX))
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
