//! Public key files.

use super::domain_file::DomainFile;
use super::error::TrustError;
use super::text::{IDENTITY, Text};
use dualseal::encoding::check_label;
use dualseal::{IdentityId, KeyPairInfo, PublicKey};

const DOMAIN: &str = "dualseal-domain";
const ORIGIN: &str = "dualseal-origin";

/// A public key with what its file says about it. All of it is the word of whoever gave the file.
#[derive(Clone, Debug)]
pub struct PublicKeyFile {
    /// The key.
    pub key: PublicKey,
    /// Whose it is.
    pub identity_id: Option<IdentityId>,
    /// The domain of its log.
    pub domain: Option<DomainFile>,
    /// The name of its log.
    pub origin: Option<String>,
}

impl PublicKeyFile {
    /// Reads PEM, with or without the lines before it, or the JSON of a key pair info.
    ///
    /// # Errors
    /// [`TrustError::Secret`]; [`TrustError::Library`] for what is no public key; what is wrong with its domain.
    pub fn from_text(text: &str) -> Result<Self, TrustError> {
        if text.trim_start().starts_with('{') {
            let info = KeyPairInfo::from_json(text.as_bytes())?;
            let (key, identity_id) = (info.public_key, Some(info.identity_id));
            return Ok(Self { key, identity_id, domain: None, origin: None });
        }
        let text = Text::of(text)?;
        let key = PublicKey::from_spki_pem(text.pem())?;
        let identity_id = text.line(IDENTITY).map(str::parse).transpose()?;
        let domain = text.line(DOMAIN).map(DomainFile::from_words).transpose()?;
        Ok(Self { key, identity_id, domain, origin: text.line(ORIGIN).map(str::to_owned) })
    }

    /// The content of the file.
    ///
    /// # Errors
    /// [`TrustError::Library`] for a key that cannot be encoded, and for the name of a log that is none (1 to 255
    /// bytes, no control characters): a line end in it would begin another line of the file.
    pub fn to_text(&self) -> Result<String, TrustError> {
        self.origin.as_deref().map_or(Ok(()), |origin| check_label("origin", origin))?;
        let lines = [
            (IDENTITY, self.identity_id.map(|id| id.to_hex())),
            (DOMAIN, self.domain.as_ref().map(DomainFile::to_words)),
            (ORIGIN, self.origin.clone()),
        ];
        let lines = lines.into_iter().filter_map(|(name, value)| Some(format!("{name}: {}\n", value?)));
        Ok(lines.collect::<String>() + &self.key.to_spki_pem()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dualseal::{Domain, SigningKey};

    /// Of two lines of a name the last one counts: whose key it is would be another's word.
    #[test]
    fn an_origin_writes_no_line_of_its_own() {
        let key = SigningKey::from_seed(&[5; 32]).unwrap().public_key().clone();
        let identity_id = Some(Domain::default().identity_id(b"", "ana", "").unwrap());
        let file = |origin: &str| PublicKeyFile {
            key: key.clone(),
            identity_id,
            domain: None,
            origin: Some(origin.to_owned()),
        };
        let text = file("example.org/log").to_text().unwrap();
        assert_eq!(PublicKeyFile::from_text(&text).unwrap().origin.as_deref(), Some("example.org/log"));
        let other = Domain::default().identity_id(b"", "bo", "").unwrap();
        for origin in [format!("log\n{IDENTITY}: {other}"), "log\r".to_owned(), String::new()] {
            assert!(matches!(file(&origin).to_text().unwrap_err(), TrustError::Library(_)), "{origin:?}");
        }
    }
}
