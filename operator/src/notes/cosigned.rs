//! One note of several that came back from witnesses.

use super::{NotesError, note_key};
use dualseal::checkpoint::Checkpoint;
use dualseal::note::{Note, NoteKey, Witnesses};
use dualseal::{Error, Timestamp};
use std::collections::BTreeSet;

/// One note with what witnesses added to it.
#[derive(Clone, Debug)]
pub struct Cosigned {
    note: Note,
    seen: Vec<(NoteKey, Timestamp)>,
    unchecked: BTreeSet<String>,
    left_out: BTreeSet<String>,
}

impl Cosigned {
    /// The note of a checkpoint's head with what witnesses added, each of whom gave it back with his own line; `None`
    /// where no note was given. The log's own line must hold in each, and the cosignature of every witness who is
    /// named; then nobody else's is taken. Where none is named all are, and nobody looked at them.
    ///
    /// # Errors
    /// As [`note_key`]; [`NotesError::Note`], [`NotesError::OtherHead`] and [`NotesError::Witnesses`].
    pub fn merge(
        checkpoint: &Checkpoint,
        notes: impl IntoIterator<Item = impl AsRef<str>>,
        witnesses: &[NoteKey],
    ) -> Result<Option<Self>, NotesError> {
        let mut merged: Option<(NoteKey, Note)> = None;
        for (index, text) in notes.into_iter().enumerate() {
            let fault = |error| NotesError::Note { index, error };
            let log = note_key(checkpoint)?;
            let note = read(text.as_ref(), &log).map_err(fault)?;
            let (body, head) = (note.body(), checkpoint.tree_head());
            if (body.size, body.root) != (head.size, head.root) {
                return Err(NotesError::OtherHead { index });
            }
            let Some((_, merged)) = &mut merged else {
                merged = Some((log, note));
                continue;
            };
            for signature in note.signatures() {
                if !merged.signatures().contains(signature) {
                    merged.add(signature.clone()).map_err(fault)?;
                }
            }
        }
        merged.map(|(log, note)| Self::sorted(&note, &log, witnesses)).transpose()
    }

    fn sorted(given: &Note, log: &NoteKey, witnesses: &[NoteKey]) -> Result<Self, NotesError> {
        let judged = Witnesses::new(witnesses, witnesses.len()).and_then(|all| all.judge(given));
        let witnessed = judged.map_err(NotesError::Witnesses)?;
        let of_log = given.by(log);
        let others = given.signatures().iter().filter(|line| !of_log.signatures().contains(line));
        let (mut note, mut left_out, mut unchecked) = (of_log.clone(), BTreeSet::new(), BTreeSet::new());
        for line in others {
            let is_named = witnesses.iter().any(|key| given.by(key).signatures().contains(line));
            if !is_named && !witnesses.is_empty() {
                left_out.insert(line.name().to_owned());
                continue;
            }
            if !is_named {
                unchecked.insert(line.name().to_owned());
            }
            note.add(line.clone()).map_err(|error| NotesError::Note { index: 0, error })?;
        }
        let seen = |key: &NoteKey| Some((key.clone(), witnessed.seen_by(key.key())?));
        Ok(Self { note, seen: witnesses.iter().filter_map(seen).collect(), unchecked, left_out })
    }

    /// The note.
    #[must_use]
    pub fn note(&self) -> &Note {
        &self.note
    }

    /// The witnesses who were named, and when each says to have seen the log.
    #[must_use]
    pub fn seen(&self) -> &[(NoteKey, Timestamp)] {
        &self.seen
    }

    /// Whose lines are in it, though nobody looked at them.
    #[must_use]
    pub fn unchecked(&self) -> &BTreeSet<String> {
        &self.unchecked
    }

    /// Whose are not: nobody named them.
    #[must_use]
    pub fn left_out(&self) -> &BTreeSet<String> {
        &self.left_out
    }
}

/// The log's own line holds.
fn read(text: &str, log: &NoteKey) -> Result<Note, Error> {
    let note = Note::from_text(text)?;
    note.verify(log)?;
    Ok(note)
}

#[cfg(test)]
mod tests {
    use super::super::sign_note;
    use super::*;
    use dualseal::checkpoint::{CheckpointSigner, HighWaterMark};
    use dualseal::ed25519::Ed25519SigningKey;
    use dualseal::error::NoteFault;
    use dualseal::note::{NoteBody, NoteKind, NoteName, NoteSignature};
    use dualseal::{Domain, Krunica, SigningKey, SystemRng};

    const ORIGIN: &str = "example.org/log";

    fn key(seed: u8) -> Ed25519SigningKey {
        Ed25519SigningKey::from_seed(&[seed; 32]).unwrap()
    }

    fn time() -> Timestamp {
        "2026-11-22T09:00:00.000Z".parse().unwrap()
    }

    fn checkpoint(origin: &str, note_key: Option<u8>) -> Checkpoint {
        let domain = Domain::default();
        let (ana, signing) = (domain.identity_id(b"", "ana", "").unwrap(), SigningKey::from_seed(&[5; 32]).unwrap());
        let mut chain = Krunica::new();
        chain.append(&domain, &ana, "one", time()).unwrap();
        let mark = HighWaterMark::first(origin, chain.head(), None).unwrap();
        let signer = CheckpointSigner::new(&domain, origin, &ana, &signing).unwrap();
        let signer = match note_key {
            Some(seed) => signer.with_note_key(key(seed).public_key()),
            None => signer,
        };
        signer.sign(&mark, time(), &mut SystemRng).unwrap()
    }

    fn witness(name: &str, seed: u8) -> NoteKey {
        NoteKey::new(NoteName::new(name).unwrap(), NoteKind::Witness, key(seed).public_key())
    }

    /// The note with a witness's line.
    fn back(note: &Note, name: &str, seed: u8) -> String {
        let mut note = note.clone();
        let line = NoteSignature::cosign(note.body(), &NoteName::new(name).unwrap(), &key(seed), time()).unwrap();
        note.add(line).unwrap();
        note.to_text()
    }

    #[test]
    fn lines_of_named_witnesses_are_checked_and_of_others_left_out() {
        let signed = checkpoint(ORIGIN, Some(6));
        let note = sign_note(&signed, &key(6)).unwrap();
        let given = [back(&note, "ivo.example", 7), back(&note, "eva.example", 8), back(&note, "ivo.example", 7)];
        let names = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>();

        let all = Cosigned::merge(&signed, &given, &[]).unwrap().unwrap();
        assert_eq!(names(all.unchecked()), ["eva.example", "ivo.example"]);
        assert!(all.seen().is_empty() && all.left_out().is_empty());
        assert_eq!(all.note().signatures().len(), 3);

        let ivo = witness("ivo.example", 7);
        let named = Cosigned::merge(&signed, &given, std::slice::from_ref(&ivo)).unwrap().unwrap();
        assert_eq!(named.seen(), [(ivo.clone(), time())]);
        assert_eq!((names(named.left_out()), named.unchecked().len()), (vec!["eva.example".to_owned()], 0));
        assert_eq!(named.note().signatures().len(), 2);

        // Of a witness whose line is by another key, or not there, nothing is taken.
        for other in [witness("ivo.example", 9), witness("ada.example", 7)] {
            let refused = Cosigned::merge(&signed, &given, &[ivo.clone(), other]).unwrap_err();
            assert!(matches!(refused, NotesError::Witnesses(_)), "{refused:?}");
        }
        assert!(Cosigned::merge(&signed, [] as [&str; 0], &[ivo]).unwrap().is_none());
    }

    #[test]
    fn a_note_is_the_logs_own_over_the_same_head() {
        let signed = checkpoint(ORIGIN, Some(6));
        let note = sign_note(&signed, &key(6)).unwrap();
        let whole = note.to_text();
        let forged = Note::sign(note.body().clone(), &key(7)).to_text();
        let refused = Cosigned::merge(&signed, [&whole, &forged], &[]).unwrap_err();
        assert_eq!(refused, NotesError::Note { index: 1, error: NoteFault::Unsigned.into() });
        let other = Note::sign(NoteBody { size: 2, ..note.body().clone() }, &key(6)).to_text();
        assert_eq!(Cosigned::merge(&signed, [whole, other], &[]).unwrap_err(), NotesError::OtherHead { index: 1 });
    }

    #[test]
    fn a_checkpoint_names_the_key_of_its_note() {
        assert_eq!(sign_note(&checkpoint(ORIGIN, Some(6)), &key(7)), None);
        let nameless = checkpoint("a log", Some(6));
        assert_eq!(sign_note(&nameless, &key(6)), None);
        assert!(matches!(note_key(&nameless), Err(NotesError::Nameless(_))));
        let keyless = checkpoint(ORIGIN, None);
        assert_eq!(sign_note(&keyless, &key(6)), None);
        assert_eq!(note_key(&keyless).unwrap_err(), NotesError::NoKey);
    }
}
