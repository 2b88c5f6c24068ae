//! The sealed block: the header, the layers that are made before the seal, and the list of those that count.

use crate::ed25519::{Ed25519PublicKey, Ed25519Signature};
use crate::encoding::json::Value;
use crate::encoding::time::Timestamp;
use crate::encoding::{expect_text, hex_newtype, time_member};
use crate::error::{Error, Layer, Problem};
use crate::id::{IdentityId, VaultId, check_label};
use crate::secret::Secret;
use crate::vault::keys::KeyId;
use alloc::string::{String, ToString};
use core::fmt;
use rand_core::TryCryptoRng;
use subtle::ConstantTimeEq;

/// The version of the record.
const VERSION: &str = "1";

hex_newtype! {
    /// A SHA3-256 of a layer: 32 bytes, 64 hexadecimal characters.
    LayerHash, 32, "hash"
}

hex_newtype! {
    /// A ledger: 32 drawn bytes, 64 hexadecimal characters.
    LedgerId, 32, "ledger"
}

impl LayerHash {
    /// 64 zeros: what the first record of a ledger has before it.
    pub const ZERO: Self = Self::from_bytes([0; 32]);
}

impl LedgerId {
    /// Draws a ledger.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn draw<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        Ok(Self::from_bytes(*Secret::random(rng)?.expose()))
    }
}

/// Whether what is stored is the document itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encryption {
    /// It is: whoever reads the store reads the document.
    None,
    /// It is encrypted under a secret of its own, in the format of [`stream`](mod@crate::stream).
    Stream,
}

impl Encryption {
    /// The name on the wire: `none` or `CHACHA20-POLY1305-STREAM`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Stream => "CHACHA20-POLY1305-STREAM",
        }
    }
}

/// The tier of whoever sealed a record, from the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Without a key of its own.
    Public,
    /// Shown by an Ed25519 signature.
    Noble,
    /// The highest, shown by an Ed25519 signature.
    Native,
}

impl Tier {
    const ALL: [Self; 3] = [Self::Public, Self::Noble, Self::Native];

    /// The name on the wire: `public`, `noble` or `native`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Noble => "noble",
            Self::Native => "native",
        }
    }

    /// The layers that count, in order: whoever seals has no say in it.
    pub(in crate::vault) fn required(self) -> impl Iterator<Item = Layer> {
        let counts = move |layer: &Layer| *layer != Layer::L1 && (*layer != Layer::L4 || self != Self::Public);
        Layer::ALL.into_iter().filter(counts)
    }
}

impl core::str::FromStr for Tier {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|tier| tier.as_str() == name);
        found.ok_or_else(|| Error::malformed("tier", Problem::UnknownValue))
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The header of a record:
/// `{created_at, encryption, identity_id, key_id, ledger, length, seq, type, vault_id, verzija}`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// The time that the sealer gave. No evidence by itself.
    pub created_at: Timestamp,
    /// Whether the stored bytes are encrypted.
    pub encryption: Encryption,
    /// Whose record it is.
    pub identity_id: IdentityId,
    /// Names the master whose keys made it.
    pub key_id: KeyId,
    /// The ledger.
    pub ledger: LedgerId,
    /// The number of stored bytes.
    pub length: u64,
    /// The position in the ledger, from 0.
    pub seq: u64,
    /// The type of the document (`type`).
    pub kind: String,
    /// The identifier of the record.
    pub vault_id: VaultId,
}

/// What L5 seals, but for the list, which the tier gives.
#[derive(Clone, Debug)]
pub(in crate::vault) struct Block {
    pub(in crate::vault) header: Header,
    /// L0.
    pub(in crate::vault) hash: LayerHash,
    pub(in crate::vault) prev: LayerHash,
    /// L1.
    pub(in crate::vault) note: String,
    /// L2.
    pub(in crate::vault) tag: SessionTag,
    pub(in crate::vault) hmac: SessionMac,
    /// L3.
    pub(in crate::vault) baseline: LayerHash,
    /// L4: the tier, and for noble and native who showed it.
    pub(in crate::vault) tier: Tier,
    pub(in crate::vault) access: Option<(Ed25519PublicKey, Ed25519Signature)>,
    /// L7.
    pub(in crate::vault) digest: LayerHash,
}

// L2 holds a MAC, and somebody may check a block by comparing it with one made anew: in constant time.
impl PartialEq for Block {
    fn eq(&self, other: &Self) -> bool {
        let Self { header, hash, prev, note, tag, hmac, baseline, tier, access, digest } = self;
        bool::from(hmac.as_bytes().as_slice().ct_eq(other.hmac.as_bytes()))
            && *header == other.header
            && (hash, prev, baseline, digest) == (&other.hash, &other.prev, &other.baseline, &other.digest)
            && (note, tag, tier, access) == (&other.note, &other.tag, &other.tier, &other.access)
    }
}

impl Eq for Block {}

hex_newtype! {
    /// L2's tag: 16 drawn bytes, 32 hexadecimal characters.
    SessionTag, 16, "tag"
}

hex_newtype! {
    /// L2's HMAC-SHA256: 32 bytes, 64 hexadecimal characters.
    SessionMac, 32, "hmac"
}

impl Block {
    pub(in crate::vault) fn to_value(&self) -> Value {
        let (public_key, signature) = match &self.access {
            None => (Value::Null, Value::Null),
            Some((public_key, signature)) => (public_key.to_member(), signature.to_member()),
        };
        let layers = Value::object([
            ("L0", Value::object([("hash", self.hash.to_member()), ("prev", self.prev.to_member())])),
            ("L1", Value::object([("text", Value::text(self.note.as_str()))])),
            ("L2", Value::object([("hmac", self.hmac.to_member()), ("tag", self.tag.to_member())])),
            ("L3", Value::object([("baseline", self.baseline.to_member())])),
            (
                "L4",
                Value::object([
                    ("public_key", public_key),
                    ("signature", signature),
                    ("tier", Value::text(self.tier.as_str())),
                ]),
            ),
            ("L7", Value::object([("digest", self.digest.to_member())])),
        ]);
        let required = self.tier.required().map(|layer| Value::text(layer.as_str())).collect();
        Value::object([("header", self.header.to_value()), ("layers", layers), ("required", Value::Array(required))])
    }

    pub(in crate::vault) fn from_value(value: Value) -> Result<Self, Error> {
        let [header, layers, required] = value.members("sealed", ["header", "layers", "required"])?;
        let header = Header::from_value(header)?;
        let [l0, l1, l2, l3, l4, l7] = layers.members("layers", ["L0", "L1", "L2", "L3", "L4", "L7"])?;
        let [hash, prev] = l0.members("L0", ["hash", "prev"])?;
        let [note] = l1.members("L1", ["text"])?;
        let [hmac, tag] = l2.members("L2", ["hmac", "tag"])?;
        let [baseline] = l3.members("L3", ["baseline"])?;
        let [public_key, signature, tier] = l4.members("L4", ["public_key", "signature", "tier"])?;
        let [digest] = l7.members("L7", ["digest"])?;
        let tier: Tier = tier.into_text("tier")?.parse()?;
        check_required(required, tier)?;
        Ok(Self {
            header,
            hash: LayerHash::from_member(hash, "hash")?,
            prev: LayerHash::from_member(prev, "prev")?,
            note: note.into_text("text")?,
            tag: SessionTag::from_member(tag, "tag")?,
            hmac: SessionMac::from_member(hmac, "hmac")?,
            baseline: LayerHash::from_member(baseline, "baseline")?,
            tier,
            access: access(tier, public_key, signature)?,
            digest: LayerHash::from_member(digest, "digest")?,
        })
    }
}

/// Both members for the tiers that are shown, both null for the one that is not.
fn access(
    tier: Tier,
    public_key: Value,
    signature: Value,
) -> Result<Option<(Ed25519PublicKey, Ed25519Signature)>, Error> {
    if tier != Tier::Public {
        let public_key = Ed25519PublicKey::from_member(public_key, "public_key")?;
        return Ok(Some((public_key, Ed25519Signature::from_member(signature, "signature")?)));
    }
    for (field, value) in [("public_key", public_key), ("signature", signature)] {
        if value.non_null().is_some() {
            return Err(Error::malformed(field, Problem::WrongType));
        }
    }
    Ok(None)
}

/// Exactly the list of the tier: a shorter one would let whoever seals leave a layer out.
fn check_required(list: Value, tier: Tier) -> Result<(), Error> {
    let mut expected = tier.required();
    for (index, item) in (0..).zip(list.into_array("required")?) {
        let name = item.into_text("required")?;
        let problem = |problem| Err(Error::malformed_at("required", index, problem));
        match Layer::ALL.into_iter().find(|layer| layer.as_str() == name) {
            None => return problem(Problem::UnknownValue),
            found if found != expected.next() => return problem(Problem::Order),
            Some(_) => {}
        }
    }
    match expected.next() {
        None => Ok(()),
        Some(_) => Err(Error::malformed("required", Problem::MissingMember)),
    }
}

impl Header {
    pub(in crate::vault) fn to_value(&self) -> Value {
        Value::object([
            ("created_at", Value::text(self.created_at.to_string())),
            ("encryption", Value::text(self.encryption.as_str())),
            ("identity_id", self.identity_id.to_member()),
            ("key_id", self.key_id.to_member()),
            ("ledger", self.ledger.to_member()),
            ("length", Value::counter(self.length)),
            ("seq", Value::counter(self.seq)),
            ("type", Value::text(self.kind.as_str())),
            ("vault_id", self.vault_id.to_member()),
            ("verzija", Value::text(VERSION)),
        ])
    }

    fn from_value(value: Value) -> Result<Self, Error> {
        let names = [
            "created_at",
            "encryption",
            "identity_id",
            "key_id",
            "ledger",
            "length",
            "seq",
            "type",
            "vault_id",
            "verzija",
        ];
        let [created_at, encryption, identity_id, key_id, ledger, length, seq, kind, vault_id, version] =
            value.members("header", names)?;
        expect_text(version, "verzija", VERSION)?;
        let encryption = encryption.into_text("encryption")?;
        let encryption = [Encryption::None, Encryption::Stream].into_iter().find(|e| e.as_str() == encryption);
        let kind = kind.into_text("type")?;
        check_label("type", &kind)?;
        Ok(Self {
            created_at: time_member(created_at, "created_at")?,
            encryption: encryption.ok_or_else(|| Error::malformed("encryption", Problem::UnknownValue))?,
            identity_id: IdentityId::from_member(identity_id, "identity_id")?,
            key_id: KeyId::from_member(key_id, "key_id")?,
            ledger: LedgerId::from_member(ledger, "ledger")?,
            length: length.into_counter("length")?,
            seq: seq.into_counter("seq")?,
            kind,
            vault_id: VaultId::from_member(vault_id, "vault_id")?,
        })
    }
}
