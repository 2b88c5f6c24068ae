//! The one clock: whatever needs the time is given it.

use dualseal::Timestamp;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Where the time comes from.
#[derive(Clone, Debug, Default)]
pub struct Clock(Option<Arc<AtomicI64>>);

impl Clock {
    /// The machine's.
    #[must_use]
    pub fn system() -> Self {
        Self(None)
    }

    /// One that stands still until it is [set](Self::set): for tests.
    #[must_use]
    pub fn still(at: Timestamp) -> Self {
        Self(Some(Arc::new(AtomicI64::new(at.as_millis()))))
    }

    /// Sets a clock that stands still; the machine's is left as it is.
    pub fn set(&self, at: Timestamp) {
        if let Some(still) = &self.0 {
            still.store(at.as_millis(), Ordering::SeqCst);
        }
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub fn millis(&self) -> i64 {
        if let Some(still) = &self.0 {
            return still.load(Ordering::SeqCst);
        }
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }

    /// The time, as records have it.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.millis()).unwrap_or(Timestamp::MIN)
    }
}
