//! The one error type. Errors say what was wrong and where; they never hold a secret.
//!
//! Four families are kept apart, because they call for different acts: [`Malformed`] input is sent back to whoever
//! wrote it, a [`Rejected`] piece of evidence is kept and looked into, [`Misuse`] is a defect of the calling program,
//! and failed randomness is a defect of the machine. What a verification concludes about a record is not an error at
//! all: it is a [`Verdict`](crate::verdict::Verdict).

mod presence;
mod shard;
mod sharing;
mod threshold;
mod vault;

pub use presence::PresenceFault;
pub use shard::ShardFault;
pub use sharing::{SharingFault, SharingProblem, StreamFault};
pub use threshold::ThresholdFault;
pub use vault::{Layer, VaultFault};

use alloc::string::String;
use core::fmt;

/// What can go wrong, other than a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Input that does not have the documented form.
    Malformed(Malformed),
    /// Well-formed evidence that does not hold.
    Rejected(Rejected),
    /// A call that cannot be served as it was made.
    Misuse(Misuse),
    /// The random number generator failed; nothing was made.
    Randomness,
}

impl Error {
    /// The number of this error, the same in every language and version. It is never reused.
    ///
    /// 1 to 99 are verdicts ([`VerdictKind::code`](crate::VerdictKind::code)), 100 to 199 malformed input, 200 to 299
    /// rejected evidence, 300 to 399 misuse, 400 failed randomness; from 900 on, the C ABI's own.
    #[must_use]
    pub fn code(&self) -> u16 {
        match self {
            Self::Malformed(malformed) => malformed.problem.code(),
            Self::Rejected(rejected) => rejected.code(),
            Self::Misuse(misuse) => misuse.code(),
            Self::Randomness => 400,
        }
    }

    pub(crate) fn malformed(field: &'static str, problem: Problem) -> Self {
        Self::Malformed(Malformed { field, index: None, problem })
    }

    pub(crate) fn malformed_at(field: &'static str, index: u64, problem: Problem) -> Self {
        Self::Malformed(Malformed { field, index: Some(index), problem })
    }
}

/// Input that does not have the documented form: which field, where in it or in which item, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Malformed {
    /// The field, by its name on the wire, or the argument.
    pub field: &'static str,
    /// The position: of a byte in a text, of an item in a list; of a share's value, the share's index. `None` where
    /// there is only one.
    pub index: Option<u64>,
    /// What is wrong with it.
    pub problem: Problem,
}

impl Malformed {
    /// For bindings, whose input can be wrong in ways that Rust's types exclude.
    #[must_use]
    pub fn new(field: &'static str, index: Option<u64>, problem: Problem) -> Self {
        Self { field, index, problem }
    }
}

impl From<Malformed> for Error {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed)
    }
}

/// What is wrong with a malformed field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// Not as long as it must be, in bytes or characters of the input.
    Length {
        /// The length it must have.
        expected: usize,
        /// The length it has.
        found: usize,
    },
    /// Not lowercase hexadecimal.
    Hex,
    /// Not UTF-8.
    Utf8,
    /// Contains `::` or begins with `:`, so that two different inputs could share one identifier.
    Ambiguous,
    /// Contains a control character (C0, DEL or C1).
    Control,
    /// Not of the form `2026-11-21T09:00:00.000Z`, or not a moment that exists.
    Timestamp,
    /// Outside the documented range.
    Range,
    /// None of the values that are known here.
    UnknownValue,
    /// A member that must be there is not.
    MissingMember,
    /// A member that is not part of this record. Holds the first 64 characters of its name.
    UnknownMember(String),
    /// Two members of one object have the same name.
    DuplicateMember,
    /// Another JSON type than the one documented.
    WrongType,
    /// Not JSON (RFC 8259).
    JsonSyntax,
    /// JSON nested deeper than 32 arrays and objects.
    JsonDepth,
    /// A JSON number that is not an integer within ±(2^53-1), or is `-0`.
    JsonNumber,
    /// A lone UTF-16 surrogate in a JSON string.
    JsonSurrogate,
    /// A byte order mark before the JSON.
    JsonByteOrderMark,
    /// Not the DER of an ML-DSA-65 key (RFC 9881).
    Der,
    /// Not PEM with the right label.
    Pem,
    /// All bytes are zero, which no honest generator produces.
    AllZero,
    /// Coefficients of an expanded key outside -4 to 4 (FIPS 204, section 4).
    KeyCoefficients,
    /// The expanded key's `tr` is not the hash of its public key (FIPS 204, algorithm 6).
    KeyHash,
    /// A domain constant outside the rules: 1 or more characters 0x21 to 0x7E without `:`, one of them not `0-9a-f`.
    Constant,
    /// Items are not in the documented order.
    Order,
    /// The same item twice.
    Repeated,
    /// Not below the field's modulus, so that two encodings would mean one element.
    NotCanonical,
    /// Does not begin as an encrypted stream does.
    StreamHeader,
}

impl Problem {
    fn code(&self) -> u16 {
        match self {
            Self::Length { .. } => 100,
            Self::Hex => 101,
            Self::Utf8 => 102,
            Self::Ambiguous => 103,
            Self::Control => 104,
            Self::Timestamp => 105,
            Self::Range => 106,
            Self::UnknownValue => 107,
            Self::MissingMember => 108,
            Self::UnknownMember(_) => 109,
            Self::DuplicateMember => 110,
            Self::WrongType => 111,
            Self::JsonSyntax => 112,
            Self::JsonDepth => 113,
            Self::JsonNumber => 114,
            Self::JsonSurrogate => 115,
            Self::JsonByteOrderMark => 116,
            Self::Der => 117,
            Self::Pem => 118,
            Self::AllZero => 119,
            Self::KeyCoefficients => 120,
            Self::KeyHash => 121,
            Self::Constant => 122,
            Self::Order => 123,
            Self::Repeated => 124,
            Self::NotCanonical => 130,
            Self::StreamHeader => 131,
        }
    }
}

/// Evidence that has the right form and does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rejected {
    /// A chain is broken.
    Chain(ChainFault),
    /// A chain is not the one that a checkpoint was signed over.
    Checkpoint(CheckpointFault),
    /// The chain holds a later change than the ring: somebody restored an old ring.
    RingRollback {
        /// The ring's revision.
        ring: u64,
        /// The greatest revision in the chain.
        chain: u64,
    },
    /// The ring is not the one that its chain vouches for, and is not an older one either.
    RingForged {
        /// The first identity, in order, whose keys differ (64 hexadecimal characters); `None` when only the revision
        /// does.
        identity_id: Option<String>,
    },
    /// Shares give no secret.
    Sharing(SharingFault),
    /// An encrypted stream does not open.
    Stream(StreamFault),
    /// Proofs of presence do not open the gate.
    Presence(PresenceFault),
    /// Vault shards do not hold.
    Shard(ShardFault),
    /// Evidence about a threshold session does not hold.
    Threshold(ThresholdFault),
    /// Evidence about a vault does not hold.
    Vault(VaultFault),
}

impl Rejected {
    fn code(&self) -> u16 {
        match self {
            Self::Chain(fault) => match fault.problem {
                ChainProblem::Members => 200,
                ChainProblem::Prev => 201,
                ChainProblem::Format => 202,
                ChainProblem::Hash => 203,
            },
            Self::Checkpoint(fault) => match fault {
                CheckpointFault::Truncated { .. } => 204,
                CheckpointFault::Rewritten { .. } => 205,
                CheckpointFault::Retimed { .. } => 206,
            },
            Self::RingRollback { .. } => 207,
            Self::RingForged { .. } => 208,
            Self::Sharing(fault) => fault.problem.code(),
            Self::Stream(fault) => fault.code(),
            Self::Presence(fault) => fault.code(),
            Self::Shard(fault) => fault.code(),
            Self::Threshold(fault) => fault.code(),
            Self::Vault(fault) => fault.code(),
        }
    }
}

/// The first entry of a chain that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainFault {
    /// The position of the entry, from 0.
    pub seq: u64,
    /// What is wrong with it.
    pub problem: ChainProblem,
}

/// What is wrong with an entry of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainProblem {
    /// Not a JSON object with exactly the members of an entry.
    Members,
    /// `prev` is not the hash of the entry before it.
    Prev,
    /// A member does not have its form, or a lone entry says another position.
    Format,
    /// `h` is not the hash of the entry.
    Hash,
}

/// How a chain disagrees with a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckpointFault {
    /// Entries at its end are missing.
    Truncated {
        /// The entries that the checkpoint covers.
        size: u64,
        /// The entries that are there.
        found: u64,
    },
    /// It holds together, and is another chain.
    Rewritten {
        /// The entries that the checkpoint covers.
        size: u64,
    },
    /// The entries are the same, but for the times that they give.
    Retimed {
        /// The entries that the checkpoint covers.
        size: u64,
    },
}

/// A call that cannot be served as it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misuse {
    /// A message that begins with one of the domain's prefixes and `::`: such entries are made by the library alone.
    ReservedMessage,
    /// The ring has no current key for this identity.
    UnknownIdentity,
    /// The ring has no such key for this identity.
    UnknownKey,
    /// The ring holds this public key already, in some role, for some identity.
    KnownKey,
    /// The identity has a current key; a new one takes its place by rotation.
    HasCurrentKey,
    /// The state of a decoy key cannot be changed.
    DecoyState,
    /// A ring without an origin (a pinned key) cannot be changed or exported.
    PinnedRing,
    /// The chain head given is not after the last retirement of this identity.
    StaleHead,
    /// A counter would pass 2^53-1.
    CounterExhausted,
    /// Two constants of a domain that must differ are equal.
    SharedConstants,
    /// The expanded signing key made no signature that its own public key accepts.
    UnfitKey,
    /// The chain, checkpoint or ring belongs to another origin.
    OtherOrigin,
    /// A payload that begins with the vault or shard prefix and `::`: such seals are made by the library alone.
    ReservedPayload,
    /// A seal key of a legacy length makes no seals.
    LegacySealKey,
    /// A gate that asks for no proof of presence.
    NoProofsRequired,
    /// A list of shards that is empty.
    NoShards,
    /// A dealer for another vault or identity than the one that is rebuilt.
    OtherVault,
    /// A stream has at most 2^32 chunks.
    StreamTooLong,
    /// A stream that was refused, or has ended, takes nothing more.
    StreamEnded,
    /// A type of vault record that only the library itself makes.
    ReservedType,
    /// A vault record that is not encrypted cannot be erased.
    NotEncrypted,
    /// A record of another ledger, identity or master, or one that comes after the head.
    ForeignLedger,
    /// A tier above public can only be asked for with a table of keys.
    NoTierKeys,
    /// An encrypted record opens with its vault secret only.
    NoVaultSecret,
    /// The record does not say that another one was erased.
    NotErasure,
}

impl Misuse {
    fn code(self) -> u16 {
        match self {
            Self::ReservedMessage => 300,
            Self::UnknownIdentity => 301,
            Self::UnknownKey => 302,
            Self::KnownKey => 303,
            Self::HasCurrentKey => 304,
            Self::DecoyState => 305,
            Self::PinnedRing => 306,
            Self::StaleHead => 307,
            Self::CounterExhausted => 308,
            Self::SharedConstants => 309,
            Self::UnfitKey => 310,
            Self::OtherOrigin => 311,
            Self::ReservedPayload => 312,
            Self::LegacySealKey => 313,
            Self::NoProofsRequired => 314,
            Self::NoShards => 315,
            Self::OtherVault => 316,
            Self::StreamTooLong => 320,
            Self::StreamEnded => 321,
            Self::ReservedType => 330,
            Self::NotEncrypted => 331,
            Self::ForeignLedger => 332,
            Self::NoTierKeys => 333,
            Self::NoVaultSecret => 334,
            Self::NotErasure => 335,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(malformed) => malformed.fmt(f),
            Self::Rejected(rejected) => rejected.fmt(f),
            Self::Misuse(misuse) => misuse.fmt(f),
            Self::Randomness => f.write_str("the random number generator failed; nothing was made"),
        }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.field)?;
        if let Some(index) = self.index {
            write!(f, " (at {index})")?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Length { expected, found } => return write!(f, "must have length {expected}, has {found}"),
            // The name comes from the input: escaped, so that it cannot write lines of its own into a log.
            Self::UnknownMember(name) => return write!(f, "has the unknown member {name:?}"),
            Self::Hex => "is not lowercase hexadecimal",
            Self::Utf8 => "is not UTF-8",
            Self::Ambiguous => "contains `::` or begins with `:`",
            Self::Control => "contains a control character",
            Self::Timestamp => "is not a time of the form 2026-11-21T09:00:00.000Z",
            Self::Range => "is out of range",
            Self::UnknownValue => "has none of the known values",
            Self::MissingMember => "is missing",
            Self::DuplicateMember => "appears twice in one object",
            Self::WrongType => "has the wrong JSON type",
            Self::JsonSyntax => "is not JSON",
            Self::JsonDepth => "is nested deeper than 32",
            Self::JsonNumber => "has a number that is not an integer within 2^53-1",
            Self::JsonSurrogate => "has a lone surrogate",
            Self::JsonByteOrderMark => "begins with a byte order mark",
            Self::Der => "is not the DER of an ML-DSA-65 key",
            Self::Pem => "is not PEM with the right label",
            Self::AllZero => "is all zeros",
            Self::KeyCoefficients => "has coefficients out of range",
            Self::KeyHash => "does not match its own public key",
            Self::Constant => "is not a valid domain constant",
            Self::Order => "is not in order",
            Self::Repeated => "is there twice",
            Self::NotCanonical => "is not below the field's modulus",
            Self::StreamHeader => "does not begin as an encrypted stream does",
        };
        f.write_str(text)
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chain(fault) => fault.fmt(f),
            Self::Checkpoint(fault) => fault.fmt(f),
            Self::RingRollback { ring, chain } => {
                write!(f, "the ring is an old one: it has revision {ring}, its chain {chain}")
            }
            Self::RingForged { identity_id: Some(id) } => {
                write!(f, "the ring is not the one its chain vouches for: the keys of {id} differ")
            }
            Self::RingForged { identity_id: None } => {
                f.write_str("the ring is not the one its chain vouches for: its revision is not in the chain")
            }
            Self::Sharing(fault) => fault.fmt(f),
            Self::Stream(fault) => fault.fmt(f),
            Self::Presence(fault) => fault.fmt(f),
            Self::Shard(fault) => fault.fmt(f),
            Self::Threshold(fault) => fault.fmt(f),
            Self::Vault(fault) => fault.fmt(f),
        }
    }
}

impl fmt::Display for CheckpointFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { size, found } => {
                write!(f, "the chain was cut off: the checkpoint covers {size} entries, {found} are there")
            }
            Self::Rewritten { size } => write!(f, "the chain is not the one whose {size} entries were signed"),
            Self::Retimed { size } => write!(f, "times within the {size} entries that were signed are altered"),
        }
    }
}

impl fmt::Display for ChainFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = match self.problem {
            ChainProblem::Members => "does not have exactly the members of an entry",
            ChainProblem::Prev => "does not name the entry before it",
            ChainProblem::Format => "has a member of the wrong form",
            ChainProblem::Hash => "was altered: its hash does not match",
        };
        write!(f, "chain entry {} {problem}", self.seq)
    }
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ReservedMessage => "the message has a form that only the library itself appends",
            Self::UnknownIdentity => "the ring has no current key for this identity",
            Self::UnknownKey => "the ring has no such key for this identity",
            Self::KnownKey => "the ring already holds this public key",
            Self::HasCurrentKey => "the identity already has a current key; rotate it instead",
            Self::DecoyState => "the state of a decoy key cannot be changed",
            Self::PinnedRing => "a pinned key cannot be changed or exported",
            Self::StaleHead => "the chain head is not after the identity's last rotation",
            Self::CounterExhausted => "a counter would pass 2^53-1",
            Self::SharedConstants => "two domain constants that must differ are equal",
            Self::UnfitKey => "the expanded key makes no signature that its public key accepts",
            Self::OtherOrigin => "the chain, checkpoint or ring belongs to another origin",
            Self::ReservedPayload => "the payload has a form that only the library itself seals",
            Self::LegacySealKey => "a seal key of a legacy length makes no seals",
            Self::NoShards => "no shards were given",
            Self::OtherVault => "the dealer is for another vault or identity",
            Self::NoProofsRequired => "a gate must ask for at least one proof of presence",
            Self::StreamTooLong => "a stream has at most 2^32 chunks",
            Self::StreamEnded => "the stream was refused or has ended, and takes nothing more",
            Self::ReservedType => "records of this type are made by the library alone",
            Self::NotEncrypted => "a record that is not encrypted cannot be erased",
            Self::ForeignLedger => "the record is of another ledger, identity or master, or comes after the head",
            Self::NoTierKeys => "a tier above public can only be asked for with a table of keys",
            Self::NoVaultSecret => "an encrypted record opens with its vault secret only",
            Self::NotErasure => "the record does not say that another one was erased",
        })
    }
}

impl core::error::Error for Error {}
impl core::error::Error for ChainFault {}

impl From<Misuse> for Error {
    fn from(misuse: Misuse) -> Self {
        Self::Misuse(misuse)
    }
}

impl From<CheckpointFault> for Error {
    fn from(fault: CheckpointFault) -> Self {
        Self::Rejected(Rejected::Checkpoint(fault))
    }
}

impl From<ChainFault> for Error {
    fn from(fault: ChainFault) -> Self {
        Self::Rejected(Rejected::Chain(fault))
    }
}

impl From<SharingFault> for Error {
    fn from(fault: SharingFault) -> Self {
        Self::Rejected(Rejected::Sharing(fault))
    }
}

impl From<StreamFault> for Error {
    fn from(fault: StreamFault) -> Self {
        Self::Rejected(Rejected::Stream(fault))
    }
}
