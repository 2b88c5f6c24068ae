//! Who saw a checkpoint: held against the lines of its note, by the library.

use crate::evidence::{Checkpoint, moment};
use crate::faulty::Faulty;
use crate::moment::Moment;
use crate::text::Vidio;
use dualseal::Timestamp;
use dualseal::ed25519::Ed25519PublicKey;
use dualseal::note::{Note, NoteKey, NoteKind, NoteName, Witnesses};
use std::collections::BTreeSet;

/// Each with when it saw the checkpoint: by name and key once, by a line of its own that its key signed then.
///
/// # Errors
/// [`Faulty::Witnesses`]: nobody saw it, the note is over another state, or a line does not hold.
pub(crate) fn seen(
    named: Vec<Vidio>,
    checkpoint: &Checkpoint,
    note: &str,
    origin: &str,
) -> Result<Vec<(Vidio, Moment)>, Faulty> {
    let note = Note::from_text(note).map_err(|_| Faulty::Witnesses)?;
    let body = note.body();
    let is_of_it = checkpoint.origin == origin
        && body.origin.as_str() == origin
        && body.size == checkpoint.size
        && body.root.to_string() == checkpoint.root;
    let names: BTreeSet<_> = named.iter().map(|seen| &seen.ime).collect();
    if !is_of_it || named.is_empty() || names.len() != named.len() {
        return Err(Faulty::Witnesses);
    }
    let keys = named.iter().map(key).collect::<Option<Vec<_>>>().ok_or(Faulty::Witnesses)?;
    // Two names of one key are one witness, of whom two are needed.
    let judged = Witnesses::new(&keys, keys.len()).and_then(|witnesses| witnesses.judge(&note));
    let judged = judged.map_err(|_| Faulty::Witnesses)?;
    for (seen, key) in named.iter().zip(&keys) {
        let time: Timestamp = seen.vrijeme.parse().map_err(|_| Faulty::Member("svjedoci"))?;
        if judged.seen_by(key.key()) != Some(time) {
            return Err(Faulty::Witnesses);
        }
    }
    named.into_iter().map(|seen| moment("svjedoci", &seen.vrijeme).map(|time| (seen, time))).collect()
}

fn key(seen: &Vidio) -> Option<NoteKey> {
    let key: Ed25519PublicKey = seen.kljuc.parse().ok()?;
    Some(NoteKey::new(NoteName::new(&seen.ime).ok()?, NoteKind::Witness, &key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dualseal::ed25519::Ed25519SigningKey;
    use dualseal::note::{NoteBody, NoteSignature};
    use dualseal::tree::TreeHash;

    const TIMES: [&str; 2] = ["2026-11-21T08:00:00.000Z", "2026-11-21T08:00:01.000Z"];

    fn signing(seed: u8) -> Ed25519SigningKey {
        Ed25519SigningKey::from_seed(&[seed; 32]).unwrap()
    }

    fn named(ime: &str, seed: u8, vrijeme: &str) -> Vidio {
        Vidio { ime: ime.to_owned(), kljuc: signing(seed).public_key().to_string(), vrijeme: vrijeme.to_owned() }
    }

    fn body(size: u64) -> NoteBody {
        NoteBody { origin: NoteName::new("a/log").unwrap(), size, root: TreeHash::of_leaf(b"leaf") }
    }

    /// The note of a log of nine entries, with a line of each of these names by its key.
    fn note(lines: &[(&str, u8)]) -> String {
        let mut note = Note::sign(body(9), &signing(1));
        for (name, seed) in lines {
            let time = TIMES[usize::from(*seed == 3)].parse().unwrap();
            let cosigned = NoteSignature::cosign(&body(9), &NoteName::new(name).unwrap(), &signing(*seed), time);
            note.add(cosigned.unwrap()).unwrap();
        }
        note.to_text()
    }

    fn checkpoint(origin: &str, size: u64) -> Checkpoint {
        let root = body(9).root.to_string();
        Checkpoint { origin: origin.to_owned(), root, size, time: TIMES[0].to_owned() }
    }

    #[test]
    fn a_witness_is_named_once_and_signed_its_line() {
        let (ivo, zora) = (named("ivo", 2, TIMES[0]), named("zora", 3, TIMES[1]));
        let of = |named: &[&Vidio], note: &str| {
            let named = named.iter().map(|one| (*one).clone()).collect();
            seen(named, &checkpoint("a/log", 9), note, "a/log").map(|seen| seen.len()).map_err(|_| ())
        };
        let both = note(&[("ivo", 2), ("zora", 3)]);
        assert_eq!((of(&[&ivo, &zora], &both), of(&[&ivo], &both)), (Ok(2), Ok(1)));
        assert_eq!(of(&[], &both), Err(()), "nobody");
        assert_eq!(of(&[&ivo, &ivo], &both), Err(()), "twice");
        assert_eq!(of(&[&ivo, &zora], &note(&[("ivo", 2)])), Err(()), "without a line");
        // A second key under a name that has a line, and a second name of a key that signed one.
        assert_eq!(of(&[&ivo, &named("ivo", 3, TIMES[1])], &note(&[("ivo", 2), ("ivo", 3)])), Err(()));
        assert_eq!(of(&[&ivo, &named("zora", 2, TIMES[0])], &note(&[("ivo", 2), ("zora", 2)])), Err(()));
        assert_eq!(of(&[&named("ivo", 3, TIMES[0])], &both), Err(()), "another's key");
        assert_eq!(of(&[&named("ivo", 2, TIMES[1])], &both), Err(()), "another time");
        let forged = both.replacen("\u{2014} zora ", "\u{2014} ivo ", 1);
        assert_eq!(of(&[&ivo, &zora], &forged), Err(()), "another's line");
        assert_eq!(of(&[&ivo], "x\n\n\u{2014} ivo YQ==\n"), Err(()), "no note");
    }

    #[test]
    fn what_they_saw_is_the_checkpoint_that_is_shown() {
        let of = |origin: &str, size: u64, note: &str| {
            seen(vec![named("ivo", 2, TIMES[0])], &checkpoint(origin, size), note, "a/log").is_ok()
        };
        let note = note(&[("ivo", 2)]);
        assert!(of("a/log", 9, &note));
        assert!(!of("a/log", 10, &note) && !of("b/log", 9, &note));
        let mut other = checkpoint("a/log", 9);
        other.root = TreeHash::of_leaf(b"other").to_string();
        assert!(seen(vec![named("ivo", 2, TIMES[0])], &other, &note, "a/log").is_err());
    }
}
