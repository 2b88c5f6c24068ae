//! What can be wrong with what is to be trusted.

use dualseal::Error;
use std::fmt;

/// Why a file is not trusted, or does not say what is asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrustError {
    /// It is a secret key: whoever gave it gave away more than was asked for.
    Secret,
    /// It has a line that is nearly one of those that files have, one of them twice, or one that is not before the key.
    Line(String),
    /// It names a creator, and whose key it is was not computed from that.
    Creator,
    /// It is of a key of which only the fingerprint is known, and what was given does not carry the key.
    OnlyFingerprint,
    /// What was given carries another key than the one whose fingerprint is known.
    OtherKey,
    /// What the library says.
    Library(Error),
    /// The words of a domain are not those of one.
    Domain(String),
    /// A row or label of a domain is none.
    Constant {
        /// Its name in the words.
        name: String,
        /// What is wrong with it.
        error: Error,
    },
    /// The ring is not the one that the checkpoint states.
    OtherRing(Error),
    /// The ring has several signers, and which of them it must be is not said.
    Several,
    /// Nobody says whose key it is.
    Nobody,
    /// It is no file of a key that shows a tier.
    NoTierKey,
    /// It does not say whose key it is, and for which tier.
    NoTier,
    /// A key cannot be encoded, which is a defect of this program.
    Encoding,
}

impl TrustError {
    /// What to do.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Secret => "ask for the public key file, and keep this one secret",
            Self::Line(_) => "write the line as it was meant, or ask for the file again",
            Self::Creator => "ask the signer for the file again, and compare it over another channel",
            Self::OnlyFingerprint => "give the public key file",
            Self::OtherKey => "ask the sender for the record by the key that you mean",
            Self::Library(_) => "ask whoever gave the file for a whole copy",
            Self::Domain(_) | Self::Constant { .. } => {
                "write {\"name\":\"ACME\"}, with `prefixes`, `suffixes`, `labels` and `shared` where they are set by \
                 hand"
            }
            Self::OtherRing(_) => {
                "ask the log's operator for the ring and the checkpoint of one day, over another channel"
            }
            Self::Several => "say whose it must be, or take any signer and look at who it was",
            Self::Nobody => "say whose key it is, 64 characters that the signer tells you",
            Self::NoTierKey | Self::NoTier => "ask the sealer for the file of the tier's key",
            Self::Encoding => "report this as a defect",
        }
    }
}

impl From<Error> for TrustError {
    fn from(error: Error) -> Self {
        Self::Library(error)
    }
}

impl fmt::Display for TrustError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Secret => f.write_str("it is a secret key"),
            Self::Line(name) => write!(f, "it has a line {name:?} that says nothing here"),
            Self::Creator => f.write_str("whose key it is was not computed from the creator that it names"),
            Self::OnlyFingerprint => f.write_str("only the fingerprint of the key is known, and the key is needed"),
            Self::OtherKey => f.write_str("it is made with another key than the one whose fingerprint was given"),
            Self::Library(error) | Self::OtherRing(error) => error.fmt(f),
            Self::Domain(what) => write!(f, "the domain {what}"),
            Self::Constant { name, error } => write!(f, "{name}: {error}"),
            Self::Several => f.write_str("the ring has several signers, and which of them it must be is not said"),
            Self::Nobody => f.write_str("neither the key file nor the seal says whose key it is"),
            Self::NoTierKey => f.write_str("it is no tier key"),
            Self::NoTier => f.write_str("it does not say whose key it is, and for which tier"),
            Self::Encoding => f.write_str("a key cannot be encoded"),
        }
    }
}

impl std::error::Error for TrustError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Library(error) | Self::OtherRing(error) | Self::Constant { error, .. } => Some(error),
            _ => None,
        }
    }
}
