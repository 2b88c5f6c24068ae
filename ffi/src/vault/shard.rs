//! Vault shards: a vault secret split into them, and one verified.

use crate::args::{Out, json, required, small, text, texts};
use crate::call_error::CallError;
use crate::guard::guard;
use crate::head::Head;
use crate::list::{array, list};
use crate::sharing::secret::{ByField, Secret};
use crate::status::StatusValue;
use crate::vault::master::VaultMaster;
use dualseal_core::shard::{Dealer, Shard, ShardKey, Split};
use dualseal_core::{IdentityId, SystemRng, Timestamp};
use std::ffi::c_char;

/// The key that seals an identity's shards.
pub(crate) fn key(master: &VaultMaster, identity_id: &IdentityId) -> ShardKey {
    ShardKey::derive(master.0.domain(), master.0.secret(), identity_id)
}

/// The argument `shards_json`.
pub(crate) fn shards(shards_json: *const c_char, shards_json_len: usize) -> Result<Vec<Shard>, CallError> {
    list(json("shards_json", shards_json, shards_json_len)?, Shard::from_json)
}

/// The labels of an argument `node_urls` with its length. No n above 255 is good, and no array need be as long as one.
pub(crate) fn labels(node_urls: *const *const c_char, n: u32) -> Result<Vec<String>, CallError> {
    Ok(texts("node_urls", node_urls, small("n", n)?.into())?.into_iter().map(String::from).collect())
}

/// Where the outputs of a splitting go.
pub(crate) struct Places {
    shards: Out<*mut c_char>,
    entry_json: Out<*mut c_char>,
}

impl Places {
    pub(crate) fn new(new_shards_json: *mut *mut c_char, entry_json: *mut *mut c_char) -> Result<Self, CallError> {
        let shards = Out::new("new_shards_json", new_shards_json)?;
        Ok(Self { shards, entry_json: Out::new("entry_json", entry_json)? })
    }

    pub(crate) fn set(self, split: &Split, head: &mut Head) {
        self.shards.text(&array(split.shards.iter().map(Shard::to_json)));
        head.advance_over(&split.entry, split.head, self.entry_json);
    }
}

/// Splits the secret of a vault, of GF(2^256), among `n` nodes: `node_urls` are their labels, in shard order, which
/// nothing dials. Any `m` of the shards rebuild it. They are sealed with a key that is derived from the master for the
/// identity. The split's entry is appended at the head, which moves on. The caller stores entry and head, or neither,
/// and lets each node pull its own shard of the list `new_shards_json`, all of which are secrets.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shard_split(
    master: *const VaultMaster,
    vault_id: *const c_char,
    identity_id: *const c_char,
    m: u32,
    node_urls: *const *const c_char,
    n: u32,
    secret: *const Secret,
    head: *mut Head,
    time_ms: i64,
    new_shards_json: *mut *mut c_char,
    entry_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let master = required("master", master)?;
        let (vault_id, identity_id) =
            (text("vault_id", vault_id)?.parse()?, text("identity_id", identity_id)?.parse()?);
        let (m, node_urls) = (small("m", m)?, labels(node_urls, n)?);
        let ByField::Gf2_256(secret) = &*required("secret", secret)?.0 else {
            return Err(CallError::unknown_value("secret"));
        };
        let (head, places) = (required("head", head)?, Places::new(new_shards_json, entry_json)?);
        let dealer = Dealer {
            domain: master.0.domain(),
            key: &key(master, &identity_id),
            vault_id: &vault_id,
            identity_id: &identity_id,
            m,
            node_urls: &node_urls,
            head: &head.0,
            time: Timestamp::from_millis(time_ms)?,
        };
        let split = dealer.split(secret, &mut SystemRng)?;
        places.set(&split, head);
        Ok(())
    })
}

/// Verifies a shard of an identity, as JSON: its members give its identifier, and its seal holds. 0 says that somebody
/// who has the master, or the key that is derived from it for this identity, made it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shard_verify(
    master: *const VaultMaster,
    identity_id: *const c_char,
    shard_json: *const c_char,
    shard_json_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let master = required("master", master)?;
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let shard = Shard::from_json(json("shard_json", shard_json, shard_json_len)?)?;
        Ok(shard.verify(master.0.domain(), &key(master, &identity_id))?)
    })
}
