//! Checkpoints: signed heads of a chain, and what they prove. A chain alone shows an altered middle; a checkpoint also
//! shows a cut end, a chain written anew, and altered times.

mod agreement;
mod consistency;
mod record;
mod ring_check;
mod signer;
mod verifier;

pub use agreement::{AgreedChain, ChainCheck};
pub use consistency::{Comparison, Consistency, ConsistencyCheck, Fork, compare};
pub use record::Checkpoint;
pub use ring_check::RingCheck;
pub use signer::CheckpointSigner;
pub use verifier::{CheckpointVerifier, Pins};
