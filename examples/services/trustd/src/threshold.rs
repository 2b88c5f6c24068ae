//! threshold

mod routes;
mod rules;
mod store;
mod types;

pub use routes::router;
