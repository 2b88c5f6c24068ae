//! What can be wrong with a proof over the log's tree.

use super::catalogue::{Family, Row, catalogued};
use core::fmt;

catalogued! {
    Rejected, "":
    /// A proof over the log's tree that does not hold.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum ProofFault {
        /// One tree is not shown to go on from another.
        NotGrown {
            /// The size of the tree that was there first.
            size: u64,
            /// The size of the other.
            found: u64,
        } = 270, "not-grown", "it is not shown that the log only grew";
    }
}

impl fmt::Display for ProofFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotGrown { size, found } => {
                write!(f, "it is not shown that the log of {found} entries goes on from the one of {size}")
            }
        }
    }
}

impl core::error::Error for ProofFault {}
