//! Public key files.

use super::domain_file::DomainFile;
use super::error::TrustError;
use super::text::{IDENTITY, Text};
use dualseal::encoding::check_label;
use dualseal::{Domain, IdentityId, KeyPairInfo, PublicKey};

const DOMAIN: &str = "dualseal-domain";
const ORIGIN: &str = "dualseal-origin";
const CREATOR: &str = "dualseal-creator";
const CONTEXT: &str = "dualseal-context";

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
    /// From whom the identity was computed: read only where it was, in the domain of the file.
    pub creator: Option<Creator>,
}

/// What an identity was computed from. Whoever knows it can tell whose the identity is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Creator {
    /// The name.
    pub name: String,
    /// The context, which keeps the name from being guessed.
    pub context: String,
}

impl Creator {
    /// Whether the identity is the creator's, in this domain.
    #[must_use]
    pub fn is_of(&self, identity_id: &IdentityId, domain: &Domain) -> bool {
        domain.identity_id(b"", &self.name, &self.context).is_ok_and(|computed| computed == *identity_id)
    }
}

impl PublicKeyFile {
    /// Reads PEM, with or without the lines before it, or the JSON of a key pair info.
    ///
    /// # Errors
    /// [`TrustError::Secret`] and [`TrustError::Line`]; [`TrustError::Library`] for what is no public key; what is
    /// wrong with its domain; [`TrustError::Creator`] for one that the identity was not computed from.
    pub fn from_text(text: &str) -> Result<Self, TrustError> {
        if text.trim_start().starts_with('{') {
            let info = KeyPairInfo::from_json(text.as_bytes())?;
            let (key, identity_id) = (info.public_key, Some(info.identity_id));
            return Ok(Self { key, identity_id, domain: None, origin: None, creator: None });
        }
        let text = Text::of(text)?;
        let key = PublicKey::from_spki_pem(text.pem())?;
        let identity_id = text.line(IDENTITY).map(str::parse).transpose()?;
        let domain = text.line(DOMAIN).map(DomainFile::from_words).transpose()?;
        let named = |name: &str| text.line(name).map(str::to_owned);
        let creator = match (named(CREATOR), named(CONTEXT)) {
            (None, None) => None,
            (name, context) => {
                let creator = Creator { name: name.unwrap_or_default(), context: context.unwrap_or_default() };
                let computed = identity_id.as_ref().zip(domain.as_ref());
                if !computed.is_some_and(|(identity_id, file)| creator.is_of(identity_id, file.domain())) {
                    return Err(TrustError::Creator);
                }
                Some(creator)
            }
        };
        Ok(Self { key, identity_id, domain, origin: text.line(ORIGIN).map(str::to_owned), creator })
    }

    /// The content of the file.
    ///
    /// # Errors
    /// [`TrustError::Library`] for a key that cannot be encoded, and for the name of a log that is none (1 to 255
    /// bytes, no control characters): a line end in it would begin another line of the file.
    pub fn to_text(&self) -> Result<String, TrustError> {
        self.origin.as_deref().map_or(Ok(()), |origin| check_label("origin", origin))?;
        if let Some(Creator { name, context }) = &self.creator {
            check_label("creator", name)?;
            if !context.is_empty() {
                check_label("context", context)?;
            }
        }
        let lines = [
            (IDENTITY, self.identity_id.map(|id| id.to_hex())),
            (DOMAIN, self.domain.as_ref().map(DomainFile::to_words)),
            (ORIGIN, self.origin.clone()),
            (CREATOR, self.creator.as_ref().map(|creator| creator.name.clone())),
            (CONTEXT, self.creator.as_ref().map(|creator| creator.context.clone())),
        ];
        let lines = lines.into_iter().filter_map(|(name, value)| Some(format!("{name}: {}\n", value?)));
        Ok(lines.collect::<String>() + &self.key.to_spki_pem()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dualseal::SigningKey;

    /// A name that the identity was not computed from would be anybody's.
    #[test]
    fn a_creator_is_the_one_of_the_identity() {
        let (domain, key) = (DomainFile::named("ACME").unwrap(), SigningKey::from_seed(&[5; 32]).unwrap());
        let identity_id = domain.domain().identity_id(b"", "ana", "2026").unwrap();
        let creator = Creator { name: "ana".to_owned(), context: "2026".to_owned() };
        let file = PublicKeyFile {
            key: key.public_key().clone(),
            identity_id: Some(identity_id),
            domain: Some(domain),
            origin: None,
            creator: Some(creator.clone()),
        };
        let text = file.to_text().unwrap();
        assert_eq!(PublicKeyFile::from_text(&text).unwrap().creator, Some(creator));
        for (from, to) in [
            ("creator: ana", "creator: bo"),
            ("context: 2026", "context: 2027"),
            ("dualseal-domain: ACME", "dualseal-domain: OTHER"),
            ("dualseal-domain: ACME\n", ""),
            ("dualseal-context: 2026\n", ""),
        ] {
            let lie = text.replace(from, to);
            assert!(lie != text && matches!(PublicKeyFile::from_text(&lie).unwrap_err(), TrustError::Creator), "{to}");
        }
    }

    /// Of two lines of a name one would be left out: whose key it is would be another's word.
    #[test]
    fn an_origin_writes_no_line_of_its_own() {
        let key = SigningKey::from_seed(&[5; 32]).unwrap().public_key().clone();
        let identity_id = Some(Domain::default().identity_id(b"", "ana", "").unwrap());
        let file = |origin: &str| PublicKeyFile {
            key: key.clone(),
            identity_id,
            domain: None,
            origin: Some(origin.to_owned()),
            creator: None,
        };
        let text = file("example.org/log").to_text().unwrap();
        assert_eq!(PublicKeyFile::from_text(&text).unwrap().origin.as_deref(), Some("example.org/log"));
        let other = Domain::default().identity_id(b"", "bo", "").unwrap();
        for origin in [format!("log\n{IDENTITY}: {other}"), "log\r".to_owned(), String::new()] {
            assert!(matches!(file(&origin).to_text().unwrap_err(), TrustError::Library(_)), "{origin:?}");
        }
    }
}
