//! What is told of an identity's current key.

use super::{Algorithm, KeyState};
use crate::encoding::json::{Raw, Writer};
use crate::encoding::record::{self, Form, Inner, record};
use crate::encoding::time::Timestamp;
use crate::error::{Error, Problem};
use crate::id::IdentityId;
use crate::mldsa::PublicKey;
use alloc::string::String;

/// Key pair info: `{algoritam, bela_stanje, generirano, identity_id, javni_kljuc}`. It holds no secret, but that of an
/// operator's ring tells decoys, so `serde` does not serialise it along with whatever holds it: its JSON is asked for.
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

/// Key pair info for everybody else, which `serde` serialises: the members are those of [`KeyPairInfo`], and its state
/// is never `oboje`.
///
/// ```
/// use dualseal::key::{KeyPairInfo, PublicKeyPairInfo};
/// # use dualseal::{Domain, KeyRing, SigningKey};
/// # let ana = Domain::default().identity_id(b"", "ana", "")?;
/// # let ring = KeyRing::pinned(&ana, SigningKey::from_seed(&[7; 32])?.public_key().clone());
/// # let info = ring.info(&ana).map(|info| info.to_json()).unwrap_or_default();
/// let text = info.replace("istina", "oboje");
/// assert!(KeyPairInfo::from_json(text.as_bytes()).is_ok());
/// assert!(PublicKeyPairInfo::from_json(text.as_bytes()).is_err());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKeyPairInfo(KeyPairInfo);

impl KeyPairInfo {
    /// The same, as an outsider may see it: a decoy reads as valid.
    #[must_use]
    pub fn public(&self) -> PublicKeyPairInfo {
        PublicKeyPairInfo(Self { state: self.state.public(), ..self.clone() })
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

impl PublicKeyPairInfo {
    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }

    /// Reads the JSON.
    ///
    /// # Errors
    /// As [`KeyPairInfo::from_json`]; [`Problem::UnknownValue`] of `bela_stanje` for the state of a decoy.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }
}

/// Its members.
impl AsRef<KeyPairInfo> for PublicKeyPairInfo {
    fn as_ref(&self) -> &KeyPairInfo {
        &self.0
    }
}

impl From<PublicKeyPairInfo> for KeyPairInfo {
    fn from(public: PublicKeyPairInfo) -> Self {
        public.0
    }
}

impl Form for PublicKeyPairInfo {
    type Value = Self;

    const INNER: Inner = KeyPairInfo::INNER;

    fn read(raw: Raw<'_>, field: &'static str) -> Result<Self, Error> {
        let info = KeyPairInfo::read(raw, field)?;
        if info.state == KeyState::Decoy {
            return Err(Error::malformed("bela_stanje", Problem::UnknownValue));
        }
        Ok(Self(info))
    }

    fn write(info: &Self, out: &mut Writer) {
        KeyPairInfo::write(&info.0, out);
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
crate::encoding::serde_through_json!(PublicKeyPairInfo);
