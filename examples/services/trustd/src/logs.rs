//! The log to strangers, who verify it, and to witnesses, who follow it.

mod routes;
mod rules;
pub(crate) mod seen;
mod store;
#[cfg(test)]
mod tests;
mod types;

pub use routes::router;

use platform::db::Statement;

/// All statements.
pub const STATEMENTS: &[&[Statement]] = &[seen::ALL, store::ALL];
