//! Answers.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Between which sizes growth is proven.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Growth {
    /// Leaves of the earlier tree.
    #[param(maximum = 9_007_199_254_740_991_u64)]
    pub from: u64,
    /// Leaves of the later one; what the last checkpoint covers without it.
    #[param(maximum = 9_007_199_254_740_991_u64)]
    pub to: Option<u64>,
}

/// That a tree goes on from its beginning (RFC 9162, section 2.1.4).
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GrowthProof {
    /// Leaves of the earlier tree.
    pub from: u64,
    /// Leaves of the later one.
    pub to: u64,
    /// The hashes, each of 64 hexadecimal characters.
    pub path: Vec<String>,
}

/// Which entry.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Handle {
    /// Its handle, 64 hexadecimal characters.
    #[param(pattern = "^[0-9a-f]{64}$")]
    pub krunica_hash: String,
}

/// Which entry of that position: after an accepted loss several logs have one.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Of {
    /// Its handle, 64 hexadecimal characters; of the log that is written to unless it is given.
    #[param(pattern = "^[0-9a-f]{64}$")]
    pub krunica_hash: Option<String>,
}

/// From which entry on.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct From {
    /// Its position, from 0.
    #[param(maximum = 9_007_199_254_740_991_u64)]
    pub from: u64,
}

/// An entry of the log.
#[derive(Debug, ToSchema)]
#[schema(as = Entry)]
#[allow(dead_code, reason = "its documentation")]
pub(crate) struct EntryDoc {
    /// SHA3-512 over `w3|poruka|prev|seq`, 128 hexadecimal characters.
    #[schema(pattern = "^[0-9a-f]{128}$")]
    h: String,
    /// The message.
    poruka: String,
    /// The entry before it.
    #[schema(pattern = "^[0-9a-f]{128}$")]
    prev: String,
    /// Its position.
    seq: u64,
    /// When it was appended.
    t: String,
    /// Whose it is.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    w3: String,
}

/// What a witness's lines came to.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Cosigned {
    /// Leaves of the note.
    pub size: u64,
    /// The names of the witnesses whose lines it has now.
    pub witnesses: Vec<String>,
}
