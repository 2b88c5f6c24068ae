//! Why proofs of presence do not open the gate.

use alloc::vec::Vec;
use core::fmt;

/// Why proofs of presence do not open the gate.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PresenceFault {
    /// The challenge has expired.
    Expired,
    /// The challenge expires more than 300 seconds from now.
    ExpiryTooFar,
    /// Fewer good proofs by different enrolled keys than the policy asks for.
    TooFew {
        /// How many the policy asks for.
        required: u8,
        /// How many there are.
        good: u8,
        /// The positions of the proofs that are not good: made for another request, by a key that is not enrolled, or
        /// with a bad signature.
        bad: Vec<usize>,
    },
    /// The nonce was used before.
    NonceUsed,
}

impl PresenceFault {
    pub(super) fn code(&self) -> u16 {
        match self {
            Self::Expired => 220,
            Self::ExpiryTooFar => 221,
            Self::TooFew { .. } => 222,
            Self::NonceUsed => 223,
        }
    }
}

impl fmt::Display for PresenceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expired => f.write_str("the challenge has expired"),
            Self::ExpiryTooFar => f.write_str("the challenge expires more than 300 seconds from now"),
            Self::TooFew { required, good, bad } => {
                write!(f, "{good} of {required} proofs of presence are good")?;
                if !bad.is_empty() {
                    write!(f, "; not good are those at {bad:?}")?;
                }
                Ok(())
            }
            Self::NonceUsed => f.write_str("the nonce of the challenge was used before"),
        }
    }
}
