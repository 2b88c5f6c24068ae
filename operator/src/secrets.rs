//! Where a master comes from, secrets at rest, erasure keys. Keys are derived and
//! streams made by the library's own types; nothing is asked of a person or printed.
//!
//! A store holds each secret as a stream under its [`Master`], bound to the [`Place`] where it stands:
//!
//! ```
//! use dualseal::{Domain, SystemRng};
//! use dualseal_operator::secrets::{Master, Place, SecretFault, Vaulted};
//!
//! let master = Master::draw(&Domain::default(), &mut SystemRng)?;
//! let place = Place::new("identities", b"ana", "signing-seed")?;
//! let row = Vaulted::seal(&master, place, &[7; 32], &mut SystemRng)?;
//! assert_eq!(row.open(&master)?.as_slice(), [7; 32]);
//!
//! // Moved to another row, it does not open.
//! let moved = Vaulted::read(Place::new("identities", b"bo", "signing-seed")?, row.into_stored())?;
//! assert_eq!(moved.open(&master).unwrap_err(), SecretFault::OtherKey);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What a place does not tell is which of two streams of one row is the newer: an older one of the same row opens.
//! Where that matters, the row's identifier holds a version that is kept elsewhere.
//!
//! # Erasing
//! A record's own secret hangs on an [`ErasureKey`], which stands in a store of its own that is mirrored as it is and
//! never kept as it was. Destroying the key erases the secret in every backup of the main store. With one key for
//! several records of one owner, those that stay are put under a new key before:
//!
//! 1. the new key goes into the key store, beside the old one;
//! 2. the row that is erased is deleted in the main store;
//! 3. [`rotate`] puts the rows that stay under the new key, until it is complete ([`Rotated::is_complete`]). It puts
//!    every row there that it finds, but those that it is told are erased ([`Rotation::erasing`]): one that was not
//!    deleted before is left as it is and refused;
//! 4. the old key is destroyed in the key store, and in its mirror.
//!
//! After a crash between two of them no row that stays is lost, and all four are done again. From then on a backup of
//! the main store from before opens none of that owner's records, so that a new one is due.
//!
//! | file | what it is |
//! |---|---|
//! | `place` | table, row and purpose |
//! | `fault` | why a secret at rest does not open |
//! | `key` | what secrets at rest are made under, the master among them |
//! | `vaulted` | a secret at rest |
//! | `erasure` | erasure keys |
//! | `rotation` | putting rows under a new key |
//! | `pem` | secret files, alone or under a passphrase |
//! | `source` | where a master comes from |
//! | `modes` | files that others may read or write |

mod erasure;
mod fault;
mod key;
mod modes;
mod pem;
mod place;
mod rotation;
mod source;
mod vaulted;

pub use erasure::{ErasureKey, RecordSecret};
pub use fault::SecretFault;
pub use key::{Master, WrappingKey};
pub use modes::{others_may_read, others_may_write};
pub use pem::{PemFault, SECRET_FILE_BYTES, SecretFile, SecretKind, is_secret, key_to_pem, seed_to_pem};
pub use place::Place;
pub use rotation::{Refused, Rewrapped, Rotated, Rotation, RotationFault, Rows, rotate};
pub use source::{MasterFault, MasterSource, Outside, Passphrase, credentials_directory};
pub use vaulted::Vaulted;
