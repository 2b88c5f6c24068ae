//! Evidence for strangers, made by whoever has the log; and what a verifier pinned of a log.
//!
//! ```
//! # use dualseal::checkpoint::{CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
//! # use dualseal::key::{CheckedRing, Unprepared};
//! # use dualseal::store::StoredState;
//! # use dualseal::{Domain, Head, RingKey, SigningKey, SystemRng};
//! # use dualseal_operator::step::{Batch, State};
//! # let (domain, time) = (Domain::default(), "2026-11-21T09:00:00.000Z".parse()?);
//! # let (ana, key) = (domain.identity_id(b"", "ana", "")?, SigningKey::from_seed(&[5; 32])?);
//! # let authority = RingKey::generate(&domain, &mut SystemRng)?;
//! # let empty = State::new(&domain, CheckedRing::new("example.org/log", &authority)?, StoredState::new(Head::EMPTY))?;
//! # let mut batch = Batch::new(empty);
//! # batch.step(time, |step| {
//! #     step.add_key(&ana, key.public_key())?;
//! #     step.sign(&ana, &domain.content_hash(&ana, b"one contract"))
//! # })?;
//! # let (placed, to_sign) = batch.place();
//! # let signed = to_sign.into_iter().map(|one| one.sign(&key, &mut SystemRng)).collect::<Result<Vec<_>, _>>()?;
//! # let (state, changes) = placed.finish(signed)?;
//! # let ring = state.ring();
//! # let first = HighWaterMark::first("example.org/log", state.head(), Some(ring))?;
//! # let signer = CheckpointSigner::new(&domain, "example.org/log", &ana, &key)?;
//! # let signed = signer.sign(&first, time, &mut SystemRng)?;
//! # let pins = Pins {
//! #     origin: "example.org/log".into(), identity_id: ana, key_hash: *key.public_key().hash(), least_size: 1 };
//! # let verdict = CheckpointVerifier::new(&domain, &pins, None, &Unprepared).verify(signed);
//! # let checkpoint = verdict.valid().expect("valid");
//! # let chain: String = changes.entries.iter().map(|entry| entry.to_json_line()).collect();
//! # let record = changes.records[0].to_json();
//! use dualseal::evidence::{EvidenceFile, EvidencePolicy};
//! use dualseal_operator::evidence::{EvidenceError, Given, Maker};
//!
//! // The operator has the record, his ring and chain, and the last checkpoint.
//! let given = Given::read::<EvidenceError>(record.as_bytes(), || Ok(None))?;
//! let maker = Maker::new(&domain, Some("DUALSEAL"), ring, &checkpoint)?;
//! let places = maker.places(&given, chain.as_bytes())?;
//! let made = maker.make(&given, &places, None, None)?;
//! let made = maker.choose(made, &b"one contract"[..])?;
//! assert_eq!((made.identity_id, made.seq), (ana, 1));
//!
//! // A stranger has the file, the document and the log's fingerprint.
//! let file = EvidenceFile::from_json(made.file()?.to_json().as_bytes())?;
//! let open = file.open(&EvidencePolicy::of_log(checkpoint.record().fingerprint(&domain)))?;
//! let mut check = open.begin();
//! check.update(b"one contract");
//! assert!(check.finish().is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what it is |
//! |---|---|
//! | `error` | why no evidence is made |
//! | `given` | the record that it is made for |
//! | `maker` | making it |
//! | `pinned` | what is pinned of a log |

mod error;
mod given;
mod maker;
mod pinned;

pub use error::EvidenceError;
pub use given::Given;
pub use maker::{Made, Maker, Places, only};
pub use pinned::{PinnedLog, own_pins};
