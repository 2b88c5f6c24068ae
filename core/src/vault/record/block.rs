//! The sealed block: the header, the layers that are made before the seal, and the list of those that count.

use crate::ed25519::{Ed25519PublicKey, Ed25519Signature};
use crate::encoding::record::{record, wire_names};
use crate::encoding::time::Timestamp;
use crate::encoding::{Label, hex_newtype};
use crate::error::{Error, Layer, Problem};
use crate::id::{IdentityId, VaultId};
use crate::secret::Secret;
use crate::vault::keys::KeyId;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use rand_core::TryCryptoRng;

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

wire_names! { Encryption: [Self::None, Self::Stream] }
wire_names! { Tier: Self::ALL }
wire_names! { Layer: Self::ALL }

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

hex_newtype! {
    /// L2's tag: 16 drawn bytes, 32 hexadecimal characters.
    SessionTag, 16, "tag"
}

hex_newtype! {
    /// L2's HMAC-SHA256: 32 bytes, 64 hexadecimal characters.
    SessionMac, 32, "hmac"
}

record! {
    |block: Block| "sealed" {
        "header" header: Header,
        "layers" {
            "L0" { "hash" hash: LayerHash, "prev" prev: LayerHash },
            "L1" { "text" note: String },
            "L2" { "hmac" hmac: SessionMac, "tag" tag: SessionTag },
            "L3" { "baseline" baseline: LayerHash },
            "L4" {
                "public_key" public_key: Option<Ed25519PublicKey> = block.access.map(|(public_key, _)| public_key),
                "signature" signature: Option<Ed25519Signature> = block.access.map(|(_, signature)| signature),
                "tier" tier: Tier,
            },
            "L7" { "digest" digest: LayerHash },
        },
        "required" required: Vec<Layer> = block.tier.required().collect(),
    } => {
        check_required(&required, tier)?;
        let access = access(tier, public_key, signature)?;
        Ok(Self { header, hash, prev, note, tag, hmac, baseline, tier, access, digest })
    }
}

/// Both members for the tiers that are shown, both null for the one that is not.
fn access(
    tier: Tier,
    public_key: Option<Ed25519PublicKey>,
    signature: Option<Ed25519Signature>,
) -> Result<Option<(Ed25519PublicKey, Ed25519Signature)>, Error> {
    let shown = tier != Tier::Public;
    for (field, there) in [("public_key", public_key.is_some()), ("signature", signature.is_some())] {
        if there != shown {
            return Err(Error::malformed(field, Problem::WrongType));
        }
    }
    Ok(public_key.zip(signature))
}

/// Exactly the list of the tier: a shorter one would let whoever seals leave a layer out.
fn check_required(list: &[Layer], tier: Tier) -> Result<(), Error> {
    let mut expected = tier.required();
    for (index, layer) in (0..).zip(list) {
        if Some(*layer) != expected.next() {
            return Err(Error::malformed_at("required", index, Problem::Order));
        }
    }
    match expected.next() {
        None => Ok(()),
        Some(_) => Err(Error::malformed("required", Problem::MissingMember)),
    }
}

record! {
    |header: Header| "header" {
        "created_at" created_at: Timestamp,
        "encryption" encryption: Encryption,
        "identity_id" identity_id: IdentityId,
        "key_id" key_id: KeyId,
        "ledger" ledger: LedgerId,
        "length" length: u64,
        "seq" seq: u64,
        "type" kind: Label,
        "vault_id" vault_id: VaultId,
        "verzija" = VERSION,
    }
}
