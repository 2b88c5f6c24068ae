//! Other services: who they say they are, which of them a native has approved, and those that others list.
//!
//! | file | what it is |
//! |---|---|
//! | `types` | requests and answers |
//! | `rules` | names, addresses, states |
//! | `store` | rows |
//! | `routes` | the addresses |
//! | `work` | what the log's writer does when a peer is approved or removed |
//! | `pull` | what others list, and the end of what nobody approved |

mod pull;
mod routes;
mod rules;
mod store;
#[cfg(test)]
mod tests;
mod types;
mod work;

pub use pull::turn;
pub use routes::router;

use platform::db::Statement;

/// All statements of this module.
pub const STATEMENTS: &[&[Statement]] = &[store::ALL];
