//! The secret of a session dealt anew, in two steps: what was prepared counts from its chain entry on.

use super::acknowledgement::Acknowledgement;
use super::founding::{Dealt, Renewal, deal, threshold_of};
use super::in_force::{SessionAtHead, SessionInForce, fault};
use super::rebuilt::Rebuilt;
use super::result::QuorumSignature;
use super::session::{Session, SessionKind};
use super::share::SessionShare;
use crate::error::{Error, Problem, ThresholdFault};
use crate::field::Fp521;
use crate::id::IdentityId;
use crate::krunica::{Appended, Entry, Head};
use crate::shamir::{DrawnSecret, Index};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::fmt;
use rand_core::TryCryptoRng;

/// New shares of a session's secret, which do not count yet. Until [`commit`](Self::commit) has appended its entry the
/// old shares sign. A preparation that is lost is prepared again.
pub struct Prepared {
    /// Without its authority.
    record: Session,
    shares: Vec<SessionShare>,
    authority: QuorumSignature,
    /// Of an HMAC session: it tells what stands at the head when this is committed.
    secret: Option<DrawnSecret<Fp521>>,
    culprits: Vec<Index>,
    misdealt: Vec<Index>,
}

/// A generation with its chain entry and the head after it: stored together, or none of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The record, with its authority.
    pub session: Session,
    /// The entry: `t` is the record's `kreiran`.
    pub entry: Entry,
    /// The head after the entry.
    pub head: Head,
}

impl SessionInForce {
    /// As [`prepare_rethreshold`](Self::prepare_rethreshold), where k and n must be those that the generation in force
    /// has: a slip lowers neither. Who holds the shares may change.
    ///
    /// # Errors
    /// As [`prepare_rethreshold`](Self::prepare_rethreshold); [`Problem::Range`] for `k` or `n` when it is another.
    pub fn prepare_refresh<R: TryCryptoRng + ?Sized>(
        &self,
        shares: &[SessionShare],
        renewal: &Renewal<'_>,
        rng: &mut R,
    ) -> Result<Prepared, Error> {
        self.prepare(shares, renewal, true, rng)
    }

    /// Prepares other shares of the same secret, for these custodians and with this k. Each share goes to its custodian
    /// with the record, and to nobody else; nodes keep the old shares beside the new ones. It protects only while fewer
    /// than k shares of every earlier generation survive.
    ///
    /// # Errors
    /// [`Problem::Range`] for `n` or `k`, before anything is rebuilt; as
    /// [`reconstruct`](crate::shamir::reconstruct) for the shares; [`Error::Randomness`].
    pub fn prepare_rethreshold<R: TryCryptoRng + ?Sized>(
        &self,
        shares: &[SessionShare],
        renewal: &Renewal<'_>,
        rng: &mut R,
    ) -> Result<Prepared, Error> {
        self.prepare(shares, renewal, false, rng)
    }

    fn prepare<R: TryCryptoRng + ?Sized>(
        &self,
        shares: &[SessionShare],
        renewal: &Renewal<'_>,
        same_numbers: bool,
        rng: &mut R,
    ) -> Result<Prepared, Error> {
        // Before the secret exists.
        let threshold = threshold_of(renewal.k, renewal.owners)?;
        let Rebuilt { generation, secret, culprits, misdealt, .. } = self.reconstruct(shares)?;
        let old = &generation.session;
        if same_numbers {
            for (field, asked, has) in
                [("k", threshold.k(), old.threshold.k()), ("n", threshold.n(), old.threshold.n())]
            {
                if asked != has {
                    return Err(Error::malformed(field, Problem::Range));
                }
            }
        }
        let Dealt { session: record, shares } =
            deal(self.domain(), old.session_id, old.kind.clone(), &secret, renewal, Some(old.split_id), rng)?;
        let (authority, secret) = match old.kind {
            SessionKind::Hmac => (record.authorised_by_secret(self.domain(), &secret), Some(secret)),
            SessionKind::MlDsa65 { .. } => (record.authorised_by_key(self.domain(), &self.key(&secret)?, rng)?, None),
        };
        Ok(Prepared { record, shares, authority, secret, culprits, misdealt })
    }
}

impl Prepared {
    /// The record without its authority, which custodians check their shares by.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.record
    }

    /// The new shares, in the order of their numbers.
    #[must_use]
    pub fn shares(&self) -> &[SessionShare] {
        &self.shares
    }

    /// The numbers of the old shares that did not hold, ascending.
    #[must_use]
    pub fn culprits(&self) -> &[Index] {
        &self.culprits
    }

    /// The numbers of the old shares that held and are not on the others' polynomial, as
    /// [`Reconstructed::misdealt`](crate::shamir::Reconstructed::misdealt).
    #[must_use]
    pub fn misdealt(&self) -> &[Index] {
        &self.misdealt
    }

    /// Appends the entry that brings the generation into force, at the head of one's own chain, when as many custodians
    /// as `needed` said that they have their shares: at least k of them, and all where nothing else is asked. Beside
    /// what somebody said stands whom the channel authenticated: the number of the share that was sent to him. Every
    /// custodian has the commitments to all shares, so that what he says of another's counts for nobody. After it the
    /// old shares sign no more.
    ///
    /// # Errors
    /// [`ThresholdFault::StaleGeneration`] when another generation is in force at the head by now;
    /// [`ThresholdFault::RevokedKey`] when the entry would stand where the key authorises nothing any more;
    /// [`ThresholdFault::TooFewAcknowledgements`]; [`Problem::Range`] for `needed` below k or above n;
    /// [`Misuse::CounterExhausted`](crate::error::Misuse::CounterExhausted).
    pub fn commit(
        &self,
        at: &SessionAtHead,
        acknowledgements: &[(Index, Acknowledgement)],
        needed: Option<u8>,
        requester: &IdentityId,
    ) -> Result<Committed, Error> {
        let threshold = self.record.threshold;
        let needed = needed.unwrap_or(threshold.n());
        if !(threshold.k()..=threshold.n()).contains(&needed) {
            return Err(Error::malformed_at("needed", needed.into(), Problem::Range));
        }
        // The constants and the predecessor are those of the generation that was in force when it was prepared.
        let current = at.found.in_force_by(self.secret.as_ref());
        let continues =
            current.session.continues_as(&self.record) && self.record.previous == Some(current.session.split_id);
        if !continues {
            return Err(fault(ThresholdFault::StaleGeneration));
        }
        // Its entry would be ignored, and whoever deleted the old shares then would be left with none that sign.
        if at.found.is_revoked_at(at.head().size()) {
            return Err(fault(ThresholdFault::RevokedKey));
        }
        let said: BTreeSet<&Index> = acknowledgements
            .iter()
            .filter(|(index, said)| said.is_of(*index, &self.record))
            .map(|(by, _)| by)
            .collect();
        let found = u8::try_from(said.len()).unwrap_or(u8::MAX);
        if found < needed {
            return Err(fault(ThresholdFault::TooFewAcknowledgements { needed, found }));
        }
        let session = Session { authority: Some(self.authority.clone()), ..self.record.clone() };
        let message = session.message(at.found.domain());
        let Appended { entry, head } = at.head().append_own(requester, &message, session.created)?;
        Ok(Committed { session, entry, head })
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared")
            .field("split_id", &self.record.split_id)
            .field("previous", &self.record.previous)
            .field("shares", &self.shares.len())
            .finish_non_exhaustive()
    }
}
