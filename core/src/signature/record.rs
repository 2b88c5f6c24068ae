//! The signature record and the statement that its signature is over.

use crate::domain::{Domain, Label, Row};
use crate::encoding::binary::{self, Binary, Fields, Kind};
use crate::encoding::record::{self, record};
use crate::encoding::time::Timestamp;
use crate::error::{Error, Problem};
use crate::id::{ContentHash, IdentityId};
use crate::key::Algorithm;
use crate::krunica::{Entry, KrunicaHash};
use crate::mldsa::{PUBLIC_KEY_BYTES, PublicKey, Signature};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The version of the record and of its statement.
const VERSION: &str = "1";

/// The flag of a binary form that has the public key in it.
const WITH_KEY: u8 = 1;

/// The bytes of the binary form's fields, all but the public key: identity, content, handle, time, signature.
const FIELDS: usize = 32 + 32 + 32 + 8 + 3309;

/// A signature record: `{algoritam: "ML-DSA-65", identity_id, javni_kljuc, krunica_hash, potpis, quantum_ready: true,
/// sadrzaj_hash, timestamp, verzija: "1"}`. Holding one says nothing about its validity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureRecord {
    pub(super) identity_id: IdentityId,
    pub(super) public_key: PublicKey,
    pub(super) signature: Signature,
    pub(super) content_hash: ContentHash,
    pub(super) krunica_hash: KrunicaHash,
    pub(super) time: Timestamp,
}

impl SignatureRecord {
    /// Whose signature it claims to be.
    #[must_use]
    pub fn identity_id(&self) -> &IdentityId {
        &self.identity_id
    }

    /// The key inside the record (`javni_kljuc`), which proves nothing: verification asks the ring.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        &self.public_key
    }

    /// The signature (`potpis`), 3309 bytes.
    #[must_use]
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// What was signed (`sadrzaj_hash`).
    #[must_use]
    pub fn content_hash(&self) -> &ContentHash {
        &self.content_hash
    }

    /// The short handle of the record's chain entry.
    #[must_use]
    pub fn krunica_hash(&self) -> &KrunicaHash {
        &self.krunica_hash
    }

    /// The time that the signer gave. No evidence of time.
    #[must_use]
    pub fn time(&self) -> Timestamp {
        self.time
    }

    /// Whether an entry is the record's own, by all that the record says of it, its time included: the one place where
    /// it counts. Nothing of the signature is looked at.
    #[must_use]
    pub fn is_of(&self, domain: &Domain, entry: &Entry) -> bool {
        self.is_of_by(domain, entry, &self.public_key)
    }

    /// As [`is_of`](Self::is_of), with the ring's own copy of the record's key, which was hashed.
    pub(super) fn is_of_by(&self, domain: &Domain, entry: &Entry, public_key: &PublicKey) -> bool {
        *entry.identity_id() == self.identity_id
            && entry.message() == chain_message(domain, &self.content_hash, public_key)
            && entry.krunica_hash() == self.krunica_hash
            && entry.time() == self.time
    }

    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }

    /// Reads the JSON, in any spacing and member order.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form; an `algoritam` other than
    /// `ML-DSA-65`, a `verzija` other than `1` and a `quantum_ready` other than `true` are
    /// [`Problem::UnknownValue`](crate::error::Problem::UnknownValue).
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }

    /// The binary form, 5371 bytes: what the JSON says, in half its length.
    ///
    /// ```
    /// # use dualseal::{Domain, Head, SignatureRecord, Signer, SigningKey};
    /// # let (domain, key) = (Domain::default(), SigningKey::from_seed(&[7; 32])?);
    /// # let ana = domain.identity_id(b"", "ana", "")?;
    /// # let signer = Signer::new(&domain, &ana, &key);
    /// # let content = signer.content_hash(b"one contract");
    /// # let time = "2026-11-21T09:00:00.000Z".parse()?;
    /// # let record = signer.sign_deterministic(&content, &Head::EMPTY, time)?.record;
    /// let bytes = record.to_bytes();
    /// assert_eq!(bytes.len(), 5371);
    /// assert_eq!(SignatureRecord::from_bytes(&bytes)?, record);
    ///
    /// let short = record.to_bytes_without_key();
    /// assert_eq!(short.len(), 3419);
    /// assert_eq!(SignatureRecord::from_bytes_with_key(&short, record.public_key())?, record);
    /// # Ok::<(), dualseal::Error>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.write(Some(&self.public_key))
    }

    /// The binary form without the public key, 3419 bytes, for who has the keys beside: a column of keys, a ring. The
    /// signature of a record that is read with another key does not verify.
    #[must_use]
    pub fn to_bytes_without_key(&self) -> Vec<u8> {
        self.write(None)
    }

    /// Reads the binary form that has the public key in it.
    ///
    /// # Errors
    /// Names `magic`, `kind` or `flags` that are none of a record, the field that is out of range, and `javni_kljuc`
    /// where there is no key in it; [`Problem::Length`] for bytes that are too few or too many.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::read(bytes, None, |_| None)
    }

    /// Reads either binary form, with the key that the caller has for it.
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes); [`Problem::UnknownValue`] of `javni_kljuc` where another key is in it.
    pub fn from_bytes_with_key(bytes: &[u8], public_key: &PublicKey) -> Result<Self, Error> {
        Self::read(bytes, Some(public_key), |_| None)
    }

    /// Reads either binary form; for one without the public key, the key that the caller has for the identity that the
    /// bytes name.
    ///
    /// ```
    /// # use dualseal::{Domain, Head, KeyRing, SignatureRecord, Signer, SigningKey};
    /// # let (domain, key) = (Domain::default(), SigningKey::from_seed(&[7; 32])?);
    /// # let ana = domain.identity_id(b"", "ana", "")?;
    /// # let signer = Signer::new(&domain, &ana, &key);
    /// # let content = signer.content_hash(b"one contract");
    /// # let time = "2026-11-21T09:00:00.000Z".parse()?;
    /// # let record = signer.sign_deterministic(&content, &Head::EMPTY, time)?.record;
    /// let ring = KeyRing::pinned(&ana, key.public_key().clone());
    /// let current = |signer: &_| ring.keys(signer).map(|(key, _)| key.clone()).next();
    /// assert_eq!(SignatureRecord::from_bytes_by(&record.to_bytes_without_key(), current)?, record);
    /// # Ok::<(), dualseal::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes), `javni_kljuc` where the caller has none.
    pub fn from_bytes_by(bytes: &[u8], key_of: impl FnOnce(&IdentityId) -> Option<PublicKey>) -> Result<Self, Error> {
        Self::read(bytes, None, key_of)
    }

    fn write(&self, public_key: Option<&PublicKey>) -> Vec<u8> {
        let (flags, key) = public_key.map_or((0, &[][..]), |key| (WITH_KEY, key.as_bytes()));
        Binary::new(Kind::SignatureRecord, flags, FIELDS.saturating_add(key.len()))
            .bytes(self.identity_id.as_bytes())
            .bytes(self.content_hash.as_bytes())
            .bytes(self.krunica_hash.as_bytes())
            .time(self.time)
            .bytes(key)
            .bytes(self.signature.as_bytes())
            .finish()
    }

    fn read(
        bytes: &[u8],
        given: Option<&PublicKey>,
        key_of: impl FnOnce(&IdentityId) -> Option<PublicKey>,
    ) -> Result<Self, Error> {
        let (Kind::SignatureRecord, flags, mut fields) = Fields::open(bytes)? else {
            return Err(binary::other_kind());
        };
        binary::no_flags(flags & !WITH_KEY)?;
        let identity_id = IdentityId::from_bytes(*fields.take()?);
        let content_hash = ContentHash::from_bytes(*fields.take()?);
        let krunica_hash = KrunicaHash::from_bytes(*fields.take()?);
        let time = fields.time("timestamp")?;
        let wrong = |problem| Error::malformed("javni_kljuc", problem);
        let public_key = if flags == WITH_KEY {
            let found = fields.take::<PUBLIC_KEY_BYTES>()?;
            match given {
                Some(given) if given.as_bytes() != found => return Err(wrong(Problem::UnknownValue)),
                // The caller's has its hash already.
                Some(given) => given.clone(),
                None => PublicKey::from_array(found),
            }
        } else {
            given.cloned().or_else(|| key_of(&identity_id)).ok_or_else(|| wrong(Problem::MissingMember))?
        };
        let signature = Signature::from_array(fields.take()?);
        fields.finish()?;
        Ok(Self { identity_id, public_key, signature, content_hash, krunica_hash, time })
    }
}

record! {
    |record: SignatureRecord| "signature record" {
        "algoritam" = Algorithm::MlDsa65.as_str(),
        "identity_id" identity_id: IdentityId,
        "javni_kljuc" public_key: PublicKey,
        "krunica_hash" krunica_hash: KrunicaHash,
        "potpis" signature: Signature,
        "quantum_ready" = true,
        "sadrzaj_hash" content_hash: ContentHash,
        "timestamp" time: Timestamp,
        "verzija" = VERSION,
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(SignatureRecord);

/// `P::<SIGNED>::<sadrzaj_hash>::<H3(public key)>::S`: the message of the entry that a record by this key has. It names
/// the key, so that nobody completes the entry with another one later.
pub(super) fn chain_message(domain: &Domain, content_hash: &ContentHash, public_key: &PublicKey) -> String {
    let label = domain.label(Label::SignatureSigned);
    domain.join(Row::Signature, &[label, &content_hash.to_hex(), &public_key.hash().to_hex()])
}

/// Whether an entry has the form of a signature record's, whoever made it.
#[must_use]
pub fn claims_signature(domain: &Domain, entry: &Entry) -> bool {
    entry.begins(domain.prefix(Row::Signature), domain.label(Label::SignatureSigned))
}

/// `P::<STATEMENT>::ML-DSA-65::1::<identity_id>::<sadrzaj_hash>::<krunica_hash>::<timestamp>::S`: every other field of
/// the record, so that none can be changed.
pub(super) fn statement(
    domain: &Domain,
    identity_id: &IdentityId,
    content_hash: &ContentHash,
    krunica_hash: &KrunicaHash,
    time: Timestamp,
) -> String {
    domain.join(
        Row::Signature,
        &[
            domain.label(Label::SignatureStatement),
            Algorithm::MlDsa65.as_str(),
            VERSION,
            &identity_id.to_hex(),
            &content_hash.to_hex(),
            &krunica_hash.to_hex(),
            &time.to_string(),
        ],
    )
}
