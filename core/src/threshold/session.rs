//! The record of a session: what is known of it without any secret.

use super::result::QuorumSignature;
use crate::domain::{Domain, Label, Row};
use crate::encoding::json::{Raw, Writer};
use crate::encoding::record::{self, Form, Present, record};
use crate::encoding::time::Timestamp;
use crate::encoding::{hex, hex_newtype};
use crate::error::{Error, Problem};
use crate::field::Fp521;
use crate::hash::Sha3_256;
use crate::id::{IdentityId, SessionId};
use crate::key::Algorithm;
use crate::mldsa::PublicKey;
use crate::shamir::{Index, Share, SplitId, Threshold, commit};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

hex_newtype! {
    /// The anchor of a session's secret (`javni_sidro`):
    /// `SHA3-512(P::<ANCHOR>::<session_id>::<algoritam>::S ‖ secret)`. 64 bytes, 128 hexadecimal characters. Whoever
    /// relies on a session pins it.
    SessionAnchor, 64, "javni_sidro"
}

/// What a session's results are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionKind {
    /// HMAC-SHA3-512 under the secret: k shares verify.
    Hmac,
    /// ML-DSA-65 with the secret as seed: anybody verifies.
    MlDsa65 {
        /// Whose key it is: the identity under which a ring holds it.
        identity_id: IdentityId,
        /// The public key.
        public_key: PublicKey,
    },
}

impl SessionKind {
    fn key(&self) -> Option<(&IdentityId, &PublicKey)> {
        match self {
            Self::Hmac => None,
            Self::MlDsa65 { identity_id, public_key } => Some((identity_id, public_key)),
        }
    }
}

/// One generation of a session (KeyInfo): `{algoritam, javni_sidro, k, kreiran, n, ovlast, prethodni, session_id,
/// split_id, udio_sidra}`, and for the second kind `identity_id` and `javni_kljuc`. A refreshed or rethresholded
/// session has a new record under the same `session_id`, which names the one that it replaces and is authorised by the
/// secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub(super) session_id: SessionId,
    pub(super) split_id: SplitId,
    pub(super) threshold: Threshold,
    pub(super) anchor: SessionAnchor,
    pub(super) commitments: Vec<[u8; 64]>,
    pub(super) kind: SessionKind,
    pub(super) created: Timestamp,
    pub(super) previous: Option<SplitId>,
    pub(super) authority: Option<QuorumSignature>,
}

impl Session {
    /// The identifier, which stays the same when the secret is dealt again.
    #[must_use]
    pub fn session_id(&self) -> &SessionId {
        &self.session_id
    }

    /// The identifier of this set of shares.
    #[must_use]
    pub fn split_id(&self) -> &SplitId {
        &self.split_id
    }

    /// How many shares there are, and how many sign.
    #[must_use]
    pub fn threshold(&self) -> Threshold {
        self.threshold
    }

    /// The anchor of the secret, which callers pin.
    #[must_use]
    pub fn anchor(&self) -> &SessionAnchor {
        &self.anchor
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> &SessionKind {
        &self.kind
    }

    /// The name of its algorithm on the wire.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        match self.kind {
            SessionKind::Hmac => Algorithm::ThresholdHmac,
            SessionKind::MlDsa65 { .. } => Algorithm::ThresholdMlDsa65,
        }
    }

    /// The commitment to the share of this number.
    pub(super) fn commitment(&self, index: Index) -> Option<&[u8; 64]> {
        usize::from(index.get()).checked_sub(1).and_then(|place| self.commitments.get(place))
    }

    /// The split that this one replaces (`prethodni`); `None` for the founder.
    #[must_use]
    pub fn previous(&self) -> Option<&SplitId> {
        self.previous.as_ref()
    }

    /// The authority (`ovlast`) in hexadecimal: 128 characters, or 6618. `None` for the founder, and for a record that
    /// was prepared and is not committed.
    #[must_use]
    pub fn authority_hex(&self) -> Option<String> {
        self.authority.as_ref().map(QuorumSignature::to_hex)
    }

    /// When this record was made (`kreiran`).
    #[must_use]
    pub fn created_at(&self) -> Timestamp {
        self.created
    }

    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }

    /// Reads the JSON.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form; [`Problem::Length`] for `udio_sidra`
    /// when there are not n of them.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }

    /// The message of this record's chain entry: `P::<SESSION>::<session_id>::<SHA3-256 of the canonical JSON>::S`.
    pub(super) fn message(&self, domain: &Domain) -> String {
        let hash = hex::encode(&self.stated_hash());
        domain.join(Row::Threshold, &[domain.label(Label::ThresholdSession), &self.session_id.to_hex(), &hash])
    }

    /// What its entry states of it.
    pub(super) fn stated_hash(&self) -> [u8; 32] {
        Sha3_256::digest(self.to_json().as_bytes())
    }
}

/// The two tables: the algorithm says which members there are.
impl Form for Session {
    type Value = Self;

    fn read(raw: Raw<'_>, field: &'static str) -> Result<Self, Error> {
        if !raw.is_object() {
            return Err(Error::malformed("session", Problem::WrongType));
        }
        let algorithm = raw.member("algoritam").ok_or_else(|| Error::malformed("algoritam", Problem::MissingMember))?;
        match Algorithm::read(algorithm, "algoritam")? {
            Algorithm::ThresholdHmac => HmacSession::read(raw, field),
            Algorithm::ThresholdMlDsa65 => MlDsa65Session::read(raw, field),
            Algorithm::MlDsa65 => Err(Error::malformed("algoritam", Problem::UnknownValue)),
        }
    }

    fn write(session: &Self, out: &mut Writer) {
        match &session.kind {
            SessionKind::Hmac => HmacSession::write(session, out),
            SessionKind::MlDsa65 { .. } => MlDsa65Session::write(session, out),
        }
    }
}

pub(crate) struct HmacSession;

record! {
    |session: Session as HmacSession| "session" {
        "algoritam" = Algorithm::ThresholdHmac.as_str(),
        "javni_sidro" anchor: SessionAnchor,
        "k" k: u64 = session.threshold.k().into(),
        "kreiran" created: Timestamp,
        "n" n: u64 = session.threshold.n().into(),
        "ovlast" authority: Option<String> = session.authority_hex(),
        "prethodni" previous: Option<SplitId>,
        "session_id" session_id: SessionId,
        "split_id" split_id: SplitId,
        "udio_sidra" commitments: Vec<[u8; 64]>,
    } => {
        let threshold = committed(k, n, &commitments)?;
        let authority = authorised(Algorithm::ThresholdHmac, previous, authority)?;
        let kind = SessionKind::Hmac;
        Ok(Session { session_id, split_id, threshold, anchor, commitments, kind, created, previous, authority })
    }
}

pub(crate) struct MlDsa65Session;

record! {
    |session: Session as MlDsa65Session| "session" {
        "algoritam" = Algorithm::ThresholdMlDsa65.as_str(),
        "identity_id" identity_id: Present<IdentityId> = session.kind.key().map(|(id, _)| *id),
        "javni_kljuc" public_key: Present<PublicKey> = session.kind.key().map(|(_, key)| key.clone()),
        "javni_sidro" anchor: SessionAnchor,
        "k" k: u64 = session.threshold.k().into(),
        "kreiran" created: Timestamp,
        "n" n: u64 = session.threshold.n().into(),
        "ovlast" authority: Option<String> = session.authority_hex(),
        "prethodni" previous: Option<SplitId>,
        "session_id" session_id: SessionId,
        "split_id" split_id: SplitId,
        "udio_sidra" commitments: Vec<[u8; 64]>,
    } => {
        let threshold = committed(k, n, &commitments)?;
        let key = identity_id.zip(public_key);
        let keyed = key.map(|(identity_id, public_key)| SessionKind::MlDsa65 { identity_id, public_key });
        let kind = keyed.unwrap_or(SessionKind::Hmac);
        let authority = authorised(Algorithm::ThresholdMlDsa65, previous, authority)?;
        Ok(Session { session_id, split_id, threshold, anchor, commitments, kind, created, previous, authority })
    }
}

/// The authority of a record that replaces another. A founder has none.
fn authorised(
    algorithm: Algorithm,
    previous: Option<SplitId>,
    authority: Option<String>,
) -> Result<Option<QuorumSignature>, Error> {
    match (previous, authority) {
        (_, None) => Ok(None),
        (None, Some(_)) => Err(Error::malformed("ovlast", Problem::WrongType)),
        (Some(_), Some(authority)) => QuorumSignature::from_hex(algorithm, "ovlast", &authority).map(Some),
    }
}

/// A commitment to each of n shares.
fn committed(k: u64, n: u64, commitments: &[[u8; 64]]) -> Result<Threshold, Error> {
    let threshold = Threshold::new(k, n)?;
    let (expected, found) = (threshold.n().into(), commitments.len());
    if found == expected {
        Ok(threshold)
    } else {
        Err(Error::malformed("udio_sidra", Problem::Length { expected, found }))
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(Session);

/// `SHA3-512(P::<ANCHOR>::<session_id>::<algoritam>::S ‖ secret as 66 bytes)`.
pub(super) fn anchor(domain: &Domain, session_id: &SessionId, algorithm: Algorithm, secret: &Fp521) -> SessionAnchor {
    let parts = [domain.label(Label::ThresholdAnchor), &session_id.to_hex(), algorithm.as_str()];
    SessionAnchor::from_bytes(commit(&domain.join(Row::Threshold, &parts), secret))
}

/// `SHA3-512(P::<SHARE>::<session_id>::<split_id>::<k>::<n>::<index>::<owner>::S ‖ share as 66 bytes)`: all that makes
/// a share this one, so that a custodian cannot be framed by an edited owner.
pub(super) fn commitment(
    domain: &Domain,
    (session_id, split_id): (&SessionId, &SplitId),
    threshold: Threshold,
    owner: &IdentityId,
    share: &Share<Fp521>,
) -> [u8; 64] {
    let parts = [
        domain.label(Label::ThresholdShare),
        &session_id.to_hex(),
        &split_id.to_hex(),
        &threshold.k().to_string(),
        &threshold.n().to_string(),
        &share.index().get().to_string(),
        &owner.to_hex(),
    ];
    commit(&domain.join(Row::Threshold, &parts), share.value())
}
