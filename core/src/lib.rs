//! Tamper-evident documents that outlive quantum computers.
//!
//! All logic of dualseal lives in this crate, as pure functions over explicit inputs: time, randomness, keys and the
//! previous chain head are arguments, never globals. There is no input or output but what a caller's readers and
//! writers do, no clock and no `unsafe`, and the crate needs no more than an allocator (`no_std` + `alloc`). What an
//! operator keeps in files is `dualseal-operator`'s.
//!
//! | module | what it is |
//! |---|---|
//! | [`error`] | the one error type: malformed input, rejected evidence, misuse, failed randomness |
//! | [`secret`] | fixed-size secrets that are wiped and never printed |
//! | [`domain`] | the constants that separate one deployment, and one use, from another |
//! | [`encoding`] | hexadecimal, timestamps, strict JSON and its canonical form |
//! | [`hash`] | SHA3, HMAC-SHA3 and HKDF-SHA3 that wipe their state |
//! | [`tree`] | Merkle trees of RFC 9162, and proofs in them |
//! | [`ed25519`] | Ed25519 keys and signatures, strict |
//! | [`note`] | signed notes of a log, and the cosignatures of its witnesses |
//! | [`mldsa`] | ML-DSA-65 keys and signatures |
//! | [`stream`] | encryption in chunks, bound to one key |
//! | [`field`] | the two fields of secret sharing |
//! | [`id`] | identifiers computed offline |
//! | [`shamir`] | secret sharing that names who sent a bad share |
//! | [`krunica`] | the append-only hash chain |
//! | [`witness`] | who follows a log and cosigns what only grew |
//! | [`key`] | keys with a four-valued state, and the ring that holds them |
//! | [`verdict`] | what a verification concludes, and how it is told |
//! | [`checkpoint`] | signed heads of the chain, and what they prove |
//! | [`reader`] | one reader of a chain, and what it proves |
//! | [`signature`] | signature records: made, read and verified |
//! | [`seal`] | HMAC and signature over one payload, joined |
//! | [`threshold`] | k of n custodians sign |
//! | [`shard`] | vault shards, each with a seal of its own |
//! | [`presence`] | proofs of presence before a secret is rebuilt |
//! | [`vault`] | records in nine layers: sealed, verified, unsealed, traced, erased |
//! | [`store`] | what an operator keeps beside ring and chain, under a MAC |
//! | [`evidence`] | a record with all that convinces a stranger, in one file |
//! | [`batch`] | many verifications at once |
//! | [`inspect`] | what a text is, and what is wrong with its form |
//!
//! A module uses only modules above it in this table. The byte formats are specified in `docs/FORMAT.md`, the names on
//! the wire are explained in `docs/GLOSSARY.md`.
//!
//! # Features
//!
//! All are additive: `std` (readers, writers and the shared key cache), `getrandom` ([`SystemRng`]), `pem`, `serde`,
//! `rayon` (batches on all cores), `simd` (hashes and verifies signatures with the vector instructions that the
//! processor is found to have), `libcrux` (makes keys and signs several times as fast: signs by `libcrux-ml-dsa`, makes
//! keys by the code of `simd`, or by libcrux without it; needs Rust 1.94, all else 1.89), `small` (without what libcrux
//! has for every processor).
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used,
    )
)]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

pub mod error;
pub mod secret;

pub mod domain;
pub mod encoding;
pub mod hash;
pub mod tree;

pub mod ed25519;
pub mod mldsa;
pub mod note;
pub mod stream;

pub mod field;
pub mod id;
pub mod shamir;

pub mod krunica;
pub mod witness;

pub mod key;
pub mod verdict;

pub mod checkpoint;
pub mod reader;

pub mod seal;
pub mod signature;

pub mod shard;
pub mod threshold;

pub mod presence;

pub mod vault;

pub mod store;

pub mod evidence;

pub mod batch;
pub mod inspect;

#[cfg(test)]
mod work;

pub use domain::Domain;
pub use encoding::time::Timestamp;
pub use error::Error;
pub use id::{ContentHash, HashedContent, IdentityId, VaultId};
pub use key::{CheckedRing, KeyPairInfo, KeyRing, KeyState, PublicKeyPairInfo, PublicRing, RingKey};
pub use krunica::{Entry, Head, Krunica, Located};
pub use mldsa::{ExpandedSigningKey, PublicKey, Signature, SigningKey};
pub use rand_core;
pub use signature::{SignatureRecord, Signed, Signer, Verifier};
pub use verdict::{PublicResult, Verdict, VerdictKind, VerificationResult, Verified};

/// The operating system's random number generator, for every argument that asks for a
/// [`TryCryptoRng`](rand_core::TryCryptoRng).
#[cfg(feature = "getrandom")]
pub use getrandom::SysRng as SystemRng;

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct ReadmeExamples;
