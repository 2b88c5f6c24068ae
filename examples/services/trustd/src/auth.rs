//! auth
pub(crate) mod routes;
pub(crate) mod rules;
pub(crate) mod store;
pub(crate) mod types;
