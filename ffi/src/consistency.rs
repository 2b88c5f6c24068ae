//! Two checkpoints with the chain of the larger one, and a ring with the chain that vouches for it.

use crate::agreement::AgreedChain;
use crate::args::{Out, json, required};
use crate::checkpoint::{Checkpoint, Consistency, ConsistencyValue};
use crate::failure::{Failure, guard, release};
use crate::progress::{ending, running};
use crate::ring::Ring;
use crate::ring_key::RingKey;
use crate::status::StatusValue;
use dualseal_core::{Verified, checkpoint};
use self_cell::self_cell;
use std::ffi::c_char;
use std::sync::Arc;

type Signed = Arc<Verified<checkpoint::Checkpoint>>;
type Comparing<'a> = Option<checkpoint::ConsistencyCheck<'a>>;

self_cell! {
    struct Comparison {
        owner: (Signed, Signed),
        #[covariant]
        dependent: Comparing,
    }
}

/// Streams the chain of the larger of two checkpoints past both. For one thread at a time.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct ConsistencyCheck(Comparison);

/// Begins at the first entry, with two checkpoints of one log.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_consistency_check_new(
    first: Option<&Checkpoint>,
    second: Option<&Checkpoint>,
    check: *mut *mut ConsistencyCheck,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let both = (Arc::clone(&required("first", first)?.0), Arc::clone(&required("second", second)?.0));
        let check = Out::new("check", check)?;
        let comparison =
            Comparison::try_new(both, |(first, second)| checkpoint::ConsistencyCheck::new(first, second).map(Some))?;
        check.handle(ConsistencyCheck(comparison));
        Ok(())
    })
}

/// Takes the next entry as it stands in a chain, without `seq`: one line of a file of JSON lines.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_consistency_check_push_line(
    check: Option<&mut ConsistencyCheck>,
    line: *const c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (check, line) = (required("check", check)?, json("line", line)?);
        check.0.with_dependent_mut(|_, check| Ok(running(check)?.push_json(line).map(drop)?))
    })
}

/// Ends the chain, and the check, whatever comes of it. A chain that is not the larger checkpoint's is refused: then
/// nothing can be said of two sizes.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_consistency_check_finish(
    check: Option<&mut ConsistencyCheck>,
    consistency: *mut ConsistencyValue,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (check, out) = (required("check", check)?, Out::new("consistency", consistency)?);
        let found = check.0.with_dependent_mut(|_, check| Ok::<_, Failure>(ending(check)?.finish()?))?;
        let found = match found {
            checkpoint::Consistency::Equal => Consistency::Equal,
            checkpoint::Consistency::Grown => Consistency::Grown,
            checkpoint::Consistency::Fork(_) => Consistency::Fork,
        };
        out.set(found as ConsistencyValue);
        Ok(())
    })
}

/// Frees a check. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_consistency_check_free(check: Option<Box<ConsistencyCheck>>) {
    release(|| drop(check));
}

type Vouching<'a> = Option<checkpoint::RingCheck<'a>>;

self_cell! {
    struct Vouched {
        owner: (Arc<dualseal_core::RingKey>, Signed),
        #[not_covariant]
        dependent: Vouching,
    }
}

/// Streams a chain past a checkpoint and compares a ring with what the chain says of it. For one thread at a time.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct RingCheck(Vouched);

/// Begins at the first entry, with the ring's authority.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ring_check_new(
    ring_key: Option<&RingKey>,
    checkpoint: Option<&Checkpoint>,
    check: *mut *mut RingCheck,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (ring_key, checkpoint) = (required("ring_key", ring_key)?, required("checkpoint", checkpoint)?);
        let check = Out::new("check", check)?;
        check.handle(RingCheck(Vouched::new((Arc::clone(&ring_key.0), Arc::clone(&checkpoint.0)), |(key, signed)| {
            Some(checkpoint::RingCheck::new(key, signed))
        })));
        Ok(())
    })
}

/// Takes the next entry as it stands in a chain, without `seq`: one line of a file of JSON lines.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ring_check_push_line(
    check: Option<&mut RingCheck>,
    line: *const c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (check, line) = (required("check", check)?, json("line", line)?);
        check.0.with_dependent_mut(|_, check| Ok(running(check)?.push_json(line).map(drop)?))
    })
}

/// Ends the chain, and the check, whatever comes of it, and compares the ring with what the chain says: an old ring is
/// `DUALSEAL_STATUS_RING_ROLLBACK`, every other difference `DUALSEAL_STATUS_RING_FORGED`. `agreed` may be NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ring_check_finish(
    check: Option<&mut RingCheck>,
    ring: Option<&Ring>,
    agreed: *mut *mut AgreedChain,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (check, ring) = (required("check", check)?, required("ring", ring)?);
        let chain = check.0.with_dependent_mut(|_, check| Ok::<_, Failure>(ending(check)?.finish(&ring.0)?))?;
        if let Some(agreed) = Out::optional(agreed) {
            agreed.handle(AgreedChain(chain));
        }
        Ok(())
    })
}

/// Frees a check. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ring_check_free(check: Option<Box<RingCheck>>) {
    release(|| drop(check));
}
