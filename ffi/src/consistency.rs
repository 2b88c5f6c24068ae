//! What two checkpoints say of their log, without its chain and with it.

use crate::args::{Out, required};
use crate::call_error::CallError;
use crate::chain_reader::ChainReader;
use crate::checkpoint::Checkpoint;
use crate::guard::guard;
use crate::proofs::{Proofs, Watched, proof};
use crate::status::StatusValue;
use dualseal_core::checkpoint::{self, Comparison};
use dualseal_core::reader;

/// What two checkpoints say of their log, as an argument: a member of [`Consistency`].
pub type ConsistencyValue = i32;

/// What two verified checkpoints say of their log. 0 is none of them.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consistency {
    /// They were signed over the same chain.
    Equal = 1,
    /// The larger one's chain begins with the smaller one's.
    Grown = 2,
    /// They cannot both be true, and one signer signed both: he showed different chains to different people. Both are
    /// kept, and convince anybody who knows his key.
    Fork = 3,
    /// They have different sizes; only the chain shows more (`dualseal_chain_reader_watch_consistency`).
    SizesDiffer = 4,
    /// They cannot both be true, and each is signed by somebody else: one of the two is wrong, and it proves nothing
    /// against either. Anybody may name a log as its owner did.
    Contradiction = 5,
}

/// Compares two checkpoints of one log without the chain: equal, a fork, a contradiction, or of different sizes.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_checkpoint_compare(
    first: *const Checkpoint,
    second: *const Checkpoint,
    consistency: *mut ConsistencyValue,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (first, second) = (required("first", first)?, required("second", second)?);
        let out = Out::new("consistency", consistency)?;
        let found = match checkpoint::compare(&first.0, &second.0)? {
            Comparison::Equal => Consistency::Equal,
            Comparison::Fork(_) => Consistency::Fork,
            Comparison::Contradiction => Consistency::Contradiction,
            Comparison::SizesDiffer => Consistency::SizesDiffer,
        };
        out.set(found as ConsistencyValue);
        Ok(())
    })
}

/// Watches for what two verified checkpoints of one log say of each other with the chain of the larger one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_watch_consistency(
    reader: *mut ChainReader,
    first: *const Checkpoint,
    second: *const Checkpoint,
    watched: *mut Watched,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let reader = required("reader", reader)?;
        let (first, second) = (required("first", first)?, required("second", second)?);
        let out = Out::new("watched", watched)?;
        reader.watch(out, |found| found, |reader| reader.consistency(&first.0, &second.0))
    })
}

/// What the two say. A chain that is not the larger checkpoint's is refused: then nothing can be said of two sizes.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_proofs_consistency(
    proofs: *const Proofs,
    watched: Watched,
    consistency: *mut ConsistencyValue,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let found: &reader::Consistency = proof(proofs, watched)?;
        let found = match found {
            reader::Consistency::Equal => Consistency::Equal,
            reader::Consistency::Grown => Consistency::Grown,
            reader::Consistency::Fork(_) => Consistency::Fork,
            reader::Consistency::Contradiction => Consistency::Contradiction,
        };
        Out::new("consistency", consistency)?.set(found as ConsistencyValue);
        Ok(())
    })
}
