//! The secret of a session dealt anew, in two steps: what was prepared counts from its chain entry on.

use super::acknowledgement::Acknowledgement;
use super::founding::{Dealt, Renewal, deal, threshold_of};
use super::generation::Generation;
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
/// old shares sign. A preparation that is lost is prepared again; what stands for it elsewhere is the record that is
/// [authorised](Self::authorised).
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

    /// The record with its authority, by which another process commits it ([`SessionAtHead::commit`]), or this one
    /// after it was started again. It is kept as safe as a share until then: whoever has it and may write to the log
    /// puts the generation into force before its custodians have their shares.
    #[must_use]
    pub fn authorised(&self) -> Session {
        Session { authority: Some(self.authority.clone()), ..self.record.clone() }
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
        let current = at.found.in_force_by(self.secret.as_ref());
        at.append(Some(current), self.authorised(), acknowledgements, needed, requester)
    }
}

impl SessionAtHead {
    /// As [`Prepared::commit`], of a preparation of which the [authorised](Prepared::authorised) record was kept. There
    /// is no secret that would tell what of an HMAC session is in force: it is the founder while no record at hand
    /// continues it, and from the first commitment on the record that was committed last, which the caller
    /// [pins](Self::settled).
    ///
    /// # Errors
    /// As [`Prepared::commit`]; [`ThresholdFault::StaleGeneration`] where nothing tells what is in force as well;
    /// [`ThresholdFault::Authority`] for a record without an authority, or of an ML-DSA session with one that does not
    /// hold.
    pub fn commit(
        &self,
        prepared: &Session,
        acknowledgements: &[(Index, Acknowledgement)],
        needed: Option<u8>,
        requester: &IdentityId,
    ) -> Result<Committed, Error> {
        let is_authorised = match prepared.kind {
            SessionKind::Hmac => prepared.authority.is_some(),
            SessionKind::MlDsa65 { .. } => prepared.is_authorised_by_key(self.found.domain()),
        };
        if !is_authorised {
            return Err(fault(ThresholdFault::Authority));
        }
        self.append(self.found.decided(), prepared.clone(), acknowledgements, needed, requester)
    }

    fn append(
        &self,
        current: Option<&Generation>,
        session: Session,
        acknowledgements: &[(Index, Acknowledgement)],
        needed: Option<u8>,
        requester: &IdentityId,
    ) -> Result<Committed, Error> {
        let threshold = session.threshold;
        let needed = needed.unwrap_or(threshold.n());
        if !(threshold.k()..=threshold.n()).contains(&needed) {
            return Err(Error::malformed_at("needed", needed.into(), Problem::Range));
        }
        // The constants and the predecessor are those of the generation that was in force when it was prepared.
        let continues = current.is_some_and(|current| {
            current.session.continues_as(&session) && session.previous == Some(current.session.split_id)
        });
        if !continues {
            return Err(fault(ThresholdFault::StaleGeneration));
        }
        // Its entry would be ignored, and whoever deleted the old shares then would be left with none that sign.
        if self.found.is_revoked_at(self.head().size()) {
            return Err(fault(ThresholdFault::RevokedKey));
        }
        let said: BTreeSet<&Index> =
            acknowledgements.iter().filter(|(index, said)| said.is_of(*index, &session)).map(|(by, _)| by).collect();
        let found = u8::try_from(said.len()).unwrap_or(u8::MAX);
        if found < needed {
            return Err(fault(ThresholdFault::TooFewAcknowledgements { needed, found }));
        }
        let message = session.message(self.found.domain());
        let Appended { entry, head } = self.head().append_own(requester, &message, session.created)?;
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
