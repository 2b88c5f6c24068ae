//! Which splits of a vault there are, and which counts.

use crate::args::{Out, optional, required, text};
use crate::call_error::CallError;
use crate::chain_reader::{ChainReader, Reading, under};
use crate::checkpoint::Checkpoint;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::head::Head;
use crate::list::splits;
use crate::status::StatusValue;
use crate::vault::master::VaultMaster;
use dualseal_core::reader::{self, TrustedHead};
use dualseal_core::shard;
use std::ffi::c_char;

/// Ends a walk up to the operator's own head, for what is appended there.
pub(crate) fn own_splits(reader: &mut ChainReader) -> Result<shard::OwnSplits, CallError> {
    Ok(reader.walk::<Reading<shard::OwnSplits>>()?.end()?.0)
}

/// Begins at the first entry of the chain that the splits of a vault's secret stand in: under a checkpoint, to rebuild,
/// to let shards go and to have older ones deleted; or, where that is NULL, up to `head`, the caller's own, to commit a
/// split or to erase the vault in the transaction that appends. The master is the one that the vault record names.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_new_split(
    master: *const VaultMaster,
    vault_id: *const c_char,
    identity_id: *const c_char,
    checkpoint: *const Checkpoint,
    head: *const Head,
    reader: *mut *mut ChainReader,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let master = required("master", master)?;
        let (vault_id, identity_id) =
            (text("vault_id", vault_id)?.parse()?, text("identity_id", identity_id)?.parse()?);
        let (domain, key) = (master.0.domain(), master.shard_key(&identity_id));
        let out = Out::new("reader", reader)?;
        out.handle(if let Some(checkpoint) = optional("checkpoint", checkpoint)? {
            let reading = under(domain, &checkpoint.0)?;
            ChainReader::new(Reading::begin(reading, |reader| reader.splits(Some(&key), &vault_id))?)
        } else {
            let head = required("head", head)?;
            let reading = reader::ChainReader::new(domain, &TrustedHead::beginning()).up_to(&head.0);
            ChainReader::new(Reading::begin(reading, |reader| reader.own_splits(&key, &vault_id))?)
        });
        Ok(())
    })
}

/// Ends the chain that `dualseal_chain_reader_new_split` began under a checkpoint, whatever comes of it, and gives the
/// split in force. `splits_json`, unless it is NULL, is told all of them, also where none is in force, as JSON:
/// `{"erased","found","ignored","later","more"}`. `found` lists what the operator made, as
/// `{"counted","seq","split_id"}`; `ignored` the first thousand entries that count for nothing, as `{"reason","seq"}`,
/// and `more` counts the rest; `erased` is the position of the entry by which the vault was erased, or null, and
/// `later` lists the positions of splits that were made after it, whose shards were not destroyed with the others.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_finish_split(
    reader: *mut ChainReader,
    in_force: *mut *mut SplitInForce,
    splits_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (reader, out) = (required("reader", reader)?, Out::new("in_force", in_force)?);
        let told = Out::optional(splits_json);
        let (found, _) = reader.walk::<Reading<shard::CoveredSplits>>()?.end()?;
        if let Some(told) = told {
            told.text(&splits(found.splits()));
        }
        out.handle(SplitInForce(found.in_force()?));
        Ok(())
    })
}

/// The split of a vault in force below a verified checkpoint. Never changes; threads may share it.
#[derive(Debug)]
pub struct SplitInForce(pub(crate) shard::SplitInForce);

/// Frees a split in force. NULL is ignored. Rebuildings that were made with it stay good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_split_in_force_free(in_force: *mut SplitInForce) {
    release(|| give_back(in_force));
}
