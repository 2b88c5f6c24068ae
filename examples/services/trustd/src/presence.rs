//! The authenticators by which people show that they are present: invited by two natives or by one that is present,
//! enrolled with an entry, and counting some time after that, so that whoever is told of a stranger's can object.
//!
//! | file | what it is |
//! |---|---|
//! | `types` | requests and answers |
//! | `rules` | what counts, and when |
//! | `store` | rows |
//! | `verify` | proofs by Ed25519 keys of the library's and by WebAuthn credentials |
//! | `answer` | what an authenticator answers to what it is asked |
//! | `told` | what an identity is told, in three languages |
//! | `work` | what the log's writer does: enrolments and removals |
//! | `routes` | the addresses |
//! | `page` | the page that enrols and approves in a browser |

pub(crate) mod answer;
pub(crate) mod page;
pub(crate) mod routes;
pub(crate) mod rules;
pub(crate) mod store;
mod told;
pub(crate) mod types;
pub(crate) mod verify;
pub(crate) mod work;

pub(crate) use routes::copied;
pub use routes::router;
pub(crate) use rules::Kind;
pub use store::{agree_by_host, invite_by_host, sweep, withdraw_of};
pub(crate) use store::{count, counting, of as authenticators_of};

/// All statements of this module.
pub const STATEMENTS: &[&[platform::db::Statement]] = &[store::ALL, store::INVITATIONS];
