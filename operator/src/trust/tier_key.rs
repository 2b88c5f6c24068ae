//! The file of a key that shows a tier: an Ed25519 SubjectPublicKeyInfo in PEM, with lines before it that other
//! programs skip: `dualseal-identity:`, `dualseal-tier:`.

use super::error::TrustError;
use super::text::{IDENTITY, Text};
use dualseal::IdentityId;
use dualseal::ed25519::Ed25519PublicKey;
use dualseal::vault::Tier;
use pkcs8::LineEnding;
use pkcs8::der::pem;

const TIER: &str = "dualseal-tier";
const LABEL: &str = "PUBLIC KEY";
/// SubjectPublicKeyInfo of id-Ed25519 (RFC 8410) up to the 32 bytes of the key.
const SPKI: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/// A key with the identity and the tier that it shows. All of it is the word of whoever gave the file.
#[derive(Clone, Debug)]
pub struct TierKeyFile {
    /// The key.
    pub key: Ed25519PublicKey,
    /// Whose it is.
    pub identity_id: IdentityId,
    /// The tier that it shows.
    pub tier: Tier,
}

impl TierKeyFile {
    /// Reads one.
    ///
    /// # Errors
    /// [`TrustError::Secret`], [`TrustError::NoTierKey`], [`TrustError::NoTier`]; [`TrustError::Library`] for an
    /// identity or a tier that is none.
    pub fn from_text(text: &str) -> Result<Self, TrustError> {
        let text = Text::of(text)?;
        let (label, der) = pem::decode_vec(text.pem().as_bytes()).map_err(|_| TrustError::NoTierKey)?;
        let key = der.strip_prefix(&SPKI).and_then(|key| <[u8; 32]>::try_from(key).ok());
        let key = key.filter(|_| label == LABEL).ok_or(TrustError::NoTierKey)?;
        let (Some(identity_id), Some(tier)) = (text.line(IDENTITY), text.line(TIER)) else {
            return Err(TrustError::NoTier);
        };
        let (identity_id, tier) = (identity_id.parse()?, tier.parse()?);
        Ok(Self { key: Ed25519PublicKey::from_bytes(key), identity_id, tier })
    }

    /// The content of the file.
    ///
    /// # Errors
    /// [`TrustError::Encoding`].
    pub fn to_text(&self) -> Result<String, TrustError> {
        let der = [&SPKI[..], self.key.as_bytes()].concat();
        let pem = pem::encode_string(LABEL, LineEnding::LF, &der).map_err(|_| TrustError::Encoding)?;
        Ok(format!("{IDENTITY}: {}\n{TIER}: {}\n{pem}", self.identity_id, self.tier.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dualseal::Domain;

    #[test]
    fn a_file_says_whose_key_it_is_and_for_which_tier() {
        let identity_id = Domain::default().identity_id(b"", "ana", "").unwrap();
        let file = TierKeyFile { key: Ed25519PublicKey::from_bytes([7; 32]), identity_id, tier: Tier::Noble };
        let text = file.to_text().unwrap();
        let read = TierKeyFile::from_text(&text).unwrap();
        assert_eq!((read.key, read.identity_id, read.tier), (file.key, identity_id, Tier::Noble));
        let (_, pem) = text.split_at(text.find("-----").unwrap());
        assert_eq!(TierKeyFile::from_text(pem).unwrap_err(), TrustError::NoTier);
        let other = text.replace(LABEL, "CERTIFICATE");
        assert_eq!(TierKeyFile::from_text(&other).unwrap_err(), TrustError::NoTierKey);
    }
}
