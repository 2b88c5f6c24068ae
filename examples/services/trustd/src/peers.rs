//! Other services: who they say they are, which of them a native has approved, and those that others list.
//!
//! | file | what it is |
//! |---|---|
//! | `types` | requests and answers |
//! | `rules` | names, addresses, states |
//! | `store` | rows |
//! | `door` | who registers: how many, and of whom |
//! | `routes` | the addresses |
//! | `work` | what the log's writer does when a peer is approved or removed |
//! | `asking`, `login` | the way to another service, and signing in there |
//! | `sources` | services that are not read |
//! | `pull` | what others list, and the end of what nobody approved |

mod asking;
mod door;
mod login;
mod pull;
mod routes;
mod rules;
mod sources;
mod store;
#[cfg(test)]
mod tests;
mod types;
mod work;

pub(crate) use asking::name as source;
pub(crate) use login::enrolled;
pub use pull::turn;
pub use routes::router;
pub use sources::Sources;

use platform::db::Statement;

/// All statements of this module.
pub const STATEMENTS: &[&[Statement]] = &[store::ALL];
