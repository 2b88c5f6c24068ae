//! The step: state in, changes out.
//!
//! A store that is written to while something waits for it must not be the place where an operation is thought out. So
//! a [`Batch`] takes what was loaded ([`State`]), lets any number of callers place what they do ([`Batch::step`],
//! microseconds each), gives out what is to be signed ([`ToSign`], on as many cores as there are), and returns
//! [`Changes`]: everything that the store writes in one transaction, or nothing of it. There is no input and no
//! output in here, no clock, no lock and no randomness but what is passed in; a driver brings them.
//!
//! ```
//! use dualseal::key::CheckedRing;
//! use dualseal::secret::Secret;
//! use dualseal::store::StoredState;
//! use dualseal::{Domain, Head, RingKey, SigningKey, SystemRng};
//! use dualseal_operator::step::{Batch, State, StepError};
//!
//! let domain = Domain::default();
//! let ana = domain.identity_id(b"", "ana", "")?;
//! let key = SigningKey::generate(&mut SystemRng)?;
//! let authority = RingKey::new(&domain, Secret::random(&mut SystemRng)?);
//! let ring = CheckedRing::new("example.org/log", &authority)?;
//! let state = State::new(&domain, ring, StoredState::new(Head::EMPTY))?;
//!
//! let (now, contract) = ("2026-11-21T09:00:00.000Z".parse()?, domain.content_hash(&ana, b"one contract"));
//! let mut batch = Batch::new(state);
//! let ticket = batch.step(now, |step| {
//!     step.add_key(&ana, key.public_key())?;
//!     step.sign(&ana, &contract)
//! })?;
//! let (placed, to_sign) = batch.place();
//! let signed = to_sign.into_iter().map(|one| one.sign(&key, &mut SystemRng)).collect::<Result<Vec<_>, _>>()?;
//! let (state, changes) = placed.finish(signed)?;
//!
//! // The store compares `changes.before` with the text that it has of the state, and writes all of it.
//! assert_eq!((changes.expected, changes.entries.len()), (Head::EMPTY, 2));
//! assert_eq!(changes.records[ticket.index()].identity_id(), &ana);
//! assert_eq!(*state.head(), changes.head);
//! # Ok::<(), StepError>(())
//! ```

mod batch;
mod changes;
mod error;
mod made;
mod one;
mod placed;
mod state;

pub use batch::Batch;
pub use changes::{Changes, Commit, RingRow, RingRows, SecretRow, TreeNode};
pub use error::StepError;
pub use made::Ticket;
pub use one::{Ended, MAX_MESSAGE, Step, Vaulted};
pub use placed::{Keys, Placed, SignedRecord, ToSign, sign_all};
pub use state::State;
