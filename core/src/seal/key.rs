//! The secret of layer A.

use crate::domain::{Domain, Label, Row};
use crate::encoding::hex;
use crate::error::{Error, Problem};
use crate::hash::{HmacKey, HmacSha3_512, Sha3_512, hkdf_sha3_256};
use crate::id::IdentityId;
use crate::secret::Secret;
use alloc::vec::Vec;
use core::fmt;
use zeroize::Zeroizing;

/// The key of layer A: 32 or 64 bytes, one for each identity. Everybody who can check layer A can also make it.
pub struct SealKey {
    bytes: Zeroizing<Vec<u8>>,
    mac: HmacKey<Sha3_512>,
    /// Of another length, issued elsewhere: verifies legacy seals and nothing else.
    legacy: bool,
}

impl SealKey {
    /// From 32 or 64 secret bytes.
    ///
    /// # Errors
    /// [`Problem::Length`] for another length, [`Problem::AllZero`].
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.len() != 32 && bytes.len() != 64 {
            return Err(Error::malformed("seal key", Problem::Length { expected: 64, found: bytes.len() }));
        }
        Self::checked(bytes, false)
    }

    /// A key of another length, at least 16 bytes, that was issued elsewhere. It makes no seal, and verifies `SEAL-L5`
    /// alone.
    ///
    /// # Errors
    /// [`Problem::Length`] below 16 bytes, [`Problem::AllZero`].
    pub fn legacy(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.len() < 16 {
            return Err(Error::malformed("seal key", Problem::Length { expected: 16, found: bytes.len() }));
        }
        Self::checked(bytes, bytes.len() != 32 && bytes.len() != 64)
    }

    /// An identity's key from a master of 32 drawn bytes:
    /// `HKDF-SHA3-256(master, no salt, P::<KDF>::<identity_id>::S, 64 bytes)` with the seal row's constants.
    ///
    /// ```
    /// use dualseal::Domain;
    /// use dualseal::seal::SealKey;
    /// use dualseal::secret::Secret;
    ///
    /// let domain = Domain::default();
    /// let ana = domain.identity_id(b"", "ana", "")?;
    /// let key = SealKey::derive(&domain, &Secret::from_slice("master", &[9; 32])?, &ana);
    /// assert_eq!(format!("{key:?}"), "SealKey([redacted])");
    /// # Ok::<(), dualseal::Error>(())
    /// ```
    #[must_use]
    pub fn derive(domain: &Domain, master: &Secret<32>, identity_id: &IdentityId) -> Self {
        let info = domain.join(Row::Seal, &[domain.label(Label::SealKdf), &identity_id.to_hex()]);
        let key = hkdf_sha3_256::<64>(master.expose(), &[], &[info.as_bytes()]);
        Self::from_derived(&key)
    }

    /// The secret bytes, for the one who stores them.
    #[must_use]
    pub fn expose(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn is_legacy(&self) -> bool {
        self.legacy
    }

    /// A key of another purpose, derived with that purpose's row.
    pub(crate) fn from_derived(key: &Secret<64>) -> Self {
        Self::new(key.expose(), false)
    }

    /// Layer A over a reserved payload, which only the library itself seals.
    pub(crate) fn reserved_mac(&self, payload: &str) -> [u8; 64] {
        let mut mac = self.mac();
        mac.update(hex::encode(payload.as_bytes()).as_bytes());
        mac.finish()
    }

    /// The first 32 bytes of an HMAC over a text that only the library makes: never hexadecimal, as payloads are.
    pub(crate) fn tag(&self, text: &str) -> [u8; 32] {
        let mut mac = self.mac();
        mac.update(text.as_bytes());
        let mut tag = [0; 32];
        for (byte, of) in tag.iter_mut().zip(mac.finish()) {
            *byte = of;
        }
        tag
    }

    pub(super) fn mac(&self) -> HmacSha3_512 {
        self.mac.start()
    }

    fn new(bytes: &[u8], legacy: bool) -> Self {
        Self { bytes: Zeroizing::new(bytes.to_vec()), mac: HmacKey::new(bytes), legacy }
    }

    fn checked(bytes: &[u8], legacy: bool) -> Result<Self, Error> {
        // Every byte is looked at, whatever the others are.
        if bytes.iter().fold(0, |seen, byte| seen | byte) == 0 {
            return Err(Error::malformed("seal key", Problem::AllZero));
        }
        Ok(Self::new(bytes, legacy))
    }
}

impl fmt::Debug for SealKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealKey([redacted])")
    }
}
