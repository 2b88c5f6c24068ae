//! Chains as others hand them over, as JSON lines or a JSON array: their entries, and what they show under a
//! checkpoint.
//!
//! ```
//! # use dualseal::checkpoint::{CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
//! # use dualseal::{Domain, Krunica, SigningKey, SystemRng, Timestamp, key::Unprepared};
//! # let domain = Domain::default();
//! # let log = domain.identity_id(b"", "log", "")?;
//! # let key = SigningKey::from_seed(&[5; 32])?;
//! # let signer = CheckpointSigner::new(&domain, "example.org/log", &log, &key)?;
//! # let mut chain = Krunica::new();
//! # let entry = chain.append(&domain, &log, "received", Timestamp::MIN)?;
//! # let first = HighWaterMark::first("example.org/log", chain.head(), None)?;
//! # let signed = signer.sign(&first, Timestamp::MIN, &mut SystemRng)?;
//! # let pins = Pins {
//! #     origin: "example.org/log".into(), identity_id: log, key_hash: *key.public_key().hash(), least_size: 1 };
//! # let verdict = CheckpointVerifier::new(&domain, &pins, None, &Unprepared).verify(signed);
//! # let checkpoint = verdict.valid().expect("valid");
//! use dualseal_operator::chain::{agree, read_for, under};
//!
//! let file: String = chain.entries().iter().map(|entry| entry.to_json_line()).collect();
//! assert_eq!(agree(&domain, file.as_bytes(), &checkpoint)?.head().size(), 1);
//!
//! let handle = entry.krunica_hash();
//! let place = read_for(file.as_bytes(), under(&domain, &checkpoint)?, |reader| reader.place(handle))?;
//! assert_eq!(place.expect("below the checkpoint").entry().seq(), 0);
//!
//! // A chain of which the end was cut off does not agree.
//! assert!(agree(&domain, &b""[..], &checkpoint).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what it is |
//! |---|---|
//! | `error` | why a chain is not read, or shows nothing |
//! | `elements` | the elements of a JSON array, one at a time |
//! | `portions` | entries that are handed over several at a time |
//! | `text` | a chain as text: all of its entries, or the last of them |
//! | `under` | a chain under one checkpoint |
//! | `agreements` | any number of checkpoints, held against a chain in one pass |

mod agreements;
mod elements;
mod error;
mod portions;
mod text;
mod under;

pub use agreements::{Agreed, Agreements, agreements};
pub use error::ChainError;
pub use portions::Portions;
pub use text::{ChainText, entries, entries_within, portions, portions_within};
pub use under::{agree, agree_stating, agreed, read, read_for, stated, under};
