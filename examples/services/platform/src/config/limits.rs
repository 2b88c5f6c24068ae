//! How much is served at once, and made in a day.

use super::Seconds;
use serde::Deserialize;

/// How much is served at once, and made in a day.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitConfig {
    /// Bytes of all bodies that are being received.
    pub bytes_in_flight: u64,
    /// Connections.
    pub connections: usize,
    /// Without progress a connection is ended.
    pub progress: Seconds,
    /// The least rate of a body, in bytes a second.
    pub least_rate: u64,
    /// Milliseconds after which a change is answered, at least, so that the time tells no world from the other; 0: as
    /// soon as it is done.
    pub slot: u32,
    /// How many proofs of an identity are made on a day of UTC.
    pub proofs_daily: u32,
    /// How many children and memories are kept for a guardian on such a day.
    pub memories_daily: u32,
}

impl Default for LimitConfig {
    fn default() -> Self {
        Self {
            bytes_in_flight: 512 << 20,
            connections: 4096,
            progress: Seconds(30),
            least_rate: 1024,
            slot: 25,
            proofs_daily: 200,
            memories_daily: 1000,
        }
    }
}
