//! What a quorum gives: a signature over one message, or the reason why there is none.

use crate::domain::{Domain, Label, Row};
use crate::encoding::hex;
use crate::encoding::record::{self, Ascending, Later, record};
use crate::encoding::time::Timestamp;
use crate::error::{Error, Problem};
use crate::id::{IdentityId, SessionId, ThresholdBinding};
use crate::key::Algorithm;
use crate::krunica::{ChainHash, KrunicaHash};
use crate::mldsa::Signature;
use crate::shamir::Index;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A result: `{algoritam, culprits, krunica_hash, ok, potpis, razlog, svjedok_hash, ts, weise3_hash}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThresholdResult {
    /// `ok` is true.
    Signed(QuorumResult),
    /// `ok` is false; nothing was appended to the chain.
    Failed(QuorumFailure),
}

/// A result with a signature. Holding one says nothing about its validity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuorumResult {
    pub(super) signature: QuorumSignature,
    pub(super) witness: ChainHash,
    pub(super) requester: IdentityId,
    pub(super) krunica_hash: KrunicaHash,
    pub(super) time: Timestamp,
    pub(super) culprits: Vec<Index>,
}

/// What each kind of session signs with: a result (`potpis`), or the next generation (`ovlast`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum QuorumSignature {
    Hmac([u8; 64]),
    MlDsa65(Signature),
}

impl QuorumSignature {
    /// 128 characters, or 6618.
    pub(super) fn to_hex(&self) -> String {
        match self {
            Self::Hmac(mac) => hex::encode(mac),
            Self::MlDsa65(signature) => signature.to_hex(),
        }
    }

    /// Of the algorithm of a session.
    pub(super) fn from_hex(algorithm: Algorithm, field: &'static str, text: &str) -> Result<Self, Error> {
        match algorithm {
            Algorithm::ThresholdHmac => Ok(Self::Hmac(hex::decode_public(field, text)?)),
            _ => Ok(Self::MlDsa65(Signature::from_hex_of(field, text)?)),
        }
    }
}

impl QuorumResult {
    /// Whoever asked for the signature (`weise3_hash`).
    #[must_use]
    pub fn requester(&self) -> &IdentityId {
        &self.requester
    }

    /// The hash of the signing entry (`svjedok_hash`).
    #[must_use]
    pub fn witness(&self) -> &ChainHash {
        &self.witness
    }

    /// The short handle of the signing entry.
    #[must_use]
    pub fn krunica_hash(&self) -> &KrunicaHash {
        &self.krunica_hash
    }

    /// The time that the signer gave (`ts`). No evidence of time.
    #[must_use]
    pub fn time(&self) -> Timestamp {
        self.time
    }

    /// The numbers of the shares that did not hold, ascending.
    #[must_use]
    pub fn culprits(&self) -> &[Index] {
        &self.culprits
    }

    /// The algorithm of the session that made it.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        match self.signature {
            QuorumSignature::Hmac(_) => Algorithm::ThresholdHmac,
            QuorumSignature::MlDsa65(_) => Algorithm::ThresholdMlDsa65,
        }
    }

    /// The signature in hexadecimal (`potpis`): 128 characters, or 6618.
    #[must_use]
    pub fn signature_hex(&self) -> String {
        self.signature.to_hex()
    }

    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        ThresholdResult::Signed(self.clone()).to_json()
    }
}

/// A result without a signature, and so without any proof: whoever holds one can have changed or invented it, culprits
/// included. It is a note of the party that it came from, worth what that party's word is. The culprits of a
/// [`QuorumResult`] are part of what is signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuorumFailure {
    /// Whoever asked.
    pub requester: IdentityId,
    /// The session's algorithm.
    pub algorithm: Algorithm,
    /// The time.
    pub time: Timestamp,
    /// Why there is no signature (`razlog`).
    pub reason: String,
    /// The numbers of the shares that did not hold, ascending, as whoever wrote this says: nobody signed it.
    pub culprits: Vec<Index>,
}

impl ThresholdResult {
    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }

    /// Reads the JSON.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form; members that do not go with `ok` are
    /// [`Problem::WrongType`], culprits that do not ascend [`Problem::Order`].
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }

    fn signed(&self) -> Option<&QuorumResult> {
        match self {
            Self::Signed(signed) => Some(signed),
            Self::Failed(_) => None,
        }
    }

    /// The members that both have: algorithm, requester, time and culprits.
    fn common(&self) -> (Algorithm, IdentityId, Timestamp, &Vec<Index>) {
        match self {
            Self::Signed(signed) => (signed.algorithm(), signed.requester, signed.time, &signed.culprits),
            Self::Failed(failed) => (failed.algorithm, failed.requester, failed.time, &failed.culprits),
        }
    }

    fn reason(&self) -> Option<String> {
        match self {
            Self::Signed(_) => None,
            Self::Failed(failed) => Some(failed.reason.clone()),
        }
    }
}

record! {
    |result: ThresholdResult| "threshold result" {
        "algoritam" algorithm: Algorithm = result.common().0,
        "culprits" culprits: Ascending<Index, { u64::MAX }> = *result.common().3,
        "krunica_hash" krunica_hash: Later<KrunicaHash> = result.signed().map(|signed| Ok(signed.krunica_hash)),
        "ok" ok: bool = result.signed().is_some(),
        "potpis" signature: Option<String> = result.signed().map(QuorumResult::signature_hex),
        "razlog" reason: Option<String> = result.reason(),
        "svjedok_hash" witness: Later<ChainHash> = result.signed().map(|signed| Ok(signed.witness)),
        "ts" time: Timestamp = result.common().2,
        "weise3_hash" requester: IdentityId = result.common().1,
    } => {
        let wrong = |field| Error::malformed(field, Problem::WrongType);
        let null = |field, is_none: bool| if is_none { Ok(()) } else { Err(wrong(field)) };
        if algorithm == Algorithm::MlDsa65 {
            return Err(Error::malformed("algoritam", Problem::UnknownValue));
        }
        if ok {
            null("razlog", reason.is_none())?;
            let signature = signature.ok_or_else(|| wrong("potpis"))?;
            let signature = QuorumSignature::from_hex(algorithm, "potpis", &signature)?;
            let witness = witness.ok_or_else(|| wrong("svjedok_hash"))??;
            let krunica_hash = krunica_hash.ok_or_else(|| wrong("krunica_hash"))??;
            return Ok(Self::Signed(QuorumResult { signature, witness, requester, krunica_hash, time, culprits }));
        }
        null("potpis", signature.is_none())?;
        null("svjedok_hash", witness.is_none())?;
        null("krunica_hash", krunica_hash.is_none())?;
        let reason = reason.ok_or_else(|| wrong("razlog"))?;
        Ok(Self::Failed(QuorumFailure { requester, algorithm, time, reason, culprits }))
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(ThresholdResult);

/// Everything that a result says, bound to its session and message.
pub(super) struct Statement<'a> {
    pub(super) algorithm: Algorithm,
    pub(super) session_id: &'a SessionId,
    pub(super) binding: &'a ThresholdBinding,
    pub(super) requester: &'a IdentityId,
    pub(super) witness: &'a ChainHash,
    pub(super) krunica_hash: &'a KrunicaHash,
    pub(super) time: Timestamp,
    pub(super) culprits: &'a [Index],
}

impl Statement<'_> {
    /// The fields of
    /// `P::<RESULT>::<algoritam>::<session_id>::<binding>::<weise3_hash>::<svjedok_hash>::<krunica_hash>`, then
    /// `::<ts>::<culprits joined by ,>::S`.
    pub(super) fn text(&self, domain: &Domain) -> String {
        let culprits: Vec<String> = self.culprits.iter().map(ToString::to_string).collect();
        domain.join(
            Row::Threshold,
            &[
                domain.label(Label::ThresholdResult),
                self.algorithm.as_str(),
                &self.session_id.to_hex(),
                &self.binding.to_hex(),
                &self.requester.to_hex(),
                &self.witness.to_hex(),
                &self.krunica_hash.to_hex(),
                &self.time.to_string(),
                &culprits.join(","),
            ],
        )
    }
}
