//! The record that evidence is made for.

use crate::commands::verify::no_seal;
use crate::failure::{Failure, READ, USAGE};
use crate::input::{self, stripped};
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
use std::path::{Path, PathBuf};

/// How the names of records end, and what their documents' names have instead.
const NAMES: [(&str, &str); 4] = [(".sig.json", ""), (".seal", ""), (".quorum.json", ""), (".vault.json", ".stored")];

/// A record, by what it says of itself.
pub(super) enum Given {
    Signature(Box<SignatureRecord>),
    /// It names nobody.
    Seal(Box<DualSeal>),
    Vault(Box<VaultRecord>),
    /// With its session.
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
    /// Reads a record, by what is in its file.
    pub(super) fn read(path: &Path, session: Option<&Path>) -> Result<Self, Failure> {
        let bytes = input::small(path)?;
        let about = |error: Error| Failure::from(error).about(path.display());
        // The line end of its file is no part of a seal.
        if let Some(text) = std::str::from_utf8(&bytes).ok().filter(|text| text.starts_with("SEAL-")) {
            return match text.strip_suffix('\n').unwrap_or(text).parse().map_err(about)? {
                Seal::Dual(seal) => Ok(Self::Seal(Box::new(seal))),
                Seal::Legacy(_) => {
                    let message = format!("{} is a legacy seal, which has no signature to show", path.display());
                    Err(Failure::new(USAGE, message, "seal the document again by `dualseal seal`"))
                }
            };
        }
        match inspect(&bytes).kind {
            Kind::SignatureRecord => Ok(Self::Signature(Box::new(SignatureRecord::from_json(&bytes).map_err(about)?))),
            Kind::VaultRecord => Ok(Self::Vault(Box::new(VaultRecord::from_json(&bytes).map_err(about)?))),
            Kind::ThresholdResult => quorum(ThresholdResult::from_json(&bytes).map_err(about)?, session),
            Kind::Unknown if path.as_os_str().as_encoded_bytes().ends_with(b".seal") => Err(about(no_seal(&bytes))),
            kind => {
                let message = format!("{} is no record that evidence can be about: {kind}", path.display());
                let hint = "give a signature record, a seal, a redacted vault record or a quorum's result";
                Err(Failure::new(READ, message, hint))
            }
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

fn quorum(result: ThresholdResult, session: Option<&Path>) -> Result<Given, Failure> {
    let ThresholdResult::Signed(result) = result else {
        return Err(Failure::new(USAGE, "the quorum did not sign", "ask the custodians to sign again"));
    };
    let Some(path) = session else {
        let hint = "give the session.json of its founding with --session";
        return Err(Failure::new(USAGE, "nothing says which session the result is of", hint));
    };
    let session = Session::from_json(&input::small(path)?);
    let session = session.map_err(|error| Failure::from(error).about(path.display()))?;
    if matches!(session.kind(), SessionKind::Hmac) {
        let error = Error::Rejected(Rejected::Threshold(ThresholdFault::OtherKind));
        return Err(Failure::from(error).hint("only its custodians can be convinced of a result of the kind hmac"));
    }
    Ok(Given::Quorum(Box::new(result), Box::new(session)))
}

/// The document that a record's name says it is of.
pub(super) fn document_of(record: &Path) -> Option<PathBuf> {
    let name = record.as_os_str().as_encoded_bytes();
    let (suffix, instead) = NAMES.into_iter().find(|(suffix, _)| name.ends_with(suffix.as_bytes()))?;
    let mut document = stripped(record, suffix.len())?.into_os_string();
    document.push(instead);
    Some(document.into())
}

/// What the name of a record's evidence begins with.
pub(super) fn stem(record: &Path) -> PathBuf {
    let is_json = record.as_os_str().as_encoded_bytes().ends_with(b".json");
    let stem = if is_json { stripped(record, ".json".len()) } else { None };
    stem.unwrap_or_else(|| record.to_owned())
}
