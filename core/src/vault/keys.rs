//! The key schedule: every key of a vault, from one master.

use crate::domain::{Domain, Label, Row};
use crate::encoding::hex_newtype;
use crate::error::{Error, Problem};
use crate::hash::{Sha3_256, hkdf_sha3_256};
use crate::id::IdentityId;
use crate::seal::SealKey;
use crate::secret::Secret;
use alloc::sync::Arc;
use core::fmt;
use rand_core::TryCryptoRng;

hex_newtype! {
    /// Names a master without showing anything of it: 16 bytes, 32 hexadecimal characters.
    KeyId, 16, "key_id"
}

/// The operator's master of 32 drawn bytes, in one domain. Every key of a vault is derived from it:
/// `HKDF-SHA3-256(master, no salt, P::<KDF>::<purpose>::<identity_id>::S)` with the vault row's constants.
///
/// ```
/// use dualseal::secret::Secret;
/// use dualseal::vault::VaultMaster;
/// use dualseal::Domain;
///
/// let master = VaultMaster::new(&Domain::default(), Secret::from_slice("master", &[9; 32])?)?;
/// assert_eq!(master.key_id().to_string().len(), 32);
/// assert!(VaultMaster::new(&Domain::default(), Secret::from_slice("master", &[0; 32])?).is_err());
/// # Ok::<(), dualseal::Error>(())
/// ```
pub struct VaultMaster {
    domain: Domain,
    secret: Arc<Secret<32>>,
    key_id: KeyId,
}

impl VaultMaster {
    /// From 32 bytes that were drawn before.
    ///
    /// # Errors
    /// [`Problem::AllZero`] for `master`.
    pub fn new(domain: &Domain, secret: Secret<32>) -> Result<Self, Error> {
        if bool::from(secret.is_zero()) {
            return Err(Error::malformed("master", Problem::AllZero));
        }
        let info = domain.join(Row::Vault, &[domain.label(Label::VaultKdf), "ID"]);
        let named = hkdf_sha3_256::<32>(secret.expose(), &[], &[info.as_bytes()]);
        let hash = Sha3_256::digest(named.expose());
        let key_id = KeyId::from_bytes(*hash.first_chunk().unwrap_or(&[0; 16]));
        Ok(Self { domain: domain.clone(), secret: Arc::new(secret), key_id })
    }

    /// Draws a master.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn generate<R: TryCryptoRng + ?Sized>(domain: &Domain, rng: &mut R) -> Result<Self, Error> {
        Self::new(domain, Secret::random(rng)?)
    }

    /// The domain of its records.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The name that records give it.
    #[must_use]
    pub fn key_id(&self) -> &KeyId {
        &self.key_id
    }

    /// The 32 bytes, for the one who stores them and for [`ShardKey::derive`](crate::shard::ShardKey::derive).
    #[must_use]
    pub fn secret(&self) -> &Secret<32> {
        &self.secret
    }

    /// The same master for one holder more: the secret stands once in memory.
    pub(crate) fn shared(&self) -> Self {
        let Self { domain, secret, key_id } = self;
        Self { domain: domain.clone(), secret: Arc::clone(secret), key_id: *key_id }
    }

    /// L2's key.
    pub(super) fn session_key(&self, identity_id: &IdentityId) -> Secret<32> {
        self.derive("L2", identity_id)
    }

    /// The key of layer A of L5.
    pub(super) fn seal_key(&self, identity_id: &IdentityId) -> SealKey {
        SealKey::from_derived(&self.derive("L5A", identity_id))
    }

    /// L7's key.
    pub(super) fn fragment_key(&self, identity_id: &IdentityId) -> Secret<32> {
        self.derive("L7", identity_id)
    }

    /// L8's key.
    pub(super) fn entry_key(&self, identity_id: &IdentityId) -> Secret<32> {
        self.derive("L8", identity_id)
    }

    fn derive<const N: usize>(&self, purpose: &str, identity_id: &IdentityId) -> Secret<N> {
        let label = self.domain.label(Label::VaultKdf);
        let info = self.domain.join(Row::Vault, &[label, purpose, &identity_id.to_hex()]);
        hkdf_sha3_256(self.secret.expose(), &[], &[info.as_bytes()])
    }
}

impl fmt::Debug for VaultMaster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VaultMaster").field("key_id", &self.key_id).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;

    /// Every purpose, identity, master and domain has a key of its own, of which none is the beginning of another.
    #[test]
    fn no_key_serves_twice() {
        let mut keys: Vec<[u8; 32]> = Vec::new();
        for (name, byte) in [("DUALSEAL", 9), ("DUALSEAL", 10), ("ACME", 9)] {
            let domain = Domain::new(name).unwrap();
            let secret = Secret::from_slice("master", &[byte; 32]).unwrap();
            let master = VaultMaster::new(&domain, secret).unwrap();
            for creator in ["ana", "eve"] {
                let id = Domain::default().identity_id(b"", creator, "").unwrap();
                for key in [master.session_key(&id), master.fragment_key(&id), master.entry_key(&id)] {
                    keys.push(*key.expose());
                }
                // The last is the one that shards are sealed with.
                for purpose in ["L5A", "SHARD"] {
                    let long = master.derive::<64>(purpose, &id);
                    keys.extend(long.expose().chunks(32).map(|half| <[u8; 32]>::try_from(half).unwrap()));
                }
            }
        }
        assert_eq!(keys.len(), 3 * 2 * 7);
        keys.extend([[9; 32], [10; 32]]);
        assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len());
    }
}
