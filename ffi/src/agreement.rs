//! A chain read past a checkpoint that it is to agree with.

use crate::agreed_chain::AgreedChain;
use crate::args::{Out, required, texts};
use crate::call_error::CallError;
use crate::chain_reader::{ChainReader, Walk};
use crate::checkpoint::Checkpoint;
use crate::guard::guard;
use crate::progress::{ending, running};
use crate::status::StatusValue;
use dualseal_core::krunica::KrunicaHash;
use dualseal_core::{Verified, checkpoint};
use self_cell::self_cell;
use std::collections::BTreeSet;
use std::ffi::c_char;
use std::sync::Arc;

type Running<'a> = Option<checkpoint::ChainCheck<'a>>;

self_cell! {
    struct Agreement {
        owner: Arc<Verified<checkpoint::Checkpoint>>,
        #[not_covariant]
        dependent: Running,
    }
}

impl Walk for Agreement {
    fn push(&mut self, line: &[u8]) -> Result<(), CallError> {
        self.with_dependent_mut(|_, check| Ok(running(check)?.push_json(line).map(drop)?))
    }
}

/// Begins at the first entry, in memory for the entries that are to be located: those with these `krunica_hashes`, as
/// many as `count`. With 1 for `resumed` it begins where the checkpoint ends instead: the entries since then are shown
/// to go on from it. That is what the log's own signer needs; nothing is located this way, and `count` is 0.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_new_agreement(
    checkpoint: *const Checkpoint,
    krunica_hashes: *const *const c_char,
    count: usize,
    resumed: i32,
    reader: *mut *mut ChainReader,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let checkpoint = required("checkpoint", checkpoint)?;
        let wanted = texts("krunica_hashes", krunica_hashes, count)?;
        let wanted: BTreeSet<KrunicaHash> = wanted.into_iter().map(str::parse).collect::<Result<_, _>>()?;
        let resumed = match resumed {
            0 => false,
            1 if wanted.is_empty() => true,
            _ => return Err(CallError::unknown_value("resumed")),
        };
        let out = Out::new("reader", reader)?;
        out.handle(ChainReader::new(Agreement::new(Arc::clone(&checkpoint.0), |checkpoint| {
            let begin = if resumed { checkpoint::ChainCheck::resume } else { checkpoint::ChainCheck::new };
            Some(begin(checkpoint).keeping(move |entry| wanted.contains(&entry.krunica_hash())))
        })));
        Ok(())
    })
}

/// Ends the chain that `dualseal_chain_reader_new_agreement` began, whatever comes of it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_finish_agreement(
    reader: *mut ChainReader,
    agreed: *mut *mut AgreedChain,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (reader, out) = (required("reader", reader)?, Out::new("agreed", agreed)?);
        let walk = reader.walk::<Agreement>()?;
        let chain = walk.with_dependent_mut(|_, check| Ok::<_, CallError>(ending(check)?.finish()?))?;
        out.handle(AgreedChain(chain));
        Ok(())
    })
}
