//! Signature records: made by a [`Signer`], checked by a [`Verifier`] against a ring.

mod record;
mod signer;
mod unsigned;
mod verifier;

pub use record::{SignatureRecord, claims_signature};
pub use signer::{Signed, Signer};
pub use unsigned::Unsigned;
pub use verifier::Verifier;
