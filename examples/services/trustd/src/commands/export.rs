//! `trustd checkpoint export`: what somebody outside keeps, and holds a restored service against.

use super::{Fault, Stored};
use platform::clock::Clock;
use platform::config::Config;
use std::io::Write;

/// Signs what was appended, and prints the checkpoint, as JSON or as a note.
///
/// # Errors
/// [`Fault`].
pub async fn checkpoint(config: &Config, clock: &Clock, is_note: bool, out: &mut dyn Write) -> Result<(), Fault> {
    let log = Stored::open(config, clock).await?.log(config).await?;
    log.checkpoint().await?;
    let reader = log.reader();
    let (checkpoint, note) = reader.checkpoint(reader.current().await?).await?.ok_or("no checkpoint was signed yet")?;
    if is_note {
        write!(out, "{note}")?;
    } else {
        writeln!(out, "{}", checkpoint.to_json())?;
    }
    Ok(())
}
