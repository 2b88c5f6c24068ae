//! Arguments: bytes of every kind, text, counters and secrets. Nothing is read from memory that another thread could
//! change meanwhile.

use crate::failure::{Raised, Returned};
use dualseal::Error;
use dualseal::error::{Malformed, Problem};
use dualseal::shamir::{Index, Threshold};
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyMemoryView, PySlice, PyString};
use std::borrow::Cow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use zeroize::Zeroizing;

/// Work on more bytes than this runs without the interpreter lock.
const LOCKED_BYTES: usize = 64 << 10;

/// Bytes that are copied from a mutable buffer at a time.
const PART_BYTES: usize = 256 << 10;

pub(crate) fn malformed(field: &'static str, problem: Problem) -> Raised {
    Error::from(Malformed::new(field, None, problem)).into()
}

/// Text as UTF-8; Python's own may hold lone surrogates.
pub(crate) fn text<'a>(field: &'static str, value: &'a Bound<'_, PyString>) -> Returned<&'a str> {
    value.to_str().map_err(|_| malformed(field, Problem::Utf8))
}

/// Text that is given as `str` or as bytes of UTF-8; a copy is wiped.
pub(crate) fn text_or_bytes(field: &'static str, value: &Bound<'_, PyAny>) -> Returned<Zeroizing<String>> {
    if let Ok(value) = value.cast::<PyString>() {
        return Ok(Zeroizing::new(text(field, value)?.to_owned()));
    }
    value.extract::<BytesLike<'_>>()?.secret(|bytes| match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Zeroizing::new(text.to_owned())),
        Err(_) => Err(Malformed::new(field, None, Problem::Utf8).into()),
    })
}

/// An integer that the library takes as `u64`.
pub(crate) fn counter(field: &'static str, value: &Bound<'_, PyInt>) -> Returned<u64> {
    value.extract().map_err(|_| malformed(field, Problem::Range))
}

/// The number of a share.
pub(crate) fn index(number: &Bound<'_, PyInt>) -> Returned<Index> {
    Ok(Index::new(counter("indeks", number)?)?)
}

pub(crate) fn threshold(k: &Bound<'_, PyInt>, n: &Bound<'_, PyInt>) -> Returned<Threshold> {
    Ok(Threshold::new(counter("k", k)?, counter("n", n)?)?)
}

/// A number that the library takes as `u8`.
pub(crate) fn small(field: &'static str, value: &Bound<'_, PyInt>) -> Returned<u8> {
    u8::try_from(counter(field, value)?).map_err(|_| malformed(field, Problem::Range))
}

/// The labels of nodes.
pub(crate) fn urls(urls: &[Bound<'_, PyString>]) -> Returned<Vec<String>> {
    urls.iter().map(|url| Ok(text("node_urls", url)?.to_owned())).collect()
}

/// A lock that is never held while its holder takes the interpreter lock, so that the two cannot block each other.
///
/// The library does not panic, so what the lock guards is never left half changed.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An argument that holds bytes: `bytes`, or any C-contiguous buffer.
pub(crate) enum BytesLike<'py> {
    /// Read in place, since nothing can change it.
    Immutable(Bound<'py, PyBytes>),
    /// A flat view, which keeps the buffer from being resized. It is copied before it is used.
    View(Bound<'py, PyAny>),
}

impl<'py> FromPyObject<'_, 'py> for BytesLike<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Immutable(bytes.to_owned()));
        }
        let view = PyMemoryView::from(&object)?;
        Ok(Self::View(view.call_method1("cast", ("B",))?))
    }
}

impl BytesLike<'_> {
    fn len(&self) -> PyResult<usize> {
        match self {
            Self::Immutable(bytes) => Ok(bytes.as_bytes().len()),
            Self::View(view) => view.len(),
        }
    }

    /// Hands all bytes to `sink` in order, in one part or more.
    pub(crate) fn feed(&self, py: Python<'_>, mut sink: impl FnMut(&[u8]) + Send) -> PyResult<()> {
        let length = self.len()?;
        let mut pass = |part: &[u8]| {
            if length > LOCKED_BYTES {
                py.detach(|| sink(part));
            } else {
                sink(part);
            }
        };
        match self {
            Self::Immutable(bytes) => pass(bytes.as_bytes()),
            Self::View(view) => {
                let mut buffer = vec![0; length.min(PART_BYTES)];
                for start in (0..length).step_by(PART_BYTES) {
                    let end = length.min(start.saturating_add(PART_BYTES));
                    let part = buffer.get_mut(..end.saturating_sub(start)).unwrap_or_default();
                    copy_range(view, start, end, part)?;
                    pass(part);
                }
            }
        }
        Ok(())
    }

    /// All bytes at once.
    pub(crate) fn contiguous(&self) -> PyResult<Cow<'_, [u8]>> {
        match self {
            Self::Immutable(bytes) => Ok(Cow::Borrowed(bytes.as_bytes())),
            Self::View(view) => {
                let mut copy = vec![0; view.len()?];
                copy_range(view, 0, copy.len(), &mut copy)?;
                Ok(Cow::Owned(copy))
            }
        }
    }

    /// Lends secret bytes; a copy that had to be made is wiped.
    pub(crate) fn secret<T>(&self, use_bytes: impl FnOnce(&[u8]) -> Result<T, Error>) -> Returned<T> {
        match self {
            Self::Immutable(bytes) => Ok(use_bytes(bytes.as_bytes())?),
            Self::View(view) => {
                let mut copy = Zeroizing::new(vec![0; view.len()?]);
                copy_range(view, 0, copy.len(), &mut copy)?;
                Ok(use_bytes(&copy)?)
            }
        }
    }
}

fn copy_range(view: &Bound<'_, PyAny>, start: usize, end: usize, target: &mut [u8]) -> PyResult<()> {
    let py = view.py();
    let range = PySlice::new(py, start.try_into()?, end.try_into()?, 1);
    PyBuffer::<u8>::get(&view.get_item(range)?)?.copy_to_slice(py, target)
}
