//! Vehicles, and the clock of their return: where they crossed borders, how long they are away, and who is told when a
//! level is reached.
//!
//! | file | what it is |
//! |---|---|
//! | `types` | requests and answers |
//! | `rules` | levels, the state that follows from crossings |
//! | `store` | rows |
//! | `routes` | the addresses |
//! | `work` | what the log's writer does for vehicles and crossings |
//! | `decided` | the same where a crossing is taken back, or a report set aside |
//! | `policy` | the policy in force |
//! | `levels` | the loop over levels that are reached |
//! | `texts` | what is said of it, in three languages |
//! | `told` | whom it is told |
//! | `vehicles` | vehicles, for another module |
//! | `page` | the page of the office |
//! | `facts` | what is answered to who asks by message |

mod decided;
mod facts;
mod levels;
mod page;
mod policy;
mod routes;
mod rules;
mod store;
#[cfg(test)]
mod tests;
mod texts;
mod told;
mod types;
mod vehicles;
mod work;

pub use facts::Clocks;
pub use levels::{look, turn};
pub use policy::begin;
pub use routes::router;
pub(crate) use rules::is_state;
pub(crate) use vehicles::{Entered, Measured, Vehicles};

use platform::db::Statement;

/// All statements of this module.
pub const STATEMENTS: &[&[Statement]] = &[store::ALL, policy::ALL];
