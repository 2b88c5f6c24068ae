//! Keys that were expanded for verification, which verifiers share.

use crate::failure::{Returned, not_pickled};
use dualseal::key::PreparedKeyCache;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::ffi::CString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<KeyCache>()
}

/// What a verifier has room for that is given neither a cache nor a size.
const DEFAULT_BYTES: usize = 16 << 20;

/// Keys that were expanded for verification, which verifiers share: about 45 KB each, up to `size` bytes in all, and
/// those that were used last stay. Threads may share one.
///
/// Where as many keys had to be expanded again as there is room for, a batch warns once (KeyCacheWarning): with more
/// room, or sorted by identity, it would take a part of the time.
#[pyclass(frozen, module = "dualseal")]
#[derive(Clone)]
pub(crate) struct KeyCache {
    keys: Arc<PreparedKeyCache>,
    has_warned: Arc<AtomicBool>,
}

#[pymethods]
impl KeyCache {
    #[new]
    #[pyo3(signature = (size = 16_777_216))]
    fn new(size: usize) -> Self {
        Self { keys: Arc::new(PreparedKeyCache::new(size)), has_warned: Arc::default() }
    }

    /// How many keys there is room for.
    #[getter]
    fn room(&self) -> usize {
        self.keys.room()
    }

    /// How often a key was asked for that was there.
    #[getter]
    fn hits(&self) -> u64 {
        self.keys.hits()
    }

    /// How often a key was asked for that was expanded then.
    #[getter]
    fn misses(&self) -> u64 {
        self.keys.misses()
    }

    /// How often one was asked for that had been let go, and was expanded again.
    #[getter]
    fn expanded_again(&self) -> u64 {
        self.keys.expanded_again()
    }

    /// How many keys it holds.
    fn __len__(&self) -> usize {
        self.keys.len()
    }

    /// An empty one is a cache, too.
    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __bool__(&self) -> bool {
        true
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("KeyCache(room={}, len={})", self.keys.room(), self.keys.len())
    }
}

impl KeyCache {
    /// The arguments `cache` and `cache_bytes` of a verifier, of which one may be given.
    pub(crate) fn given(cache: Option<&Self>, cache_bytes: Option<usize>) -> Returned<Self> {
        match (cache, cache_bytes) {
            (Some(cache), None) => Ok(cache.clone()),
            (None, bytes) => Ok(Self::new(bytes.unwrap_or(DEFAULT_BYTES))),
            (Some(_), Some(_)) => Err(PyTypeError::new_err("give cache or cache_bytes, not both").into()),
        }
    }

    pub(crate) fn keys(&self) -> &Arc<PreparedKeyCache> {
        &self.keys
    }

    /// After a batch: says once that the cache is too small for it.
    pub(crate) fn warn(&self, py: Python<'_>) -> PyResult<()> {
        static CATEGORY: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let (room, again) = (self.keys.room(), self.keys.expanded_again());
        // One without room is meant to be one.
        if room == 0 || again < room as u64 || self.has_warned.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        let category = CATEGORY.import(py, "dualseal._cache", "KeyCacheWarning")?;
        let words = format!(
            "{again} keys were expanded again, by a KeyCache with room for {room}: give it more, or sort the items by \
             identity"
        );
        PyErr::warn(py, category, &CString::new(words)?, 1)
    }
}
