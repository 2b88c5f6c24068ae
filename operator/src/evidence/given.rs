//! The record that evidence is made for.

use super::error::EvidenceError;
use dualseal::error::{Error, Misuse, Rejected, ThresholdFault};
use dualseal::evidence::{EvidenceRecord, QuorumEvidence, SealEvidence};
use dualseal::inspect::{Kind, inspect};
use dualseal::key::{CheckedRing, Unprepared};
use dualseal::krunica::KrunicaHash;
use dualseal::mldsa::KeyHash;
use dualseal::seal::{DualSeal, Seal};
use dualseal::threshold::{QuorumResult, Session, SessionKind, ThresholdResult};
use dualseal::vault::VaultRecord;
use dualseal::{Domain, Entry, HashedContent, IdentityId, KeyRing, PublicKey, SignatureRecord, VerdictKind, Verifier};

/// A record, by what it says of itself.
#[derive(Debug)]
pub enum Given {
    /// A signature.
    Signature(Box<SignatureRecord>),
    /// A seal, which names nobody.
    Seal(Box<DualSeal>),
    /// A vault's record.
    Vault(Box<VaultRecord>),
    /// A quorum's result, with its session.
    Quorum(Box<QuorumResult>, Box<Session>),
}

/// What an entry is looked for by.
pub(super) enum Sought {
    Handle(KrunicaHash),
    Message(String),
}

impl Sought {
    /// Whether it is this entry.
    pub(super) fn is_at(&self, entry: &Entry) -> bool {
        match self {
            Self::Handle(handle) => entry.krunica_hash() == *handle,
            Self::Message(message) => entry.message() == message,
        }
    }
}

impl Given {
    /// Reads a record, by what is in its file. `session` is asked for where it is a quorum's result: that of its
    /// founding.
    ///
    /// # Errors
    /// [`EvidenceError::Library`] for what is malformed; [`EvidenceError::LegacySeal`], [`EvidenceError::NoRecord`],
    /// [`EvidenceError::NotSigned`], [`EvidenceError::NoSession`], [`EvidenceError::OnlyCustodians`]; what `session`
    /// says.
    pub fn read<E: From<EvidenceError>>(
        bytes: &[u8],
        session: impl FnOnce() -> Result<Option<Session>, E>,
    ) -> Result<Self, E> {
        let library = EvidenceError::Library;
        // The line end of its file is no part of a seal.
        if let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| text.starts_with("SEAL-")) {
            return match text.strip_suffix('\n').unwrap_or(text).parse().map_err(library)? {
                Seal::Dual(seal) => Ok(Self::Seal(Box::new(seal))),
                Seal::Legacy(_) => Err(EvidenceError::LegacySeal.into()),
            };
        }
        match inspect(bytes).kind {
            Kind::SignatureRecord => Ok(Self::Signature(Box::new(SignatureRecord::from_json(bytes).map_err(library)?))),
            Kind::VaultRecord => Ok(Self::Vault(Box::new(VaultRecord::from_json(bytes).map_err(library)?))),
            Kind::ThresholdResult => match ThresholdResult::from_json(bytes).map_err(library)? {
                ThresholdResult::Signed(result) => {
                    let session = session()?.ok_or(EvidenceError::NoSession)?;
                    if matches!(session.kind(), SessionKind::Hmac) {
                        let error = Error::Rejected(Rejected::Threshold(ThresholdFault::OtherKind));
                        return Err(EvidenceError::OnlyCustodians(error).into());
                    }
                    Ok(Self::Quorum(Box::new(result), Box::new(session)))
                }
                ThresholdResult::Failed(_) => Err(EvidenceError::NotSigned.into()),
            },
            kind => Err(EvidenceError::NoRecord(kind).into()),
        }
    }

    /// By what its entry in the chain is known.
    pub(super) fn sought(&self, domain: &Domain) -> Sought {
        match self {
            Self::Signature(record) => Sought::Handle(*record.krunica_hash()),
            Self::Seal(seal) => Sought::Message(seal.chain_message(domain)),
            Self::Vault(record) => Sought::Handle(*record.krunica_hash()),
            Self::Quorum(result, _) => Sought::Handle(*result.krunica_hash()),
        }
    }

    /// Whose it could be, and by which keys: of a record that lacks its key, any of its signer's.
    pub(super) fn makers(&self, ring: &KeyRing, entry: &Entry) -> Vec<(IdentityId, PublicKey)> {
        let any_of = |identity_id: &IdentityId| {
            ring.keys(identity_id).map(|(key, _)| (*identity_id, key.clone())).collect::<Vec<_>>()
        };
        match self {
            Self::Signature(record) => vec![(*record.identity_id(), record.public_key().clone())],
            Self::Seal(_) => any_of(entry.identity_id()),
            Self::Vault(record) => any_of(&record.header().identity_id),
            Self::Quorum(_, session) => match session.kind() {
                SessionKind::MlDsa65 { identity_id, public_key } => vec![(*identity_id, public_key.clone())],
                SessionKind::Hmac => Vec::new(),
            },
        }
    }

    /// Whether it is by a key of this ring's traps: not, where it only claims to be.
    pub(super) fn is_by_decoy(&self, domain: &Domain, ring: &CheckedRing, key: &KeyHash) -> bool {
        let is_decoy = matches!(ring.prove(key), Err(Error::Misuse(Misuse::DecoyKey)));
        match self {
            Self::Signature(record) if is_decoy => {
                // What it says of its document is compared where there is evidence.
                let content = HashedContent::from_parts(record.identity_id(), *record.content_hash());
                let verdict = Verifier::new(domain, ring, &Unprepared).verify(&content, (**record).clone(), None);
                verdict.kind() == VerdictKind::Decoy
            }
            _ => is_decoy,
        }
    }

    /// The record as evidence has it.
    pub(super) fn record(&self, identity_id: IdentityId, public_key: PublicKey) -> EvidenceRecord {
        match self {
            Self::Signature(record) => EvidenceRecord::Signature((**record).clone()),
            Self::Seal(seal) => EvidenceRecord::Seal(SealEvidence { identity_id, public_key, seal: (**seal).clone() }),
            Self::Vault(record) => EvidenceRecord::Vault(Box::new(record.redacted())),
            Self::Quorum(result, session) => {
                let (result, session_id) = ((**result).clone(), *session.session_id());
                EvidenceRecord::Quorum(QuorumEvidence { identity_id, public_key, result, session_id })
            }
        }
    }
}
