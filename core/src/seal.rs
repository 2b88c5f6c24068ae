//! Seals: HMAC-SHA3-512 over a payload (layer A), joined in the dual seal to an ML-DSA-65 signature that covers it
//! (layer B). What counts as verified is the verifier's policy, never the seal's own prefix.

mod key;
mod outcome;
mod sealer;
mod stream;
mod text;
mod verifier;

pub use key::SealKey;
pub use outcome::{Authenticated, Conclusion, LayerOutcome, SealOutcome, SealReport};
pub use sealer::{SealStream, Sealer, UnplacedSeal};
pub use text::{DualSeal, LegacySeal, Seal, SealFormat, SealId, SealInfo, claims_seal};
pub use verifier::{Legacy, Policy, SealCheck, SealVerifier};
