//! Files that are watched for changes: what the deployer signed, or, without that, what was there at the start.
//!
//! | file | what it is |
//! |---|---|
//! | `types` | answers |
//! | `rules` | what differs, which manifest counts, whose a file is |
//! | `tree` | what is there, read so that nobody exchanges it meanwhile |
//! | `manifest` | what was signed |
//! | `look` | one look |
//! | `store` | rows |
//! | `watch` | looks again and again |
//! | `routes` | the addresses |

mod look;
mod manifest;
mod routes;
mod rules;
mod store;
#[cfg(test)]
mod tests;
mod tree;
mod types;
mod watch;

pub(crate) use look::{Held, Place, Seen};
pub(crate) use manifest::{Manifest, pin_of};
pub(crate) use routes::addresses;
pub use routes::router;
pub(crate) use rules::Difference;
pub(crate) use tree::{Globs, Staged, is_whole, list};
pub(crate) use watch::mark;
pub use watch::{Watch, run};

use platform::db::Statement;

/// All statements of this module.
pub const STATEMENTS: &[&[Statement]] = &[store::ALL];
