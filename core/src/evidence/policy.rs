//! What a verifier of evidence knows and asks for.

use crate::checkpoint::LogFingerprint;
use crate::domain::Domain;
use crate::encoding::time::Timestamp;
use crate::id::IdentityId;
use crate::mldsa::KeyHash;
use crate::note::Witnesses;

/// Whose record it must be. Every identity of a log's ring can sign any document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedSigner {
    /// Anybody of the log's ring: the report says who, and the caller decides by that.
    Anybody,
    /// This identity.
    Identity(IdentityId),
    /// Whoever has this key: the signer's fingerprint.
    Key(KeyHash),
}

/// What a verifier knows beforehand, and what it asks for.
#[derive(Clone, Debug)]
pub struct EvidencePolicy<'a> {
    /// The log that is believed.
    pub log: LogFingerprint,
    /// How many entries the log's key counts for, where the verifier knows of an end: the position of the entry that
    /// retired the key or suspended it, or from which it counts as compromised, as
    /// [`KeyRing::counts_until`](crate::KeyRing::counts_until) tells. Somebody else may have it since, who can sign any
    /// checkpoint of more entries; a fork below that only witnesses rule out.
    pub log_until: Option<u64>,
    /// The domain, where its constants were set by hand, or must not be another's. `None` takes the name in the file:
    /// the fingerprint binds what it makes of the log's own constants, the krunica row, and of no other row.
    pub domain: Option<&'a Domain>,
    /// Whose record it must be.
    pub signer: ExpectedSigner,
    /// The least size of the checkpoint: one that is seen elsewhere keeps an old one from hiding a revocation.
    pub least_size: u64,
    /// The witnesses that are believed, and how many must have seen the log.
    pub witnesses: Witnesses,
    /// The time that the witnesses give, the k-th smallest of theirs, must be this one or later.
    pub witnessed_after: Option<Timestamp>,
}

impl EvidencePolicy<'_> {
    /// Believes a log whose key still counts, asks for no witness, and takes anybody's record.
    #[must_use]
    pub fn of_log(log: LogFingerprint) -> Self {
        let (signer, witnesses) = (ExpectedSigner::Anybody, Witnesses::none());
        Self { log, log_until: None, domain: None, signer, least_size: 0, witnesses, witnessed_after: None }
    }
}
