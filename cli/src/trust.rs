//! What a verifier trusts: a public key file, or a ring.
//!
//! A public key file is SubjectPublicKeyInfo in PEM with lines before it that other programs skip (RFC 7468):
//! `dualseal-identity:`, `dualseal-domain:`, `dualseal-origin:`. So one file says all that a stranger needs.

mod tier_key;

pub(crate) use tier_key::TierKeyFile;

use crate::domain_file::DomainFile;
use crate::failure::{Failure, READ, USAGE};
use crate::input;
use crate::output::{Report, text};
use crate::secrets;
use dualseal::checkpoint::{AttestedRing, Checkpoint};
use dualseal::encoding::json::Value;
use dualseal::inspect::{Kind, inspect};
use dualseal::{IdentityId, KeyPairInfo, KeyRing, PublicKey, PublicRing, Verified};
use std::path::Path;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const IDENTITY: &str = "dualseal-identity";
const DOMAIN: &str = "dualseal-domain";
const ORIGIN: &str = "dualseal-origin";

/// What nothing shows of a ring alone.
const UNATTESTED: &str = "\
The ring is UNATTESTED: nothing shows that it is the log's own, and neither edited nor an old one. Give a checkpoint \
of its log: --checkpoint, --log-key.";

/// PEM with the lines before it.
struct Text<'a> {
    before: &'a str,
    pem: &'a str,
}

impl<'a> Text<'a> {
    /// Refuses a secret, wherever in the text it is: whoever gave the file gave away more than was asked for.
    fn of(text: &'a str) -> Result<Self, Failure> {
        let blocks = blocks(text);
        if blocks.iter().any(|(_, block)| secrets::is_secret(block)) {
            let hint = "ask for the public key file, which `dualseal key export` writes; keep this one secret";
            return Err(Failure::new(READ, "it is a secret key", hint));
        }
        let (before, pem) = text.split_at(blocks.first().map_or(0, |(at, _)| *at));
        Ok(Self { before, pem })
    }

    /// The value of the last line of this name.
    fn line(&self, name: &str) -> Option<&'a str> {
        let lines = self.before.lines().filter_map(|line| line.split_once(": "));
        lines.rev().find(|(found, _)| *found == name).map(|(_, value)| value)
    }
}

/// Where PEM begins, and the PEM: from the last line that begins as its first does to one that begins as its last.
fn blocks(text: &str) -> Vec<(usize, &str)> {
    let (mut begun, mut at, mut found) = (None, 0, Vec::new());
    for line in text.split_inclusive(['\n', '\r']) {
        if line.starts_with(BEGIN) {
            begun = Some(at);
        }
        at += line.len();
        if let Some(begin) = begun.filter(|_| line.starts_with(END)) {
            found.push((begin, text[begin..at].trim_end()));
            begun = None;
        }
    }
    found
}

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
        let text = Text::of(text)?;
        let key = PublicKey::from_spki_pem(text.pem)?;
        let identity_id = text.line(IDENTITY).map(str::parse).transpose()?;
        let domain = text.line(DOMAIN).map(DomainFile::from_words).transpose()?;
        Ok(Self { key, identity_id, domain, origin: text.line(ORIGIN).map(str::to_owned) })
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
    /// The home folder's own ring.
    Own(KeyRing),
    /// A public ring, which is the word of whoever gave it.
    Unattested(PublicRing),
    /// A public ring that a checkpoint of its log states.
    Attested(AttestedRing),
}

impl Trust {
    /// Reads either, by what is in the file.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let text = input::small_text(path)?;
        let about = |failure: Failure| failure.about(path.display());
        if text.trim_start().starts_with('{') && inspect(text.as_bytes()).kind == Kind::PublicRing {
            let ring = PublicRing::from_json(text.as_bytes()).map_err(|error| about(error.into()))?;
            return Ok(Self::Unattested(ring));
        }
        PublicKeyFile::from_text(&text).map(Self::Pinned).map_err(about)
    }

    /// Holds a public ring against a checkpoint of its log: an edited, older or foreign one is refused.
    pub(crate) fn attested(self, checkpoint: Option<&Verified<Checkpoint>>) -> Result<Self, Failure> {
        match (self, checkpoint) {
            (Self::Unattested(ring), Some(checkpoint)) => {
                let hint = "ask the log's operator for the ring and the checkpoint of one day, over another channel";
                let attested = AttestedRing::new(ring, checkpoint);
                Ok(Self::Attested(attested.map_err(|error| Failure::from(error).about("--ring").hint(hint))?))
            }
            (trust, _) => Ok(trust),
        }
    }

    /// Says in an answer whether anything shows that a public ring is the log's own.
    pub(crate) fn tell(&self, report: Report) -> Report {
        match self {
            Self::Pinned(_) | Self::Own(_) => report.member("ring", Value::Null),
            Self::Unattested(_) => report.detail("ring", "ring", "unattested").note(UNATTESTED),
            Self::Attested(ring) => {
                let report = report.member("ring", text("attested"));
                let size = ring.known_to().unwrap_or_default();
                report.line("ring", format!("attested by the checkpoint, as of {size} entries"))
            }
        }
    }

    /// The domain that the file names, if it does.
    pub(crate) fn domain(&self) -> Option<&DomainFile> {
        match self {
            Self::Pinned(file) => file.domain.as_ref(),
            Self::Own(_) | Self::Unattested(_) | Self::Attested(_) => None,
        }
    }

    /// The identity that the file names, if it is one key's.
    pub(crate) fn identity_id(&self) -> Option<IdentityId> {
        match self {
            Self::Pinned(file) => file.identity_id,
            Self::Own(_) | Self::Unattested(_) | Self::Attested(_) => None,
        }
    }

    /// The ring that tells the states of keys, where it is one.
    pub(crate) fn known(&self) -> Option<&KeyRing> {
        match self {
            Self::Own(ring) => Some(ring),
            Self::Unattested(ring) => Some(ring),
            Self::Attested(ring) => Some(ring),
            Self::Pinned(_) => None,
        }
    }

    /// Whose record it must be: whom the caller names, whose key file it is, or the only one of the ring. Each of
    /// several can sign any document, so that whoever wants any of them says so.
    pub(crate) fn expected(
        &self,
        asked: Option<IdentityId>,
        any_signer: bool,
        claimed: &IdentityId,
    ) -> Result<IdentityId, Failure> {
        if let Some(identity_id) = asked.or_else(|| self.identity_id()) {
            return Ok(identity_id);
        }
        let Some(ring) = self.known() else { return Ok(*claimed) };
        if any_signer {
            return Ok(*claimed);
        }
        let mut identities = ring.identities().copied();
        match (identities.next(), identities.next()) {
            (Some(only), None) => Ok(only),
            // Nobody's key is known: that is what is wrong with it.
            (None, _) => Ok(*claimed),
            (Some(_), Some(_)) => {
                let hint = "say it with --identity NAME, or ask for --any-signer and look at who it was";
                Err(Failure::new(USAGE, "the ring has several signers, and which of them it must be is not said", hint))
            }
        }
    }

    /// The ring to verify with. A key whose file names no identity is pinned for the one that is asked about.
    pub(crate) fn ring(&self, asked: Option<&IdentityId>) -> Result<KeyRing, Failure> {
        let Self::Pinned(file) = self else {
            return self.known().cloned().ok_or_else(|| Failure::defect("a ring knows no keys"));
        };
        let identity_id = file.identity_id.as_ref().or(asked).ok_or_else(|| {
            let hint = "give --identity, 64 characters that the signer tells you";
            Failure::new(USAGE, "neither the key file nor the seal says whose key it is", hint)
        })?;
        Ok(KeyRing::pinned(identity_id, file.key.clone()))
    }
}
