//! The notes of a log, for programs that know such logs: over the head of a checkpoint, and with what witnesses added.
//!
//! ```
//! # use dualseal::checkpoint::{CheckpointSigner, HighWaterMark};
//! # use dualseal::ed25519::Ed25519SigningKey;
//! # use dualseal::{Domain, Head, SigningKey, SystemRng};
//! use dualseal::note::{NoteKey, NoteKind, NoteName, NoteSignature};
//! use dualseal_operator::notes::{Cosigned, sign_note};
//!
//! # let (domain, time) = (Domain::default(), "2026-11-21T09:00:00.000Z".parse()?);
//! # let (ana, key) = (domain.identity_id(b"", "ana", "")?, SigningKey::from_seed(&[5; 32])?);
//! # let first = HighWaterMark::first("example.org/log", &Head::EMPTY, None)?;
//! let note_key = Ed25519SigningKey::from_seed(&[6; 32])?;
//! let signer = CheckpointSigner::new(&domain, "example.org/log", &ana, &key)?.with_note_key(note_key.public_key());
//! let checkpoint = signer.sign(&first, time, &mut SystemRng)?;
//! let note = sign_note(&checkpoint, &note_key).expect("the checkpoint names this key");
//!
//! // A witness gives it back with his line.
//! let (name, key) = (NoteName::new("ivo.example")?, Ed25519SigningKey::from_seed(&[7; 32])?);
//! let mut back = note.clone();
//! back.add(NoteSignature::cosign(note.body(), &name, &key, time)?)?;
//! let ivo = NoteKey::new(name, NoteKind::Witness, key.public_key());
//! let cosigned = Cosigned::merge(&checkpoint, [back.to_text()], &[ivo.clone()])?.expect("one was given");
//! assert_eq!(cosigned.seen(), [(ivo, time)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what it is |
//! |---|---|
//! | `error` | why a note is not taken |
//! | `cosigned` | one note of several that came back from witnesses |

mod cosigned;
mod error;

pub use cosigned::Cosigned;
pub use error::NotesError;

use dualseal::checkpoint::Checkpoint;
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::note::{Note, NoteBody, NoteKey, NoteKind, NoteName};

/// The note over the same head as a checkpoint; `None` where the checkpoint names no key for it, or another one, and
/// for a log whose name is none in notes.
#[must_use]
pub fn sign_note(checkpoint: &Checkpoint, key: &Ed25519SigningKey) -> Option<Note> {
    let origin = NoteName::new(checkpoint.origin()).ok()?;
    checkpoint.note_key().filter(|named| *named == key.public_key())?;
    let head = checkpoint.tree_head();
    Some(Note::sign(NoteBody { origin, size: head.size, root: head.root }, key))
}

/// The key of a log's notes, as a checkpoint of it names it.
///
/// # Errors
/// [`NotesError::Nameless`], [`NotesError::NoKey`].
pub fn note_key(checkpoint: &Checkpoint) -> Result<NoteKey, NotesError> {
    let origin = NoteName::new(checkpoint.origin()).map_err(NotesError::Nameless)?;
    let key = checkpoint.note_key().ok_or(NotesError::NoKey)?;
    Ok(NoteKey::new(origin, NoteKind::Log, key))
}
