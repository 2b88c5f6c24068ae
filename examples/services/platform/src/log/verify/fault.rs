//! What does not hold.

use crate::db::DbError;
use crate::log::LogFault;
use crate::problem::Problem;
use dualseal_operator::own::Unowned;
use std::fmt;

/// The first thing that does not hold.
#[derive(Debug)]
pub enum VerifyFault {
    /// State, ring, end, checkpoint or mark do not belong together, or the chain leads elsewhere.
    Log {
        /// The log.
        origin: String,
        /// What was found.
        fault: LogFault,
    },
    /// An entry is missing, edited, or does not go on from the one before it.
    Entry {
        /// The log.
        origin: String,
        /// Its place.
        seq: u64,
        /// What was found.
        fault: dualseal::Error,
    },
    /// The columns beside an entry are not those of the entry.
    Columns {
        /// The log.
        origin: String,
        /// Its place.
        seq: u64,
    },
    /// The record of an entry is missing, is another one's, or stands where none belongs.
    Record {
        /// The log.
        origin: String,
        /// The place of the entry.
        seq: u64,
    },
    /// There are more records than entries that have one.
    Records {
        /// How many there are.
        found: u64,
        /// How many belong to an entry.
        expected: u64,
    },
    /// A node of the tree is missing or edited.
    Node {
        /// The log.
        origin: String,
        /// Its level.
        level: u8,
        /// Its place within it.
        index: u64,
    },
    /// There are more nodes than the entries make full.
    Nodes {
        /// The log.
        origin: String,
    },
    /// A checkpoint is not one of the log's.
    Unowned {
        /// The log.
        origin: String,
        /// How many entries it covers.
        size: u64,
        /// Why.
        why: Unowned,
    },
    /// A checkpoint is signed over another chain: a fork, or an edited chain.
    Checkpoint {
        /// The log.
        origin: String,
        /// How many entries it covers.
        size: u64,
        /// What was found.
        fault: dualseal::Error,
    },
    /// A row of the list of secrets is missing or edited.
    List {
        /// The number of the log.
        log: i64,
        /// The row.
        number: u64,
    },
    /// A secret is not the one that was kept last in its place.
    Secret {
        /// Its place.
        place: String,
    },
    /// So many secrets of the list are not there.
    Secrets {
        /// How many.
        missing: u64,
    },
    /// The database.
    Db(DbError),
    /// A row that is not of its form.
    Row(Problem),
    /// The thread did not end.
    Stopped,
}

impl From<DbError> for VerifyFault {
    fn from(error: DbError) -> Self {
        Self::Db(error)
    }
}

impl From<Problem> for VerifyFault {
    fn from(problem: Problem) -> Self {
        Self::Row(problem)
    }
}

impl From<LogFault> for VerifyFault {
    fn from(fault: LogFault) -> Self {
        Self::Log { origin: String::new(), fault }
    }
}

impl VerifyFault {
    /// What was found, as a name that lasts.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Log { fault: LogFault::Refused(refused), .. } => refused.name(),
            Self::Log { .. } => "log",
            Self::Entry { .. } => "entry",
            Self::Columns { .. } => "entry-columns",
            Self::Record { .. } => "record",
            Self::Records { .. } => "records",
            Self::Node { .. } | Self::Nodes { .. } => "tree",
            Self::Unowned { why, .. } => why.name(),
            Self::Checkpoint { .. } => "checkpoint",
            Self::List { .. } => "secret-list",
            Self::Secret { .. } => "secret-other",
            Self::Secrets { .. } => "secret-missing",
            Self::Db(error) if error.is_of_what_is_there() => "damaged",
            Self::Db(_) | Self::Stopped => "unread",
            Self::Row(_) => "row",
        }
    }

    /// Whether nothing was found, since it could not be read. What is there and is not what was written is found.
    #[must_use]
    pub fn is_unread(&self) -> bool {
        match self {
            Self::Db(error) | Self::Log { fault: LogFault::Db(error), .. } => !error.is_of_what_is_there(),
            Self::Stopped | Self::Log { fault: LogFault::Mark(_), .. } => true,
            _ => false,
        }
    }
}

impl fmt::Display for VerifyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log { origin, fault } if origin.is_empty() => fault.fmt(f),
            Self::Log { origin, fault } => write!(f, "{origin}: {fault}"),
            Self::Entry { origin, seq, fault } => write!(f, "{origin}: the entry {seq}: {fault}"),
            Self::Columns { origin, seq } => write!(f, "{origin}: the columns beside the entry {seq} are not its own"),
            Self::Record { origin, seq } => write!(f, "{origin}: the record of the entry {seq} is missing or another"),
            Self::Records { found, expected } => {
                write!(f, "there are {found} records, and {expected} belong to an entry")
            }
            Self::Node { origin, level, index } => {
                write!(f, "{origin}: the node {index} of the level {level} is missing or edited")
            }
            Self::Nodes { origin } => write!(f, "{origin}: there are more nodes than the entries make full"),
            Self::Unowned { origin, size, why } => {
                write!(f, "{origin}: the checkpoint over {size} entries is not the log's: {}", why.name())
            }
            Self::Checkpoint { origin, size, fault } => {
                write!(f, "{origin}: the checkpoint over {size} entries: {fault}")
            }
            Self::List { log, number } => write!(f, "log {log}: the row {number} of the list of secrets is edited"),
            Self::Secret { place } => write!(f, "the secret {place} is not the one that was kept last"),
            Self::Secrets { missing } => write!(f, "{missing} secrets are missing"),
            Self::Db(error) => error.fmt(f),
            Self::Row(problem) => problem.fmt(f),
            Self::Stopped => f.write_str("the reading did not end"),
        }
    }
}

impl std::error::Error for VerifyFault {}
