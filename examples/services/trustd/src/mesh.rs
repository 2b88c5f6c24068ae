//! The monitor: what is looked at each hour, by a program of its own, so that it outlives the service; and what it says
//! of itself to peers.
//!
//! | file | what it is |
//! |---|---|
//! | `types` | answers |
//! | `rules` | the checks by name, when each fails, what is told |
//! | `store` | rows, and what a run leaves for the next one |
//! | `routes` | the addresses |
//! | `inside` | what is looked at on this machine |
//! | `outside` | what is asked elsewhere |
//! | `run` | one run |

mod inside;
mod outside;
mod routes;
mod rules;
mod run;
mod store;
mod types;

pub use routes::router;
pub use run::{check, quiet};

use platform::db::Statement;

/// All statements of this module.
pub const STATEMENTS: &[&[Statement]] = &[store::ALL];
