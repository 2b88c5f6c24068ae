//! What a verifier trusts: a public key file, or a ring.
//!
//! A public key file is SubjectPublicKeyInfo in PEM with lines before it that other programs skip (RFC 7468):
//! `dualseal-identity:`, `dualseal-domain:`, `dualseal-origin:`. So one file says all that a stranger needs.

use crate::domain_file::DomainFile;
use crate::failure::{Failure, READ, USAGE};
use crate::input;
use dualseal::inspect::{Kind, inspect};
use dualseal::{IdentityId, KeyPairInfo, KeyRing, PublicKey};
use std::path::Path;

const BEGIN: &str = "-----BEGIN ";
const IDENTITY: &str = "dualseal-identity";
const DOMAIN: &str = "dualseal-domain";
const ORIGIN: &str = "dualseal-origin";

/// A public key with what its file says about it. All of it is the word of whoever gave the file.
#[derive(Clone, Debug)]
pub(crate) struct PublicKeyFile {
    pub(crate) key: PublicKey,
    pub(crate) identity_id: Option<IdentityId>,
    pub(crate) domain: Option<DomainFile>,
    pub(crate) origin: Option<String>,
}

impl PublicKeyFile {
    /// Reads PEM, with or without the lines before it, or the JSON of a key pair info.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        Self::from_text(&input::small_text(path)?).map_err(|failure| failure.about(path.display()))
    }

    pub(crate) fn from_text(text: &str) -> Result<Self, Failure> {
        if text.trim_start().starts_with('{') {
            let info = KeyPairInfo::from_json(text.as_bytes())?;
            let (key, identity_id) = (info.public_key, Some(info.identity_id));
            return Ok(Self { key, identity_id, domain: None, origin: None });
        }
        let (before, pem) = text.split_at(text.find(BEGIN).unwrap_or(0));
        let mut file = Self { key: PublicKey::from_spki_pem(pem)?, identity_id: None, domain: None, origin: None };
        for (name, value) in before.lines().filter_map(|line| line.split_once(": ")) {
            match name {
                IDENTITY => file.identity_id = Some(value.parse()?),
                DOMAIN => file.domain = Some(DomainFile::from_words(value)?),
                ORIGIN => file.origin = Some(value.to_owned()),
                _ => {}
            }
        }
        Ok(file)
    }

    /// The content of the file.
    pub(crate) fn to_text(&self) -> Result<String, Failure> {
        let lines = [
            (IDENTITY, self.identity_id.map(|id| id.to_hex())),
            (DOMAIN, self.domain.as_ref().map(DomainFile::to_words)),
            (ORIGIN, self.origin.clone()),
        ];
        let lines = lines.into_iter().filter_map(|(name, value)| Some(format!("{name}: {}\n", value?)));
        Ok(lines.collect::<String>() + &self.key.to_spki_pem()?)
    }
}

/// Where a verifier looks keys up.
#[derive(Debug)]
pub(crate) enum Trust {
    /// A key that the verifier pinned.
    Pinned(PublicKeyFile),
    /// A ring: what it calls valid is its operator's word.
    Ring(KeyRing),
}

impl Trust {
    /// Reads either, by what is in the file.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let text = input::small_text(path)?;
        let about = |failure: Failure| failure.about(path.display());
        if text.trim_start().starts_with('{') && inspect(text.as_bytes()).kind == Kind::Ring {
            return KeyRing::from_json(text.as_bytes()).map(Self::Ring).map_err(|error| about(error.into()));
        }
        if text.contains("PRIVATE KEY-----") {
            let hint = "ask for the public key file, which `dualseal key export` writes; keep this one secret";
            return Err(Failure::new(READ, format!("{} is a secret key", path.display()), hint));
        }
        PublicKeyFile::from_text(&text).map(Self::Pinned).map_err(about)
    }

    /// The domain that the file names, if it does.
    pub(crate) fn domain(&self) -> Option<&DomainFile> {
        match self {
            Self::Pinned(file) => file.domain.as_ref(),
            Self::Ring(_) => None,
        }
    }

    /// The identity that the file names, if it is one key's.
    pub(crate) fn identity_id(&self) -> Option<IdentityId> {
        match self {
            Self::Pinned(file) => file.identity_id,
            Self::Ring(_) => None,
        }
    }

    /// The ring to verify with. A key whose file names no identity is pinned for the one that is asked about.
    pub(crate) fn ring(&self, asked: Option<&IdentityId>) -> Result<KeyRing, Failure> {
        match self {
            Self::Ring(ring) => Ok(ring.clone()),
            Self::Pinned(file) => {
                let identity_id = file.identity_id.as_ref().or(asked).ok_or_else(|| {
                    let hint = "give --identity, 64 characters that the signer tells you";
                    Failure::new(USAGE, "neither the key file nor the seal says whose key it is", hint)
                })?;
                Ok(KeyRing::pinned(identity_id, file.key.clone()))
            }
        }
    }
}
