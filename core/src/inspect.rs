//! Says what a text is, which version, and everything that is wrong with its form, field by field. It verifies nothing:
//! a text without findings is well-formed, no more.

mod schema;

use crate::checkpoint::Checkpoint;
use crate::encoding::hex;
use crate::encoding::json::{Value, Wiped};
use crate::error::{Error, Problem};
use crate::key::{KeyPairInfo, KeyRing};
use crate::krunica::{Checker, Entry, JsonLines};
use crate::mldsa::SIGNATURE_BYTES;
use crate::presence::PresenceProof;
use crate::seal::{Seal, SealFormat};
use crate::shard::{Request, Shard};
use crate::signature::SignatureRecord;
use crate::threshold::{Session, SessionShare, ThresholdResult};
use crate::vault::VaultRecord;
use crate::verdict::VerificationResult;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use schema::Schema;

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A signature record.
    SignatureRecord,
    /// A chain entry that travels alone.
    Entry,
    /// A chain as a JSON array.
    Chain,
    /// A chain as JSON lines.
    ChainLines,
    /// A checkpoint.
    Checkpoint,
    /// A ring.
    Ring,
    /// Key pair info.
    KeyPairInfo,
    /// A verification result.
    VerificationResult,
    /// A dual seal.
    DualSeal,
    /// A legacy seal.
    LegacySeal,
    /// A vault record.
    VaultRecord,
    /// A vault shard. It holds a secret.
    Shard,
    /// What proofs of presence are asked for.
    PresenceRequest,
    /// A proof of presence.
    PresenceProof,
    /// The record of a threshold session.
    ThresholdSession,
    /// A share of one. It holds a secret.
    SessionShare,
    /// The result of one.
    ThresholdResult,
    /// Nothing that is known here.
    Unknown,
}

impl Kind {
    /// A name for people.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SignatureRecord => "signature record",
            Self::Entry => "chain entry",
            Self::Chain => "chain",
            Self::ChainLines => "chain (JSON lines)",
            Self::Checkpoint => "checkpoint",
            Self::Ring => "key ring",
            Self::KeyPairInfo => "key pair info",
            Self::VerificationResult => "verification result",
            Self::DualSeal => "dual seal",
            Self::LegacySeal => "legacy seal",
            Self::VaultRecord => "vault record",
            Self::Shard => "vault shard",
            Self::PresenceRequest => "presence request",
            Self::PresenceProof => "presence proof",
            Self::ThresholdSession => "threshold session",
            Self::SessionShare => "session share",
            Self::ThresholdResult => "threshold result",
            Self::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What was found out about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inspection {
    /// What it is, as far as its shape tells.
    pub kind: Kind,
    /// The version that it gives, where it gives one.
    pub version: Option<String>,
    /// The number of entries or keys that it holds, where it holds several.
    pub count: Option<u64>,
    /// Everything that is wrong with its form. Empty exactly when the reader of this kind accepts it.
    pub findings: Vec<Error>,
}

impl Inspection {
    fn new(kind: Kind) -> Self {
        Self { kind, version: None, count: None, findings: Vec::new() }
    }

    fn with(mut self, finding: Error) -> Self {
        self.findings.push(finding);
        self
    }
}

/// Inspects a text.
///
/// ```
/// use dualseal::inspect::{Kind, inspect};
///
/// let found = inspect(b"SEAL-L5::00FF");
/// assert_eq!(found.kind, Kind::LegacySeal);
/// assert_eq!(found.findings[0].to_string(), "hmac_hex: must have length 128, has 4");
/// ```
#[must_use]
pub fn inspect(text: &[u8]) -> Inspection {
    if text.starts_with(b"SEAL-") {
        return inspect_seal(text);
    }
    match Value::parse(text) {
        // A chain of one line is a JSON text as well.
        Ok(value) if schema::CHAIN_ENTRY.has_the_members_of(&value) => inspect_lines(text),
        Ok(Value::Array(items)) => inspect_chain(items),
        // It may be a share, or a record with its fragment.
        Ok(value @ Value::Object(_)) => inspect_object(Wiped::new(value), text),
        Ok(_) => Inspection::new(Kind::Unknown).with(Error::malformed("json", Problem::WrongType)),
        Err(_) if text.split(|byte| *byte == b'\n').next().is_some_and(is_object) => inspect_lines(text),
        Err(error) => Inspection::new(Kind::Unknown).with(error),
    }
}

fn inspect_seal(text: &[u8]) -> Inspection {
    let Ok(text) = core::str::from_utf8(text) else {
        return Inspection::new(Kind::Unknown).with(Error::malformed("seal", Problem::Utf8));
    };
    let mut parts = text.split("::");
    let format = parts.next().unwrap_or_default();
    let kind = match format {
        _ if format == SealFormat::Dual.as_str() => Kind::DualSeal,
        _ if format == SealFormat::Legacy.as_str() => Kind::LegacySeal,
        _ => return Inspection::new(Kind::Unknown).with(Error::malformed("seal", Problem::UnknownValue)),
    };
    let mut found = Inspection { version: Some(format.to_string()), ..Inspection::new(kind) };
    let lengths: &[(&'static str, usize)] = match kind {
        Kind::DualSeal => &[("hmac_hex", 64), ("signature_hex", SIGNATURE_BYTES)],
        _ => &[("hmac_hex", 64)],
    };
    for (field, bytes) in lengths {
        let checked = match parts.next() {
            Some(part) => hex::check(field, part, *bytes),
            None => Err(Error::malformed(field, Problem::MissingMember)),
        };
        found.findings.extend(checked.err());
    }
    // What the fields did not show, such as a part too many, the reader itself does.
    confirm(found, || text.parse::<Seal>().err())
}

fn inspect_object(mut value: Wiped, text: &[u8]) -> Inspection {
    let Some(schema) = Schema::closest(value.get()) else {
        return Inspection::new(Kind::Unknown).with(Error::malformed("json", Problem::UnknownValue));
    };
    let mut found = Inspection::new(schema.kind);
    found.version = schema::version(schema.kind, value.get());
    found.findings = schema.findings(value.get(), None);
    let keys = match (schema.kind, value.get()) {
        (Kind::Ring, Value::Object(members)) => members.get("keys"),
        _ => None,
    };
    if let Some(Value::Array(items)) = keys {
        found.count = u64::try_from(items.len()).ok();
        for (index, item) in (0..).zip(items) {
            found.findings.extend(schema::RING_KEY.findings(item, Some(index)));
        }
    }
    confirm(found, || match schema.kind {
        Kind::SignatureRecord => SignatureRecord::from_json(text).err(),
        Kind::Entry => Entry::from_value(value.take()).err(),
        Kind::Checkpoint => Checkpoint::from_value(value.take()).err(),
        Kind::Ring => KeyRing::from_value(value.take()).err(),
        Kind::KeyPairInfo => KeyPairInfo::from_value(value.take()).err(),
        Kind::VerificationResult => VerificationResult::from_value(value.take()).err(),
        Kind::VaultRecord => VaultRecord::from_json(text).err(),
        Kind::Shard => Shard::from_json(text).err(),
        Kind::PresenceRequest => Request::from_value(value.take()).err(),
        Kind::PresenceProof => PresenceProof::from_value(value.take()).err(),
        Kind::ThresholdSession => Session::from_value(value.take()).err(),
        Kind::SessionShare => SessionShare::from_json(text).err(),
        Kind::ThresholdResult => ThresholdResult::from_json(text).err(),
        _ => None,
    })
}

/// The first fault of a chain, and the fields of that entry.
fn inspect_chain(items: Vec<Value>) -> Inspection {
    let mut found = Inspection::new(Kind::Chain);
    found.count = u64::try_from(items.len()).ok();
    let mut checker = Checker::new();
    for (index, item) in (0..).zip(items) {
        let fields = schema::CHAIN_ENTRY.findings(&item, Some(index));
        if let Err(fault) = checker.push_value(item) {
            found.findings.push(fault.into());
            found.findings.extend(fields);
            break;
        }
    }
    found
}

fn is_object(line: &[u8]) -> bool {
    matches!(Value::parse(line), Ok(Value::Object(_)))
}

fn inspect_lines(text: &[u8]) -> Inspection {
    let mut found = Inspection::new(Kind::ChainLines);
    let (mut lines, mut checker) = (JsonLines::new(), Checker::new());
    let pushed = lines.push(text, |line| Ok(checker.push_json(line).map(drop)?));
    found.findings.extend(pushed.and_then(|()| lines.finish()).err());
    found.count = Some(checker.head().size());
    found
}

/// The findings agree with the reader: what it refuses has at least one.
fn confirm(mut found: Inspection, read: impl FnOnce() -> Option<Error>) -> Inspection {
    if found.findings.is_empty() {
        found.findings.extend(read());
    }
    found
}
