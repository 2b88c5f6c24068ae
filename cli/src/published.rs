//! What a home folder has signed of its log: the last checkpoint, and its note for programs that know such logs.

pub(crate) use dualseal_operator::notes::Cosigned;

use crate::failure::{Failure, HOME, USAGE};
use crate::home::Home;
use crate::input;
use crate::output::{Report, object, text};
use crate::secrets::Passphrase;
use dualseal::Verified;
use dualseal::checkpoint::Checkpoint;
use dualseal::encoding::json::Value;
use dualseal::key::KeyRing;
use dualseal::note::{Note, NoteKey, NoteName};
use dualseal_operator::notes::{NotesError, note_key, sign_note};
use dualseal_operator::paths::Show;
use std::fmt::Display;
use std::path::PathBuf;

/// What to do where no checkpoint covers what is asked for.
pub(crate) const SIGN: &str = "sign one by `dualseal checkpoint sign`";

/// A note has some lines of text.
const MOST: u64 = 1 << 20;

/// The last checkpoint, where it counts.
pub(crate) fn last_checkpoint(home: &Home, ring: &KeyRing) -> Result<Verified<Checkpoint>, Failure> {
    home.own_checkpoint(ring)?.ok_or_else(|| Failure::new(USAGE, "there is no checkpoint that counts", SIGN))
}

/// The last checkpoint with the note over the same head, by the key that the checkpoint names.
pub(crate) struct Published {
    checkpoint: Verified<Checkpoint>,
    note: Note,
    key: NoteKey,
}

impl Published {
    pub(crate) fn of(home: &Home, ring: &KeyRing, passphrase: &Passphrase) -> Result<Self, Failure> {
        NoteName::new(home.origin()).map_err(NotesError::Nameless)?;
        let checkpoint = last_checkpoint(home, ring)?;
        let Some(note) = note(home, checkpoint.record(), passphrase)? else {
            if home.note_key(passphrase)?.is_none() {
                let message = "this home folder has no key for the notes of its log";
                return Err(Failure::new(HOME, message, "restore note.key from a copy of the home folder"));
            }
            return Err(Failure::new(USAGE, "the last checkpoint names no note key, or another one", SIGN));
        };
        let key = note_key(checkpoint.record())?;
        Ok(Self { checkpoint, note, key })
    }

    pub(crate) fn checkpoint(&self) -> &Verified<Checkpoint> {
        &self.checkpoint
    }

    pub(crate) fn note(&self) -> &Note {
        &self.note
    }

    pub(crate) fn key(&self) -> &NoteKey {
        &self.key
    }
}

/// The note over the same head as a checkpoint, by the home folder's key; `None` where it has none, or the checkpoint
/// names another one.
pub(crate) fn note(home: &Home, checkpoint: &Checkpoint, passphrase: &Passphrase) -> Result<Option<Note>, Failure> {
    Ok(home.note_key(passphrase)?.and_then(|key| sign_note(checkpoint, &key)))
}

/// Notes that came back from witnesses.
#[derive(clap::Args, Debug)]
pub(crate) struct Notes {
    /// The note with the cosignature of a witness, as he gave it; may be given several times
    #[arg(long, value_name = "FILE")]
    note: Vec<PathBuf>,

    /// The key of a witness, whose cosignature must hold; none is taken of anybody who is not named, and without this
    /// option all are, unchecked; may be given several times
    #[arg(long, value_name = "KEY", requires = "note", value_parser = NoteKey::from_text)]
    witness: Vec<NoteKey>,
}

impl Notes {
    /// The note of the same head with what witnesses added, where one was given: each of them gives it back with his
    /// own line.
    pub(crate) fn read(&self, checkpoint: &Checkpoint) -> Result<Option<Cosigned>, Failure> {
        let texts = self.note.iter().map(|path| input::text_up_to(path, MOST)).collect::<Result<Vec<_>, _>>()?;
        let merged = Cosigned::merge(checkpoint, texts, &self.witness);
        merged.map_err(|error| match error {
            NotesError::Note { index, error } => Failure::from(error).about(self.path(index)),
            NotesError::OtherHead { index } => {
                let message = format!("{} is not the note of the last checkpoint", self.path(index));
                Failure::from(error).saying(message)
            }
            error => error.into(),
        })
    }

    fn path(&self, index: usize) -> impl Display {
        self.note.get(index).map(|path| path.shown().to_string()).unwrap_or_default()
    }
}

/// Says in an answer whose cosignatures are in the note, and who looked at them.
pub(crate) fn tell(found: Option<&Cosigned>, mut report: Report) -> Report {
    let (mut seen, mut unchecked, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(found) = found {
        for (key, time) in found.seen() {
            let name = key.name();
            seen.push(object([("name", text(name.as_str())), ("time", text(time.to_string()))]));
            report = report.line("witness", format!("{name} at {time}"));
        }
        for (names, told, what) in [
            (found.unchecked(), &mut unchecked, "Nobody checked these cosignatures: name their keys with --witness"),
            (found.left_out(), &mut left_out, "These cosignatures were left out, of witnesses that you do not name"),
        ] {
            told.extend(names.iter().map(text));
            if !names.is_empty() {
                let names = names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
                report = report.note(format!("{what}: {names}."));
            }
        }
    }
    report
        .member("witnesses", Value::Array(seen))
        .member("unchecked", Value::Array(unchecked))
        .member("left_out", Value::Array(left_out))
}

impl From<NotesError> for Failure {
    fn from(error: NotesError) -> Self {
        let (advice, name) = (error.advice(), error.name());
        match error {
            NotesError::Nameless(error) | NotesError::Witnesses(error) => Self::from(error).hint(advice),
            NotesError::Note { error, .. } => error.into(),
            NotesError::NoKey => Self::new(USAGE, "the last checkpoint names no note key", SIGN).refusing(name),
            error => Self::new(USAGE, error.to_string(), advice).refusing(name),
        }
    }
}
