//! The cache of public keys prepared for verification.

use crate::args::Out;
use crate::call_error::CallError;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::status::StatusValue;
use dualseal_core::key::{PreparedKeyCache, PreparedKeys, Unprepared};
use std::sync::Arc;

/// Public keys prepared for verification, which makes repeated verifications with the same keys faster. Threads may use
/// it together.
#[derive(Debug)]
pub struct KeyCache(pub(crate) Arc<PreparedKeyCache>);

/// An argument `cache`, which may be NULL.
pub(crate) fn keys(cache: Option<&KeyCache>) -> &dyn PreparedKeys {
    cache.map_or(&Unprepared, |cache| &*cache.0)
}

/// A cache of at most `budget` bytes, `DUALSEAL_PREPARED_KEY_BYTES` for each key. It lets the least recently used keys
/// go.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_key_cache_new(
    budget: usize,
    cache: *mut *mut KeyCache,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        Out::new("cache", cache)?.handle(KeyCache(Arc::new(PreparedKeyCache::new(budget))));
        Ok(())
    })
}

/// Frees a cache. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_key_cache_free(cache: *mut KeyCache) {
    release(|| give_back(cache));
}
