//! The one error type. Errors say what was wrong and where; they never hold a secret.
//!
//! Four families are kept apart, because they call for different acts: [`Malformed`] input is sent back to whoever
//! wrote it, a [`Rejected`] piece of evidence is kept and looked into, [`Misuse`] is a defect of the calling program,
//! and failed randomness is a defect of the machine. What a verification concludes about a record is not an error at
//! all: it is a [`Verdict`](crate::verdict::Verdict).
//!
//! Every error has a [`Row`] in one catalogue, [`Error::CATALOGUE`], from which C's statuses, Python's exceptions and
//! `docs/ERRORS.md` are made.

mod catalogue;
mod chain;
mod evidence;
mod evidence_fault;
mod malformed;
mod misuse;
mod note;
mod presence;
mod proof;
mod shard;
mod sharing;
mod threshold;
mod vault;

pub use catalogue::{Family, Row};
pub use chain::{ChainFault, ChainProblem, CheckpointFault, RingFault};
pub use evidence::{Evidence, FaultPlace};
pub use evidence_fault::EvidenceFault;
pub use malformed::{Malformed, Problem};
pub use misuse::Misuse;
pub use note::NoteFault;
pub use presence::PresenceFault;
pub use proof::ProofFault;
pub use shard::ShardFault;
pub use sharing::{SharingFault, SharingProblem, StreamFault};
pub use threshold::ThresholdFault;
pub use vault::{Layer, VaultFault};

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
    /// Every error that there is, in the order of the numbers.
    pub const CATALOGUE: &'static [Row] = &catalogue::join::<{ catalogue::count(ROWS) }>(ROWS, RANDOMNESS);

    /// The number of this error, the same in every language and version. It is never reused.
    ///
    /// 1 to 99 are verdicts ([`VerdictKind::code`](crate::verdict::VerdictKind::code)), 100 to 199 malformed input, 200
    /// to 299 rejected evidence, 300 to 399 misuse, 400 failed randomness; from 900 on, the C ABI's own.
    #[must_use]
    pub fn code(&self) -> u16 {
        self.row().code
    }

    /// The row of the catalogue: what all errors of this kind have in common.
    #[must_use]
    pub fn row(&self) -> &'static Row {
        match self {
            Self::Malformed(malformed) => malformed.problem.row(),
            Self::Rejected(rejected) => rejected.row(),
            Self::Misuse(misuse) => misuse.row(),
            Self::Randomness => &RANDOMNESS,
        }
    }

    pub(crate) fn malformed(field: &'static str, problem: Problem) -> Self {
        Self::Malformed(Malformed { field, index: None, problem })
    }

    pub(crate) fn malformed_at(field: &'static str, index: u64, problem: Problem) -> Self {
        Self::Malformed(Malformed { field, index: Some(index), problem })
    }
}

/// The rows of each type of errors, in the order of the numbers.
const ROWS: &[&[Row]] = &[
    Problem::ROWS,
    ChainProblem::ROWS,
    CheckpointFault::ROWS,
    RingFault::ROWS,
    SharingProblem::ROWS,
    StreamFault::ROWS,
    PresenceFault::ROWS,
    ThresholdFault::ROWS,
    ShardFault::ROWS,
    VaultFault::ROWS,
    NoteFault::ROWS,
    ProofFault::ROWS,
    EvidenceFault::ROWS,
    Misuse::ROWS,
    &[RANDOMNESS],
];

const RANDOMNESS: Row = Row {
    code: 400,
    family: Family::Randomness,
    name: "randomness",
    text: "the random number generator failed; nothing was made",
    subject: "",
};

/// Evidence that has the right form and does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rejected {
    /// A chain is broken.
    Chain(ChainFault),
    /// A chain is not the one that a checkpoint was signed over.
    Checkpoint(CheckpointFault),
    /// A ring is not the one that its chain vouches for.
    Ring(RingFault),
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
    /// A signed note or its witnesses do not hold.
    Note(NoteFault),
    /// Something is not shown under a checkpoint.
    NotShown(EvidenceFault),
    /// A proof over the log's tree does not hold.
    Proof(ProofFault),
}

impl Rejected {
    fn row(&self) -> &'static Row {
        match self {
            Self::Chain(fault) => fault.problem.row(),
            Self::Checkpoint(fault) => fault.row(),
            Self::Ring(fault) => fault.row(),
            Self::Sharing(fault) => fault.problem.row(),
            Self::Stream(fault) => fault.row(),
            Self::Presence(fault) => fault.row(),
            Self::Shard(fault) => fault.row(),
            Self::Threshold(fault) => fault.row(),
            Self::Vault(fault) => fault.row(),
            Self::Note(fault) => fault.row(),
            Self::NotShown(fault) => fault.row(),
            Self::Proof(fault) => fault.row(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(malformed) => malformed.fmt(f),
            Self::Rejected(rejected) => rejected.fmt(f),
            Self::Misuse(misuse) => misuse.fmt(f),
            Self::Randomness => f.write_str(RANDOMNESS.text),
        }
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chain(fault) => fault.fmt(f),
            Self::Checkpoint(fault) => fault.fmt(f),
            Self::Ring(fault) => fault.fmt(f),
            Self::Sharing(fault) => fault.fmt(f),
            Self::Stream(fault) => fault.fmt(f),
            Self::Presence(fault) => fault.fmt(f),
            Self::Shard(fault) => fault.fmt(f),
            Self::Threshold(fault) => fault.fmt(f),
            Self::Vault(fault) => fault.fmt(f),
            Self::Note(fault) => fault.fmt(f),
            Self::NotShown(fault) => fault.fmt(f),
            Self::Proof(fault) => fault.fmt(f),
        }
    }
}

impl core::error::Error for Error {}

impl From<Malformed> for Error {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed)
    }
}

impl From<Misuse> for Error {
    fn from(misuse: Misuse) -> Self {
        Self::Misuse(misuse)
    }
}

impl From<ChainFault> for Error {
    fn from(fault: ChainFault) -> Self {
        Self::Rejected(Rejected::Chain(fault))
    }
}

impl From<ProofFault> for Error {
    fn from(fault: ProofFault) -> Self {
        Self::Rejected(Rejected::Proof(fault))
    }
}

impl From<NoteFault> for Error {
    fn from(fault: NoteFault) -> Self {
        Self::Rejected(Rejected::Note(fault))
    }
}

impl From<EvidenceFault> for Error {
    fn from(fault: EvidenceFault) -> Self {
        Self::Rejected(Rejected::NotShown(fault))
    }
}

impl From<CheckpointFault> for Error {
    fn from(fault: CheckpointFault) -> Self {
        Self::Rejected(Rejected::Checkpoint(fault))
    }
}

impl From<RingFault> for Error {
    fn from(fault: RingFault) -> Self {
        Self::Rejected(Rejected::Ring(fault))
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

impl From<PresenceFault> for Error {
    fn from(fault: PresenceFault) -> Self {
        Self::Rejected(Rejected::Presence(fault))
    }
}

impl From<ShardFault> for Error {
    fn from(fault: ShardFault) -> Self {
        Self::Rejected(Rejected::Shard(fault))
    }
}

impl From<ThresholdFault> for Error {
    fn from(fault: ThresholdFault) -> Self {
        Self::Rejected(Rejected::Threshold(fault))
    }
}

impl From<VaultFault> for Error {
    fn from(fault: VaultFault) -> Self {
        Self::Rejected(Rejected::Vault(fault))
    }
}
