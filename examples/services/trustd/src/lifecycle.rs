//! Documents with an end: whose they are, until when they hold, and who is told before they end.
//!
//! | file | what it is |
//! |---|---|
//! | `types` | requests and answers |
//! | `rules` | days in the owner's zone, what is told when, states |
//! | `store` | rows |
//! | `routes` | the addresses |
//! | `fields` | what a request says, held to its rules |
//! | `work` | what the log's writer does for a document |
//! | `watch` | the loop over what ends |
//! | `texts` | what is said of it, in three languages |
//! | `facts` | what is answered to who asks by message |

mod facts;
mod fields;
mod routes;
mod rules;
mod store;
#[cfg(test)]
mod tests;
mod texts;
mod types;
mod watch;
mod work;

pub use facts::Documents;
pub(crate) use routes::addresses;
pub use routes::router;
pub(crate) use rules::{date, zone};
pub use watch::turn;

use platform::db::Statement;

/// All statements of this module.
pub const STATEMENTS: &[&[Statement]] = &[store::ALL];
