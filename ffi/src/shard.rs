//! Vault shards: the key that seals them, lists of them, and a vault secret split into them.

use crate::args::{Out, json, required, text, texts};
use crate::domain::Domain;
use crate::failure::{Failure, guard, release};
use crate::head::Head;
use crate::seal_key::master;
use crate::secret::{ByField, Secret};
use crate::status::StatusValue;
use dualseal_core::seal::{LegacySeal, Seal};
use dualseal_core::shard::{self, Dealer, Split};
use dualseal_core::{SystemRng, Timestamp};
use std::ffi::c_char;
use std::sync::Arc;

/// The key that seals an identity's shards. Everybody who can check a shard's seal can also make it. Never changes;
/// threads may share it. It is overwritten when it and every rebuilding with it are freed.
#[derive(Debug)]
pub struct ShardKey(pub(crate) Arc<shard::ShardKey>);

/// Derives an identity's key from a master of 32 drawn bytes, which the caller overwrites.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shard_key_derive(
    domain: Option<&Domain>,
    master: *const u8,
    master_len: usize,
    identity_id: *const c_char,
    shard_key: *mut *mut ShardKey,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let master = self::master("master", master, master_len)?;
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let out = Out::new("shard_key", shard_key)?;
        out.handle(ShardKey(Arc::new(shard::ShardKey::derive(&domain.0, &master, &identity_id))));
        Ok(())
    })
}

/// Frees a shard key. NULL is ignored. Rebuildings that were made with it stay good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shard_key_free(shard_key: Option<Box<ShardKey>>) {
    release(|| drop(shard_key));
}

/// Verifies a shard, as JSON: its members give its identifier, and its seal holds. 0 says that somebody who has the
/// shard key made it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shard_verify(
    domain: Option<&Domain>,
    shard_key: Option<&ShardKey>,
    shard_json: *const c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (domain, key) = (required("domain", domain)?, required("shard_key", shard_key)?);
        let shard = shard::Shard::from_json(json("shard_json", shard_json)?)?;
        Ok(shard.verify(&domain.0, &key.0)?)
    })
}

fn legacy(seal: *const c_char) -> Result<LegacySeal, Failure> {
    match text("seal", seal)?.parse()? {
        Seal::Legacy(seal) => Ok(seal),
        Seal::Dual(_) => Err(Failure::unknown_value("seal")),
    }
}

/// Verifies a shard's seal from four fields, without the shard.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shard_verify_seal(
    domain: Option<&Domain>,
    shard_key: Option<&ShardKey>,
    shard_id: *const c_char,
    vault_id: *const c_char,
    identity_id: *const c_char,
    seal: *const c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (domain, key) = (required("domain", domain)?, required("shard_key", shard_key)?);
        let (shard_id, vault_id) = (text("shard_id", shard_id)?.parse()?, text("vault_id", vault_id)?.parse()?);
        let (identity_id, seal) = (text("identity_id", identity_id)?.parse()?, legacy(seal)?);
        Ok(shard::verify_shard_seal(&domain.0, &key.0, &shard_id, &vault_id, &identity_id, &seal)?)
    })
}

/// A list of shards, which is overwritten when it is freed. For one thread at a time while it grows.
#[derive(Debug)]
pub struct Shards(pub(crate) Vec<shard::Shard>);

/// An empty list of shards.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shards_new(shards: *mut *mut Shards, error: *mut *mut Failure) -> StatusValue {
    guard(error, || {
        Out::new("shards", shards)?.handle(Shards(Vec::new()));
        Ok(())
    })
}

/// Adds a shard as JSON, which the caller overwrites. Nothing is verified yet.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shards_push(
    shards: Option<&mut Shards>,
    shard_json: *const c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (shards, shard) = (required("shards", shards)?, json("shard_json", shard_json)?);
        shards.0.push(shard::Shard::from_json(shard)?);
        Ok(())
    })
}

/// The number of shards in the list.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shards_count(
    shards: Option<&Shards>,
    count: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let shards = required("shards", shards)?;
        Out::new("count", count)?.set(shards.0.len());
        Ok(())
    })
}

/// The shard at a position of the list, from 0, as JSON: a secret.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shards_get(
    shards: Option<&Shards>,
    position: usize,
    shard_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (shards, out) = (required("shards", shards)?, Out::new("shard_json", shard_json)?);
        let shard = shards.0.get(position).ok_or_else(|| Failure::out_of_range("position"))?;
        out.text(&shard.to_json());
        Ok(())
    })
}

/// Overwrites and frees a list of shards. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shards_free(shards: Option<Box<Shards>>) {
    release(|| drop(shards));
}

/// The labels of an argument `node_urls` with its length.
pub(crate) fn labels(node_urls: *const *const c_char, n: usize) -> Result<Vec<String>, Failure> {
    Ok(texts("node_urls", node_urls, n)?.into_iter().map(String::from).collect())
}

/// Where the outputs of a splitting go.
pub(crate) struct Places {
    shards: Out<*mut Shards>,
    entry_json: Out<*mut c_char>,
}

impl Places {
    pub(crate) fn new(shards: *mut *mut Shards, entry_json: *mut *mut c_char) -> Result<Self, Failure> {
        Ok(Self { shards: Out::new("shards", shards)?, entry_json: Out::new("entry_json", entry_json)? })
    }

    pub(crate) fn set(self, split: Split, head: &mut Head) {
        self.shards.handle(Shards(split.shards));
        head.advance_over(&split.entry, split.head, self.entry_json);
    }
}

/// Splits the secret of a vault, of GF(2^256), among `n` nodes: `node_urls` are their labels, in shard order, which
/// nothing dials. Any `m` of the shards rebuild it. The split's entry is appended at the head, which moves on. The
/// caller stores entry and head, or neither, and lets each node pull its own shard.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shards_split(
    domain: Option<&Domain>,
    shard_key: Option<&ShardKey>,
    vault_id: *const c_char,
    identity_id: *const c_char,
    m: u8,
    node_urls: *const *const c_char,
    n: usize,
    secret: Option<&Secret>,
    head: Option<&mut Head>,
    time_ms: i64,
    shards: *mut *mut Shards,
    entry_json: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (domain, key) = (required("domain", domain)?, required("shard_key", shard_key)?);
        let (vault_id, identity_id) =
            (text("vault_id", vault_id)?.parse()?, text("identity_id", identity_id)?.parse()?);
        let node_urls = labels(node_urls, n)?;
        let ByField::Gf2_256(secret) = &*required("secret", secret)?.0 else {
            return Err(Failure::unknown_value("secret"));
        };
        let (head, places) = (required("head", head)?, Places::new(shards, entry_json)?);
        let dealer = Dealer {
            domain: &domain.0,
            key: &key.0,
            vault_id: &vault_id,
            identity_id: &identity_id,
            m,
            node_urls: &node_urls,
            at: &head.0,
            time: Timestamp::from_millis(time_ms)?,
        };
        let split = dealer.split(secret, &mut SystemRng)?;
        places.set(split, head);
        Ok(())
    })
}
