//! Checkpoints: signed heads of a chain, and what they prove. A chain alone shows an altered middle; a checkpoint also
//! shows a cut end, a chain written anew, altered times, and which ring the log has.

mod agreement;
mod attested;
mod consistency;
mod fingerprint;
mod follower;
mod growth;
mod high_water;
mod place;
mod record;
mod ring_check;
mod signer;
mod verifier;

pub use agreement::{AgreedChain, ChainCheck};
pub use attested::{AttestedKey, AttestedRing};
pub use consistency::{Comparison, Consistency, ConsistencyCheck, Fork, compare};
pub use fingerprint::LogFingerprint;
pub use follower::{Followed, Follower};
pub use growth::Growth;
pub use high_water::HighWaterMark;
pub use place::PlaceProof;
pub use record::Checkpoint;
pub use ring_check::RingCheck;
pub use signer::CheckpointSigner;
pub use verifier::{CheckpointVerifier, Pins};

pub(crate) use place::stands;
