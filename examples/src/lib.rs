//! What the example programs share: reading files of any size, writing records, and saying things to people.

pub mod files;
pub mod log;
pub mod report;
pub mod words;

use dualseal::Timestamp;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What an example ends with when it cannot go on: one line for a person.
pub type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// The time on this machine's clock. The library itself never asks for it.
///
/// # Errors
/// When the clock is outside the years 1970 to 9999.
pub fn now() -> Fallible<Timestamp> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH)?;
    Ok(Timestamp::from_millis(i64::try_from(since.as_millis())?)?)
}

/// Does some work, and says how long it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let made = work();
    (made, start.elapsed())
}
