//! What a home folder has signed of its log: the last checkpoint, and its note for programs that know such logs.

use crate::failure::{Failure, HOME, USAGE};
use crate::home::Home;
use crate::input;
use crate::secrets::Passphrase;
use dualseal::checkpoint::Checkpoint;
use dualseal::key::KeyRing;
use dualseal::note::{Note, NoteBody, NoteKey, NoteKind, NoteName};
use dualseal::{Error, Verified};
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
    pub(crate) fn of(home: &Home, passphrase: &Passphrase) -> Result<Self, Failure> {
        NoteName::new(home.origin()).map_err(nameless)?;
        let checkpoint = last_checkpoint(home, &*home.ring(passphrase)?)?;
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

/// The note of the same head with what witnesses added: each of them gives it back with his own line.
pub(crate) fn cosigned(paths: &[PathBuf], checkpoint: &Checkpoint) -> Result<Option<Note>, Failure> {
    let mut merged: Option<Note> = None;
    for path in paths {
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
    Ok(merged)
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
