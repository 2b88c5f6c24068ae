//! The log to strangers, who verify it, and to witnesses, who follow it.

mod routes;
mod rules;
mod store;
mod types;

pub use routes::router;
pub use store::STATEMENTS;
