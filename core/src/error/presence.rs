//! Why proofs of presence do not open the gate.

use super::catalogue::{Family, Row, catalogued};
use alloc::vec::Vec;
use core::fmt;

catalogued! {
    Rejected, "":
    /// Why proofs of presence do not open the gate.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum PresenceFault {
        /// The challenge has expired.
        Expired = 220, "presence-expired", "the challenge has expired";
        /// The challenge expires more than 300 seconds from now.
        ExpiryTooFar = 221, "presence-too-far", "the challenge expires more than 300 seconds from now";
        /// Fewer good proofs by different enrolled keys than the policy asks for.
        TooFew {
            /// How many the policy asks for.
            required: u8,
            /// How many there are.
            good: u8,
            /// The positions of the proofs that are not good: made for another request, by a key that is not enrolled,
            /// or with a bad signature.
            bad: Vec<u8>,
        } = 222, "presence-too-few", "too few proofs of presence are good";
        /// The nonce was used before.
        NonceUsed = 223, "presence-nonce-used", "the nonce of the challenge was used before";
        /// The signature of a statement does not hold under the pinned key.
        Signature = 224, "presence-signature", "the signature of the statement does not hold";
    }
}

impl fmt::Display for PresenceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew { required, good, bad } => {
                write!(f, "{good} of {required} proofs of presence are good")?;
                if !bad.is_empty() {
                    write!(f, "; not good are those at {bad:?}")?;
                }
                Ok(())
            }
            _ => f.write_str(self.row().text),
        }
    }
}
