//! What is asked of an audit.

use crate::commands::verify::Layers;
use crate::evidence::Log;
use crate::failure::Failure;
use crate::input::one_stream;
use crate::trust::Given;
use dualseal::checkpoint::LogFingerprint;
use dualseal::note::NoteKey;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ dualseal audit received --key ana.pem
  $ dualseal audit received --key ana.pem --log-key log.pem
  $ dualseal audit received --ring ring.json
  $ dualseal audit received --key ana.pem --require ana.pem --strict
  $ dualseal audit received --key ana.pem --report report.html
  $ dualseal audit received --key ana.pem --log \"$(cat log.fingerprint)\"
  $ dualseal audit received   # by the operator, with the home folder's ring";

/// Verifies everything in a folder: records, seals, chains, checkpoints, results, vault ledgers and evidence
///
/// Documents are matched with records by name (contract.pdf and contract.pdf.sig.json) or by content. Needs the folder
/// and the signers' public keys or rings; keys that lie in the folder are not trusted. Chains and checkpoints in the
/// folder count under --log-key, and hold the rings to what they state; files of evidence count under --log, and with
/// --witness where these witnesses saw the log. Layer A of seals is checked by the operator, with the home folder's
/// seal key; for anybody else it is told that it was not. Links are not followed.
///
/// The exit status is that of the worst file: 4 for a decoy, then 1 for what is not valid, 2 for revoked, 66 for
/// malformed, 77 for a secret (a private key, a share, a record with its trap, a ring with its decoys), which a folder
/// that is handed over must not hold, 66 for unreadable, 3 for suspended and for what could not be checked.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option that is there or not")]
pub(crate) struct Args {
    /// The folder
    pub(super) folder: PathBuf,

    /// A signer's public key file, or the fingerprint of a key (64 characters), which signature records carry; may be
    /// given several times
    #[arg(long, value_name = "FILE|HEX")]
    pub(super) key: Vec<PathBuf>,

    /// A ring, as its operator gave it out, unattested without a checkpoint; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(super) ring: Vec<PathBuf>,

    /// The fingerprint of a log whose files of evidence and checkpoints count; may be given several times
    #[arg(long = "log", value_name = "HEX")]
    pub(super) fingerprints: Vec<LogFingerprint>,

    /// A checkpoint of the operator's own log: what has no place in its chain after that is not checked
    #[arg(long, value_name = "FILE", conflicts_with_all = ["key", "ring", "log_key", "log_origin"])]
    pub(super) since: Option<PathBuf>,

    /// Where `dualseal chain export` wrote that log: the chain before --since is not read then
    #[arg(long, value_name = "DIR", requires = "since")]
    pub(super) tiles: Option<PathBuf>,

    /// The key of a witness who must have seen the log of each file of evidence; may be given several times
    #[arg(long, value_name = "KEY", value_parser = NoteKey::from_text)]
    pub(super) witness: Vec<NoteKey>,

    /// How many of these witnesses must have seen it [default: all of them]
    #[arg(long, value_name = "NUMBER", requires = "witness")]
    pub(super) witnesses: Option<usize>,

    /// A signer who must have signed every document that anything here vouches for, by his key file or the key's
    /// fingerprint; may be given several times
    #[arg(long, value_name = "FILE|HEX")]
    pub(super) require: Vec<PathBuf>,

    /// Every file must be vouched for, and every record that the chain has an entry of must be here
    #[arg(long)]
    pub(super) strict: bool,

    /// Reads files of at most so many bytes in all: what does not fit is not checked
    #[arg(long, value_name = "NUMBER")]
    pub(super) max_bytes: Option<u64>,

    /// Tells each result on standard error as soon as it is known; what is found later may still change it
    #[arg(long)]
    pub(super) live: bool,

    /// Writes a report for others: one page without script (.html), or the same as JSON (.json)
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,

    /// Documents of JSON count in their canonical form as well (RFC 8785), in any spacing and member order
    #[arg(long)]
    pub(super) canonical: bool,

    /// Answers as outsiders are answered: a decoy reads as a pass
    #[arg(long)]
    pub(super) public: bool,

    /// Which layers of seals are asked for [default: both where the seal key is here, else b]
    #[arg(long)]
    pub(super) policy: Option<Layers>,

    #[command(flatten)]
    pub(super) log: Log,
}

impl Args {
    /// The keys, then the rings, then those who must have signed, each read once: a pipe gives it once.
    pub(super) fn given(&self) -> Result<Vec<Given>, Failure> {
        let named = || self.key.iter().chain(&self.ring).chain(&self.require);
        one_stream(named())?;
        named().map(|path| Given::read(path)).collect()
    }
}
