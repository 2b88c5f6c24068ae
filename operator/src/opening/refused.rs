//! What is refused at opening.

use crate::own::Unowned;
use crate::step::StepError;
use dualseal::Error;
use std::fmt;

/// Why a store is not worked with. [`advice`](Self::advice) says what to do.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refused {
    /// The ring is of another log.
    OtherLog {
        /// Its name.
        found: String,
    },
    /// The state cannot be read.
    StateUnreadable(Error),
    /// The state's MAC does not hold: where the chain and its ledgers end, or the last checkpoint, was edited, or the
    /// ring key is another's.
    StateEdited,
    /// The chain has fewer entries than were written.
    ChainCut {
        /// The entries that there are.
        found: u64,
        /// Those that were written.
        expected: u64,
    },
    /// The chain has entries that no step wrote.
    ChainLonger {
        /// The entries that there are.
        found: u64,
        /// Those that were written.
        expected: u64,
    },
    /// The chain has as many entries as were written, and ends with another one.
    ChainOther {
        /// Its entries.
        size: u64,
    },
    /// Ring and state were not written together: one of them comes from an older copy.
    RingOfAnotherTime {
        /// The entries that the chain had when the ring was written.
        ring: u64,
        /// The same of the state.
        state: u64,
    },
    /// The ring's MAC does not hold: a row was edited, is missing, or is an old one.
    RingEdited,
    /// The ring cannot be held against the chain.
    RingUnreadable(Error),
    /// The last checkpoint is gone.
    CheckpointMissing {
        /// The entries that it covers.
        size: u64,
    },
    /// The checkpoint is not the one that was signed last.
    CheckpointOther,
    /// The checkpoint is not by a key of the log's ring.
    CheckpointNotOwn(Unowned),
    /// The signer's mark cannot be read.
    MarkUnreadable(Error),
    /// The mark's MAC does not hold.
    MarkEdited,
    /// The signer's mark is gone: nothing tells whether the store is an old copy.
    MarkMissing,
    /// The mark is not that of the last checkpoint, nor of a later one.
    MarkOther {
        /// The entries that the mark covers.
        mark: u64,
        /// Those that the checkpoint covers.
        checkpoint: u64,
    },
    /// Somebody else wrote the mark since the store was opened: a second copy of it is at work.
    MarkMoved,
    /// More was signed than the store has, or something else: it was restored from an old copy. What it would sign now
    /// would be a fork.
    Restored {
        /// The entries of what was signed, or was about to be.
        signed: u64,
        /// Those of the store.
        found: u64,
    },
    /// The chain has more entries than were signed, and does not go on from those: a second copy of the store went on
    /// by itself.
    NotGrown {
        /// The entries of what was signed, or was about to be.
        signed: u64,
        /// Those of the store.
        found: u64,
    },
    /// The nodes of the log's tree are not those of the chain.
    TreeEdited,
    /// The ring is of an earlier revision than the signer's mark, or another one of that revision: the store went on
    /// from an old copy, in which keys count that were called back.
    RingRestored {
        /// The revision that the mark has.
        marked: u64,
        /// That of the ring.
        found: u64,
    },
    /// A secret at rest that was kept is gone.
    SecretMissing {
        /// Its file or place.
        name: String,
    },
    /// A secret at rest is not the one that was kept last in its place: it was edited, is another's, an older one, or
    /// was to be forgotten.
    SecretOther {
        /// Its file or place.
        name: String,
    },
    /// The list of secrets does not end where the state says: a row was edited, is missing, or was written by no step.
    SecretsOther {
        /// The rows that there are.
        found: u64,
        /// Those that were written.
        expected: u64,
    },
    /// The step refused what was read.
    Step(StepError),
}

impl Refused {
    /// The name of what was found, which lasts.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::OtherLog { .. } => "other-log",
            Self::StateUnreadable(_) => "state-unreadable",
            Self::StateEdited => "state-edited",
            Self::ChainCut { .. } => "chain-cut",
            Self::ChainLonger { .. } => "chain-longer",
            Self::ChainOther { .. } => "chain-other",
            Self::RingOfAnotherTime { .. } => "ring-of-another-time",
            Self::RingEdited => "ring-edited",
            Self::RingUnreadable(_) => "ring-unreadable",
            Self::CheckpointMissing { .. } => "checkpoint-missing",
            Self::CheckpointOther => "checkpoint-other",
            Self::CheckpointNotOwn(_) => "checkpoint-not-own",
            Self::MarkUnreadable(_) => "mark-unreadable",
            Self::MarkEdited => "mark-edited",
            Self::MarkMissing => "mark-missing",
            Self::MarkOther { .. } => "mark-other",
            Self::MarkMoved => "mark-moved",
            Self::Restored { .. } => "restored",
            Self::NotGrown { .. } => "store-not-grown",
            Self::TreeEdited => "tree-edited",
            Self::RingRestored { .. } => "ring-restored",
            Self::SecretMissing { .. } => "secret-missing",
            Self::SecretOther { .. } => "secret-other",
            Self::SecretsOther { .. } => "secrets-other",
            Self::Step(error) => error.name(),
        }
    }

    /// What to do.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        match self {
            Self::OtherLog { .. } => "name the log whose store this is, or open the store of that log",
            Self::StateUnreadable(_) | Self::StateEdited | Self::RingUnreadable(_) | Self::RingEdited => {
                "restore the store from its last copy; an audit of the copy shows whether it is as new as the chain"
            }
            Self::RingOfAnotherTime { .. } => {
                "restore ring and state from one copy, as new as the chain: they are written together"
            }
            Self::ChainCut { .. } | Self::ChainOther { .. } => {
                "restore the chain from a copy that is as new as the state; keep this one, as evidence"
            }
            Self::ChainLonger { .. } => {
                "find out who writes to the chain beside the operator: its entries are written by steps alone"
            }
            Self::CheckpointMissing { .. } | Self::CheckpointOther | Self::CheckpointNotOwn(_) => {
                "restore the last checkpoint: whoever follows the log has a copy of it"
            }
            Self::MarkUnreadable(_) | Self::MarkEdited => {
                "see whether it is another log's, and name the place of this one's; else move it away, and make it \
                 anew from the last checkpoint that a witness or another reader has seen"
            }
            Self::MarkMissing | Self::MarkOther { .. } => {
                "make the mark anew from the last checkpoint that a witness or another reader has seen"
            }
            Self::MarkMoved => "find the second copy of the store and end it; sign nothing before",
            Self::NotGrown { .. } => {
                "work with the copy in which the signed checkpoint was made; what this one has beside it is made there \
                 again"
            }
            Self::TreeEdited => "restore the tree from a copy that is as new as the chain, or its nodes that differ",
            Self::Restored { .. } | Self::RingRestored { .. } => {
                "bring the store to where the signed checkpoint is, from a newer copy or a reader's; sign nothing now"
            }
            Self::SecretMissing { .. } | Self::SecretOther { .. } => {
                "restore the file from a copy of the store; one that was erased by hand is forgotten by a step \
                 instead, and one that no step kept is moved away"
            }
            Self::SecretsOther { .. } => "restore the list from a copy that is as new as the state",
            Self::Step(_) => "restore the store from a copy in which ring and chain belong together",
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherLog { found } => write!(f, "the ring is that of the log {found}"),
            Self::StateUnreadable(error) => write!(f, "the stored state cannot be read: {error}"),
            Self::StateEdited => f.write_str("the stored state was edited, or the ring key is another one"),
            Self::ChainCut { found, expected } => write!(f, "the chain has {found} entries, and had {expected}"),
            Self::ChainLonger { found, expected } => {
                write!(f, "the chain has {found} entries, of which steps wrote {expected}")
            }
            Self::ChainOther { size } => {
                write!(f, "the chain of {size} entries ends with another one than was written")
            }
            Self::RingOfAnotherTime { ring, state } => {
                write!(f, "the ring was written at {ring} entries, and the state at {state}")
            }
            Self::RingEdited => f.write_str("a row of the ring was edited, is missing, or is an old one"),
            Self::RingUnreadable(error) => write!(f, "the ring does not stand up to its chain: {error}"),
            Self::CheckpointMissing { size } => write!(f, "the last checkpoint, over {size} entries, is missing"),
            Self::CheckpointOther => f.write_str("the checkpoint is not the one that was signed last"),
            Self::CheckpointNotOwn(why) => write!(f, "the last checkpoint is not by a key of the log's ring: {why}"),
            Self::MarkUnreadable(error) => write!(f, "the signer's high-water mark cannot be read: {error}"),
            Self::MarkEdited => f.write_str("the signer's high-water mark was edited, or is another log's"),
            Self::MarkMissing => f.write_str("the signer's high-water mark is missing"),
            Self::MarkOther { mark, checkpoint } => {
                write!(f, "the high-water mark is at {mark} entries, and the last checkpoint at {checkpoint}")
            }
            Self::MarkMoved => f.write_str("the signer's high-water mark was written by somebody else meanwhile"),
            Self::Restored { signed, found } => {
                write!(
                    f,
                    "the signer's mark is of {signed} entries, and the store, with {found}, is an old copy or another"
                )
            }
            Self::SecretMissing { name } => write!(f, "{name}, a secret at rest, is missing"),
            Self::SecretOther { name } => write!(f, "{name}, a secret at rest, is not what was kept there last"),
            Self::SecretsOther { found, expected } => {
                write!(f, "the list of secrets, of {found} rows, is not the one of {expected} that steps wrote")
            }
            Self::NotGrown { signed, found } => {
                write!(f, "the chain, of {found} entries, does not go on from the {signed} that were signed elsewhere")
            }
            Self::TreeEdited => f.write_str("the stored nodes of the log's tree are not those of its chain"),
            Self::RingRestored { marked, found } => {
                write!(f, "the ring is of revision {found}, and the signer's mark of {marked}: it is an older copy's")
            }
            Self::Step(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Refused {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::StateUnreadable(error) | Self::RingUnreadable(error) | Self::MarkUnreadable(error) => Some(error),
            Self::Step(error) => Some(error),
            Self::CheckpointNotOwn(why) => Some(why),
            _ => None,
        }
    }
}
