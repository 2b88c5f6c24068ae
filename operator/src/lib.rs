//! What an operator of a log holds (a ring, a chain, checkpoints, ledgers, records and the secrets bound to them), and
//! the one step that changes all of it or nothing; and what he and others read of logs, and show of them.
//!
//! | module | what it is |
//! |---|---|
//! | [`paths`] | paths in messages |
//! | [`disk`] | crash-safe writing: one file, one folder, or a change of several files by a journal; the lock |
//! | [`vault_file`] | sealing and unsealing a vault's documents from file to file |
//! | [`secrets`] | where a master comes from, secrets at rest, erasure keys |
//! | [`chain`] | chains as others hand them over, alone or held against checkpoints |
//! | [`trust`] | what a verifier trusts: public key files, rings; a log's domain in words |
//! | [`manifest`] | the files of a folder in one document, for one signature over all of them |
//! | [`names`] | the short names of identities, sealed by the ring key |
//! | [`tiles`] | a log as a folder that any web server serves, written and read |
//! | [`notes`] | a log's notes over the heads of its checkpoints, and with what witnesses added |
//! | [`evidence`] | evidence for strangers, made by whoever has the log; what is pinned of a log |
//! | [`own`] | the operator's own log: its checkpoints, what its chain contradicts, who may sign |
//! | [`step`] | the step: state in, changes out, with no input or output inside |
//! | [`opening`] | what a store has, held against itself before anything is done with it |
//! | [`folder`] | the driver over a folder |
//!
//! A module uses only modules above it in this table. Cryptography is `dualseal`'s; nothing here makes
//! any, and the passphrases of secret files are `pkcs8`'s.
#![forbid(unsafe_code)]

pub mod chain;
pub mod disk;
pub mod evidence;
pub mod folder;
pub mod manifest;
pub mod names;
pub mod notes;
pub mod opening;
pub mod own;
pub mod paths;
pub mod secrets;
pub mod step;
pub mod tiles;
pub mod trust;
pub mod vault_file;

/// The page on operating a log, whose example is run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/OPERATOR.md")]
struct Page;
