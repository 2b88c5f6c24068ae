//! `dualseal audit`: everything in a folder, verified at once.

mod chains;
mod check;
mod documents;
mod files;
mod found;
mod kinds;
mod tell;
mod trusted;
mod vaults;

use crate::commands::chain::evidence::Log;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::Report;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ dualseal audit received --key ana.pem
  $ dualseal audit received --key ana.pem --log-key log.pem
  $ dualseal audit received --ring ring.json
  $ dualseal audit received   # by the operator, with the home folder's ring";

/// Verifies everything in a folder: records, seals, chains, checkpoints, results and vault ledgers
///
/// Documents are matched with records by name (contract.pdf and contract.pdf.sig.json) or by content. Needs the folder
/// and the signers' public keys or rings; keys that lie in the folder are not trusted. Chains and checkpoints in the
/// folder count under --log-key. Links are not followed. The exit status is that of the worst file: a decoy, then what
/// is not valid, revoked, malformed, unreadable, suspended, and what could not be checked.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The folder
    folder: PathBuf,

    /// A signer's public key file; may be given several times
    #[arg(long, value_name = "FILE")]
    key: Vec<PathBuf>,

    /// A ring, as its operator gave it out; may be given several times
    #[arg(long, value_name = "FILE")]
    ring: Vec<PathBuf>,

    /// Answers as outsiders are answered: a decoy reads as a pass
    #[arg(long)]
    public: bool,

    #[command(flatten)]
    log: Log,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let trusted = trusted::Trusted::new(args, context)?;
    let files = files::walk(&args.folder)?;
    let mut audit = check::Audit::new(&trusted, args, files);
    audit.classify();
    audit.hash_documents();
    audit.check_chains();
    audit.check_signatures();
    audit.check_seals();
    audit.check_results();
    audit.check_vaults();
    Ok(tell::report(&args.folder, audit.into_lines(), args.public))
}
