//! What a home folder has signed of its log: the last checkpoint, and its note for programs that know such logs.

use crate::failure::{Failure, HOME, USAGE};
use crate::home::Home;
use crate::input;
use crate::output::{Report, object, text};
use crate::secrets::Passphrase;
use dualseal::checkpoint::Checkpoint;
use dualseal::encoding::json::Value;
use dualseal::key::KeyRing;
use dualseal::note::{Note, NoteBody, NoteKey, NoteKind, NoteName, Witnesses};
use dualseal::{Error, Timestamp, Verified};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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
        NoteName::new(home.origin()).map_err(nameless)?;
        let checkpoint = last_checkpoint(home, ring)?;
        let Some(note) = note(home, checkpoint.record(), passphrase)? else {
            if home.note_key(passphrase)?.is_none() {
                let message = "this home folder has no key for the notes of its log";
                return Err(Failure::new(HOME, message, "restore note.key from a copy of the home folder"));
            }
            return Err(Failure::new(USAGE, "the last checkpoint names no note key, or another one", SIGN));
        };
        let key = key_of(checkpoint.record())?;
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
    let (Ok(origin), Some(named)) = (NoteName::new(home.origin()), checkpoint.note_key()) else { return Ok(None) };
    let key = home.note_key(passphrase)?.filter(|key| key.public_key() == named);
    let head = checkpoint.tree_head();
    Ok(key.map(|key| Note::sign(NoteBody { origin, size: head.size, root: head.root }, &key)))
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

/// One note with what witnesses added to it.
pub(crate) struct Cosigned {
    pub(crate) note: Note,
    /// Who was looked at, and when he says to have seen the log.
    seen: Vec<(String, Timestamp)>,
    /// Whose lines are in it, though nobody looked at them.
    unchecked: BTreeSet<String>,
    /// Whose are not.
    left_out: BTreeSet<String>,
}

impl Notes {
    /// The note of the same head with what witnesses added, where one was given: each of them gives it back with his
    /// own line.
    pub(crate) fn read(&self, checkpoint: &Checkpoint) -> Result<Option<Cosigned>, Failure> {
        let mut merged: Option<Note> = None;
        for path in &self.note {
            let note = cosigned_note(path, checkpoint)?;
            let Some(merged) = &mut merged else {
                merged = Some(note);
                continue;
            };
            for signature in note.signatures() {
                if !merged.signatures().contains(signature) {
                    merged.add(signature.clone()).map_err(|error| Failure::from(error).about(path.display()))?;
                }
            }
        }
        merged.map(|note| self.checked(&note, &key_of(checkpoint)?)).transpose()
    }

    /// The log's own lines hold.
    fn checked(&self, given: &Note, log: &NoteKey) -> Result<Cosigned, Failure> {
        let judged = Witnesses::new(&self.witness, self.witness.len()).and_then(|all| all.judge(given));
        let hint = "ask each witness that you name, once, for the note with his line, or do not name him";
        let witnessed = judged.map_err(|error| Failure::from(error).hint(hint))?;
        let of_log = given.by(log);
        let others = given.signatures().iter().filter(|line| !of_log.signatures().contains(line));
        let (mut note, mut left_out, mut unchecked) = (of_log.clone(), BTreeSet::new(), BTreeSet::new());
        for line in others {
            let is_named = self.witness.iter().any(|key| given.by(key).signatures().contains(line));
            if !is_named && !self.witness.is_empty() {
                left_out.insert(line.name().to_owned());
                continue;
            }
            if !is_named {
                unchecked.insert(line.name().to_owned());
            }
            note.add(line.clone())?;
        }
        let seen = |key: &NoteKey| Some((key.name().to_string(), witnessed.seen_by(key.key())?));
        Ok(Cosigned { note, seen: self.witness.iter().filter_map(seen).collect(), unchecked, left_out })
    }
}

impl Cosigned {
    /// Says in an answer whose cosignatures are in the note, and who looked at them.
    pub(crate) fn tell(found: Option<&Self>, mut report: Report) -> Report {
        let (mut seen, mut unchecked, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
        if let Some(found) = found {
            for (name, time) in &found.seen {
                seen.push(object([("name", text(name)), ("time", text(time.to_string()))]));
                report = report.line("witness", format!("{name} at {time}"));
            }
            for (names, told, what) in [
                (&found.unchecked, &mut unchecked, "Nobody checked these cosignatures: name their keys with --witness"),
                (&found.left_out, &mut left_out, "These cosignatures were left out, of witnesses that you do not name"),
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
}

fn cosigned_note(path: &Path, checkpoint: &Checkpoint) -> Result<Note, Failure> {
    let text = input::text_up_to(path, MOST)?;
    let key = key_of(checkpoint)?;
    let read = || -> Result<Note, Error> {
        let note = Note::from_text(&text)?;
        note.verify(&key)?;
        Ok(note)
    };
    let note = read().map_err(|error| Failure::from(error).about(path.display()))?;
    let (body, head) = (note.body(), checkpoint.tree_head());
    if (body.size, body.root) != (head.size, head.root) {
        let message = format!("{} is not the note of the last checkpoint", path.display());
        return Err(Failure::new(USAGE, message, "ask the witnesses for the newest one"));
    }
    Ok(note)
}

fn key_of(checkpoint: &Checkpoint) -> Result<NoteKey, Failure> {
    let origin = NoteName::new(checkpoint.origin()).map_err(nameless)?;
    let key = checkpoint.note_key();
    let none = || Failure::new(USAGE, "the last checkpoint names no note key", SIGN);
    Ok(NoteKey::new(origin, NoteKind::Log, key.ok_or_else(none)?))
}

fn nameless(error: Error) -> Failure {
    let hint = "a log whose name has white space or a `+` has no notes; nothing else of it is the worse for it";
    Failure::from(error).hint(hint)
}
