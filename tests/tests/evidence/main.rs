//! Evidence in logarithmic size: proofs of place, rings and keys that a checkpoint states, and all of it in one file.

mod answers;
mod attested;
mod file;
mod histories;
mod lies;
mod place_proof;
