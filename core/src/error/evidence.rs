//! What an error tells beside its number and its message, in the same words in every language.

use super::{
    CheckpointFault, Error, EvidenceFault, Malformed, NoteFault, PresenceFault, Problem, ProofFault, Rejected,
    RingFault, ShardFault, SharingFault, SharingProblem, StreamFault, ThresholdFault, VaultFault,
};
use alloc::string::String;
use alloc::vec::Vec;

/// Where it was wrong, how far off, and who is at fault. Each part is empty where the error tells nothing of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evidence {
    /// Where it was wrong.
    pub place: FaultPlace,
    /// How much there must be: the length of a field, the entries that a checkpoint covers, the revision that a chain
    /// gives a ring, the shares or proofs that are needed.
    pub needed: Option<u64>,
    /// How much of that there is.
    pub found: Option<u64>,
    /// Whose shares, shards or proofs are at fault, ascending: the numbers of shares and shards, the positions of
    /// proofs from 0.
    pub culprits: Vec<u8>,
    /// The numbers of the shares or shards that hold and are of another set than the one asked for, ascending.
    pub foreign: Vec<u8>,
    /// The check of a record in a file of evidence that failed, as results name it (`razlog`).
    pub reason: Option<&'static str>,
}

/// Where something was wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FaultPlace {
    /// The argument, or the member of a record by its name on the wire; of a record of a ledger the layer.
    pub field: Option<&'static str>,
    /// The position, from 0: of a byte in a text, an item in a list, an entry in a chain, a record in a ledger, a chunk
    /// in a stream. Of a share's value it is the share's index; of two records at one place of a ledger, where the
    /// second of them came, and of two such chain entries their place in the ledger.
    pub index: Option<u64>,
    /// The identity whose keys in a ring are not those that the chain vouches for: 64 hexadecimal characters.
    pub identity_id: Option<String>,
}

impl Error {
    /// What this error tells beside its number and its message.
    #[must_use]
    pub fn evidence(&self) -> Evidence {
        match self {
            Self::Malformed(malformed) => of_malformed(malformed),
            Self::Rejected(rejected) => of_rejected(rejected),
            // Which call it was, the caller knows.
            Self::Misuse(_) | Self::Randomness => Evidence::default(),
        }
    }
}

fn of_malformed(malformed: &Malformed) -> Evidence {
    let (needed, found) = match malformed.problem {
        Problem::Length { expected, found } => (u64::try_from(expected).ok(), u64::try_from(found).ok()),
        Problem::Hex
        | Problem::Utf8
        | Problem::Ambiguous
        | Problem::Control
        | Problem::Timestamp
        | Problem::Range
        | Problem::UnknownValue
        | Problem::MissingMember
        | Problem::UnknownMember(_)
        | Problem::DuplicateMember
        | Problem::WrongType
        | Problem::JsonSyntax
        | Problem::JsonDepth
        | Problem::JsonNumber
        | Problem::JsonSurrogate
        | Problem::JsonByteOrderMark
        | Problem::Der
        | Problem::Pem
        | Problem::AllZero
        | Problem::KeyCoefficients
        | Problem::KeyHash
        | Problem::Constant
        | Problem::Order
        | Problem::Repeated
        | Problem::NotCanonical
        | Problem::StreamHeader => (None, None),
    };
    let place = FaultPlace { field: Some(malformed.field), index: malformed.index, ..FaultPlace::default() };
    Evidence { place, needed, found, ..Evidence::default() }
}

fn of_rejected(rejected: &Rejected) -> Evidence {
    match rejected {
        Rejected::Chain(fault) => at(fault.seq),
        Rejected::Checkpoint(fault) => match *fault {
            CheckpointFault::Truncated { size, found } => amounts(size, found),
            CheckpointFault::Rewritten { size } | CheckpointFault::TreeDisagrees { size } => {
                Evidence { needed: Some(size), ..Evidence::default() }
            }
        },
        Rejected::Ring(fault) => match fault {
            RingFault::Rollback { ring, chain } => amounts(*chain, *ring),
            RingFault::Misstated { size } => Evidence { needed: Some(*size), ..Evidence::default() },
            RingFault::Forged { identity_id } => {
                placed(FaultPlace { identity_id: identity_id.clone(), ..FaultPlace::default() })
            }
        },
        Rejected::NotShown(fault) => of_evidence(*fault),
        Rejected::Sharing(fault) => of_sharing(fault),
        Rejected::Stream(fault) => match *fault {
            StreamFault::OtherKey => Evidence::default(),
            StreamFault::Chunk { index } => at(index),
        },
        Rejected::Presence(fault) => match fault {
            PresenceFault::TooFew { required, good, bad } => {
                Evidence { culprits: bad.clone(), ..amounts((*required).into(), (*good).into()) }
            }
            PresenceFault::Expired
            | PresenceFault::ExpiryTooFar
            | PresenceFault::NonceUsed
            | PresenceFault::Signature => Evidence::default(),
        },
        Rejected::Shard(fault) => match fault {
            ShardFault::Mixed { foreign, culprits } => {
                Evidence { culprits: culprits.clone(), foreign: foreign.clone(), ..Evidence::default() }
            }
            ShardFault::SupersededSplit { culprits } => Evidence { culprits: culprits.clone(), ..Evidence::default() },
            ShardFault::OtherRequest { member } => placed(FaultPlace { field: Some(member), ..FaultPlace::default() }),
            ShardFault::Unconfirmed { needed, found } => amounts((*needed).into(), (*found).into()),
            ShardFault::StaleSplit
            | ShardFault::ErasedVault
            | ShardFault::AlreadyPrepared
            | ShardFault::Seal
            | ShardFault::Identifier
            | ShardFault::NoSplit => Evidence::default(),
        },
        Rejected::Threshold(fault) => of_threshold(fault),
        Rejected::Proof(fault) => match *fault {
            ProofFault::NotGrown { size, found } => amounts(size, found),
        },
        Rejected::Note(fault) => match *fault {
            NoteFault::TooFewWitnesses { needed, found } => counts(needed, found),
            NoteFault::Shrunk { seen: needed, found } | NoteFault::Incomplete { needed, found } => {
                amounts(needed, found)
            }
            NoteFault::Unsigned
            | NoteFault::Signature
            | NoteFault::Witness { .. }
            | NoteFault::NoPlace
            | NoteFault::Fork
            | NoteFault::Chain
            | NoteFault::Tile { .. } => Evidence::default(),
        },
        Rejected::Vault(fault) => match *fault {
            VaultFault::LedgerRecord { seq, layer } => {
                placed(FaultPlace { field: Some(layer.as_str()), index: Some(seq), ..FaultPlace::default() })
            }
            VaultFault::LedgerTruncated { seq }
            | VaultFault::LedgerFork { seq }
            | VaultFault::OtherLedger { seq }
            | VaultFault::MissingDecoy { seq } => at(seq),
            VaultFault::StoredChanged | VaultFault::OtherPlace => Evidence::default(),
        },
    }
}

fn of_evidence(fault: EvidenceFault) -> Evidence {
    match fault {
        EvidenceFault::RingMismatch { ring, stated } => amounts(stated, ring),
        EvidenceFault::PlaceSize { size, found } => amounts(size, found),
        EvidenceFault::Beyond { seq, size } => Evidence { needed: Some(size), ..at(seq) },
        EvidenceFault::PathLength { needed, found } => counts(needed, found),
        EvidenceFault::Path { seq } => at(seq),
        EvidenceFault::Old { needed, found } => amounts(needed, found),
        EvidenceFault::Late { until, found } => amounts(until, found),
        EvidenceFault::Record { reason } => Evidence { reason: Some(reason), ..Evidence::default() },
        EvidenceFault::ForeignRing
        | EvidenceFault::KeyPath
        | EvidenceFault::OtherKey
        | EvidenceFault::ForeignPlace
        | EvidenceFault::OtherLog
        | EvidenceFault::Checkpoint
        | EvidenceFault::Note
        | EvidenceFault::RingPlace
        | EvidenceFault::Ring
        | EvidenceFault::OtherSigner
        | EvidenceFault::NotWitnessedAfter
        | EvidenceFault::Retold => Evidence::default(),
    }
}

fn of_sharing(fault: &SharingFault) -> Evidence {
    let told = match &fault.problem {
        SharingProblem::TooFewShares { needed, found } => amounts((*needed).into(), (*found).into()),
        SharingProblem::Mixed { foreign } => Evidence { foreign: foreign.clone(), ..Evidence::default() },
        SharingProblem::DealerFault | SharingProblem::TooManyErrors { .. } => Evidence::default(),
    };
    Evidence { culprits: fault.culprits.clone(), ..told }
}

fn of_threshold(fault: &ThresholdFault) -> Evidence {
    match *fault {
        ThresholdFault::MissingRecord { seq } => at(seq),
        ThresholdFault::TooFewAcknowledgements { needed, found } => amounts(needed.into(), found.into()),
        // Whose share it is not: the caller's slip or the dealer's, and no custodian's.
        ThresholdFault::NotCommitted { index } => at(index.into()),
        ThresholdFault::NoSession
        | ThresholdFault::StaleGeneration
        | ThresholdFault::RevokedKey
        | ThresholdFault::UnknownKey
        | ThresholdFault::Authority
        | ThresholdFault::OtherKey
        | ThresholdFault::OtherKind
        | ThresholdFault::Signature => Evidence::default(),
    }
}

fn at(index: u64) -> Evidence {
    placed(FaultPlace { index: Some(index), ..FaultPlace::default() })
}

fn placed(place: FaultPlace) -> Evidence {
    Evidence { place, ..Evidence::default() }
}

fn counts(needed: usize, found: usize) -> Evidence {
    let [needed, found] = [needed, found].map(|number| u64::try_from(number).unwrap_or(u64::MAX));
    amounts(needed, found)
}

fn amounts(needed: u64, found: u64) -> Evidence {
    Evidence { needed: Some(needed), found: Some(found), ..Evidence::default() }
}
