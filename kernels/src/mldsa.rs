//! ML-DSA-65 (FIPS 204): verification (algorithm 8) from an expanded public key, the message representative given, and
//! key generation (algorithm 6).
//!
//! Whoever verifies passes what is public: keys, signatures, messages. Nothing of that runs in constant time. Secrets
//! go into [`make_key`] alone, and into what it calls: `short`, `encode`, and the arithmetic of `ntt`.
//!
//! It is written as FIPS 204 is, over polynomials that the compiler takes for vectors, and compiled once for each
//! [`Level`](crate::Level).
//!
//! | module | what it is |
//! |---|---|
//! | `ntt` | polynomials, the transform and its inverse, products: section 7.5 and 7.6 |
//! | `round` | high bits and hints: section 7.4 |
//! | `decode` | signatures and keys from their bytes: section 7.2 |
//! | `sample` | challenges and matrices from SHAKE: section 7.3 |
//! | `key` | public keys, expanded |
//! | `verify` | one signature: section 6.3 |
//! | `batch` | several |
//! | `make` | key pairs: section 6.1 |
//! | `short` | secret vectors from SHAKE: section 7.3 |
//! | `encode` | rounding, and keys to their bytes: sections 7.4 and 7.2 |
#![allow(clippy::inline_always, reason = "what is not inlined is not compiled for the level")]

mod batch;
mod decode;
mod encode;
mod key;
mod make;
mod ntt;
mod round;
mod sample;
mod short;
mod verify;

pub use batch::verify_batch;
pub use decode::{PUBLIC_KEY_BYTES, SIGNATURE_BYTES};
pub use encode::PRIVATE_KEY_BYTES;
pub use key::ExpandedKey;
pub use make::make_key;
pub use verify::{Claim, verify};
