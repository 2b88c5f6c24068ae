//! What a checkpoint says of a ring.

use crate::encoding::record::record;
use crate::tree::TreeHash;

/// A ring in two words, `{"revision","root"}`: how many changes it has seen, and the root that its last ring entry
/// states. Two rings of one revision and different roots cannot both be the log's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingHead {
    /// The number of changes of current and retired keys, 1 or more.
    pub revision: u64,
    /// `SHA-256(02 ‖ number of keys as u64 big-endian ‖ root of the tree over the public objects)`.
    pub root: TreeHash,
}

record! {
    |head: RingHead| "ring" {
        "revision" revision: u64,
        "root" root: TreeHash,
    }
}
