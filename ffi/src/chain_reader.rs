//! One reader for every walk past a chain: begun for an end, given the lines, ended.

use crate::args::{Out, json, optional, required};
use crate::call_error::CallError;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::head::Head;
use crate::progress::{ending, running};
use crate::status::StatusValue;
use dualseal_core::checkpoint::Checkpoint;
use dualseal_core::krunica::Checker;
use dualseal_core::reader::{self, Proofs, TrustedHead, Watched};
use dualseal_core::{Domain, Error, Head as CoreHead, Verified};
use std::any::Any;
use std::ffi::c_char;

/// A walk in progress.
pub(crate) trait Walk: Any + Send {
    /// Takes the next entry, as a line.
    fn push(&mut self, line: &[u8]) -> Result<(), CallError>;
}

/// Reads a chain entry by entry, for the end that it was begun for. For one thread at a time.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct ChainReader(Box<dyn Walk>);

impl ChainReader {
    pub(crate) fn new(walk: impl Walk) -> Self {
        Self(Box::new(walk))
    }

    /// The walk, if it was begun for this end.
    pub(crate) fn walk<W: Walk>(&mut self) -> Result<&mut W, CallError> {
        let walk: &mut dyn Any = &mut *self.0;
        walk.downcast_mut().ok_or_else(CallError::other_reader)
    }
}

/// A walk past one watcher.
pub(crate) struct Reading<T> {
    reader: Option<reader::ChainReader<'static>>,
    watched: Option<Watched<T>>,
}

impl<T: 'static> Reading<T> {
    /// Begins with whatever is to be watched for.
    pub(crate) fn begin(
        mut reader: reader::ChainReader<'static>,
        watch: impl FnOnce(&mut reader::ChainReader<'static>) -> Result<Watched<T>, Error>,
    ) -> Result<Self, Error> {
        let watched = Some(watch(&mut reader)?);
        Ok(Self { reader: Some(reader), watched })
    }

    /// Ends it, whatever comes of it.
    pub(crate) fn end(&mut self) -> Result<(T, Proofs), CallError> {
        let (mut proofs, watched) = (ending(&mut self.reader)?.finish()?, ending(&mut self.watched)?);
        Ok((proofs.take(watched)?, proofs))
    }
}

impl<T: 'static> Walk for Reading<T> {
    fn push(&mut self, line: &[u8]) -> Result<(), CallError> {
        Ok(running(&mut self.reader)?.push_json(line).map(drop)?)
    }
}

/// A reader of a whole chain under a checkpoint.
pub(crate) fn under(domain: &Domain, checkpoint: &Verified<Checkpoint>) -> Result<reader::ChainReader<'static>, Error> {
    reader::ChainReader::new(domain, &TrustedHead::beginning()).under(checkpoint)
}

/// A chain for itself, in constant memory.
struct Alone(Checker);

impl Walk for Alone {
    fn push(&mut self, line: &[u8]) -> Result<(), CallError> {
        Ok(self.0.push_json(line).map(drop)?)
    }
}

/// Begins to check a chain for itself, in constant memory: after `from`, a head that was checked before and kept where
/// nobody else writes; at the first entry when it is NULL. After a fault it stays where it was: what follows a bad
/// entry proves nothing.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_new(
    from: *const Head,
    reader: *mut *mut ChainReader,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let from = optional("from", from)?.map_or(CoreHead::EMPTY, |head| head.0.clone());
        Out::new("reader", reader)?.handle(ChainReader::new(Alone(Checker::resume(from))));
        Ok(())
    })
}

/// A new handle on where the entries end that `dualseal_chain_reader_new` was begun for and that were read so far.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_head(
    reader: *mut ChainReader,
    head: *mut *mut Head,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (reader, out) = (required("reader", reader)?, Out::new("head", head)?);
        out.handle(Head(reader.walk::<Alone>()?.0.head().clone()));
        Ok(())
    })
}

/// Takes the next entry as it stands in a chain, without `seq`: one line of a file of JSON lines
/// (`dualseal_entry_line`). Of a broken chain the error's index is the first bad entry.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_push(
    reader: *mut ChainReader,
    line: *const c_char,
    line_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (reader, line) = (required("reader", reader)?, json("line", line, line_len)?);
        reader.0.push(line)
    })
}

/// Frees a reader. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_chain_reader_free(reader: *mut ChainReader) {
    release(|| give_back(reader));
}
