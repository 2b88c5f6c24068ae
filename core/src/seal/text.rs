//! The seal strings: `SEAL-DUAL::<128 hex>::<6618 hex>` and the legacy `SEAL-L5::<128 hex>`.

use crate::domain::{Domain, Label, Row};
use crate::encoding::binary::{self, Binary, Fields, Kind};
use crate::encoding::hex;
use crate::encoding::record::{self, record, text_form, wire_names};
use crate::encoding::time::Timestamp;
use crate::error::{Error, Problem};
use crate::hash::Sha3_256;
use crate::id::IdentityId;
use crate::krunica::{Appended, Entry, Head};
use crate::mldsa::Signature;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;
use subtle::ConstantTimeEq;

const DUAL: &str = "SEAL-DUAL";
const LEGACY: &str = "SEAL-L5";

/// A dual seal. Holding one says nothing about its validity.
#[derive(Clone)]
pub struct DualSeal {
    pub(super) hmac: [u8; 64],
    pub(super) signature: Signature,
}

/// A legacy seal: layer A alone. It satisfies no policy that asks for a signature.
#[derive(Clone)]
pub struct LegacySeal {
    pub(super) hmac: [u8; 64],
}

/// A seal of either format.
///
/// ```
/// use dualseal::seal::{Seal, SealFormat};
///
/// let seal: Seal = format!("SEAL-L5::{}", "00".repeat(64)).parse()?;
/// assert_eq!(seal.format(), SealFormat::Legacy);
/// assert!("SEAL-L5::00".parse::<Seal>().is_err());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub enum Seal {
    /// `SEAL-DUAL`.
    Dual(DualSeal),
    /// `SEAL-L5`.
    Legacy(LegacySeal),
}

/// The format of a seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SealFormat {
    /// `SEAL-DUAL`.
    Dual,
    /// `SEAL-L5`.
    Legacy,
}

impl SealFormat {
    /// The prefix on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Dual => DUAL,
            Self::Legacy => LEGACY,
        }
    }
}

wire_names! { SealFormat: [Self::Dual, Self::Legacy] }

impl LegacySeal {
    pub(crate) fn from_mac(hmac: [u8; 64]) -> Self {
        Self { hmac }
    }

    pub(crate) fn mac(&self) -> &[u8; 64] {
        &self.hmac
    }
}

impl DualSeal {
    /// The identifier of this seal: `SEAL-DUAL::` and SHA3-256 over the seal string.
    #[must_use]
    pub fn seal_id(&self) -> SealId {
        SealId(Sha3_256::digest(self.to_string().as_bytes()))
    }

    /// The message of the seal's entry in the chain, to find it by: `P::<SEALED>::<SHA3-256 over the seal string>::S`.
    /// [`append_to`](Self::append_to) alone makes such an entry.
    #[must_use]
    pub fn chain_message(&self, domain: &Domain) -> String {
        domain.join(Row::Seal, &[domain.label(Label::SealSealed), &self.seal_id().to_hex()])
    }

    /// Makes the chain entry of whoever wants the seal to outlive its key, with the identity's name: anybody may append
    /// it. The caller stores the entry and the new head, both or neither.
    ///
    /// # Errors
    /// [`Misuse::CounterExhausted`](crate::error::Misuse::CounterExhausted) at 2^53-1 entries.
    pub fn append_to(
        &self,
        head: &Head,
        domain: &Domain,
        identity_id: &IdentityId,
        time: Timestamp,
    ) -> Result<Appended, Error> {
        head.append_own(identity_id, &self.chain_message(domain), time)
    }
}

/// Whether an entry has the form of a seal's, whoever made it.
#[must_use]
pub fn claims_seal(domain: &Domain, entry: &Entry) -> bool {
    entry.begins(domain.prefix(Row::Seal), domain.label(Label::SealSealed))
}

impl SealId {
    /// SHA3-256 over the seal string.
    pub(crate) fn hash(&self) -> &[u8; 32] {
        &self.0
    }

    /// The hash alone: SHA3-256 over the seal string, 64 hexadecimal characters.
    #[must_use]
    pub fn to_hex(&self) -> String {
        hex::encode(&self.0)
    }
}

impl Seal {
    /// Which format it is.
    #[must_use]
    pub fn format(&self) -> SealFormat {
        match self {
            Self::Dual(_) => SealFormat::Dual,
            Self::Legacy(_) => SealFormat::Legacy,
        }
    }

    /// A description for people and interfaces.
    #[must_use]
    pub fn info(&self) -> SealInfo {
        SealInfo {
            format: self.format(),
            hmac_hex: hex::encode(self.hmac()),
            signature_hex: self.dual().map(|dual| dual.signature.to_hex()),
            seal_id: self.dual().map(DualSeal::seal_id),
        }
    }

    /// The binary form: 3379 bytes of a dual seal, 70 of a legacy one.
    ///
    /// ```
    /// use dualseal::seal::Seal;
    ///
    /// let seal: Seal = format!("SEAL-L5::{}", "00".repeat(64)).parse()?;
    /// let bytes = seal.to_bytes();
    /// assert_eq!(bytes.len(), 70);
    /// assert_eq!(Seal::from_bytes(&bytes)?, seal);
    /// # Ok::<(), dualseal::Error>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let (kind, signature) = match self {
            Self::Dual(dual) => (Kind::DualSeal, &dual.signature.as_bytes()[..]),
            Self::Legacy(_) => (Kind::LegacySeal, &[][..]),
        };
        let hmac = self.hmac();
        Binary::new(kind, 0, hmac.len().saturating_add(signature.len())).bytes(hmac).bytes(signature).finish()
    }

    /// Reads the binary form.
    ///
    /// # Errors
    /// Names `magic`, `kind` or `flags` that are none of a seal; [`Problem::Length`] for bytes that are too few or too
    /// many.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (kind, flags, mut fields) = Fields::open(bytes)?;
        let is_dual = match kind {
            Kind::DualSeal => true,
            Kind::LegacySeal => false,
            Kind::SignatureRecord | Kind::Entry => return Err(binary::other_kind()),
        };
        binary::no_flags(flags)?;
        let hmac = *fields.take()?;
        let seal = if is_dual {
            Self::Dual(DualSeal { hmac, signature: Signature::from_array(fields.take()?) })
        } else {
            Self::Legacy(LegacySeal { hmac })
        };
        fields.finish()?;
        Ok(seal)
    }

    pub(super) fn dual(&self) -> Option<&DualSeal> {
        match self {
            Self::Dual(dual) => Some(dual),
            Self::Legacy(_) => None,
        }
    }

    pub(super) fn hmac(&self) -> &[u8; 64] {
        match self {
            Self::Dual(dual) => &dual.hmac,
            Self::Legacy(legacy) => &legacy.hmac,
        }
    }
}

impl FromStr for Seal {
    type Err = Error;

    /// Reads a seal string: exact prefix, `::`, exact lengths, lowercase hexadecimal, nothing before or after.
    fn from_str(text: &str) -> Result<Self, Error> {
        let (format, rest) = text.split_once("::").ok_or_else(|| Error::malformed("seal", Problem::UnknownValue))?;
        match format {
            LEGACY => Ok(Self::Legacy(LegacySeal { hmac: hex::decode_public("hmac_hex", rest)? })),
            DUAL => {
                let missing = || Error::malformed("signature_hex", Problem::MissingMember);
                let (hmac, signature) = rest.split_once("::").ok_or_else(missing)?;
                let hmac = hex::decode_public("hmac_hex", hmac)?;
                let signature = Signature::from_hex_of("signature_hex", signature)?;
                Ok(Self::Dual(DualSeal { hmac, signature }))
            }
            _ => Err(Error::malformed("seal", Problem::UnknownValue)),
        }
    }
}

impl FromStr for DualSeal {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text.parse()? {
            Seal::Dual(dual) => Ok(dual),
            Seal::Legacy(_) => Err(Error::malformed("seal", Problem::UnknownValue)),
        }
    }
}

text_form!(DualSeal, Self::from_str, Self::to_string);
text_form!(LegacySeal, Self::from_str, Self::to_string);
text_form!(SealId, Self::from_str, Self::to_string);

impl FromStr for LegacySeal {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text.parse()? {
            Seal::Legacy(legacy) => Ok(legacy),
            Seal::Dual(_) => Err(Error::malformed("seal", Problem::UnknownValue)),
        }
    }
}

impl fmt::Display for DualSeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{DUAL}::{}::{}", hex::encode(&self.hmac), self.signature.to_hex())
    }
}

impl fmt::Display for LegacySeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{LEGACY}::{}", hex::encode(&self.hmac))
    }
}

impl fmt::Display for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dual(dual) => dual.fmt(f),
            Self::Legacy(legacy) => legacy.fmt(f),
        }
    }
}

impl fmt::Debug for DualSeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DualSeal({})", self.seal_id())
    }
}

impl fmt::Debug for LegacySeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LegacySeal({self})")
    }
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dual(dual) => dual.fmt(f),
            Self::Legacy(legacy) => legacy.fmt(f),
        }
    }
}

// Layer A is a MAC, and somebody may check a seal by comparing it with one made anew: in constant time.
impl PartialEq for DualSeal {
    fn eq(&self, other: &Self) -> bool {
        bool::from(self.hmac.as_slice().ct_eq(&other.hmac)) && self.signature == other.signature
    }
}

impl Eq for DualSeal {}

impl PartialEq for LegacySeal {
    fn eq(&self, other: &Self) -> bool {
        self.hmac.as_slice().ct_eq(&other.hmac).into()
    }
}

impl Eq for LegacySeal {}

impl From<DualSeal> for Seal {
    fn from(seal: DualSeal) -> Self {
        Self::Dual(seal)
    }
}

impl From<LegacySeal> for Seal {
    fn from(seal: LegacySeal) -> Self {
        Self::Legacy(seal)
    }
}

/// The identifier of a dual seal: `SEAL-DUAL::<64 hex>`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SealId([u8; 32]);

impl FromStr for SealId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let hash = text.strip_prefix(DUAL).and_then(|rest| rest.strip_prefix("::"));
        let hash = hash.ok_or_else(|| Error::malformed("seal_id", Problem::UnknownValue))?;
        hex::decode_public("seal_id", hash).map(Self)
    }
}

impl fmt::Display for SealId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{DUAL}::{}", hex::encode(&self.0))
    }
}

impl fmt::Debug for SealId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealId({self})")
    }
}

/// A description of a seal: `{format, hmac_hex, seal_id, signature_hex}`, the last two `null` for a legacy seal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealInfo {
    /// The format.
    pub format: SealFormat,
    /// Layer A, 128 hexadecimal characters.
    pub hmac_hex: String,
    /// Layer B, 6618 hexadecimal characters.
    pub signature_hex: Option<String>,
    /// The identifier.
    pub seal_id: Option<SealId>,
}

impl SealInfo {
    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }
}

record! {
    |info: SealInfo| "seal info" {
        "format" format: SealFormat,
        "hmac_hex" hmac_hex: String,
        "seal_id" seal_id: Option<SealId>,
        "signature_hex" signature_hex: Option<String>,
    }
}
