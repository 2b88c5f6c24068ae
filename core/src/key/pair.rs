//! What is told of an identity's current key.

use super::{Algorithm, KeyState};
use crate::encoding::record::{self, record};
use crate::encoding::time::Timestamp;
use crate::error::Error;
use crate::id::IdentityId;
use crate::mldsa::PublicKey;
use alloc::string::String;

/// Key pair info: `{algoritam, bela_stanje, generirano, identity_id, javni_kljuc}`. It holds no secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPairInfo {
    /// The identity whose key this is.
    pub identity_id: IdentityId,
    /// Its public key.
    pub public_key: PublicKey,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The state of the key.
    pub state: KeyState,
    /// When the key was added to the ring. `None` (`null`) for a pinned key, of which nobody said.
    pub generated: Option<Timestamp>,
}

impl KeyPairInfo {
    /// The same, as an outsider may see it: a decoy reads as valid.
    #[must_use]
    pub fn public(&self) -> Self {
        Self { state: self.state.public(), ..self.clone() }
    }

    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }

    /// Reads the JSON.
    ///
    /// # Errors
    /// Names the member that is missing, unknown or of the wrong form.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }
}

record! {
    |info: KeyPairInfo| "key pair info" {
        "algoritam" = Algorithm::MlDsa65.as_str(),
        "bela_stanje" state: KeyState,
        "generirano" generated: Option<Timestamp>,
        "identity_id" identity_id: IdentityId,
        "javni_kljuc" public_key: PublicKey,
    } => {
        Ok(Self { identity_id, public_key, algorithm: Algorithm::MlDsa65, state, generated })
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(KeyPairInfo);
