//! One pass over the stored bytes, for every layer that needs them: L0, L3, the identifier and the length.

use super::record::LayerHash;
use crate::domain::Domain;
use crate::hash::{HashFunction, Sha3_256};
use crate::id::{IdentityId, PayloadHash, VaultId};

/// Hashes the stored bytes of a record, in parts of any size.
///
/// ```
/// use dualseal::vault::{StoredHash, StoredHasher};
/// use dualseal::Domain;
///
/// let domain = Domain::default();
/// let mut hasher = StoredHasher::new(&domain);
/// hasher.update(b"first part, ");
/// hasher.update(b"second part");
/// let stored = hasher.finish();
/// assert_eq!(stored.baseline(), StoredHash::of(&domain, b"first part, second part").baseline());
/// ```
#[derive(Clone, Debug)]
pub struct StoredHasher {
    domain: Domain,
    hash: Sha3_256,
    payload: PayloadHash,
    length: u64,
}

impl StoredHasher {
    /// Nothing was read yet.
    #[must_use]
    pub fn new(domain: &Domain) -> Self {
        let payload = PayloadHash::new(domain);
        Self { domain: domain.clone(), hash: Sha3_256::default(), payload, length: 0 }
    }

    /// Takes the next part.
    pub fn update(&mut self, stored: &[u8]) {
        self.payload.update_with(&mut self.hash, stored);
        self.length = self.length.saturating_add(u64::try_from(stored.len()).unwrap_or(u64::MAX));
    }

    /// What the layers need of all parts.
    #[must_use]
    pub fn finish(self) -> StoredHash {
        let Self { domain, hash, payload, length } = self;
        let baseline = LayerHash::from_bytes(hash.clone().finish());
        StoredHash { domain, hash, payload, length, baseline }
    }
}

/// What the layers need of the stored bytes. It fits every record: each is compared with what it says of them.
#[derive(Clone, Debug)]
pub struct StoredHash {
    domain: Domain,
    /// Goes on with the characters of the hash before, so that L0 and L3 share the pass.
    hash: Sha3_256,
    /// Goes on with identity, type and place.
    payload: PayloadHash,
    length: u64,
    baseline: LayerHash,
}

impl StoredHash {
    /// Of stored bytes in memory.
    #[must_use]
    pub fn of(domain: &Domain, stored: &[u8]) -> Self {
        let mut hasher = StoredHasher::new(domain);
        hasher.update(stored);
        hasher.finish()
    }

    /// SHA3-256 over the stored bytes (L3).
    #[must_use]
    pub fn baseline(&self) -> &LayerHash {
        &self.baseline
    }

    /// The number of stored bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    pub(super) fn domain(&self) -> &Domain {
        &self.domain
    }

    /// L0: `SHA3-256(stored bytes ‖ prev)`, prev as its 64 characters.
    pub(super) fn chained(&self, prev: &LayerHash) -> LayerHash {
        let mut hash = self.hash.clone();
        hash.update(prev.to_hex().as_bytes());
        LayerHash::from_bytes(hash.finish())
    }

    /// The identifier of the stored bytes at their place.
    pub(super) fn vault_id(&self, identity_id: &IdentityId, kind: &str, seq: u64) -> VaultId {
        self.payload.clone().vault_id(&self.domain, &identity_id.to_hex(), kind, seq)
    }
}

/// For `std::io::copy` from a reader.
#[cfg(feature = "std")]
impl std::io::Write for StoredHasher {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
