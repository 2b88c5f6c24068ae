//! The C ABI: every function checks its pointers, calls the Rust library and hands the outcome over. No logic is here.
//!
//! The contract with C callers is written once, at the top of `include/dualseal.h` (from `cbindgen.toml`). Pointers
//! from C are followed in [`args`] and [`returned`] alone. A handle is an `Option<&T>` or `Option<Box<T>>`, which Rust
//! guarantees to be a C pointer that may be NULL.
#![allow(unsafe_code, reason = "a C ABI exports symbols and follows the caller's pointers")]
#![allow(clippy::too_many_arguments, reason = "C has no other way to pass optional and repeated outputs")]
#![allow(clippy::must_use_candidate, reason = "what must be looked at is marked by hand, and so marked in the header")]

mod args;
pub mod failure;
mod progress;
pub mod returned;

// In the order of the header.
pub mod constants;
pub mod status;

pub mod domain;
pub mod hasher;
pub mod identity;

pub mod public_key;
pub mod signing_key;

pub mod chain;
pub mod entry;
pub mod head;

pub mod ring;
pub mod ring_key;

pub mod cache;
pub mod signer;
pub mod verdict;
pub mod verifier;

pub mod agreement;
pub mod checkpoint;
pub mod consistency;

pub mod seal_check;
pub mod seal_key;
pub mod seal_report;
pub mod sealer;

pub mod inspect;

pub mod dealing;
pub mod secret;
pub mod shares;
pub mod stream;

pub mod quorum_key;
pub mod threshold;

pub mod ed25519;
pub mod presence;
pub mod rebuild;
pub mod shard;
pub mod split_check;

pub mod ledger_head;
pub mod sealing;
pub mod stored_hash;
pub mod vault;
pub mod vault_master;
pub mod vault_policy;
pub mod vault_record;

pub mod unseal;
pub mod vault_file;
pub mod vault_report;

pub mod batch;
pub mod identity_batch;
pub mod ledger_check;
pub mod seal_batch;
