//! What a home folder has signed of its log, as its note says it.

use crate::failure::{Failure, HOME, USAGE};
use crate::home::Home;
use crate::secrets::Passphrase;
use dualseal::Verified;
use dualseal::checkpoint::Checkpoint;
use dualseal::note::{Note, NoteBody, NoteKey, NoteKind, NoteName};

/// The last checkpoint with the note over the same head, by the key that the checkpoint names.
pub(super) struct Published {
    checkpoint: Verified<Checkpoint>,
    note: Note,
    key: NoteKey,
}

impl Published {
    pub(super) fn of(home: &Home, passphrase: &Passphrase) -> Result<Self, Failure> {
        let origin = NoteName::new(home.origin()).map_err(|error| {
            let hint = "a log whose name has white space or a `+` has no notes; nothing else of it is the worse for it";
            Failure::from(error).hint(hint)
        })?;
        let sign = "sign one by `dualseal checkpoint sign`";
        let Some(checkpoint) = home.own_checkpoint(&*home.ring(passphrase)?)? else {
            return Err(Failure::new(USAGE, "there is no checkpoint that counts", sign));
        };
        let Some(key) = home.note_key(passphrase)? else {
            let message = "this home folder has no key for the notes of its log";
            return Err(Failure::new(HOME, message, "restore note.key from a copy of the home folder"));
        };
        if checkpoint.record().note_key() != Some(key.public_key()) {
            return Err(Failure::new(USAGE, "the last checkpoint names no note key, or another one", sign));
        }
        let head = checkpoint.record().tree_head();
        let named = NoteKey::new(origin.clone(), NoteKind::Log, key.public_key());
        let note = Note::sign(NoteBody { origin, size: head.size, root: head.root }, &key);
        Ok(Self { checkpoint, note, key: named })
    }

    pub(super) fn checkpoint(&self) -> &Verified<Checkpoint> {
        &self.checkpoint
    }

    pub(super) fn note(&self) -> &Note {
        &self.note
    }

    pub(super) fn key(&self) -> &NoteKey {
        &self.key
    }
}
