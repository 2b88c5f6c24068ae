//! What is told of an identity's current key.

use super::{Algorithm, KeyState};
use crate::encoding::json::Value;
use crate::encoding::time::Timestamp;
use crate::encoding::{expect_text, time_member};
use crate::error::Error;
use crate::id::IdentityId;
use crate::mldsa::PublicKey;
use alloc::string::{String, ToString};

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
        self.to_value().canonical()
    }

    /// Reads the JSON.
    ///
    /// # Errors
    /// Names the member that is missing, unknown or of the wrong form.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        Self::from_value(Value::parse(text)?)
    }

    pub(crate) fn to_value(&self) -> Value {
        Value::object([
            ("algoritam", self.algorithm.to_member()),
            ("bela_stanje", self.state.to_member()),
            ("generirano", self.generated.map_or(Value::Null, |t| Value::text(t.to_string()))),
            ("identity_id", self.identity_id.to_member()),
            ("javni_kljuc", Value::text(self.public_key.to_hex())),
        ])
    }

    pub(crate) fn from_value(value: Value) -> Result<Self, Error> {
        let names = ["algoritam", "bela_stanje", "generirano", "identity_id", "javni_kljuc"];
        let [algorithm, state, generated, identity_id, public_key] = value.members("key pair info", names)?;
        Ok(Self {
            algorithm: {
                expect_text(algorithm, "algoritam", Algorithm::MlDsa65.as_str())?;
                Algorithm::MlDsa65
            },
            state: KeyState::from_member(state, "bela_stanje")?,
            generated: generated.non_null().map(|t| time_member(t, "generirano")).transpose()?,
            identity_id: IdentityId::from_member(identity_id, "identity_id")?,
            public_key: PublicKey::from_hex(&public_key.into_text("javni_kljuc")?)?,
        })
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(KeyPairInfo);
