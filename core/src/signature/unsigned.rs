//! A record that has its place in the chain and is to be signed: the place is taken in microseconds while nobody else
//! appends, and the signature, which takes a hundred times as long, is made afterwards and beside others.

use super::record::{SignatureRecord, chain_message, statement};
use crate::domain::Domain;
use crate::encoding::time::Timestamp;
use crate::error::{Error, Misuse};
use crate::id::{ContentHash, HashedContent, IdentityId};
use crate::krunica::{Appended, Head, KrunicaHash};
use crate::mldsa::{Hedge, PublicKey, Statement, StatementKey};
use alloc::string::String;
use core::fmt;
use rand_core::TryCryptoRng;

/// A record without its signature. Its entry does not depend on that: entries are placed one after the other, and what
/// they are of is signed on all cores. An entry whose record is never signed says nothing of its identity.
///
/// ```
/// use dualseal::signature::Unsigned;
/// use dualseal::{Domain, Head, SigningKey, SystemRng};
///
/// let domain = Domain::default();
/// let ana = domain.identity_id(b"", "ana", "")?;
/// let key = SigningKey::from_seed(&[7; 32])?;
/// let content = domain.content_hash(&ana, b"one contract");
/// let t = "2026-11-21T09:00:00.000Z".parse()?;
/// let (unsigned, appended) = Unsigned::place(&domain, &ana, key.public_key(), &content, &Head::EMPTY, t)?;
/// let record = unsigned.sign(&key, &mut SystemRng)?;
/// assert_eq!(*record.krunica_hash(), appended.entry.krunica_hash());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Unsigned {
    identity_id: IdentityId,
    public_key: PublicKey,
    content_hash: ContentHash,
    krunica_hash: KrunicaHash,
    time: Timestamp,
    statement: String,
}

impl Unsigned {
    /// Appends the entry of a record that this key will sign. The entry and the head after it are stored with the
    /// signed record, or none of them.
    ///
    /// # Errors
    /// [`Misuse::OtherSigner`] for content that was hashed for somebody else, [`Misuse::CounterExhausted`].
    pub fn place(
        domain: &Domain,
        identity_id: &IdentityId,
        public_key: &PublicKey,
        content: &HashedContent,
        head: &Head,
        time: Timestamp,
    ) -> Result<(Self, Appended), Error> {
        if content.identity_id() != identity_id {
            return Err(Misuse::OtherSigner.into());
        }
        let content_hash = *content.hash();
        let message = chain_message(domain, &content_hash, public_key);
        let appended = head.append_own(identity_id, &message, time)?;
        let krunica_hash = appended.entry.krunica_hash();
        let statement = statement(domain, identity_id, &content_hash, &krunica_hash, time);
        let (identity_id, public_key) = (*identity_id, public_key.clone());
        Ok((Self { identity_id, public_key, content_hash, krunica_hash, time, statement }, appended))
    }

    /// Whose record it is.
    #[must_use]
    pub fn identity_id(&self) -> &IdentityId {
        &self.identity_id
    }

    /// The key that must sign it.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        &self.public_key
    }

    /// The short handle of its entry.
    #[must_use]
    pub fn krunica_hash(&self) -> &KrunicaHash {
        &self.krunica_hash
    }

    /// Whether a record is this one, by everything but the signature: of the same work that was placed twice, at other
    /// times, each record counts at its own entry alone, though `h` is the same.
    #[must_use]
    pub fn is_of(&self, record: &SignatureRecord) -> bool {
        let Self { identity_id, public_key, content_hash, krunica_hash, time, statement: _ } = self;
        (identity_id, public_key, content_hash, krunica_hash, *time)
            == (&record.identity_id, &record.public_key, &record.content_hash, &record.krunica_hash, record.time)
    }

    /// Signs a statement over every other field of the record, hedged with fresh randomness (FIPS 204, section 3.4).
    ///
    /// # Errors
    /// [`Misuse::OtherSigner`] for another key than the one that the entry names, [`Misuse::UnfitKey`],
    /// [`Error::Randomness`].
    pub fn sign<R: TryCryptoRng + ?Sized>(self, key: &dyn StatementKey, rng: &mut R) -> Result<SignatureRecord, Error> {
        if *key.public_key() != self.public_key {
            return Err(Misuse::OtherSigner.into());
        }
        self.sign_with(key, &Hedge::draw(rng)?)
    }

    /// With the key that it was placed for.
    pub(super) fn sign_with(self, key: &dyn StatementKey, hedge: &Hedge) -> Result<SignatureRecord, Error> {
        let Self { identity_id, public_key, content_hash, krunica_hash, time, statement } = self;
        let signature = key.sign_statement(&Statement::Whole(statement.as_bytes()), hedge)?;
        Ok(SignatureRecord { identity_id, public_key, signature, content_hash, krunica_hash, time })
    }
}

impl fmt::Debug for Unsigned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unsigned")
            .field("identity_id", &self.identity_id)
            .field("krunica_hash", &self.krunica_hash)
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}
