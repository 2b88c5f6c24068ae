//! A chain read past a checkpoint that it is to agree with.

use crate::agreed_chain::AgreedChain;
use crate::args::{Out, optional, required, texts};
use crate::call_error::CallError;
use crate::chain_reader::{ChainReader, Walk};
use crate::checkpoint::Checkpoint;
use crate::guard::guard;
use crate::head::Head;
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
/// many as `count`. With `from`, the head that was stored for the checkpoint, it begins there instead: the entries
/// since then are shown to go on from it. That is what the log's own signer needs; nothing is located this way, and
/// `count` is 0.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_new_agreement(
    checkpoint: *const Checkpoint,
    krunica_hashes: *const *const c_char,
    count: usize,
    from: *const Head,
    reader: *mut *mut ChainReader,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let checkpoint = required("checkpoint", checkpoint)?;
        let wanted = texts("krunica_hashes", krunica_hashes, count)?;
        let wanted: BTreeSet<KrunicaHash> = wanted.into_iter().map(str::parse).collect::<Result<_, _>>()?;
        let from = optional("from", from)?.map(|head| head.0.clone());
        if let Some(from) = &from {
            if !wanted.is_empty() {
                return Err(CallError::unknown_value("from"));
            }
            checkpoint::ChainCheck::resume(&checkpoint.0, from)?;
        }
        let out = Out::new("reader", reader)?;
        out.handle(ChainReader::new(Agreement::new(Arc::clone(&checkpoint.0), |checkpoint| {
            let begun = match &from {
                Some(from) => checkpoint::ChainCheck::resume(checkpoint, from).ok()?,
                None => checkpoint::ChainCheck::new(checkpoint),
            };
            Some(begun.keeping(move |entry| wanted.contains(&entry.krunica_hash())))
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
