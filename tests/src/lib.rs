//! What the suites share: fixed keys and identities, a ring that is kept with its chain, broken random number
//! generators, the vectors, and readers of Rust source. No test is here.
#![allow(
    missing_docs,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    reason = "helpers of tests: they panic to fail, and the names of their small methods say it all"
)]

pub mod asking;
pub mod broken_json;
pub mod bundle;
pub mod catalogue;
pub mod circles;
pub mod contract;
pub mod files;
pub mod fixed;
pub mod listed;
pub mod log;
pub mod nodes;
pub mod parties;
pub mod prelude;
pub mod primitive;
pub mod quorum;
pub mod random;
pub mod raw_seal;
pub mod reading;
pub mod registry;
pub mod ring_file;
pub mod rust_modules;
pub mod rust_tokens;
pub mod shards;
pub mod sharing;
pub mod vault;
pub mod vectors;

pub use fixed::*;
