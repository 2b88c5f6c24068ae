//! Checkpoints: signed heads of a chain, and what they prove. A chain alone shows an altered middle; a checkpoint also
//! shows a cut end, a chain written anew, altered times, and which ring the log has.

mod agreed;
mod attested;
mod consistency;
mod fingerprint;
mod follower;
mod growth;
mod high_water;
mod place;
mod record;
mod signer;
mod verifier;

pub use agreed::AgreedChain;
pub use attested::{AttestedKey, AttestedRing};
pub use consistency::{Comparison, Fork, compare};
pub(crate) use consistency::{contradict, ordered};
pub use fingerprint::LogFingerprint;
pub use follower::{Followed, Follower};
pub use growth::Growth;
pub(crate) use growth::agree;
pub use high_water::HighWaterMark;
pub use place::PlaceProof;
pub use record::Checkpoint;
pub use signer::CheckpointSigner;
pub use verifier::{CheckpointVerifier, Pins};

pub(crate) use place::stands;
