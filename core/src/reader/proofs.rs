//! What a reader found: for everything that was watched, a proof or that watcher's own fault.

use super::watcher::AnyProof;
use crate::checkpoint::AgreedChain;
use crate::error::{Error, Misuse};
use crate::krunica::Head;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

/// What its reader watches for: exchanged for the proof when the chain has ended ([`Proofs::take`]).
#[must_use]
pub struct Watched<T> {
    index: usize,
    reader: Arc<()>,
    proof: PhantomData<fn() -> T>,
}

impl<T> Watched<T> {
    pub(super) fn new(index: usize, reader: &Arc<()>) -> Self {
        Self { index, reader: Arc::clone(reader), proof: PhantomData }
    }
}

/// What a chain proved that has no fault of its own.
pub struct Proofs {
    pub(super) agreed: Option<AgreedChain>,
    pub(super) head: Option<Head>,
    pub(super) found: Vec<Option<AnyProof>>,
    pub(super) reader: Arc<()>,
}

impl Proofs {
    /// The proof that was watched for.
    ///
    /// # Errors
    /// The fault of that watcher, which says what it can be; [`Misuse::OtherReader`] for what another reader watched
    /// for.
    pub fn take<T: 'static>(&mut self, watched: Watched<T>) -> Result<T, Error> {
        let Watched { index, reader, proof: PhantomData } = watched;
        let is_ours = Arc::ptr_eq(&self.reader, &reader);
        let found = self.found.get_mut(index).filter(|_| is_ours).and_then(Option::take);
        let proof = found.ok_or(Misuse::OtherReader)??;
        Ok(*proof.downcast::<T>().map_err(|_| Misuse::OtherReader)?)
    }

    /// The chain's agreement with the checkpoint that it was read under; `None` where there was none.
    #[must_use]
    pub fn agreed(&self) -> Option<&AgreedChain> {
        self.agreed.as_ref()
    }

    /// The head of all that was read; `None` where reading began at the end that a ring file names, before which the
    /// tree is not known.
    #[must_use]
    pub fn head(&self) -> Option<&Head> {
        self.head.as_ref()
    }
}

impl fmt::Debug for Proofs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proofs").field("head", &self.head).field("watched", &self.found.len()).finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for Watched<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Watched").field(&self.index).finish()
    }
}
