//! The operator's master, from which every key of a vault and of its shards is derived.

use crate::args::{Buffer, Out, required, secret};
use crate::call_error::CallError;
use crate::constants::{DUALSEAL_KEY_ID_TEXT_BYTES, DUALSEAL_SEED_BYTES};
use crate::domain::Domain;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::status::StatusValue;
use dualseal_core::shard::ShardKey;
use dualseal_core::{IdentityId, SystemRng, vault};
use std::ffi::c_char;
use std::sync::Arc;

/// The master of the records of one domain. Never changes; threads may share it. It is overwritten when it and
/// everything that was made with it are freed.
#[derive(Debug)]
pub struct VaultMaster(pub(crate) Arc<vault::VaultMaster>);

impl VaultMaster {
    /// The key that seals an identity's shards.
    pub(crate) fn shard_key(&self, identity_id: &IdentityId) -> ShardKey {
        ShardKey::derive(self.0.domain(), self.0.secret(), identity_id)
    }
}

/// Draws a master with the system's random number generator.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_master_generate(
    domain: *const Domain,
    master: *mut *mut VaultMaster,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (domain, out) = (required("domain", domain)?, Out::new("master", master)?);
        out.handle(VaultMaster(Arc::new(vault::VaultMaster::generate(&domain.0, &mut SystemRng)?)));
        Ok(())
    })
}

/// From 32 bytes that were drawn before. The caller overwrites its own copy.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_master_from_secret(
    domain: *const Domain,
    secret: *const u8,
    secret_len: usize,
    master: *mut *mut VaultMaster,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let secret = self::secret("secret", secret, secret_len)?;
        let out = Out::new("master", master)?;
        out.handle(VaultMaster(Arc::new(vault::VaultMaster::new(&domain.0, secret)?)));
        Ok(())
    })
}

/// The 32 bytes, a secret that the caller overwrites after use. `secret_len` is `DUALSEAL_SEED_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_master_secret(
    master: *const VaultMaster,
    secret: *mut u8,
    secret_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let master = required("master", master)?;
        Buffer::bytes("secret", secret, secret_len, DUALSEAL_SEED_BYTES)?.fill(master.0.secret().expose());
        Ok(())
    })
}

/// The name that records give the master, which shows nothing of it. `key_id_len` is `DUALSEAL_KEY_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_master_key_id(
    master: *const VaultMaster,
    key_id: *mut c_char,
    key_id_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let master = required("master", master)?;
        let out = Buffer::text("key_id", key_id, key_id_len, DUALSEAL_KEY_ID_TEXT_BYTES)?;
        out.fill_text(&master.0.key_id().to_hex());
        Ok(())
    })
}

/// Frees a master. NULL is ignored. What was made with it stays good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_master_free(master: *mut VaultMaster) {
    release(|| give_back(master));
}
