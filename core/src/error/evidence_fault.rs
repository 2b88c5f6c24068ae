//! What can be wrong with evidence under a checkpoint: rings, keys, places, and files of all of them.

use super::catalogue::{Family, Row, catalogued};
use core::fmt;

catalogued! {
    Rejected, "":
    /// Why something is not shown under a checkpoint. What is wrong with a note and its witnesses, and a ring that is
    /// an old one, have names of their own ([`NoteFault`](super::NoteFault),
    /// [`RingFault::Rollback`](super::RingFault::Rollback)).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum EvidenceFault {
        /// A public ring is another log's.
        ForeignRing = 271, "ring-foreign", "the ring is another log's";
        /// A public ring is newer than the one that the checkpoint states, or an edited one of its revision.
        RingMismatch {
            /// The ring's revision.
            ring: u64,
            /// The revision that the checkpoint states; 0 for none.
            stated: u64,
        } = 272, "ring-mismatch", "the ring is not the one that the checkpoint states";
        /// The path of a key does not lead to the ring that the checkpoint states, or it states none.
        KeyPath = 273, "key-path", "the path of the key does not lead to the ring of the checkpoint";
        /// The key is another one than that of its leaf, or another identity's.
        OtherKey = 274, "key-other", "the key is not the one of its proof";
        /// The proof of a place is of another log than the checkpoint.
        ForeignPlace = 275, "place-foreign", "the proof of the place is of another log";
        /// The proof of a place was made for a tree of another size than the checkpoint's.
        PlaceSize {
            /// The entries that the checkpoint covers.
            size: u64,
            /// Those of the proof's own.
            found: u64,
        } = 276, "place-size", "the proof of the place is for another size";
        /// The place is not below the size of the checkpoint.
        Beyond {
            /// The position of the entry.
            seq: u64,
            /// The entries that the checkpoint covers.
            size: u64,
        } = 277, "place-beyond", "the place is beyond the checkpoint";
        /// The path is longer or shorter than one from this place is.
        PathLength {
            /// The hashes that it must have.
            needed: usize,
            /// The hashes that it has.
            found: usize,
        } = 278, "path-length", "the path has not the length that this place needs";
        /// The path leads to another root than the checkpoint's: the entry, its time or the path is another one.
        Path {
            /// The position of the entry.
            seq: u64,
        } = 279, "path-elsewhere", "the path does not lead to the root of the checkpoint";
        /// A file is of another log than the one whose fingerprint the verifier has.
        OtherLog = 281, "evidence-log", "the evidence is of another log";
        /// The checkpoint's signature does not hold.
        Checkpoint = 282, "evidence-checkpoint", "the signature of the checkpoint does not hold";
        /// The checkpoint covers fewer entries than the verifier asks for.
        Old {
            /// The least size that is asked for.
            needed: u64,
            /// The size of the checkpoint.
            found: u64,
        } = 283, "evidence-old", "the checkpoint is older than was asked for";
        /// The note is of another origin, size, root or key than the checkpoint.
        Note = 284, "evidence-note", "the note says something else than the checkpoint";
        /// The entry of the ring does not stand under the checkpoint.
        RingPlace = 285, "evidence-ring-place", "the entry of the ring does not stand under the checkpoint";
        /// The entry is not one of the ring that the checkpoint states, or it states none.
        Ring = 286, "evidence-ring", "the checkpoint states another ring than the entry";
        /// The record is by another signer than the one whom the verifier expects.
        OtherSigner = 287, "evidence-signer", "the evidence is of another signer";
        /// The record does not hold.
        Record {
            /// The first check that failed, as results name it (`razlog`).
            reason: &'static str,
        } = 288, "evidence-record", "the record does not hold";
        /// It is not shown that witnesses saw the log at or after the time that the verifier asks for.
        NotWitnessedAfter = 289, "not-witnessed-after", "too few witnesses saw the log after the time asked for";
        /// Two files of one key contradict each other: of its history, or the place of its compromise, the later one
        /// takes back what the earlier one says. Both together convict the log's signer.
        Retold = 290, "evidence-retold", "the log's signer takes back what it said of the key";
        /// The checkpoint covers more entries than the log's key counts for, as the verifier knows: it was retired,
        /// suspended or compromised before.
        Late {
            /// The entries that the key counts for.
            until: u64,
            /// The size of the checkpoint.
            found: u64,
        } = 291, "evidence-late", "the checkpoint covers more entries than the log's key counts for";
    }
}

impl fmt::Display for EvidenceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RingMismatch { ring, stated } if ring == stated => {
                write!(f, "the ring of revision {ring} is not the one that the checkpoint states: it was edited")
            }
            Self::RingMismatch { ring, stated } => {
                write!(f, "the ring has revision {ring}, newer than the {stated} that the checkpoint states")
            }
            Self::PlaceSize { size, found } => {
                write!(f, "the proof of the place is for {found} entries, the checkpoint covers {size}")
            }
            Self::Beyond { seq, size } => write!(f, "the place {seq} is beyond the {size} entries of the checkpoint"),
            Self::PathLength { needed, found } => write!(f, "the path has {found} hashes, this place needs {needed}"),
            Self::Path { seq } => write!(f, "the path from place {seq} does not lead to the root of the checkpoint"),
            Self::Old { needed, found } => {
                write!(f, "the checkpoint covers {found} entries, and {needed} were asked for")
            }
            Self::Late { until, found } => write!(
                f,
                "the checkpoint covers {found} entries, and the log's key counts up to entry {until}: \
                 somebody else may have it since"
            ),
            Self::Record { reason } => write!(f, "the record does not hold: {reason}"),
            _ => f.write_str(self.row().text),
        }
    }
}

impl core::error::Error for EvidenceFault {}
