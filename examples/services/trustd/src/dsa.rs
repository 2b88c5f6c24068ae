//! Identities, their keys, and signature records.

mod routes;
mod rules;
mod store;
#[cfg(test)]
mod tests;
pub(crate) mod types;

pub use routes::router;
pub(crate) use routes::told;
pub(crate) use rules::{masked, may_sign_there};
pub use store::STATEMENTS;
pub(crate) use store::{counterfeit, decoy_info, is_there, may_sign};
