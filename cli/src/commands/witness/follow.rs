//! Following a log, from where it was seen last.

use super::kept::{ABOUT, KEY};
use crate::chain_file::of;
use crate::context::Context;
use crate::failure::{Failure, HOME};
use crate::home::{broken, read_object};
use crate::input;
use crate::log_folder::{LINES, LogFolder};
use crate::output::Report;
use crate::secrets;
use crate::store::{self, Lock, Readers};
use crate::target::Target;
use dualseal::Head;
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::encoding::json::Value;
use dualseal::note::{Note, NoteKey, NoteKind, NoteName};
use dualseal::witness::{FollowError, Followed, Following};
use dualseal_operator::chain;
use dualseal_operator::paths::Show;
use dualseal_operator::tiles::TilesError;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ dualseal witness follow public --in watch --log \"$(cat log.key)\" -o seen";

/// Looks at a log since it was seen last, and cosigns its note where it only grew
///
/// The log is a folder, as `chain export` writes it; fetch one that is served elsewhere first. Every entry since is
/// read: it names the one before, the tiles are those that the entries make, and their root is the note's. Where the
/// log ends is kept before the cosignature is made, so that a fork is refused from then on, whatever happens.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The log's folder
    folder: PathBuf,

    /// The witness's folder
    #[arg(long = "in", value_name = "DIR")]
    kept: PathBuf,

    /// The log's note key, from its operator
    #[arg(long, value_name = "KEY")]
    log: String,

    #[command(flatten)]
    target: Target,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let log = NoteKey::from_text(&args.log)?;
    if !args.kept.join(ABOUT).exists() {
        let message = format!("{} is no witness's folder", args.kept.shown());
        return Err(Failure::new(HOME, message, "make one by `dualseal witness new`"));
    }
    let lock = store::lock(&args.kept, true, context.wait())?;
    let (name, key) = witness(&args.kept, context)?;
    let (head_file, note_file) =
        (format!("{}/head.json", log.name().folder()), format!("{}/checkpoint", log.name().folder()));
    let head = seen(&args.kept.join(&head_file))?;
    let followed = follow(&args.folder, &head, &log)?;
    keep(&lock, &head_file, &followed.head().to_json())?;
    let time = context.now()?;
    let mut note = followed.note().by(&log);
    note.add(followed.cosign(&name, &key, time)?)?;
    keep(&lock, &note_file, &note.to_text())?;
    let prepared = args.target.prepare(args.target.or_stdout(), &note.to_text(), Readers::All)?;
    let shown = prepared.shown();
    let aside = prepared.publish_copied("the cosignature", &args.kept.join(&note_file))?;
    Ok(Report::new("The log only grew, and is cosigned.")
        .detail("origin", "log", log.name().as_str())
        .number("before", "seen before", head.size())
        .number("size", "entries", followed.head().size())
        .detail("root", "root", followed.head().root().to_hex())
        .detail("time", "time", time.to_string())
        .detail("key", "witness", NoteKey::new(name, NoteKind::Witness, key.public_key()).to_text())
        .detail("path", "file", shown)
        .aside_if(aside))
}

fn witness(folder: &Path, context: &Context) -> Result<(NoteName, Ed25519SigningKey), Failure> {
    let path = folder.join(ABOUT);
    let mut members = read_object(&path)?;
    let (Some(Value::String(version)), Some(Value::String(name))) = (members.remove("version"), members.remove("name"))
    else {
        return Err(broken(&path));
    };
    if version != "1" {
        return Err(broken(&path));
    }
    let seed = secrets::read_seed(&folder.join(KEY), context.passphrase())?;
    Ok((NoteName::new(&name).map_err(|_| broken(&path))?, Ed25519SigningKey::from_seed(seed.expose())?))
}

/// Where the log ended the last time.
fn seen(path: &Path) -> Result<Head, Failure> {
    if path.exists() { Head::from_json(&input::small(path)?).map_err(|_| broken(path)) } else { Ok(Head::EMPTY) }
}

fn follow(folder: &Path, head: &Head, log: &NoteKey) -> Result<Followed, Failure> {
    let refused = |error| refused(error, log);
    let tiles = LogFolder::new(folder);
    let note = Note::from_text(&tiles.note()?).map_err(|error| refused(error.into()))?;
    let mut following = Following::begin(tiles.clone(), head, note, log).map_err(refused)?;
    let (mut seq, mut pushed) = (0_u64, Ok(true));
    let lines = tiles.lines()?;
    let lines = input::bar(lines.length()).wrap_read(lines);
    let read = chain::portions(lines, |texts| {
        let seen = usize::try_from(head.size().saturating_sub(seq)).unwrap_or(usize::MAX).min(texts.len());
        if pushed.is_ok() {
            pushed = following.push_json_all(texts[seen..].iter().copied());
        }
        seq += texts.len() as u64;
        Ok(())
    });
    // What is wrong with an entry comes before what is wrong with the file behind it.
    pushed.map_err(refused)?;
    read.map_err(of(&folder.join(LINES)))?;
    following.finish().map_err(refused)
}

fn refused(error: FollowError<TilesError>, log: &NoteKey) -> Failure {
    match error {
        FollowError::Read(error) => error.into(),
        FollowError::Log(error) => {
            let hint = "it is not cosigned; keep the log's folder as it is, and the note that was cosigned last: \
                        together they are evidence";
            Failure::from(error).about(log.name()).hint(hint)
        }
    }
}

fn keep(lock: &Lock, name: &str, content: &str) -> Result<(), Failure> {
    let mut change = lock.change()?;
    change.file(name, Readers::All, content.as_bytes())?;
    Ok(change.commit()?)
}
