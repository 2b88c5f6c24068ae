//! A ring compared with the chain that vouches for it.

use crate::agreed_chain::AgreedChain;
use crate::args::{Out, required};
use crate::call_error::CallError;
use crate::chain_reader::{ChainReader, Walk};
use crate::checkpoint::Checkpoint;
use crate::guard::guard;
use crate::progress::{ending, running};
use crate::ring::Ring;
use crate::ring_key::RingKey;
use crate::status::StatusValue;
use dualseal_core::{Verified, checkpoint};
use self_cell::self_cell;
use std::sync::Arc;

type Running<'a> = Option<checkpoint::RingCheck<'a>>;

self_cell! {
    struct Vouched {
        owner: (Arc<dualseal_core::RingKey>, Arc<Verified<checkpoint::Checkpoint>>),
        #[not_covariant]
        dependent: Running,
    }
}

impl Walk for Vouched {
    fn push(&mut self, line: &[u8]) -> Result<(), CallError> {
        self.with_dependent_mut(|_, check| Ok(running(check)?.push_json(line).map(drop)?))
    }
}

/// Begins at the first entry of the chain that vouches for a ring, with the ring's authority.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_new_ring(
    ring_key: *const RingKey,
    checkpoint: *const Checkpoint,
    reader: *mut *mut ChainReader,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (ring_key, checkpoint) = (required("ring_key", ring_key)?, required("checkpoint", checkpoint)?);
        let out = Out::new("reader", reader)?;
        let owner = (Arc::clone(&ring_key.0), Arc::clone(&checkpoint.0));
        out.handle(ChainReader::new(Vouched::new(owner, |(key, signed)| {
            Some(checkpoint::RingCheck::new(key, signed))
        })));
        Ok(())
    })
}

/// Ends the chain that `dualseal_chain_reader_new_ring` began, whatever comes of it, and compares the ring with what
/// the chain says: an old ring is `DUALSEAL_STATUS_RING_ROLLBACK`, every other difference
/// `DUALSEAL_STATUS_RING_FORGED`. `agreed` may be NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_finish_ring(
    reader: *mut ChainReader,
    ring: *const Ring,
    agreed: *mut *mut AgreedChain,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (reader, ring) = (required("reader", reader)?, required("ring", ring)?);
        let walk = reader.walk::<Vouched>()?;
        let chain = walk.with_dependent_mut(|_, check| Ok::<_, CallError>(ending(check)?.finish(&ring.0)?))?;
        if let Some(agreed) = Out::optional(agreed) {
            agreed.handle(AgreedChain(chain));
        }
        Ok(())
    })
}
