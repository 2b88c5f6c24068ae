//! The C ABI: every function checks its pointers, calls the Rust library and hands the outcome over. No logic is here.
//!
//! The contract with C callers is written once, at the top of `include/dualseal.h` (from `cbindgen.toml`). Pointers
//! from C are followed in [`args`], [`handle`] and [`memory`] alone. Which functions there are, and why, is in
//! `include/KEEP.md`.
#![allow(unsafe_code, reason = "a C ABI exports symbols and follows the caller's pointers")]
#![allow(clippy::too_many_arguments, reason = "C has no other way to pass optional and repeated outputs")]
#![allow(clippy::must_use_candidate, reason = "what must be looked at is marked by hand, and so marked in the header")]

mod args;
mod guard;
mod handle;
mod handles;
mod list;
mod memory;
#[cfg(feature = "panics")]
mod panics;
mod places;
mod progress;

// `dualseal.h`, in its order.
pub mod call_error;
pub mod constants;
pub mod error;
pub mod returned;
pub mod status;

pub mod content;
pub mod domain;
pub mod public_key;
pub mod signing_key;

pub mod entry;
pub mod head;

pub mod ring;
pub mod ring_key;

pub mod cache;
pub mod signature;
pub mod verdict;

pub mod checkpoint;
pub mod public_ring;

pub mod chain_reader;
pub mod consistency;
pub mod located;
pub mod proofs;
pub mod ring_check;

pub mod evidence;

pub mod seal;
pub mod seal_key;
pub mod seal_report;

pub mod binary;

pub mod batch;
pub mod inspect;

// A header each, of the same name.
pub mod legacy;
pub mod sharing;
pub mod vault;
