//! What looks at the entries of a chain while they are read.

use super::cursor::Cursor;
use crate::checkpoint::AgreedChain;
use crate::error::Error;
use crate::krunica::{Entry, Head, Links};
use alloc::boxed::Box;
use core::any::Any;

/// Takes every entry whose links hold, and tells at the end what they prove.
pub(crate) trait Watcher {
    /// What it shows.
    type Proof: Any + Send;

    /// Looks at the next entry, after which the chain stands there.
    fn take(&mut self, entry: &Entry, after: &Cursor);

    /// Ends the chain, in which the reader found no fault.
    fn finish(self, ended: &Ended<'_>) -> Result<Self::Proof, Error>;
}

/// How a chain ended that has no fault of its own.
pub(crate) struct Ended<'a> {
    /// Its agreement with the checkpoint that the reader was given.
    pub(crate) agreed: Option<&'a AgreedChain>,
    /// The number of its entries, and the last one's hash.
    pub(crate) end: Links,
    /// Where it ends; `None` where the tree before the beginning is not known.
    pub(crate) head: Option<&'a Head>,
}

/// The proof of some watcher, or its fault.
pub(super) type AnyProof = Result<Box<dyn Any + Send>, Error>;

/// A watcher whose proof has no name any more: the [`Watched`](super::Watched) that the caller keeps knows it.
pub(super) trait AnyWatcher: Send {
    fn take(&mut self, entry: &Entry, after: &Cursor);

    fn finish(self: Box<Self>, ended: &Ended<'_>) -> AnyProof;
}

impl<W: Watcher + Send> AnyWatcher for W {
    fn take(&mut self, entry: &Entry, after: &Cursor) {
        Watcher::take(self, entry, after);
    }

    fn finish(self: Box<Self>, ended: &Ended<'_>) -> AnyProof {
        Ok(Box::new(Watcher::finish(*self, ended)?))
    }
}
