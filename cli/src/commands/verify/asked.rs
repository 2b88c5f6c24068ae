//! The options of a file of evidence.

use dualseal::Timestamp;
use dualseal::note::NoteKey;
use std::path::PathBuf;

/// What is asked of a file of evidence.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Evidence in one file")]
pub(crate) struct Bundle {
    /// A file of evidence for the document; a checkpoint that it must not be older than is said with --least-size
    #[arg(long, value_name = "FILE", requires = "log")]
    #[arg(conflicts_with_all = ["document", "ring", "canonical", "public", "policy", "legacy"])]
    #[arg(conflicts_with_all = ["chain", "checkpoint", "log_key", "log_origin"])]
    pub(super) evidence: Option<PathBuf>,

    /// The entry that retired or suspended the key of that log, or from which it counts as compromised, where you know
    /// of one: a checkpoint of more entries does not count
    #[arg(long, value_name = "NUMBER", requires = "evidence")]
    pub(super) log_until: Option<u64>,

    /// Evidence of the same record that you kept: a log that takes back what it said of the key, or forks, is told
    #[arg(long, value_name = "FILE", requires = "evidence")]
    pub(super) earlier: Option<PathBuf>,

    /// The key of a witness that you believe; may be given several times
    #[arg(long, value_name = "KEY", requires = "evidence", value_parser = NoteKey::from_text)]
    pub(super) witness: Vec<NoteKey>,

    /// How many of these witnesses must have seen the log [default: all of them]
    #[arg(long, value_name = "NUMBER", requires = "witness")]
    pub(super) witnesses: Option<usize>,

    /// They must have seen it at this time or later, so that no old checkpoint hides what was revoked since
    #[arg(long, value_name = "TIME", requires = "witness")]
    pub(super) witnessed_after: Option<Timestamp>,
}
