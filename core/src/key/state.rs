//! The four-valued state of a key (BELA) and the algorithm names of records.

use crate::encoding::record::wire_names;
use crate::error::{Error, Problem};
use core::fmt;
use core::str::FromStr;

/// The state of a key. There is no default: whoever adds a key says what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyState {
    /// `istina`: valid.
    Valid,
    /// `laz`: revoked; verification always fails.
    Revoked,
    /// `oboje`: a honeypot; verification appears to pass to outsiders, and authorises nothing.
    Decoy,
    /// `nijedno`: suspended; verification neither confirms nor rejects.
    Suspended,
}

impl KeyState {
    const ALL: [Self; 4] = [Self::Valid, Self::Revoked, Self::Decoy, Self::Suspended];

    /// The name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Valid => "istina",
            Self::Revoked => "laz",
            Self::Decoy => "oboje",
            Self::Suspended => "nijedno",
        }
    }

    /// Whether it tells of no decoy.
    pub(super) fn check_public(self) -> Result<(), Error> {
        if self == self.public() { Ok(()) } else { Err(Error::malformed("bela_stanje", Problem::UnknownValue)) }
    }

    /// What an outsider may see: a decoy reads as valid.
    #[must_use]
    pub fn public(self) -> Self {
        match self {
            Self::Decoy => Self::Valid,
            state => state,
        }
    }
}

wire_names! { KeyState: Self::ALL }

impl FromStr for KeyState {
    type Err = Error;

    /// Reads the name on the wire.
    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| Error::malformed("bela_stanje", Problem::UnknownValue))
    }
}

impl fmt::Display for KeyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What made a record's signature, by the name in its `algoritam`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// `ML-DSA-65` (FIPS 204).
    MlDsa65,
    /// `SHAMIR-2^521-1-HMAC-SHA3-512`: a quorum that only its own shares can verify.
    ThresholdHmac,
    /// `SHAMIR-2^521-1-ML-DSA-65`: a quorum that anybody can verify.
    ThresholdMlDsa65,
}

impl Algorithm {
    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MlDsa65 => "ML-DSA-65",
            Self::ThresholdHmac => "SHAMIR-2^521-1-HMAC-SHA3-512",
            Self::ThresholdMlDsa65 => "SHAMIR-2^521-1-ML-DSA-65",
        }
    }
}

wire_names! { Algorithm: [Self::MlDsa65, Self::ThresholdHmac, Self::ThresholdMlDsa65] }

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
