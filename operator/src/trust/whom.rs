//! Where a verifier looks keys up: a key or a ring.

use super::domain_file::DomainFile;
use super::error::TrustError;
use super::key_file::PublicKeyFile;
use dualseal::checkpoint::{AttestedRing, Checkpoint};
use dualseal::inspect::{Kind, inspect};
use dualseal::mldsa::KeyHash;
use dualseal::{IdentityId, KeyRing, PublicKey, PublicRing, Verified};

/// Where a verifier looks keys up.
#[derive(Debug)]
pub enum Trust {
    /// A key that the verifier pinned.
    Pinned(PublicKeyFile),
    /// A key of which the verifier was told the fingerprint: a record that carries it is judged by it.
    Fingerprint(KeyHash),
    /// The operator's own ring, held against its chain.
    Own(KeyRing),
    /// A public ring, which is the word of whoever gave it.
    Unattested(PublicRing),
    /// A public ring that a checkpoint of its log states.
    Attested(AttestedRing),
}

impl Trust {
    /// Reads either, by what is in the text.
    ///
    /// # Errors
    /// As [`PublicKeyFile::from_text`]; [`TrustError::Library`] for a ring that is none.
    pub fn from_text(text: &str) -> Result<Self, TrustError> {
        if text.trim_start().starts_with('{') && inspect(text.as_bytes()).kind == Kind::PublicRing {
            return Ok(Self::Unattested(PublicRing::from_json(text.as_bytes())?));
        }
        PublicKeyFile::from_text(text).map(Self::Pinned)
    }

    /// Holds a public ring against a checkpoint of its log: an edited, older or foreign one is refused. Anything else
    /// stays as it is, as does a ring where there is no checkpoint.
    ///
    /// # Errors
    /// [`TrustError::OtherRing`].
    pub fn attested(self, checkpoint: Option<&Verified<Checkpoint>>) -> Result<Self, TrustError> {
        match (self, checkpoint) {
            (Self::Unattested(ring), Some(checkpoint)) => {
                AttestedRing::new(ring, checkpoint).map(Self::Attested).map_err(TrustError::OtherRing)
            }
            (trust, _) => Ok(trust),
        }
    }

    /// With the key that a record carries, where only its fingerprint was known.
    ///
    /// # Errors
    /// [`TrustError::OtherKey`].
    pub fn carried(self, key: &PublicKey) -> Result<Self, TrustError> {
        match self {
            Self::Fingerprint(hash) if hash == *key.hash() => {
                let (identity_id, domain, origin, creator) = (None, None, None, None);
                Ok(Self::Pinned(PublicKeyFile { key: key.clone(), identity_id, domain, origin, creator }))
            }
            Self::Fingerprint(_) => Err(TrustError::OtherKey),
            trust => Ok(trust),
        }
    }

    /// The domain that the file names, if it does.
    #[must_use]
    pub fn domain(&self) -> Option<&DomainFile> {
        match self {
            Self::Pinned(file) => file.domain.as_ref(),
            Self::Fingerprint(_) | Self::Own(_) | Self::Unattested(_) | Self::Attested(_) => None,
        }
    }

    /// The identity that the file names, if it is one key's.
    #[must_use]
    pub fn identity_id(&self) -> Option<IdentityId> {
        match self {
            Self::Pinned(file) => file.identity_id,
            Self::Fingerprint(_) | Self::Own(_) | Self::Unattested(_) | Self::Attested(_) => None,
        }
    }

    /// The ring that tells the states of keys, where it is one.
    #[must_use]
    pub fn known(&self) -> Option<&KeyRing> {
        match self {
            Self::Own(ring) => Some(ring),
            Self::Unattested(ring) => Some(ring),
            Self::Attested(ring) => Some(ring),
            Self::Pinned(_) | Self::Fingerprint(_) => None,
        }
    }

    /// Whose record it must be: whom the caller names, whose key file it is, or the only one of the ring. Each of
    /// several can sign any document, so that whoever wants any of them (`any_signer`) says so. Where a key file names
    /// nobody it is whom the record claims: by that key, whatever name it signs in.
    ///
    /// # Errors
    /// [`TrustError::Several`].
    pub fn expected(
        &self,
        asked: Option<IdentityId>,
        any_signer: bool,
        claimed: &IdentityId,
    ) -> Result<IdentityId, TrustError> {
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
            (Some(_), Some(_)) => Err(TrustError::Several),
        }
    }

    /// The ring to verify with. A key whose file names no identity is pinned for the one that is asked about.
    ///
    /// # Errors
    /// [`TrustError::Nobody`]; [`TrustError::OnlyFingerprint`] before the key was [carried](Self::carried).
    pub fn ring(&self, asked: Option<&IdentityId>) -> Result<KeyRing, TrustError> {
        match self {
            Self::Fingerprint(_) => Err(TrustError::OnlyFingerprint),
            Self::Own(ring) => Ok(ring.clone()),
            Self::Unattested(ring) => Ok(KeyRing::clone(ring)),
            Self::Attested(ring) => Ok(KeyRing::clone(ring)),
            Self::Pinned(file) => {
                let identity_id = file.identity_id.as_ref().or(asked).ok_or(TrustError::Nobody)?;
                Ok(KeyRing::pinned(identity_id, file.key.clone()))
            }
        }
    }
}
