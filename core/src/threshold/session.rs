//! The record of a session: what is known of it without any secret.

use crate::domain::{Domain, Label, Row};
use crate::encoding::json::Value;
use crate::encoding::time::Timestamp;
use crate::encoding::{hex, hex_newtype, time_member};
use crate::error::{Error, Problem};
use crate::field::Fp521;
use crate::hash::Sha3_256;
use crate::id::{IdentityId, SessionId};
use crate::key::Algorithm;
use crate::mldsa::PublicKey;
use crate::shamir::{Share, SplitId, Threshold, commit};
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

/// A session (KeyInfo): `{algoritam, javni_sidro, k, kreiran, n, session_id, split_id, udio_sidra}`, and for the second
/// kind `identity_id` and `javni_kljuc`. A refreshed or rethresholded session has a new record under the same
/// `session_id`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub(super) session_id: SessionId,
    pub(super) split_id: SplitId,
    pub(super) threshold: Threshold,
    pub(super) anchor: SessionAnchor,
    pub(super) commitments: Vec<[u8; 64]>,
    pub(super) kind: SessionKind,
    pub(super) created: Timestamp,
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

    /// When this record was made (`kreiran`).
    #[must_use]
    pub fn created(&self) -> Timestamp {
        self.created
    }

    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.to_value().canonical()
    }

    /// Reads the JSON.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form; [`Problem::Length`] for `udio_sidra`
    /// when there are not n of them.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        Self::from_value(Value::parse(text)?)
    }

    pub(crate) fn to_value(&self) -> Value {
        let commitments = self.commitments.iter().map(|hash| Value::String(hex::encode(hash))).collect();
        let mut value = Value::object([
            ("algoritam", self.algorithm().to_member()),
            ("javni_sidro", self.anchor.to_member()),
            ("k", Value::counter(self.threshold.k().into())),
            ("kreiran", Value::text(self.created.to_string())),
            ("n", Value::counter(self.threshold.n().into())),
            ("session_id", self.session_id.to_member()),
            ("split_id", self.split_id.to_member()),
            ("udio_sidra", Value::Array(commitments)),
        ]);
        if let (Value::Object(members), SessionKind::MlDsa65 { identity_id, public_key }) = (&mut value, &self.kind) {
            members.insert("identity_id".to_string(), identity_id.to_member());
            members.insert("javni_kljuc".to_string(), Value::text(public_key.to_hex()));
        }
        value
    }

    pub(crate) fn from_value(mut value: Value) -> Result<Self, Error> {
        let Value::Object(members) = &mut value else {
            return Err(Error::malformed("session", Problem::WrongType));
        };
        let mut take = |name| members.remove(name).ok_or_else(|| Error::malformed(name, Problem::MissingMember));
        // The algorithm says which members there are, so it is read first.
        let kind = match Algorithm::from_member(take("algoritam")?)? {
            Algorithm::ThresholdHmac => SessionKind::Hmac,
            Algorithm::ThresholdMlDsa65 => SessionKind::MlDsa65 {
                identity_id: IdentityId::from_member(take("identity_id")?, "identity_id")?,
                public_key: PublicKey::from_hex(&take("javni_kljuc")?.into_text("javni_kljuc")?)?,
            },
            Algorithm::MlDsa65 => return Err(Error::malformed("algoritam", Problem::UnknownValue)),
        };
        let names = ["javni_sidro", "k", "kreiran", "n", "session_id", "split_id", "udio_sidra"];
        let [anchor, k, created, n, session_id, split_id, commitments] = value.members("session", names)?;
        let threshold = Threshold::new(k.into_counter("k")?, n.into_counter("n")?)?;
        let commitments = commitments.into_array("udio_sidra")?;
        if commitments.len() != usize::from(threshold.n()) {
            let problem = Problem::Length { expected: threshold.n().into(), found: commitments.len() };
            return Err(Error::malformed("udio_sidra", problem));
        }
        let hash = |value: Value| value.into_text("udio_sidra").and_then(|text| hex::decode("udio_sidra", &text));
        Ok(Self {
            session_id: SessionId::from_member(session_id, "session_id")?,
            split_id: SplitId::from_member(split_id, "split_id")?,
            threshold,
            anchor: SessionAnchor::from_member(anchor, "javni_sidro")?,
            commitments: commitments.into_iter().map(hash).collect::<Result<_, _>>()?,
            kind,
            created: time_member(created, "kreiran")?,
        })
    }

    /// The message of this record's chain entry: `P::<SESSION>::<session_id>::<SHA3-256 of the canonical JSON>::S`.
    pub(super) fn message(&self, domain: &Domain) -> String {
        let hash = hex::encode(&Sha3_256::digest(self.to_json().as_bytes()));
        domain.join(Row::Threshold, &[domain.label(Label::ThresholdSession), &self.session_id.to_hex(), &hash])
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
