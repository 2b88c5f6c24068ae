//! Making signature records.

use super::Unsigned;
use super::record::SignatureRecord;
use crate::domain::Domain;
use crate::encoding::json::Value;
use crate::encoding::time::Timestamp;
use crate::error::Error;
use crate::id::{ContentHasher, HashedContent, IdentityId};
use crate::key::KeyRing;
use crate::krunica::{Appended, Entry, Head};
use crate::mldsa::{Hedge, StatementKey};
use core::fmt;
use rand_core::TryCryptoRng;

/// Signs for one identity in one domain. One signing key serves one domain.
///
/// ```
/// use dualseal::{Domain, Head, Signer, SigningKey};
///
/// let domain = Domain::default();
/// let ana = domain.identity_id(b"", "ana", "")?;
/// let key = SigningKey::from_seed(&[7; 32])?;
/// let signer = Signer::new(&domain, &ana, &key);
/// let content = signer.content_hash(b"one contract");
/// let signed = signer.sign_deterministic(&content, &Head::EMPTY, "2026-11-21T09:00:00.000Z".parse()?)?;
/// assert_eq!(signed.entry.krunica_hash(), *signed.record.krunica_hash());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone)]
pub struct Signer<'a> {
    domain: &'a Domain,
    identity_id: IdentityId,
    key: &'a dyn StatementKey,
}

/// A new record with its chain entry and the head after it: stored together, or none of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// The record.
    pub record: SignatureRecord,
    /// Its entry: `w3` the identity, `poruka` the hashes of content and key under the label `SIGNED`, `t` the time.
    pub entry: Entry,
    /// The head after the entry.
    pub head: Head,
}

impl<'a> Signer<'a> {
    /// A signer for `identity_id`, whatever became of its key: for who has no ring. Of an operator's own identities
    /// use [`current`](Self::current).
    #[must_use]
    pub fn new(domain: &'a Domain, identity_id: &IdentityId, key: &'a dyn StatementKey) -> Self {
        Self { domain, identity_id: *identity_id, key }
    }

    /// A signer whose key is the identity's current one in a ring, and valid: what another key signs, such as that of a
    /// process which did not hear of a rotation, is invalid for good.
    ///
    /// # Errors
    /// As [`KeyRing::check_signer`].
    pub fn current(
        domain: &'a Domain,
        ring: &KeyRing,
        identity_id: &IdentityId,
        key: &'a dyn StatementKey,
    ) -> Result<Self, Error> {
        ring.check_signer(identity_id, key.public_key())?;
        Ok(Self::new(domain, identity_id, key))
    }

    /// Hashes content that comes in parts; see [`Domain::content_hasher`].
    #[must_use]
    pub fn content_hasher(&self) -> ContentHasher {
        self.domain.content_hasher(&self.identity_id)
    }

    /// Hashes content in memory.
    #[must_use]
    pub fn content_hash(&self, content: &[u8]) -> HashedContent {
        self.domain.content_hash(&self.identity_id, content)
    }

    /// Hashes a JSON value by its canonical form (RFC 8785). Nothing marks the record as one over JSON: a signature
    /// over the same bytes as a file is the same signature.
    ///
    /// # Errors
    /// As [`Value::to_canonical`].
    pub fn content_hash_json(&self, value: &Value) -> Result<HashedContent, Error> {
        Ok(self.content_hash(value.to_canonical()?.as_bytes()))
    }

    /// Appends the entry, then signs a statement over every other field of the record. Hedged with fresh randomness
    /// (FIPS 204, section 3.4).
    ///
    /// # Errors
    /// [`Error::Randomness`] and [`Misuse::UnfitKey`](crate::error::Misuse::UnfitKey); as [`Unsigned::place`].
    pub fn sign<R: TryCryptoRng + ?Sized>(
        &self,
        content: &HashedContent,
        head: &Head,
        time: Timestamp,
        rng: &mut R,
    ) -> Result<Signed, Error> {
        self.make(content, head, time, &Hedge::draw(rng)?)
    }

    /// As [`sign`](Self::sign), in the deterministic variant of FIPS 204: for tests and known answers. Prefer `sign`,
    /// which resists faults better.
    ///
    /// # Errors
    /// As [`sign`](Self::sign), but for randomness.
    pub fn sign_deterministic(&self, content: &HashedContent, head: &Head, time: Timestamp) -> Result<Signed, Error> {
        self.make(content, head, time, &Hedge::deterministic())
    }

    fn make(&self, content: &HashedContent, head: &Head, time: Timestamp, hedge: &Hedge) -> Result<Signed, Error> {
        let (unsigned, Appended { entry, head }) = self.place(content, head, time)?;
        Ok(Signed { record: self.sign_placed(unsigned, hedge)?, entry, head })
    }

    /// The entry of a record that this signer will sign.
    pub(crate) fn place(
        &self,
        content: &HashedContent,
        head: &Head,
        time: Timestamp,
    ) -> Result<(Unsigned, Appended), Error> {
        Unsigned::place(self.domain, &self.identity_id, self.key.public_key(), content, head, time)
    }

    /// The record that [`place`](Self::place) made an entry of.
    pub(crate) fn sign_placed(&self, unsigned: Unsigned, hedge: &Hedge) -> Result<SignatureRecord, Error> {
        unsigned.sign_with(self.key, hedge)
    }
}

impl fmt::Debug for Signer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { domain, identity_id, key } = self;
        f.debug_struct("Signer")
            .field("domain", domain)
            .field("identity_id", identity_id)
            .field("public_key", key.public_key())
            .finish_non_exhaustive()
    }
}
