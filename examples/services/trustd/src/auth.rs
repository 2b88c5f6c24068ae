//! Tokens, logins and invitations over HTTP, under `/api/v1/auth`, and the keys of tokens at their well-known address.
pub mod routes;
pub(crate) mod rules;
pub(crate) mod shut_out;
pub(crate) mod store;
pub mod types;

pub use routes::router;
