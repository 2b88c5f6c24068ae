//! What the deployer signed: one line of JSON, and behind it the record over exactly those bytes.

use super::tree::Listing;
use dualseal::key::Unprepared;
use dualseal::mldsa::KeyHash;
use dualseal::{
    Domain, Head, IdentityId, KeyRing, PublicKey, SignatureRecord, Signer, SigningKey, SystemRng, Timestamp,
    VerdictKind, Verifier,
};
use serde::{Deserialize, Serialize};

const KIND: &str = "trustd-integrity";
const VERSION: &str = "1";

/// What was signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    /// Nothing else that the deployer signs is taken for one.
    kind: String,
    version: String,
    /// Of two the one with the higher number counts.
    pub(crate) number: u64,
    /// Which files are looked at.
    pub(crate) files: Vec<String>,
    /// Which not.
    pub(crate) except: Vec<String>,
    /// What is there.
    pub(crate) entries: Listing,
}

impl Manifest {
    /// Of what was listed.
    pub(crate) fn new(number: u64, files: Vec<String>, except: Vec<String>, entries: Listing) -> Self {
        Self { kind: KIND.to_owned(), version: VERSION.to_owned(), number, files, except, entries }
    }

    /// As it lies on the disk.
    ///
    /// # Errors
    /// Randomness.
    pub(crate) fn signed(&self, domain: &Domain, key: &SigningKey, time: Timestamp) -> Result<String, String> {
        let text = serde_json::to_string(self).map_err(|error| error.to_string())?;
        let identity = identity(domain, key.public_key())?;
        let signer = Signer::new(domain, &identity, key);
        let content = signer.content_hash(text.as_bytes());
        let signed = signer.sign(&content, &Head::EMPTY, time, &mut SystemRng).map_err(|error| error.to_string())?;
        Ok(format!("{text}\n{}\n", signed.record.to_json()))
    }

    /// Reads one that a key signed.
    ///
    /// # Errors
    /// In words: it is none, or nobody's.
    pub(crate) fn opened(bytes: &[u8], domain: &Domain, pin: &KeyHash) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "it is no text".to_owned())?;
        let (text, record) = text.split_once('\n').ok_or("it has no signature")?;
        let record = SignatureRecord::from_json(record.trim().as_bytes())
            .map_err(|error| format!("its signature is none: {error}"))?;
        let key = record.public_key().clone();
        if key.hash() != pin {
            return Err(format!("it is signed by {}, and not by the pinned key", key.hash().to_hex()));
        }
        let identity = identity(domain, &key)?;
        let (ring, content) = (KeyRing::pinned(&identity, key), domain.content_hash(&identity, text.as_bytes()));
        let verdict = Verifier::new(domain, &ring, &Unprepared).verify(&content, record, None);
        if verdict.kind() != VerdictKind::Valid {
            return Err("its signature does not hold".to_owned());
        }
        let manifest: Self = serde_json::from_str(text).map_err(|error| format!("it is no manifest: {error}"))?;
        if manifest.kind != KIND || manifest.version != VERSION {
            return Err("it is no manifest of this version".to_owned());
        }
        Ok(manifest)
    }
}

/// As whom a key signs manifests.
fn identity(domain: &Domain, key: &PublicKey) -> Result<IdentityId, String> {
    domain.identity_id(key.as_bytes(), "deployer", "integrity").map_err(|error| error.to_string())
}

/// The key that a file pins: 64 hexadecimal characters.
///
/// # Errors
/// There is none.
pub(crate) fn pin_of(text: &[u8]) -> Result<KeyHash, String> {
    let text = std::str::from_utf8(text).map_err(|_| "it is no text".to_owned())?;
    text.trim().parse().map_err(|error: dualseal::Error| error.to_string())
}
