//! Children of guardians: what is known of each, what it is told every day, and what is kept for it.
//!
//! | file | what it is |
//! |---|---|
//! | `types` | requests and answers |
//! | `rules` | age groups, days, which item is whose on which day |
//! | `pack` | the items, in three languages |
//! | `store` | rows |
//! | `texts` | texts at rest, each under a key of its own |
//! | `profile` | what is known of a child, opened |
//! | `listed` | a guardian's children, a page at a time |
//! | `routes` | the addresses |
//! | `work` | what the log's writer does for a child and a memory |
//! | `erase` | taking them away, also out of backups |
//! | `leaving` | children that are being erased |
//! | `bundle` | what shows strangers what was kept |

mod bundle;
mod erase;
mod leaving;
mod listed;
mod pack;
mod profile;
mod routes;
mod rules;
mod store;
#[cfg(test)]
mod tests;
mod texts;
mod types;
mod work;

pub use erase::go_on;
pub(crate) use routes::addresses;
pub use routes::router;

use platform::db::Statement;

/// All statements of this module.
pub const STATEMENTS: &[&[Statement]] = &[leaving::ALL, store::ALL];
