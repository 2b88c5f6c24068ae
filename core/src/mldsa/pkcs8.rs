//! PKCS#8 and SPKI of ML-DSA-65 keys, DER and PEM, in the seed form of RFC 9881.

use super::{PublicKey, SEED_BYTES, SigningKey};
use crate::error::{Error, Problem};
use alloc::vec::Vec;
use ml_dsa::{EncodedVerifyingKey, KeyExport, MlDsa65, VerifyingKey};
use spki::{DecodePublicKey, EncodePublicKey};
use zeroize::Zeroizing;

/// A version, the algorithm's identifier, and the beginning of an octet string that holds the seed under its tag.
const PRIVATE_KEY_HEAD: [u8; 22] =
    *b"\x30\x34\x02\x01\x00\x30\x0b\x06\x09\x60\x86\x48\x01\x65\x03\x04\x03\x12\x04\x22\x80\x20";

/// Bytes of PKCS#8 in the seed form.
const PRIVATE_KEY_BYTES: usize = PRIVATE_KEY_HEAD.len() + SEED_BYTES;

impl SigningKey {
    /// PKCS#8 in DER with the seed alone (RFC 9881, section 6: the `seed` choice), 54 bytes.
    #[must_use]
    pub fn to_pkcs8_der(&self) -> Zeroizing<Vec<u8>> {
        // Not by `ml-dsa`, which frees an encoded seed as it is.
        let mut der = Zeroizing::new(Vec::with_capacity(PRIVATE_KEY_BYTES));
        der.extend_from_slice(&PRIVATE_KEY_HEAD);
        der.extend_from_slice(self.seed.expose());
        der
    }

    /// Reads PKCS#8 in DER, in the seed form.
    ///
    /// The forms that carry the expanded key are refused: see [`ExpandedSigningKey`](super::ExpandedSigningKey).
    ///
    /// # Errors
    /// [`Problem::Der`] for anything else, trailing bytes and other algorithms included; [`Problem::AllZero`].
    pub fn from_pkcs8_der(der: &[u8]) -> Result<Self, Error> {
        // All 54 bytes but the seed are fixed: no second spelling of one key is accepted.
        let seed = der.strip_prefix(&PRIVATE_KEY_HEAD).filter(|seed| seed.len() == SEED_BYTES);
        Self::from_seed(seed.ok_or_else(|| private(Problem::Der))?)
    }

    /// PKCS#8 in PEM (`BEGIN PRIVATE KEY`), wiped when dropped.
    ///
    /// # Errors
    /// None in practice; an encoder failure reads [`Problem::Pem`].
    #[cfg(feature = "pem")]
    pub fn to_pkcs8_pem(&self) -> Result<Zeroizing<alloc::string::String>, Error> {
        let pem = pkcs8::der::pem::encode_string("PRIVATE KEY", pkcs8::LineEnding::LF, &self.to_pkcs8_der());
        pem.map(Zeroizing::new).map_err(|_| private(Problem::Pem))
    }

    /// Reads PKCS#8 in PEM, in the seed form.
    ///
    /// # Errors
    /// [`Problem::Pem`] for another label or broken PEM, otherwise as [`from_pkcs8_der`](Self::from_pkcs8_der).
    #[cfg(feature = "pem")]
    pub fn from_pkcs8_pem(pem: &str) -> Result<Self, Error> {
        let (label, document) = pkcs8::SecretDocument::from_pem(pem).map_err(|_| private(Problem::Pem))?;
        if label != "PRIVATE KEY" {
            return Err(private(Problem::Pem));
        }
        Self::from_pkcs8_der(document.as_bytes())
    }
}

impl PublicKey {
    /// SubjectPublicKeyInfo in DER (RFC 9881, section 4), 1974 bytes.
    ///
    /// # Errors
    /// None in practice; an encoder failure reads [`Problem::Der`].
    pub fn to_spki_der(&self) -> Result<Vec<u8>, Error> {
        let document = self.verifying().to_public_key_der().map_err(|_| public(Problem::Der))?;
        Ok(document.into_vec())
    }

    /// Reads SubjectPublicKeyInfo in DER.
    ///
    /// # Errors
    /// [`Problem::Der`] for anything else, trailing bytes and other algorithms included.
    pub fn from_spki_der(der: &[u8]) -> Result<Self, Error> {
        let key = VerifyingKey::<MlDsa65>::from_public_key_der(der).map_err(|_| public(Problem::Der))?;
        let ours = Self::from_array(&key.to_bytes().into());
        if ours.to_spki_der()? == der { Ok(ours) } else { Err(public(Problem::Der)) }
    }

    /// SubjectPublicKeyInfo in PEM (`BEGIN PUBLIC KEY`).
    ///
    /// # Errors
    /// None in practice; an encoder failure reads [`Problem::Pem`].
    #[cfg(feature = "pem")]
    pub fn to_spki_pem(&self) -> Result<alloc::string::String, Error> {
        self.verifying().to_public_key_pem(spki::der::pem::LineEnding::LF).map_err(|_| public(Problem::Pem))
    }

    /// Reads SubjectPublicKeyInfo in PEM.
    ///
    /// # Errors
    /// [`Problem::Pem`] for another label or broken PEM, otherwise as [`from_spki_der`](Self::from_spki_der).
    #[cfg(feature = "pem")]
    pub fn from_spki_pem(pem: &str) -> Result<Self, Error> {
        let (label, document) = spki::Document::from_pem(pem).map_err(|_| public(Problem::Pem))?;
        if label != "PUBLIC KEY" {
            return Err(public(Problem::Pem));
        }
        Self::from_spki_der(document.as_bytes())
    }

    fn verifying(&self) -> VerifyingKey<MlDsa65> {
        VerifyingKey::decode(&EncodedVerifyingKey::<MlDsa65>::from(*self.as_bytes()))
    }
}

fn private(problem: Problem) -> Error {
    Error::malformed("private key", problem)
}

fn public(problem: Problem) -> Error {
    Error::malformed("public key", problem)
}
