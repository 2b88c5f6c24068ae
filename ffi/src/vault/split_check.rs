//! Which splits of a vault there are, and which counts.

use crate::args::{Out, optional, required, text};
use crate::call_error::CallError;
use crate::chain_reader::ChainReader;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::list::splits;
use crate::proofs::{Proofs, Watched, proof};
use crate::status::StatusValue;
use crate::vault::master::VaultMaster;
use dualseal_core::id::VaultId;
use dualseal_core::shard::{self, ShardKey};
use std::ffi::c_char;

/// Watches for the splits of a vault's secret below the checkpoint: what rebuilding, letting shards go and having older
/// ones deleted go by. The master is the one that the vault record names. Or `before` is the split that was found in
/// force, and the reader begins where the checkpoint ended then: `master`, `vault_id` and `identity_id` are NULL. Else
/// `before` is.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_watch_splits(
    reader: *mut ChainReader,
    master: *const VaultMaster,
    vault_id: *const c_char,
    identity_id: *const c_char,
    before: *const SplitInForce,
    watched: *mut Watched,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (reader, out) = (required("reader", reader)?, Out::new("watched", watched)?);
        if let Some(before) = optional("before", before)? {
            if !master.is_null() || !vault_id.is_null() || !identity_id.is_null() {
                return Err(CallError::unknown_value("before"));
            }
            return reader.watch(out, |splits| splits, |reader| reader.splits_since(&before.splits));
        }
        let (key, vault_id) = shard_key(master, vault_id, identity_id)?;
        reader.watch(out, |splits| splits, |reader| reader.splits(Some(&key), &vault_id))
    })
}

/// Watches for the splits of a vault's secret up to `own`, the caller's own head, by which a split is committed
/// (`dualseal_preparation_commit`) and the vault erased (`dualseal_vault_sealer_erase`) in the transaction that
/// appends. To erase, the reader may begin at a head where the vault's record did not stand yet.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_watch_own_splits(
    reader: *mut ChainReader,
    master: *const VaultMaster,
    vault_id: *const c_char,
    identity_id: *const c_char,
    watched: *mut Watched,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (reader, out) = (required("reader", reader)?, Out::new("watched", watched)?);
        let (key, vault_id) = shard_key(master, vault_id, identity_id)?;
        reader.watch(out, |splits: shard::OwnSplits| splits, |reader| reader.own_splits(&key, &vault_id))
    })
}

fn shard_key(
    master: *const VaultMaster,
    vault_id: *const c_char,
    identity_id: *const c_char,
) -> Result<(ShardKey, VaultId), CallError> {
    let master = required("master", master)?;
    let (vault_id, identity_id) = (text("vault_id", vault_id)?.parse()?, text("identity_id", identity_id)?.parse()?);
    Ok((master.shard_key(&identity_id), vault_id))
}

/// The split in force below the checkpoint. `splits_json`, unless it is NULL, is told all of them, also where none is
/// in force, as JSON: `{"erased","found","ignored","later","more"}`. `found` lists what the operator made, as
/// `{"counted","seq","split_id"}`; `ignored` the first thousand entries that count for nothing, as `{"reason","seq"}`,
/// and `more` counts the rest; `erased` is the position of the entry by which the vault was erased, or null, and
/// `later` lists the positions of splits that were made after it, whose shards were not destroyed with the others.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_proofs_splits(
    proofs: *const Proofs,
    watched: Watched,
    in_force: *mut *mut SplitInForce,
    splits_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let found: &shard::CoveredSplits = proof(proofs, watched)?;
        let out = Out::new("in_force", in_force)?;
        if let Some(told) = Out::optional(splits_json) {
            told.text(&splits(found.splits()));
        }
        out.handle(SplitInForce { split: found.in_force()?, splits: found.clone() });
        Ok(())
    })
}

/// The split of a vault in force below a verified checkpoint. Never changes; threads may share it.
#[derive(Debug)]
pub struct SplitInForce {
    pub(crate) split: shard::SplitInForce,
    splits: shard::CoveredSplits,
}

/// Frees a split in force. NULL is ignored. Rebuildings that were made with it stay good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_split_in_force_free(in_force: *mut SplitInForce) {
    release(|| give_back(in_force));
}
