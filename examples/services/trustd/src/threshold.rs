//! Threshold sessions: k of n nodes sign, and no fewer; nor does the service by itself, once all of them have
//! acknowledged their shares.
//!
//! | file | what it is |
//! |---|---|
//! | `types` | requests and answers |
//! | `rules` | states, who may see a session, what counts as present |
//! | `store` | rows, and `store/given` those of shares that were given back |
//! | `routes` | HTTP, to the others |
//! | `in_force` | which generation of a session counts, by a walk of the log from its founding |
//! | `shown` | what is told of a session, and to whom |
//! | `found` | founding |
//! | `custody` | shares that are pulled and acknowledged, and the end of the service's own copies |
//! | `requests` | what nodes give their shares back for |
//! | `sign` | signing by what was given back, or by pairs in the body |
//! | `verify` | verifying |
//! | `refresh` | the secret dealt anew, in two steps |
//! | `orders` | the operator's word to nodes that older shares go |

mod custody;
mod found;
mod in_force;
mod orders;
mod refresh;
mod requests;
pub(crate) mod routes;
pub(crate) mod rules;
mod shown;
mod sign;
pub(crate) mod store;
#[cfg(test)]
mod tests;
pub(crate) mod types;
mod verify;

pub use requests::sweep;
pub use routes::router;
pub(crate) use store::{HELD_BY_NODE, LOST_WITH_NODE};

use platform::db::Statement;

/// All statements of the module.
pub const STATEMENTS: &[&[Statement]] = &[in_force::ALL, store::ALL, store::given::ALL];
