//! What two checkpoints say of their log, without its chain and with it.

use crate::args::{Out, required};
use crate::call_error::CallError;
use crate::chain_reader::{ChainReader, Walk};
use crate::checkpoint::Checkpoint;
use crate::guard::guard;
use crate::progress::{ending, running};
use crate::status::StatusValue;
use dualseal_core::Verified;
use dualseal_core::checkpoint::{self, Comparison};
use self_cell::self_cell;
use std::sync::Arc;

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
    /// They have different sizes; only the chain shows more (`dualseal_chain_reader_new_consistency`).
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

type Signed = Arc<Verified<checkpoint::Checkpoint>>;
type Running<'a> = Option<checkpoint::ConsistencyCheck<'a>>;

self_cell! {
    struct Compared {
        owner: (Signed, Signed),
        #[covariant]
        dependent: Running,
    }
}

impl Walk for Compared {
    fn push(&mut self, line: &[u8]) -> Result<(), CallError> {
        self.with_dependent_mut(|_, check| Ok(running(check)?.push_json(line).map(drop)?))
    }
}

/// Begins at the first entry of the chain of the larger of two checkpoints of one log.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_new_consistency(
    first: *const Checkpoint,
    second: *const Checkpoint,
    reader: *mut *mut ChainReader,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let both = (Arc::clone(&required("first", first)?.0), Arc::clone(&required("second", second)?.0));
        let out = Out::new("reader", reader)?;
        let walk =
            Compared::try_new(both, |(first, second)| checkpoint::ConsistencyCheck::new(first, second).map(Some))?;
        out.handle(ChainReader::new(walk));
        Ok(())
    })
}

/// Ends the chain that `dualseal_chain_reader_new_consistency` began, whatever comes of it. A chain that is not the
/// larger checkpoint's is refused: then nothing can be said of two sizes.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_finish_consistency(
    reader: *mut ChainReader,
    consistency: *mut ConsistencyValue,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (reader, out) = (required("reader", reader)?, Out::new("consistency", consistency)?);
        let walk = reader.walk::<Compared>()?;
        let found = walk.with_dependent_mut(|_, check| Ok::<_, CallError>(ending(check)?.finish()?))?;
        let found = match found {
            checkpoint::Consistency::Equal => Consistency::Equal,
            checkpoint::Consistency::Grown => Consistency::Grown,
            checkpoint::Consistency::Fork(_) => Consistency::Fork,
            checkpoint::Consistency::Contradiction => Consistency::Contradiction,
        };
        out.set(found as ConsistencyValue);
        Ok(())
    })
}
