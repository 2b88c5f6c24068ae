//! The checkpoint and the statement that its signature is over.

use crate::domain::{self, Domain, Row};
use crate::encoding::Label;
use crate::encoding::record::{self, record};
use crate::encoding::time::Timestamp;
use crate::error::{Error, Problem};
use crate::id::IdentityId;
use crate::key::Algorithm;
use crate::krunica::{ChainHash, Head};
use crate::mldsa::{PublicKey, Signature};
use alloc::string::{String, ToString};

/// The version of the statement.
const VERSION: &str = "1";

/// A checkpoint: `{algoritam, identity_id, javni_kljuc, origin, potpis, size, time, time_top, top}`. Holding one says
/// nothing about its validity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub(super) origin: String,
    pub(super) head: Head,
    pub(super) time: Timestamp,
    pub(super) identity_id: IdentityId,
    pub(super) public_key: PublicKey,
    pub(super) signature: Signature,
}

impl Checkpoint {
    /// The name of the log.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The head that was signed: size, `top` and `time_top`.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// When the signer says it was signed.
    #[must_use]
    pub fn time(&self) -> Timestamp {
        self.time
    }

    /// The identity of the log's signer.
    #[must_use]
    pub fn identity_id(&self) -> &IdentityId {
        &self.identity_id
    }

    /// The key inside the checkpoint, which proves nothing: the verifier pins its hash.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        &self.public_key
    }

    /// The signature (`potpis`), 3309 bytes.
    #[must_use]
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }

    /// Reads the JSON, in any spacing and member order.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form; a checkpoint of size 0 with a `top`
    /// or `time_top` other than zeros is [`Problem::Range`].
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }
}

record! {
    |checkpoint: Checkpoint| "checkpoint" {
        "algoritam" = Algorithm::MlDsa65.as_str(),
        "identity_id" identity_id: IdentityId,
        "javni_kljuc" public_key: PublicKey,
        "origin" origin: Label,
        "potpis" signature: Signature,
        "size" size: u64 = checkpoint.head.size(),
        "time" time: Timestamp,
        "time_top" time_top: ChainHash = *checkpoint.head.time_top(),
        "top" top: ChainHash = *checkpoint.head.top(),
    } => {
        let head = Head::from_parts(size, top, time_top);
        check_head(&head)?;
        Ok(Self { origin, head, time, identity_id, public_key, signature })
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(Checkpoint);

/// An empty chain has one head.
pub(super) fn check_head(head: &Head) -> Result<(), Error> {
    for (field, hash) in [("top", head.top()), ("time_top", head.time_top())] {
        if head.size() == 0 && *hash != ChainHash::ZERO {
            return Err(Error::malformed(field, Problem::Range));
        }
    }
    Ok(())
}

/// `P::<CHECKPOINT>::1::<origin>::<size>::<top>::<time_top>::<time>::<identity_id>::S`.
pub(super) fn statement(
    domain: &Domain,
    origin: &str,
    head: &Head,
    time: Timestamp,
    identity_id: &IdentityId,
) -> String {
    domain.join(
        Row::Krunica,
        &[
            domain.label(domain::Label::KrunicaCheckpoint),
            VERSION,
            origin,
            &head.size().to_string(),
            &head.top().to_hex(),
            &head.time_top().to_hex(),
            &time.to_string(),
            &identity_id.to_hex(),
        ],
    )
}
