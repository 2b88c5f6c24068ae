//! What a quorum gives: a signature over one message, or the reason why there is none.

use crate::domain::{Domain, Label, Row};
use crate::encoding::json::Value;
use crate::encoding::time::Timestamp;
use crate::encoding::{hex, time_member};
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

/// The signature (`potpis`) of each kind of session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum QuorumSignature {
    Hmac([u8; 64]),
    MlDsa65(Signature),
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
        match &self.signature {
            QuorumSignature::Hmac(mac) => hex::encode(mac),
            QuorumSignature::MlDsa65(signature) => signature.to_hex(),
        }
    }

    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        ThresholdResult::Signed(self.clone()).to_json()
    }
}

/// A result without a signature.
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
    /// The numbers of the shares that did not hold, ascending.
    pub culprits: Vec<Index>,
}

impl ThresholdResult {
    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.to_value().canonical()
    }

    /// Reads the JSON.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form; members that do not go with `ok` are
    /// [`Problem::WrongType`], culprits that do not ascend [`Problem::Order`].
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        Self::from_value(Value::parse(text)?)
    }

    pub(crate) fn to_value(&self) -> Value {
        let (ok, signature, witness, krunica_hash, reason) = match self {
            Self::Signed(signed) => (
                true,
                Value::text(signed.signature_hex()),
                signed.witness.to_member(),
                signed.krunica_hash.to_member(),
                Value::Null,
            ),
            Self::Failed(failed) => (false, Value::Null, Value::Null, Value::Null, Value::text(failed.reason.as_str())),
        };
        let (algorithm, requester, time, culprits) = match self {
            Self::Signed(signed) => (signed.algorithm(), signed.requester, signed.time, &signed.culprits),
            Self::Failed(failed) => (failed.algorithm, failed.requester, failed.time, &failed.culprits),
        };
        let culprits = culprits.iter().map(|index| Value::counter(index.get().into())).collect();
        Value::object([
            ("algoritam", algorithm.to_member()),
            ("culprits", Value::Array(culprits)),
            ("krunica_hash", krunica_hash),
            ("ok", Value::Bool(ok)),
            ("potpis", signature),
            ("razlog", reason),
            ("svjedok_hash", witness),
            ("ts", Value::text(time.to_string())),
            ("weise3_hash", requester.to_member()),
        ])
    }

    pub(crate) fn from_value(value: Value) -> Result<Self, Error> {
        let names =
            ["algoritam", "culprits", "krunica_hash", "ok", "potpis", "razlog", "svjedok_hash", "ts", "weise3_hash"];
        let [algorithm, culprits, krunica_hash, ok, signature, reason, witness, time, requester] =
            value.members("threshold result", names)?;
        let algorithm = Algorithm::from_member(algorithm)?;
        let requester = IdentityId::from_member(requester, "weise3_hash")?;
        let time = time_member(time, "ts")?;
        let culprits = read_culprits(culprits)?;
        match ok {
            Value::Bool(true) => {
                must_be_null(&reason, "razlog")?;
                let signature = signature.into_text("potpis")?;
                let signature = match algorithm {
                    Algorithm::ThresholdHmac => QuorumSignature::Hmac(hex::decode("potpis", &signature)?),
                    Algorithm::ThresholdMlDsa65 => QuorumSignature::MlDsa65(Signature::from_hex(&signature)?),
                    Algorithm::MlDsa65 => return Err(Error::malformed("algoritam", Problem::UnknownValue)),
                };
                let witness = ChainHash::from_member(witness, "svjedok_hash")?;
                let krunica_hash = KrunicaHash::from_member(krunica_hash, "krunica_hash")?;
                Ok(Self::Signed(QuorumResult { signature, witness, requester, krunica_hash, time, culprits }))
            }
            Value::Bool(false) => {
                for (field, value) in
                    [("potpis", &signature), ("svjedok_hash", &witness), ("krunica_hash", &krunica_hash)]
                {
                    must_be_null(value, field)?;
                }
                if algorithm == Algorithm::MlDsa65 {
                    return Err(Error::malformed("algoritam", Problem::UnknownValue));
                }
                let reason = reason.into_text("razlog")?;
                Ok(Self::Failed(QuorumFailure { requester, algorithm, time, reason, culprits }))
            }
            _ => Err(Error::malformed("ok", Problem::WrongType)),
        }
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(ThresholdResult);

fn must_be_null(value: &Value, field: &'static str) -> Result<(), Error> {
    if *value == Value::Null { Ok(()) } else { Err(Error::malformed(field, Problem::WrongType)) }
}

fn read_culprits(value: Value) -> Result<Vec<Index>, Error> {
    let mut culprits: Vec<Index> = Vec::new();
    for (place, value) in (0..).zip(value.into_array("culprits")?) {
        let bad = |problem| Error::malformed_at("culprits", place, problem);
        let index = Index::new(value.into_counter("culprits")?).map_err(|_| bad(Problem::Range))?;
        if culprits.last().is_some_and(|last| *last >= index) {
            return Err(bad(Problem::Order));
        }
        culprits.push(index);
    }
    Ok(culprits)
}

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
