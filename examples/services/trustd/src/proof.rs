//! Formal proofs: of a journey, of a signature, of presence and of witnesses. Each is a signature record over a text
//! that holds its evidence, and a page that follows from it.
//!
//! | file | what it is |
//! |---|---|
//! | `types` | requests and answers |
//! | `rules` | what is answered in which form, how long a challenge lives |
//! | `store` | rows |
//! | `kept` | text and evidence at rest, under the erasure key of whom they are of |
//! | `covered` | evidence, as a checkpoint covers it, by the library |
//! | `print` | the page, by a program of its own |
//! | `work` | what the log's writer does for a proof |
//! | `erasing` | what it does when one is erased |
//! | `routes` | the addresses |

mod covered;
mod erasing;
mod kept;
mod print;
mod routes;
mod rules;
mod store;
#[cfg(test)]
mod tests;
mod types;
mod work;

pub(crate) use erasing::Journeys;
pub(crate) use routes::addresses;
pub use routes::router;
pub use store::sweep;

use platform::db::Statement;

/// All statements of this module.
pub const STATEMENTS: &[&[Statement]] = &[store::ALL];
