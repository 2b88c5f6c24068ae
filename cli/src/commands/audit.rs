//! `dualseal audit`: everything in a folder, verified at once.

mod chains;
mod check;
mod documents;
mod files;
mod found;
mod kinds;
mod results;
mod seals;
mod signatures;
mod stamp;
mod standing;
mod tell;
mod trusted;
mod vaults;

#[cfg(all(test, unix))]
mod swapped;

use crate::commands::chain::evidence::Log;
use crate::commands::verify::Layers;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{Report, integer};
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
/// folder count under --log-key. Layer A of seals is checked by the operator, with the home folder's seal key; for
/// anybody else it is told that it was not. Links are not followed.
///
/// The exit status is that of the worst file: 4 for a decoy, then 1 for what is not valid, 2 for revoked, 100 and more
/// for malformed, 65 for a secret (a private key, a share, a record with its trap, a ring with its decoys), which a
/// folder that is handed over must not hold, 66 for unreadable, 3 for suspended and for what could not be checked.
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

    /// Documents of JSON count in their canonical form as well (RFC 8785), in any spacing and member order
    #[arg(long)]
    canonical: bool,

    /// Answers as outsiders are answered: a decoy reads as a pass
    #[arg(long)]
    public: bool,

    /// Which layers of seals are asked for [default: both where the seal key is here, else b]
    #[arg(long)]
    policy: Option<Layers>,

    #[command(flatten)]
    log: Log,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let (trusted, home) = trusted::Trusted::new(args, context)?;
    let files = files::walk(&args.folder)?;
    let mut audit = check::Audit::new(&trusted, args, files);
    audit.classify();
    audit.read_seal_keys(home.as_ref(), context)?;
    audit.check(home)?;
    let hashed = audit.hashed;
    let mut lines = trusted.findings();
    lines.extend(audit.into_lines());
    Ok(tell::report(&args.folder, lines, args.public).member("hashed_bytes", integer(hashed)))
}
