//! A log as a folder that any web server serves (C2SP `tlog-tiles`): written from a chain, and read for a few proofs
//! whatever the size of the log.
//!
//! | file | what it holds |
//! |---|---|
//! | `checkpoint` | the signed note, which changes last |
//! | `tile/`, `tile/entries/` | the tiles of the tree, and bundles of its leaves |
//! | `chain.jsonl`, `chain.index` | the chain's lines, as far as the note covers them, and where every 256th begins |
//! | `checkpoint.json` | the checkpoint that the log's own key signed over the same head |
//!
//! ```
//! # use dualseal::checkpoint::{CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
//! # use dualseal::ed25519::Ed25519SigningKey;
//! # use dualseal::note::{Note, NoteBody, NoteKey, NoteKind, NoteName};
//! # use dualseal::{Domain, Krunica, SigningKey, SystemRng, Timestamp, key::Unprepared};
//! # let domain = Domain::default();
//! # let log = domain.identity_id(b"", "log", "")?;
//! # let key = SigningKey::from_seed(&[5; 32])?;
//! # let notes = Ed25519SigningKey::from_seed(&[6; 32])?;
//! # let signer = CheckpointSigner::new(&domain, "example.org/log", &log, &key)?.with_note_key(notes.public_key());
//! # let mut chain = Krunica::new();
//! # for message in ["received", "paid", "sent"] {
//! #     chain.append(&domain, &log, message, Timestamp::MIN)?;
//! # }
//! # let first = HighWaterMark::first("example.org/log", chain.head(), None)?;
//! # let signed = signer.sign(&first, Timestamp::MIN, &mut SystemRng)?;
//! # let head = signed.tree_head();
//! # let origin = NoteName::new("example.org/log")?;
//! # let note = Note::sign(NoteBody { origin: origin.clone(), size: head.size, root: head.root }, &notes);
//! # let note_key = NoteKey::new(origin, NoteKind::Log, notes.public_key());
//! # let pins = Pins {
//! #     origin: "example.org/log".into(), identity_id: log, key_hash: *key.public_key().hash(), least_size: 1 };
//! # let verdict = CheckpointVerifier::new(&domain, &pins, None, &Unprepared).verify(signed);
//! # let checkpoint = verdict.valid().expect("valid");
//! # let path = std::env::temp_dir().join(format!("dualseal-tiles-doc-{}", std::process::id()));
//! use dualseal_operator::disk::Disk;
//! use dualseal_operator::tiles::{LogFolder, ToShow};
//!
//! let lines: String = chain.entries().iter().map(|entry| entry.to_json_line()).collect();
//! let folder = LogFolder::new(&path);
//! let shown = ToShow { domain: &domain, checkpoint: &checkpoint, note: &note, key: &note_key };
//! assert_eq!(folder.write(&Disk::new(), &shown, lines.as_bytes())?, 1);
//!
//! // Anybody who has the checkpoint reads one entry with its place, which the signed root proves.
//! let places = folder.places(checkpoint.record(), &[1])?;
//! assert_eq!(places[0].entry().message(), "paid");
//! # std::fs::remove_dir_all(&path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what it is |
//! |---|---|
//! | `error` | why a folder is not read or written |
//! | `folder` | the folder: its note, tiles and bundles |
//! | `places` | proofs from it |
//! | `write` | writing it |

mod error;
mod folder;
mod places;
mod write;

pub use error::TilesError;
pub use folder::{CHECKPOINT, INDEX, LINES, LogFolder, SIGNED};
pub use write::ToShow;
