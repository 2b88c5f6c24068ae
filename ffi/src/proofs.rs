//! What a reader proved: for everything that was watched, a proof or that watcher's own fault.

use crate::args::required;
use crate::call_error::CallError;
use crate::guard::release;
use crate::handle::give_back;
use dualseal_core::checkpoint::AgreedChain;
use dualseal_core::error::{Error, Misuse};
use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a reader watches for, as a number that only its own proofs know. 0 is none.
pub type Watched = u64;

/// The bits of a number that count a reader's watchers; the others tell the reader.
const INDEX_BITS: u32 = 24;

/// How a reader tells its numbers from another's.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Watching(u64);

impl Watching {
    pub(crate) fn new() -> Self {
        static READERS: AtomicU64 = AtomicU64::new(1);
        Self(READERS.fetch_add(1, Ordering::Relaxed) << INDEX_BITS)
    }

    /// The number of the watcher at this index.
    pub(crate) fn number(self, index: usize) -> Result<Watched, CallError> {
        let index = u64::try_from(index).ok().filter(|index| index >> INDEX_BITS == 0);
        index.map(|index| self.0 | index).ok_or_else(|| CallError::out_of_range("watched", None))
    }

    /// The index of a watcher of this reader.
    fn index(self, number: Watched) -> Option<usize> {
        usize::try_from(number ^ self.0).ok().filter(|index| index >> INDEX_BITS == 0)
    }
}

/// The proof of some watcher, or its fault.
pub(crate) type Found = Result<Box<dyn Any + Send + Sync>, Error>;

/// What a chain proved that has no fault of its own. Threads may ask it together.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct Proofs {
    watching: Watching,
    agreed: Option<AgreedChain>,
    found: Vec<Option<Found>>,
}

impl Proofs {
    pub(crate) fn new(watching: Watching, agreed: Option<AgreedChain>, found: Vec<Option<Found>>) -> Self {
        Self { watching, agreed, found }
    }

    /// The chain's agreement with the checkpoint that it was read under.
    pub(crate) fn agreed(&self) -> Result<&AgreedChain, Error> {
        Ok(self.agreed.as_ref().ok_or(Misuse::NoEnd)?)
    }

    /// The proof that was watched for.
    pub(crate) fn find<T: 'static>(&self, watched: Watched) -> Result<&T, Error> {
        let index = self.watching.index(watched).ok_or(Misuse::OtherReader)?;
        let found = self.found.get(index).and_then(Option::as_ref).ok_or(Misuse::OtherReader)?;
        let proof = found.as_ref().map_err(Clone::clone)?;
        Ok(proof.downcast_ref().ok_or(Misuse::OtherReader)?)
    }

    /// The same, once: of what two hands must not change.
    pub(crate) fn take<T: 'static>(&mut self, watched: Watched) -> Result<T, Error> {
        self.find::<T>(watched)?;
        let taken = self.watching.index(watched).and_then(|index| self.found.get_mut(index)).and_then(Option::take);
        let proof = taken.ok_or(Misuse::OtherReader)??;
        Ok(*proof.downcast().map_err(|_| Misuse::OtherReader)?)
    }
}

/// The proof of an argument `watched` among an argument `proofs`.
pub(crate) fn proof<'a, T: 'static>(proofs: *const Proofs, watched: Watched) -> Result<&'a T, CallError> {
    Ok(required("proofs", proofs)?.find(watched)?)
}

/// Frees proofs. NULL is ignored. What was taken from them stays good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_proofs_free(proofs: *mut Proofs) {
    release(|| give_back(proofs));
}
