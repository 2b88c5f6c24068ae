//! The file of a key that shows a tier: an Ed25519 SubjectPublicKeyInfo in PEM, with lines before it that other
//! programs skip: `dualseal-identity:`, `dualseal-tier:`.

use super::{IDENTITY, Text};
use crate::failure::{Failure, READ};
use crate::input;
use dualseal::IdentityId;
use dualseal::ed25519::Ed25519PublicKey;
use dualseal::vault::Tier;
use pkcs8::LineEnding;
use pkcs8::der::pem;
use std::path::Path;

const TIER: &str = "dualseal-tier";
const LABEL: &str = "PUBLIC KEY";
/// SubjectPublicKeyInfo of id-Ed25519 (RFC 8410) up to the 32 bytes of the key.
const SPKI: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/// A key with the identity and the tier that it shows. All of it is the word of whoever gave the file.
pub(crate) struct TierKeyFile {
    pub(crate) key: Ed25519PublicKey,
    pub(crate) identity_id: IdentityId,
    pub(crate) tier: Tier,
}

impl TierKeyFile {
    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let text = input::small_text(path)?;
        let text = Text::of(&text).map_err(|failure| failure.about(path.display()))?;
        let hint = "ask the sealer for the file that `dualseal vault tier-key` writes";
        let wrong = |what: &str| Failure::new(READ, format!("{} {what}", path.display()), hint);
        let (label, der) = pem::decode_vec(text.pem.as_bytes()).map_err(|_| wrong("is no tier key"))?;
        let key = der.strip_prefix(&SPKI).and_then(|key| <[u8; 32]>::try_from(key).ok());
        let key = key.filter(|_| label == LABEL).ok_or_else(|| wrong("is no tier key"))?;
        let about = |error: dualseal::Error| Failure::from(error).about(path.display());
        let (Some(identity_id), Some(tier)) = (text.line(IDENTITY), text.line(TIER)) else {
            return Err(wrong("does not say whose key it is, and for which tier"));
        };
        let (identity_id, tier) = (identity_id.parse().map_err(about)?, tier.parse().map_err(about)?);
        Ok(Self { key: Ed25519PublicKey::from_bytes(key), identity_id, tier })
    }

    /// The content of the file.
    pub(crate) fn to_text(&self) -> Result<String, Failure> {
        let der = [&SPKI[..], self.key.as_bytes()].concat();
        let failed = |_| Failure::defect("a key cannot be encoded");
        let pem = pem::encode_string(LABEL, LineEnding::LF, &der).map_err(failed)?;
        Ok(format!("{IDENTITY}: {}\n{TIER}: {}\n{pem}", self.identity_id, self.tier.as_str()))
    }
}
