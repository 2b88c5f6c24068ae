//! A proof that something stands in a log, in one text that needs nobody's answer (C2SP `tlog-proof`).

use super::spelling::{decoded, encoded};
use super::{Note, NoteKey};
use crate::error::{Error, NoteFault, Problem};
use crate::tree::{TreeHash, holds_leaf};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

const HEADER: &str = "c2sp.org/tlog-proof@v1\n";
/// As many as a tree of 2^64-1 leaves has.
const MOST_HASHES: usize = 64;

/// The index of a leaf, its path, and the log's note with what witnesses added; of none was anything verified yet.
///
/// ```
/// use dualseal::ed25519::Ed25519SigningKey;
/// use dualseal::note::{LogProof, Note, NoteBody, NoteKey, NoteKind, NoteName};
/// use dualseal::tree::{Tree, TreeHash};
///
/// let leaves = [b"one", b"two", b"six"].map(|leaf| TreeHash::of_leaf(leaf));
/// let tree: Tree = leaves.into_iter().collect();
/// let key = Ed25519SigningKey::from_seed(&[7; 32])?;
/// let origin = NoteName::new("example.org/log")?;
/// let note = Note::sign(NoteBody { origin: origin.clone(), size: 3, root: tree.root() }, &key);
///
/// let proof = LogProof::new(2, tree.path(2).expect("there are three"), note);
/// let read = LogProof::from_text(&proof.to_text())?;
/// let log = NoteKey::new(origin, NoteKind::Log, key.public_key());
/// read.verify(&leaves[2], &log)?;
/// assert!(read.verify(&leaves[1], &log).is_err());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogProof {
    extra: Option<Vec<u8>>,
    index: u64,
    path: Vec<TreeHash>,
    note: Note,
}

impl LogProof {
    /// A proof without anything extra.
    #[must_use]
    pub fn new(index: u64, path: Vec<TreeHash>, note: Note) -> Self {
        Self { extra: None, index, path, note }
    }

    /// The same with something that helps to find the leaf, and that nothing vouches for.
    #[must_use]
    pub fn with_extra(self, extra: &[u8]) -> Self {
        Self { extra: Some(extra.to_vec()), ..self }
    }

    /// Reads a proof.
    ///
    /// # Errors
    /// [`Error::Malformed`] for `tlog_proof` with the line, from 0: another first line, something extra that is no
    /// base64, an index that is none, a hash that is none, more than 64 of them; as [`Note::from_text`] for the rest.
    pub fn from_text(text: &str) -> Result<Self, Error> {
        let malformed = |line, problem| Error::malformed_at("tlog_proof", line, problem);
        let text = text.strip_prefix(HEADER).ok_or_else(|| malformed(0, Problem::UnknownValue))?;
        let (head, note) = text.split_once("\n\n").ok_or_else(|| malformed(1, Problem::MissingMember))?;
        let mut lines = (1..).zip(head.split('\n')).peekable();
        let extra = match lines.next_if(|(_, line)| line.starts_with("extra ")) {
            None => None,
            Some((number, line)) => {
                let bytes = line.strip_prefix("extra ").and_then(decoded);
                Some(bytes.ok_or_else(|| malformed(number, Problem::UnknownValue))?)
            }
        };
        let (number, line) = lines.next().ok_or_else(|| malformed(1, Problem::MissingMember))?;
        let digits = line.strip_prefix("index ").ok_or_else(|| malformed(number, Problem::MissingMember))?;
        // One spelling: no sign, no leading zeros.
        let index = digits.parse::<u64>().ok().filter(|index| index.to_string() == digits);
        let index = index.ok_or_else(|| malformed(number, Problem::Range))?;
        let mut path = Vec::new();
        for (number, line) in lines {
            if path.len() == MOST_HASHES {
                return Err(malformed(number, Problem::Range));
            }
            let hash = decoded(line).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
            path.push(TreeHash::from_bytes(hash.ok_or_else(|| malformed(number, Problem::UnknownValue))?));
        }
        Ok(Self { extra, index, path, note: Note::from_text(note)? })
    }

    /// The text, whose file ends in `.tlog-proof`.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::from(HEADER);
        if let Some(extra) = &self.extra {
            text.push_str(&["extra ", &encoded(extra), "\n"].concat());
        }
        text.push_str(&["index ", &self.index.to_string(), "\n"].concat());
        self.path.iter().for_each(|hash| text.push_str(&[&encoded(hash.as_bytes()), "\n"].concat()));
        text.push('\n');
        text.push_str(&self.note.to_text());
        text
    }

    /// What somebody added, which nothing vouches for.
    #[must_use]
    pub fn extra(&self) -> Option<&[u8]> {
        self.extra.as_deref()
    }

    /// The leaf's index, from 0.
    #[must_use]
    pub fn index(&self) -> u64 {
        self.index
    }

    /// From the leaf's sibling to the root's child.
    #[must_use]
    pub fn path(&self) -> &[TreeHash] {
        &self.path
    }

    /// The note, whose witnesses [`Witnesses::judge`](super::Witnesses::judge) counts.
    #[must_use]
    pub fn note(&self) -> &Note {
        &self.note
    }

    /// Whether the log whose key this is says that the leaf with this hash stands at the index. Who saw the log say so
    /// is another question.
    ///
    /// # Errors
    /// As [`Note::verify`]; [`NoteFault::NoPlace`].
    pub fn verify(&self, leaf: &TreeHash, log: &NoteKey) -> Result<(), Error> {
        self.note.verify(log)?;
        let body = self.note.body();
        if holds_leaf(&body.root, body.size, self.index, leaf, &self.path) {
            Ok(())
        } else {
            Err(NoteFault::NoPlace.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{NoteBody, NoteKind, NoteName};
    use super::*;
    use crate::ed25519::Ed25519SigningKey;
    use crate::error::{Malformed, Rejected};
    use crate::tree::Tree;
    use std::format;
    use std::vec;

    fn leaf(number: u64) -> TreeHash {
        TreeHash::of_leaf(&number.to_be_bytes())
    }

    fn proof(size: u64, index: u64) -> (LogProof, NoteKey) {
        let tree: Tree = (0..size).map(leaf).collect();
        let key = Ed25519SigningKey::from_seed(&[7; 32]).unwrap();
        let origin = NoteName::new("example.org/log").unwrap();
        let log = NoteKey::new(origin.clone(), NoteKind::Log, key.public_key());
        let note = Note::sign(NoteBody { origin, size, root: tree.root() }, &key);
        (LogProof::new(index, tree.path(usize::try_from(index).unwrap()).unwrap(), note), log)
    }

    fn malformed(text: &str) -> (&'static str, Option<u64>) {
        match LogProof::from_text(text).unwrap_err() {
            Error::Malformed(Malformed { field, index, .. }) => (field, index),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_written_is_read_and_holds() {
        for size in 1..20 {
            for index in 0..size {
                let (proof, log) = proof(size, index);
                for proof in [proof.clone(), proof.clone().with_extra(b""), proof.with_extra(b"entry")] {
                    let read = LogProof::from_text(&proof.to_text()).unwrap();
                    assert_eq!((read.index(), &read), (index, &proof));
                    assert_eq!(read.verify(&leaf(index), &log), Ok(()));
                    let elsewhere = LogProof { index: (index + 1) % size, ..read.clone() };
                    let no_place = Err(Error::Rejected(Rejected::Note(NoteFault::NoPlace)));
                    assert_eq!(read.verify(&leaf(99), &log), no_place);
                    assert!(size == 1 || elsewhere.verify(&leaf(index), &log) == no_place);
                }
            }
        }
    }

    /// The form of the example in the specification.
    #[test]
    fn the_form_is_that_of_the_specification() {
        let (proof, _) = proof(3, 2);
        let proof = proof.with_extra(b"age-v1.2.1");
        let text = proof.to_text();
        let note = proof.note().to_text();
        let hash = encoded(proof.path()[0].as_bytes());
        assert_eq!(text, format!("c2sp.org/tlog-proof@v1\nextra YWdlLXYxLjIuMQ==\nindex 2\n{hash}\n\n{note}"));
        assert_eq!((proof.extra(), proof.path().len()), (Some(&b"age-v1.2.1"[..]), 1));
    }

    #[test]
    fn what_has_another_form_is_refused() {
        let (proof, _) = proof(3, 2);
        let text = proof.with_extra(b"e").to_text();
        assert!(LogProof::from_text(&text).is_ok());
        let with = |from: &str, to: &str| {
            let other = text.replacen(from, to, 1);
            assert_ne!(other, text, "{from}");
            malformed(&other)
        };
        let hash = encoded(leaf(7).as_bytes());
        let hashes = vec![hash.as_str(); 65].join("\n");
        let proof_of = |line| ("tlog_proof", Some(line));
        assert_eq!(with("@v1", "@v2"), proof_of(0));
        assert_eq!(with("@v1\n", "@v1\r\n"), proof_of(0));
        assert_eq!(with("extra ZQ==", "extra ZQ="), proof_of(1));
        assert_eq!(with("extra ZQ==", "extra ZR=="), proof_of(1));
        assert_eq!(with("extra ZQ==", "extra"), proof_of(1));
        assert_eq!(with("extra ZQ==\n", "extra ZQ==\nextra ZQ==\n"), proof_of(2));
        for index in ["index 02", "index +2", "index -2", "index 18446744073709551616", "index ", "index 2 "] {
            assert_eq!(with("index 2", index), proof_of(2), "{index}");
        }
        assert_eq!(with("index 2\n", ""), proof_of(2));
        assert_eq!(with("index 2\n", "index 2\nAAAA\n"), proof_of(3));
        assert_eq!(with("index 2\n", &format!("index 2\n{hashes}\n")), proof_of(67));
        assert_eq!(with("index 2\n", "index 2\n\n").0, "note");
        assert_eq!(with("\n\nexample", "\nexample"), proof_of(4));
        assert_eq!(with("\nindex", "\n\nindex"), proof_of(1));
        assert_eq!(malformed("c2sp.org/tlog-proof@v1\nindex 2\n"), proof_of(1));
        assert_eq!(malformed(&(text.clone() + "\n")).0, "note");
    }
}
