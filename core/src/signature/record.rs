//! The signature record and the statement that its signature is over.

use crate::domain::{Domain, Label, Row};
use crate::encoding::record::{self, record};
use crate::encoding::time::Timestamp;
use crate::error::Error;
use crate::id::{ContentHash, IdentityId};
use crate::key::Algorithm;
use crate::krunica::{Entry, KrunicaHash};
use crate::mldsa::{PublicKey, Signature};
use alloc::string::{String, ToString};

/// The version of the record and of its statement.
const VERSION: &str = "1";

/// A signature record: `{algoritam: "ML-DSA-65", identity_id, javni_kljuc, krunica_hash, potpis, quantum_ready: true,
/// sadrzaj_hash, timestamp, verzija: "1"}`. Holding one says nothing about its validity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureRecord {
    pub(super) identity_id: IdentityId,
    pub(super) public_key: PublicKey,
    pub(super) signature: Signature,
    pub(super) content_hash: ContentHash,
    pub(super) krunica_hash: KrunicaHash,
    pub(super) time: Timestamp,
}

impl SignatureRecord {
    /// Whose signature it claims to be.
    #[must_use]
    pub fn identity_id(&self) -> &IdentityId {
        &self.identity_id
    }

    /// The key inside the record (`javni_kljuc`), which proves nothing: verification asks the ring.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        &self.public_key
    }

    /// The signature (`potpis`), 3309 bytes.
    #[must_use]
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// What was signed (`sadrzaj_hash`).
    #[must_use]
    pub fn content_hash(&self) -> &ContentHash {
        &self.content_hash
    }

    /// The short handle of the record's chain entry.
    #[must_use]
    pub fn krunica_hash(&self) -> &KrunicaHash {
        &self.krunica_hash
    }

    /// The time that the signer gave. No evidence of time.
    #[must_use]
    pub fn time(&self) -> Timestamp {
        self.time
    }

    /// Whether an entry is the record's own, by all that the record says of it, its time included: the one place where
    /// it counts. Nothing of the signature is looked at.
    #[must_use]
    pub fn is_of(&self, domain: &Domain, entry: &Entry) -> bool {
        self.is_of_by(domain, entry, &self.public_key)
    }

    /// As [`is_of`](Self::is_of), with the ring's own copy of the record's key, which was hashed.
    pub(super) fn is_of_by(&self, domain: &Domain, entry: &Entry, public_key: &PublicKey) -> bool {
        *entry.identity_id() == self.identity_id
            && entry.message() == chain_message(domain, &self.content_hash, public_key)
            && entry.krunica_hash() == self.krunica_hash
            && entry.time() == self.time
    }

    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }

    /// Reads the JSON, in any spacing and member order.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form; an `algoritam` other than
    /// `ML-DSA-65`, a `verzija` other than `1` and a `quantum_ready` other than `true` are
    /// [`Problem::UnknownValue`](crate::error::Problem::UnknownValue).
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }
}

record! {
    |record: SignatureRecord| "signature record" {
        "algoritam" = Algorithm::MlDsa65.as_str(),
        "identity_id" identity_id: IdentityId,
        "javni_kljuc" public_key: PublicKey,
        "krunica_hash" krunica_hash: KrunicaHash,
        "potpis" signature: Signature,
        "quantum_ready" = true,
        "sadrzaj_hash" content_hash: ContentHash,
        "timestamp" time: Timestamp,
        "verzija" = VERSION,
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(SignatureRecord);

/// `P::<SIGNED>::<sadrzaj_hash>::<H3(public key)>::S`: the message of the entry that a record by this key has. It names
/// the key, so that nobody completes the entry with another one later.
pub(super) fn chain_message(domain: &Domain, content_hash: &ContentHash, public_key: &PublicKey) -> String {
    let label = domain.label(Label::SignatureSigned);
    domain.join(Row::Signature, &[label, &content_hash.to_hex(), &public_key.hash().to_hex()])
}

/// Whether an entry has the form of a signature record's, whoever made it.
#[must_use]
pub fn claims_signature(domain: &Domain, entry: &Entry) -> bool {
    entry.begins(domain.prefix(Row::Signature), domain.label(Label::SignatureSigned))
}

/// `P::<STATEMENT>::ML-DSA-65::1::<identity_id>::<sadrzaj_hash>::<krunica_hash>::<timestamp>::S`: every other field of
/// the record, so that none can be changed.
pub(super) fn statement(
    domain: &Domain,
    identity_id: &IdentityId,
    content_hash: &ContentHash,
    krunica_hash: &KrunicaHash,
    time: Timestamp,
) -> String {
    domain.join(
        Row::Signature,
        &[
            domain.label(Label::SignatureStatement),
            Algorithm::MlDsa65.as_str(),
            VERSION,
            &identity_id.to_hex(),
            &content_hash.to_hex(),
            &krunica_hash.to_hex(),
            &time.to_string(),
        ],
    )
}
