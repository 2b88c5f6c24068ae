//! The records that evidence can be about.

use crate::encoding::json::{Raw, Writer};
use crate::encoding::record::{self, Form, record, wire_names};
use crate::error::{Error, Problem};
use crate::id::{IdentityId, SessionId};
use crate::key::Algorithm;
use crate::mldsa::PublicKey;
use crate::seal::DualSeal;
use crate::signature::SignatureRecord;
use crate::threshold::{QuorumResult, ThresholdResult};
use crate::vault::{VaultRecord, is_erasure};
use alloc::boxed::Box;

/// What kind of record it is (`vrsta`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EvidenceKind {
    /// `potpis`: a signature record; the document is the content.
    Signature,
    /// `pecat`: a dual seal, of which layer B is checked; the document is the payload.
    Seal,
    /// `trezor`: a vault record; the document is the stored bytes.
    Vault,
    /// `kvorum`: a result of a quorum with a public key; the document is the message.
    Quorum,
    /// `brisanje`: the vault record of an erasure; the document is its stored bytes.
    Erasure,
}

impl EvidenceKind {
    const ALL: [Self; 5] = [Self::Signature, Self::Seal, Self::Vault, Self::Quorum, Self::Erasure];

    /// The name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Signature => "potpis",
            Self::Seal => "pecat",
            Self::Vault => "trezor",
            Self::Quorum => "kvorum",
            Self::Erasure => "brisanje",
        }
    }

    /// What evidence of this kind does not show, for people to read.
    #[must_use]
    pub fn not_shown(self) -> Option<&'static str> {
        match self {
            Self::Signature | Self::Seal | Self::Vault => None,
            Self::Quorum => Some("session in force not shown"),
            Self::Erasure => Some("completeness of splits not shown"),
        }
    }
}

wire_names! { EvidenceKind: Self::ALL }

/// A record of one of the kinds.
#[derive(Debug)]
pub enum EvidenceRecord {
    /// A signature record.
    Signature(SignatureRecord),
    /// A dual seal with who made it.
    Seal(SealEvidence),
    /// A vault record, that of an erasure among them.
    Vault(Box<VaultRecord>),
    /// A result of a quorum with its session and key.
    Quorum(QuorumEvidence),
}

/// A dual seal, which names neither signer nor key, with both: `{"identity_id","javni_kljuc","seal"}`.
#[derive(Clone, Debug)]
pub struct SealEvidence {
    /// Whose seal it is.
    pub identity_id: IdentityId,
    /// The key of layer B.
    pub public_key: PublicKey,
    /// The seal.
    pub seal: DualSeal,
}

/// A result of a session of the second kind, with what it does not say itself:
/// `{"identity_id","javni_kljuc","result","session_id"}`. An HMAC result convinces its own custodians alone.
#[derive(Clone, Debug)]
pub struct QuorumEvidence {
    /// The identity whose key the quorum's is.
    pub identity_id: IdentityId,
    /// The quorum's key.
    pub public_key: PublicKey,
    /// The result.
    pub result: QuorumResult,
    /// The session.
    pub session_id: SessionId,
}

record! {
    |record: SealEvidence| "record" {
        "identity_id" identity_id: IdentityId,
        "javni_kljuc" public_key: PublicKey,
        "seal" seal: DualSeal,
    }
}

record! {
    |record: QuorumEvidence| "record" {
        "identity_id" identity_id: IdentityId,
        "javni_kljuc" public_key: PublicKey,
        "result" result: ThresholdResult = ThresholdResult::Signed(record.result.clone()),
        "session_id" session_id: SessionId,
    } => {
        let ThresholdResult::Signed(result) = result else {
            return Err(Error::malformed("ok", Problem::UnknownValue));
        };
        let record = Self { identity_id, public_key, result, session_id };
        record.check_kind()?;
        Ok(record)
    }
}

impl QuorumEvidence {
    /// A result of the other kind convinces those alone who could have made it themselves.
    fn check_kind(&self) -> Result<(), Error> {
        let convinces = self.result.algorithm() == Algorithm::ThresholdMlDsa65;
        convinces.then_some(()).ok_or_else(|| Error::malformed("algoritam", Problem::UnknownValue))
    }
}

impl EvidenceRecord {
    /// Reads the JSON of a record of any kind, in any spacing and member order.
    ///
    /// ```
    /// # use dualseal::{Domain, Head, Signer, SigningKey, Timestamp};
    /// # let domain = Domain::default();
    /// # let (ana, key) = (domain.identity_id(b"", "ana", "")?, SigningKey::from_seed(&[7; 32])?);
    /// # let signer = Signer::new(&domain, &ana, &key);
    /// # let content = signer.content_hash(b"one contract");
    /// # let record = signer.sign_deterministic(&content, &Head::EMPTY, Timestamp::MIN)?.record.to_json();
    /// use dualseal::evidence::{EvidenceKind, EvidenceRecord};
    ///
    /// let read = EvidenceRecord::from_json(record.as_bytes())?;
    /// assert_eq!((read.kind(), read.identity_id()), (EvidenceKind::Signature, &ana));
    /// assert!(EvidenceRecord::from_json(b"{}").is_err());
    /// # Ok::<(), dualseal::Error>(())
    /// ```
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form; [`Problem::UnknownValue`] of `json`
    /// for a record of none of the kinds, and of `fragment` for a vault record that is not redacted.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> EvidenceKind {
        match self {
            Self::Signature(_) => EvidenceKind::Signature,
            Self::Seal(_) => EvidenceKind::Seal,
            Self::Vault(record) if is_erasure(record.header()) => EvidenceKind::Erasure,
            Self::Vault(_) => EvidenceKind::Vault,
            Self::Quorum(_) => EvidenceKind::Quorum,
        }
    }

    /// Whose record it says to be.
    #[must_use]
    pub fn identity_id(&self) -> &IdentityId {
        match self {
            Self::Signature(record) => record.identity_id(),
            Self::Seal(record) => &record.identity_id,
            Self::Vault(record) => &record.header().identity_id,
            Self::Quorum(record) => &record.identity_id,
        }
    }

    /// The key inside it; a vault record has none.
    #[must_use]
    pub fn public_key(&self) -> Option<&PublicKey> {
        match self {
            Self::Signature(record) => Some(record.public_key()),
            Self::Seal(record) => Some(&record.public_key),
            Self::Vault(_) => None,
            Self::Quorum(record) => Some(&record.public_key),
        }
    }

    /// Whether it can convince a stranger at all.
    pub(super) fn check_kind(&self) -> Result<(), Error> {
        match self {
            Self::Quorum(record) => record.check_kind(),
            _ => Ok(()),
        }
    }

    /// The same as it may leave the store.
    pub(super) fn duplicate(&self) -> Self {
        match self {
            Self::Signature(record) => Self::Signature(record.clone()),
            Self::Seal(record) => Self::Seal(record.clone()),
            Self::Vault(record) => Self::Vault(Box::new(record.redacted())),
            Self::Quorum(record) => Self::Quorum(record.clone()),
        }
    }
}

/// Each kind has a member that no other has.
impl Form for EvidenceRecord {
    type Value = Self;

    fn read(raw: Raw<'_>, field: &'static str) -> Result<Self, Error> {
        let has = |name: &str| raw.member(name).is_some();
        if !raw.is_object() {
            Err(Error::malformed(field, Problem::WrongType))
        } else if has("sadrzaj_hash") {
            SignatureRecord::read(raw, field).map(Self::Signature)
        } else if has("seal") {
            SealEvidence::read(raw, field).map(Self::Seal)
        } else if has("result") {
            QuorumEvidence::read(raw, field).map(Self::Quorum)
        } else if has("L5") {
            let record = VaultRecord::read(raw, field)?;
            // A fragment that is published is a trap given away.
            let redacted = record.fragment().is_none();
            redacted
                .then(|| Self::Vault(Box::new(record)))
                .ok_or_else(|| Error::malformed("fragment", Problem::UnknownValue))
        } else {
            Err(Error::malformed(field, Problem::UnknownValue))
        }
    }

    fn write(record: &Self, out: &mut Writer) {
        match record {
            Self::Signature(record) => SignatureRecord::write(record, out),
            Self::Seal(record) => SealEvidence::write(record, out),
            Self::Vault(record) => VaultRecord::write(&record.redacted(), out),
            Self::Quorum(record) => QuorumEvidence::write(record, out),
        }
    }
}
