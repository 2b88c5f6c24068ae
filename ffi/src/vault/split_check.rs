//! Which splitting of a vault counts.

use crate::args::{Out, required, text};
use crate::call_error::CallError;
use crate::chain_reader::{ChainReader, Walk};
use crate::checkpoint::Checkpoint;
use crate::domain::Domain;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::progress::{ending, running};
use crate::status::StatusValue;
use dualseal_core::{Verified, checkpoint, shard};
use self_cell::self_cell;
use std::ffi::c_char;
use std::sync::Arc;

type Running<'a> = Option<shard::SplitCheck<'a>>;

self_cell! {
    struct Found {
        owner: Arc<Verified<checkpoint::Checkpoint>>,
        #[not_covariant]
        dependent: Running,
    }
}

impl Walk for Found {
    fn push(&mut self, line: &[u8]) -> Result<(), CallError> {
        self.with_dependent_mut(|_, check| Ok(running(check)?.push_json(line).map(drop)?))
    }
}

/// Begins at the first entry of the chain that the splittings of a vault's secret stand in.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_new_split(
    domain: *const Domain,
    vault_id: *const c_char,
    identity_id: *const c_char,
    checkpoint: *const Checkpoint,
    reader: *mut *mut ChainReader,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let (vault_id, identity_id) =
            (text("vault_id", vault_id)?.parse()?, text("identity_id", identity_id)?.parse()?);
        let checkpoint = Arc::clone(&required("checkpoint", checkpoint)?.0);
        let out = Out::new("reader", reader)?;
        out.handle(ChainReader::new(Found::new(checkpoint, |checkpoint| {
            Some(shard::SplitCheck::new(&domain.0, &vault_id, &identity_id, checkpoint))
        })));
        Ok(())
    })
}

/// Ends the chain that `dualseal_chain_reader_new_split` began, whatever comes of it, and gives the last splitting.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_finish_split(
    reader: *mut ChainReader,
    in_force: *mut *mut SplitInForce,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (reader, out) = (required("reader", reader)?, Out::new("in_force", in_force)?);
        let walk = reader.walk::<Found>()?;
        let found = walk.with_dependent_mut(|_, check| Ok::<_, CallError>(ending(check)?.finish()?))?;
        out.handle(SplitInForce(found));
        Ok(())
    })
}

/// The last splitting of a vault below a verified checkpoint. Never changes; threads may share it.
#[derive(Debug)]
pub struct SplitInForce(pub(crate) shard::SplitInForce);

/// Frees a splitting in force. NULL is ignored. Rebuildings that were made with it stay good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_split_in_force_free(in_force: *mut SplitInForce) {
    release(|| give_back(in_force));
}
