//! `trustd init --rotate-master`: draws the next master; and, called again when every process of the service was
//! stopped and started with both, puts everything under it. `--stopped` does both at once where none runs.

use super::{Fault, Stored};
use platform::clock::Clock;
use platform::config::Config;
use platform::secrets::{self, begin_rotation, rotate_master};
use std::io::Write;

/// Begins a rotation, or goes on with the one that was begun.
///
/// # Errors
/// [`Fault`]; it is begun again then.
pub async fn master(config: &Config, clock: &Clock, is_stopped: bool, out: &mut dyn Write) -> Result<(), Fault> {
    let is_begun = secrets::open(config)?.before().is_some();
    if !is_begun {
        // Its name stands in the database before anybody writes under the next one.
        let current = Stored::open(config, clock).await?;
        current.db.close().await;
        let next = begin_rotation(config)?;
        writeln!(out, "the next master is {}; the one before stands beside it", next.master().key_id().to_hex())?;
        if !is_stopped {
            writeln!(out, "stop every process of the service, give each both files, start them, and call this again")?;
            return Ok(());
        }
    }
    let stored = Stored::open(config, clock).await?;
    let log = stored.log(config).await?;
    let rotated = rotate_master(&stored.db, &log, &stored.keys()).await?;
    let (rows, already) = (rotated.rows.rewrapped, rotated.rows.already);
    writeln!(out, "{rows} secrets and {} erasure keys were put under it, {already} were", rotated.erasure_keys)?;
    if rotated.is_complete() {
        writeln!(out, "nothing needs the master before but backups from before: move its file to them")?;
        return Ok(());
    }
    for refused in &rotated.rows.refused {
        writeln!(out, "{}: {}", refused.place, refused.fault)?;
    }
    let (late, refused) = (rotated.rows.late, rotated.rows.refused.len());
    Err(format!("it has not ended: {late} secrets were written under the master before, {refused} do not open").into())
}
