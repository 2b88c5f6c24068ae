//! ML-DSA-65 verification (FIPS 204, algorithm 8) from an expanded public key, the message representative given.
//!
//! Everything here is public: keys, signatures, messages. Nothing runs in constant time, and no secret may be passed.
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
#![allow(clippy::inline_always, reason = "what is not inlined is not compiled for the level")]

mod batch;
mod decode;
mod key;
mod ntt;
mod round;
mod sample;
mod verify;

pub use batch::verify_batch;
pub use decode::{PUBLIC_KEY_BYTES, SIGNATURE_BYTES};
pub use key::ExpandedKey;
pub use verify::{Claim, verify};
