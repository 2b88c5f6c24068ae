//! `trustd backup FOLDER`, `trustd backup --list`, `trustd backup --forget ID`: while the service runs.

use super::{Fault, Stored};
use dualseal::Timestamp;
use platform::backup;
use platform::clock::Clock;
use platform::config::Config;
use std::io::Write;
use std::path::Path;

/// Makes a backup in a folder that is not there yet.
///
/// # Errors
/// [`Fault`].
pub async fn make(config: &Config, clock: &Clock, folder: &Path, out: &mut dyn Write) -> Result<(), Fault> {
    let stored = Stored::open(config, clock).await?;
    let (objects, master) = (stored.objects(config)?, stored.secrets.master().key_id().to_hex());
    // What it has is covered then: where a loss is accepted this log ends there, and a record needs its place.
    stored.log(config).await?.checkpoint().await?;
    let made = backup::make(config, &stored.db, clock, &objects, &master, folder).await?;
    writeln!(out, "backup {}: {}, {} objects of {} bytes", made.id, made.database, made.objects, made.bytes)?;
    writeln!(out, "it opens under the master {}, and with what lies apart, which is in no backup", made.master)?;
    Ok(())
}

/// Lists those that collecting spares.
///
/// # Errors
/// [`Fault`].
pub async fn list(config: &Config, clock: &Clock, out: &mut dyn Write) -> Result<(), Fault> {
    let stored = Stored::open(config, clock).await?;
    for kept in backup::list(&stored.db).await? {
        let ended = if kept.ended.is_some() { "" } else { ", under way or given up" };
        writeln!(out, "{} of {}{ended}", kept.id, Timestamp::from_millis(kept.made)?)?;
    }
    Ok(())
}

/// Spares what one has no more: it was deleted.
///
/// # Errors
/// [`Fault`].
pub async fn forget(config: &Config, clock: &Clock, id: &str, out: &mut dyn Write) -> Result<(), Fault> {
    let stored = Stored::open(config, clock).await?;
    if !backup::forget(&stored.db, id).await? {
        return Err(format!("there is no backup {id}").into());
    }
    writeln!(out, "what the backup {id} alone has is collected from now on")?;
    Ok(())
}
