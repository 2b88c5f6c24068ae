//! The generations of a session: what makes one record the successor of another, and the authority for it.

use super::result::QuorumSignature;
use super::session::{Session, SessionKind};
use crate::domain::{Domain, Label, Row};
use crate::encoding::hex;
use crate::error::{Error, ThresholdFault};
use crate::field::Fp521;
use crate::hash::{HmacSha3_512, Sha3_256};
use crate::key::KeyRing;
use crate::mldsa::{Hedge, Mu, PublicKey, SigningKey, Statement, sealed::Sign};
use crate::shamir::DrawnSecret;
use alloc::string::String;
use rand_core::TryCryptoRng;

/// A record and where its entry stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Generation {
    pub(super) session: Session,
    pub(super) seq: u64,
}

impl Session {
    /// Whether a later record has what never changes while a session lives. The `session_id` is in the messages of the
    /// entries that were compared.
    pub(super) fn continues_as(&self, later: &Self) -> bool {
        self.session_id == later.session_id && self.anchor == later.anchor && self.kind == later.kind
    }

    /// From which position of the chain on the session's key authorises nothing: `None` where it never was revoked, and
    /// for an HMAC session, which has no key.
    pub(super) fn revoked_from(&self, ring: &KeyRing) -> Result<Option<u64>, Error> {
        let SessionKind::MlDsa65 { identity_id, public_key } = &self.kind else { return Ok(None) };
        ring.compromise_of(identity_id, public_key).map_err(|_| ThresholdFault::UnknownKey.into())
    }

    /// Whether another record is of the same session, of whatever generation.
    pub(crate) fn is_of_session(&self, other: &Self) -> bool {
        self.continues_as(other)
    }

    /// Whether another record is the same one, but for the authority, which it has or has not yet.
    pub(crate) fn is_of_generation(&self, other: &Self) -> bool {
        Self { authority: None, ..self.clone() } == Self { authority: None, ..other.clone() }
    }

    /// Whether a record is this one with an authority: of an ML-DSA session, one that holds.
    pub(crate) fn is_committed_as(&self, domain: &Domain, record: &Self) -> bool {
        self.is_of_generation(record)
            && match self.kind {
                SessionKind::Hmac => record.authority.is_some(),
                SessionKind::MlDsa65 { .. } => record.is_authorised_by_key(domain),
            }
    }

    /// The authority for this record by the secret of an HMAC session.
    pub(super) fn authorised_by_secret(&self, domain: &Domain, secret: &DrawnSecret<Fp521>) -> QuorumSignature {
        let mut mac = HmacSha3_512::new(secret.to_bytes().as_slice());
        mac.update(self.succession(domain).as_bytes());
        QuorumSignature::Hmac(mac.finish())
    }

    /// The authority for this record by the key of an ML-DSA session.
    pub(super) fn authorised_by_key<R: TryCryptoRng + ?Sized>(
        &self,
        domain: &Domain,
        key: &SigningKey,
        rng: &mut R,
    ) -> Result<QuorumSignature, Error> {
        let succession = self.succession(domain);
        let statement = Statement::Whole(succession.as_bytes());
        Ok(QuorumSignature::MlDsa65(key.sign_statement(&statement, &Hedge::draw(rng)?)?))
    }

    /// Whether the authority is that of the session's secret.
    pub(super) fn is_authorised_by_secret(&self, domain: &Domain, secret: &DrawnSecret<Fp521>) -> bool {
        let Some(QuorumSignature::Hmac(expected)) = &self.authority else { return false };
        let mut mac = HmacSha3_512::new(secret.to_bytes().as_slice());
        mac.update(self.succession(domain).as_bytes());
        mac.verify(expected).into()
    }

    /// Whether the authority is a signature by the session's key.
    pub(super) fn is_authorised_by_key(&self, domain: &Domain) -> bool {
        let (SessionKind::MlDsa65 { public_key, .. }, Some(QuorumSignature::MlDsa65(signature))) =
            (&self.kind, &self.authority)
        else {
            return false;
        };
        let mu = Mu::of(public_key, self.succession(domain).as_bytes());
        PublicKey::prepare(public_key).accepts(mu, signature)
    }

    /// `P::<SUCCESSION>::<session_id>::<prethodni>::<split_id>::<X>::S`, X the SHA3-256 of the canonical JSON without
    /// its member `ovlast`.
    fn succession(&self, domain: &Domain) -> String {
        // The null stands once: every other member's text is hexadecimal, a time or an algorithm's name.
        let without = Self { authority: None, ..self.clone() }.to_json().replacen("\"ovlast\":null,", "", 1);
        let hash = hex::encode(&Sha3_256::digest(without.as_bytes()));
        let previous = self.previous.map(|previous| previous.to_hex()).unwrap_or_default();
        domain.join(
            Row::Threshold,
            &[
                domain.label(Label::ThresholdSuccession),
                &self.session_id.to_hex(),
                &previous,
                &self.split_id.to_hex(),
                &hash,
            ],
        )
    }
}
