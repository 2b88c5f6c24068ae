//! `trustd checkpoint export` and `trustd tiles export`: what somebody outside keeps, and holds a restored service
//! against.

use super::{Fault, Stored};
use dualseal::note::Note;
use dualseal_operator::disk::Disk;
use dualseal_operator::notes::note_key;
use dualseal_operator::own::OwnCheckpoint;
use dualseal_operator::tiles::{LogFolder, ToShow};
use platform::clock::Clock;
use platform::config::Config;
use std::io::{BufReader, Seek as _, Write};
use std::path::Path;

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

/// Prints the key of the log's notes, as witnesses pin it.
///
/// # Errors
/// [`Fault`].
pub async fn key(config: &Config, clock: &Clock, out: &mut dyn Write) -> Result<(), Fault> {
    let log = Stored::open(config, clock).await?.log(config).await?;
    let reader = log.reader();
    let (checkpoint, _) = reader.checkpoint(reader.current().await?).await?.ok_or("no checkpoint was signed yet")?;
    writeln!(out, "{}", note_key(&checkpoint)?.to_text())?;
    Ok(())
}

/// Entries are read so many at once.
const PORTION: u64 = 1000;

/// Writes what the last checkpoint covers as a folder that any web server serves (C2SP `tlog-tiles`), or goes on with
/// the one that is there.
///
/// # Errors
/// [`Fault`].
pub async fn tiles(config: &Config, clock: &Clock, folder: &Path, out: &mut dyn Write) -> Result<(), Fault> {
    let log = Stored::open(config, clock).await?.log(config).await?;
    let (state, reader) = (log.state().await?, log.reader());
    let number = reader.current().await?;
    let (signed, note) = reader.checkpoint(number).await?.ok_or("no checkpoint was signed yet")?;
    let (note, key) = (Note::from_text(&note)?, note_key(&signed)?);
    let size = signed.tree_head().size;
    let own = OwnCheckpoint::judge(signed, log.domain(), state.origin(), state.ring())?.as_evidence()?;
    let mut lines = tempfile::tempfile()?;
    let mut from = 0;
    while from < size {
        let to = from.saturating_add(PORTION).min(size);
        for entry in reader.range(number, from, to).await? {
            lines.write_all(entry.to_json_line().as_bytes())?;
        }
        from = to;
    }
    lines.rewind()?;
    let shown = ToShow { domain: log.domain(), checkpoint: &own, note: &note, key: &key };
    let written = LogFolder::new(folder).write(&Disk::new(), &shown, BufReader::new(lines))?;
    writeln!(out, "{}: {written} tiles of {size} entries", folder.display())?;
    Ok(())
}
