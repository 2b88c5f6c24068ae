//! `trustd restore FOLDER --checkpoint FILE` or `--accept-loss`: where a service has nothing yet but its settings, its
//! master, and the mirror of what lies apart.

use super::Fault;
use dualseal::checkpoint::Checkpoint;
use platform::apart::Apart;
use platform::backup::place;
use platform::clock::Clock;
use platform::config::Config;
use platform::log::{Accepted, Judged, MarkPlace, judge};
use platform::secrets;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What the backup is held against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Against {
    /// A checkpoint that somebody outside has kept, as JSON.
    Checkpoint(PathBuf),
    /// Nothing: entries may be lost, and a new log begins.
    Loss,
}

/// A checkpoint has some twelve thousand bytes.
const LONGEST: u64 = 1 << 20;

/// Places a backup, and judges it. Where it is refused the place is free again.
///
/// # Errors
/// [`Fault`].
pub async fn restore(
    config: &Config,
    clock: &Clock,
    folder: &Path,
    against: &Against,
    out: &mut dyn Write,
) -> Result<(), Fault> {
    let accepted = match against {
        Against::Loss => Accepted::Loss,
        Against::Checkpoint(path) => Accepted::Checkpoint(Box::new(checkpoint(path)?)),
    };
    let (secrets, mark) = (secrets::open(config)?, MarkPlace::Apart(Apart::open(config)?));
    let placed = place(config, clock, folder).await?;
    writeln!(out, "placed the backup {} of {}", placed.manifest.id, placed.manifest.made)?;
    let mut tx = placed.db.begin().await?;
    let checked = secrets.check(&mut tx, clock.millis()).await;
    tx.roll_back().await?;
    let judged = match checked {
        Err(other) => Err(Fault::from(other)),
        Ok(()) => judge(&placed.db, clock, &secrets, &mark, accepted).await.map_err(Fault::from),
    };
    match judged {
        Ok(judged) => {
            tell(&judged, placed.objects, out)?;
            Ok(placed.take().await?)
        }
        Err(refused) => {
            if !placed.db.is_file() {
                writeln!(out, "the database holds what was refused: empty it before another backup is restored")?;
            }
            placed.take_away().await?;
            Err(refused)
        }
    }
}

fn tell(judged: &Judged, objects: u64, out: &mut dyn Write) -> Result<(), Fault> {
    writeln!(out, "{} entries, each of which holds, and {objects} objects", judged.entries)?;
    match &judged.began {
        None => writeln!(out, "{} goes on", judged.origin)?,
        Some((origin, keys)) => {
            writeln!(out, "{origin} begins, and names where the log before it ended; it took over {keys} keys")?;
            writeln!(out, "what was called back in the time that is lost has to be called back again")?;
            writeln!(out, "whoever pins the log pins the new one")?;
        }
    }
    writeln!(out, "every token, nonce and login from before is void: whoever logs in is invited anew")?;
    Ok(())
}

fn checkpoint(path: &Path) -> Result<Checkpoint, Fault> {
    let named = |error: &dyn std::fmt::Display| Fault::from(format!("{}: {error}", path.display()));
    let length = fs::metadata(path).map_err(|error| named(&error))?.len();
    if length > LONGEST {
        return Err(named(&"it is longer than a checkpoint"));
    }
    let text = fs::read(path).map_err(|error| named(&error))?;
    Checkpoint::from_json(text.trim_ascii()).map_err(|error| named(&error))
}
