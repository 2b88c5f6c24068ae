//! Rows that the monitor reads, and what a run leaves for the next one and for peers.

use crate::commands::Fault;
use dualseal_operator::disk::{self, Disk, FileError, Readers};
use platform::db::{Db, statements};
use platform::values;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

statements! {
    WAITING = "SELECT MIN(created) AS oldest FROM messages_out WHERE state IN ('queued', 'sending') AND world = 0";
}

/// It is some hundred bytes.
const LONGEST: u64 = 1 << 16;

/// What a run leaves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Left {
    /// When the last one ended that told what there was to tell.
    pub(super) last_run: Option<i64>,
    /// Whether failures were told, and not yet that all is well again.
    pub(super) is_told: bool,
    /// Until when nothing is told.
    pub(super) quiet_until: Option<i64>,
    /// The oldest entry that no checkpoint covers, by its place, and when a run saw it first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) waits: Option<(i64, i64)>,
}

fn path(data: &Path) -> PathBuf {
    data.join("mesh.json")
}

/// What the last run left; nothing where it is not read.
pub(super) fn left(data: &Path) -> Left {
    let bytes = Disk::new().read(&path(data), LONGEST).ok().flatten();
    bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// Leaves it.
pub(super) fn leave(data: &Path, left: &Left) -> Result<(), Fault> {
    let (path, text) = (path(data), serde_json::to_vec(left)?);
    let written = Disk::new().replace(&path, Readers::Owner, |file| {
        file.write_all(&text).map_err(|error| disk::Error::writing(&path, error))
    });
    Ok(written.map_err(|error| match error {
        FileError::Failed(error) => error,
        FileError::NotForced { error, .. } => disk::Error::writing(&path, error),
    })?)
}

/// When the message was queued that waits for longest.
pub(super) async fn waiting(db: &Db) -> Result<Option<i64>, Fault> {
    let row = db.find(WAITING, values![]).await?;
    Ok(row.map(|row| row.maybe_number("oldest")).transpose()?.flatten())
}
