//! Cosignatures: witnesses who follow a log say when they saw it, and that it only grew.

use super::{Note, NoteBody, NoteKey, NoteKind, NoteName, NoteSignature};
use crate::ed25519::{Ed25519PublicKey, Ed25519Signature, Ed25519SigningKey};
use crate::encoding::time::Timestamp;
use crate::error::{Error, NoteFault, Problem};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl NoteSignature {
    /// A witness's cosignature, for whoever saw that the log grew to this and nothing else. The time is cut to seconds.
    ///
    /// # Errors
    /// [`Problem::Range`] for a time before 1970-01-01T00:00:01Z.
    pub fn cosign(body: &NoteBody, name: &NoteName, key: &Ed25519SigningKey, time: Timestamp) -> Result<Self, Error> {
        let seconds = time.as_millis().checked_div(1000).and_then(|seconds| u64::try_from(seconds).ok());
        let seconds = seconds.filter(|seconds| *seconds > 0).ok_or_else(|| Error::malformed("time", Problem::Range))?;
        let named = NoteKey::new(name.clone(), NoteKind::Witness, key.public_key());
        let signature = key.sign(statement(seconds, body).as_bytes());
        let bytes = [&seconds.to_be_bytes()[..], signature.as_bytes()].concat();
        Ok(Self { name: name.to_string(), key_id: named.id(), bytes })
    }

    /// The time of a cosignature that holds; `None` where it does not.
    fn seen_at(&self, body: &NoteBody, key: &Ed25519PublicKey) -> Option<Timestamp> {
        let (seconds, signature) = self.bytes.split_first_chunk()?;
        let seconds = u64::from_be_bytes(*seconds);
        let signature = Ed25519Signature::from_bytes(signature.try_into().ok()?);
        let millis = i64::try_from(seconds).ok()?.checked_mul(1000).filter(|millis| *millis > 0)?;
        let time = Timestamp::within(millis)?;
        key.accepts(statement(seconds, body).as_bytes(), &signature).then_some(time)
    }
}

fn statement(seconds: u64, body: &NoteBody) -> String {
    format!("cosignature/v1\ntime {seconds}\n{}", body.to_text())
}

/// The witnesses that a verifier trusts, and how many of them must have seen a log.
///
/// ```
/// use dualseal::Timestamp;
/// use dualseal::ed25519::Ed25519SigningKey;
/// use dualseal::note::{Note, NoteBody, NoteKey, NoteKind, NoteName, NoteSignature, Witnesses};
/// use dualseal::tree::TreeHash;
///
/// let [log, witness] = [7, 8].map(|seed| Ed25519SigningKey::from_seed(&[seed; 32]));
/// let (log, witness) = (log?, witness?);
/// let origin = NoteName::new("example.org/log")?;
/// let mut note = Note::sign(NoteBody { origin, size: 0, root: TreeHash::empty() }, &log);
///
/// let (name, seen) = (NoteName::new("witness.example")?, "2026-11-22T09:00:00.000Z".parse()?);
/// note.add(NoteSignature::cosign(note.body(), &name, &witness, seen)?)?;
///
/// let trusted = NoteKey::new(name, NoteKind::Witness, witness.public_key());
/// let witnesses = Witnesses::new(&[trusted], 1)?;
/// assert_eq!(witnesses.judge(&note)?.time(), Some(seen));
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Witnesses {
    keys: Vec<NoteKey>,
    needed: usize,
}

/// Which witnesses saw a note, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witnessed {
    /// By the key, the earliest time that it gave.
    seen: BTreeMap<[u8; 32], Timestamp>,
    time: Option<Timestamp>,
}

impl Witnesses {
    /// Those of whom `needed` must have cosigned. Whoever names witnesses needs one of them at least: 0 asks for none,
    /// and goes with no keys.
    ///
    /// # Errors
    /// [`Problem::Range`] for `witnesses` where fewer different keys are given than are needed, for a key under two
    /// names is one witness, and where none of those that are given is needed. [`Problem::UnknownValue`] for a log's
    /// key.
    pub fn new(keys: &[NoteKey], needed: usize) -> Result<Self, Error> {
        if keys.iter().any(|key| key.kind() != NoteKind::Witness) {
            return Err(Error::malformed("witnesses", Problem::UnknownValue));
        }
        let mut different: Vec<&[u8; 32]> = keys.iter().map(|key| key.key().as_bytes()).collect();
        different.sort_unstable();
        different.dedup();
        if different.len() < needed || (needed == 0 && !keys.is_empty()) {
            return Err(Error::malformed("witnesses", Problem::Range));
        }
        Ok(Self { keys: keys.to_vec(), needed })
    }

    /// None, and none is needed.
    #[must_use]
    pub const fn none() -> Self {
        Self { keys: Vec::new(), needed: 0 }
    }

    /// As [`judge`](Self::judge), where there may be no note to have been seen.
    ///
    /// # Errors
    /// As [`judge`](Self::judge).
    pub(crate) fn judge_of(&self, note: Option<&Note>) -> Result<Witnessed, Error> {
        match note {
            Some(note) => self.judge(note),
            None if self.needed > 0 => Err(NoteFault::TooFewWitnesses { needed: self.needed, found: 0 }.into()),
            None => Ok(Witnessed { seen: BTreeMap::new(), time: None }),
        }
    }

    /// Counts who of them saw a note. Lines by nobody of them are passed over, since anybody can add one; one that says
    /// to be by one of them, and is not, is a forgery. Whose note it is, [`Note::verify`] says.
    ///
    /// # Errors
    /// [`NoteFault::Witness`] with the name; [`NoteFault::TooFewWitnesses`].
    pub fn judge(&self, note: &Note) -> Result<Witnessed, Error> {
        let mut seen: BTreeMap<[u8; 32], Timestamp> = BTreeMap::new();
        for signature in note.signatures() {
            // Names are not committed to by the key, and key ids are short: whoever of them it may be by.
            let mut named = self.keys.iter().filter(|key| signature.names(key)).peekable();
            if named.peek().is_none() {
                continue;
            }
            let held = named.find_map(|key| Some((key.key(), signature.seen_at(note.body(), key.key())?)));
            let (key, time) = held.ok_or_else(|| NoteFault::Witness { name: signature.name().to_string() })?;
            seen.entry(*key.as_bytes()).and_modify(|earliest| *earliest = time.min(*earliest)).or_insert(time);
        }
        if seen.len() < self.needed {
            return Err(NoteFault::TooFewWitnesses { needed: self.needed, found: seen.len() }.into());
        }
        let mut times: Vec<Timestamp> = seen.values().copied().collect();
        times.sort_unstable();
        let time = self.needed.checked_sub(1).and_then(|place| times.get(place)).copied();
        Ok(Witnessed { seen, time })
    }
}

impl Witnessed {
    /// When as many as were needed had seen it: the greatest of the smallest times. `None` where none was needed.
    #[must_use]
    pub fn time(&self) -> Option<Timestamp> {
        self.time
    }

    /// How many different witnesses saw it.
    #[must_use]
    pub fn count(&self) -> usize {
        self.seen.len()
    }

    /// All who did, by their keys, each with the earliest time that it gave.
    pub fn all(&self) -> impl Iterator<Item = (&[u8; 32], Timestamp)> {
        self.seen.iter().map(|(key, time)| (key, *time))
    }

    /// Whether the witness with this key did, and when.
    #[must_use]
    pub fn seen_by(&self, key: &Ed25519PublicKey) -> Option<Timestamp> {
        self.seen.get(key.as_bytes()).copied()
    }
}
