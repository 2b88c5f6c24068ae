//! `dualseal session`: k of n custodians sign together, with a secret that no one of them has.

mod check;
mod custody;
mod found;
mod in_force;
mod sign;
mod verify;

use crate::commands::Target;
use crate::commands::chain::evidence::Evidence;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::Report;
use crate::shares::form::Into;
use dualseal::threshold::SessionAnchor;
use std::path::PathBuf;

const FOUND: &str = "\
Examples:
  $ dualseal session found --threshold 2 --owner ana --owner ivo --owner eva --kind ml-dsa-65 \\
      --identity board -o board
  $ dualseal session found --threshold 2 --owner ana --owner ivo --owner eva --kind hmac -o board
  $ dualseal checkpoint sign -o checkpoint.json   # a session counts under a checkpoint";

const CHECK: &str = "\
Examples:
  $ dualseal session check share-1.json share-3.json --session session.json";

const SIGN: &str = "\
Examples:
  $ dualseal session sign resolution.pdf share-1.json share-3.json
  $ cat share-3.json | dualseal session sign resolution.pdf share-1.json - --as ana -o signed.json";

const VERIFY: &str = "\
Examples:
  $ dualseal session verify resolution.pdf.quorum.json resolution.pdf --session session.json \\
      --key quorum.pem
  $ dualseal session verify resolution.pdf.quorum.json resolution.pdf share-1.json share-2.json";

const REPAIR: &str = "\
Examples:
  $ dualseal session repair share-1.json share-3.json --lost 2 -o for-ivo";

const REFRESH: &str = "\
Examples:
  $ dualseal session refresh share-1.json share-3.json -o refreshed";

const RETHRESHOLD: &str = "\
Examples:
  $ dualseal session rethreshold share-1.json share-3.json --threshold 3 --owner ana \\
      --owner ivo --owner eva --owner iva -o rethresholded";

/// Signs with k of n custodians
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Founds a session: draws a secret and deals it to custodians
    ///
    /// Writes a folder with session.json, which is public, a share for each custodian, and for ml-dsa-65 quorum.pem,
    /// the public key by which anybody verifies. The chain gets an entry, and the ring the quorum's key.
    #[command(after_help = FOUND)]
    Found(FoundArgs),
    /// Tells whether shares make a quorum, and rebuilds nothing
    #[command(after_help = CHECK)]
    Check(CheckArgs),
    /// Signs a document with enough shares
    ///
    /// The secret exists in this computer's memory while it signs. Custodians who do not trust it with their shares do
    /// not sign here.
    #[command(after_help = SIGN)]
    Sign(SignArgs),
    /// Verifies what a quorum signed
    ///
    /// The kind ml-dsa-65 needs session.json and the quorum's public key, and no share. The kind hmac needs as many
    /// shares as signing does, and a chain that says which session is in force: the home folder's, or the one that is
    /// given with --chain, --checkpoint, --log-key and --anchor.
    #[command(after_help = VERIFY)]
    Verify(Box<VerifyArgs>),
    /// Makes a custodian's lost share again from the others
    #[command(after_help = REPAIR)]
    Repair(RepairArgs),
    /// Deals new shares of the same secret to the same custodians, so that the old ones can be destroyed
    #[command(after_help = REFRESH)]
    Refresh(RefreshArgs),
    /// As refresh, with another threshold or other custodians
    #[command(after_help = RETHRESHOLD)]
    Rethreshold(RethresholdArgs),
}

/// What a session's results are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Kind {
    /// As many shares as sign also verify; nobody else can
    Hmac,
    /// Anybody verifies, with the quorum's public key
    #[value(name = "ml-dsa-65")]
    MlDsa65,
}

/// Which session a command is about.
#[derive(clap::Args, Debug)]
pub(crate) struct Which {
    /// Its identifier, or its record (session.json) [default: the only session of the home folder]
    #[arg(long = "session", value_name = "SESSION")]
    session: Vec<String>,

    /// The anchor that was pinned when the session was founded [default: that of the home folder's first record]
    #[arg(long, value_name = "HEX")]
    anchor: Option<SessionAnchor>,
}

#[derive(clap::Args, Debug)]
pub(crate) struct FoundArgs {
    /// How many shares sign
    #[arg(long, value_name = "K")]
    threshold: u8,

    /// A custodian, once for each share in the order of their numbers: a name, or an identity of 64 characters
    #[arg(long = "owner", value_name = "NAME", required = true)]
    owners: Vec<String>,

    /// What the session's results are
    #[arg(long)]
    kind: Kind,

    /// Whose key the quorum's is, for ml-dsa-65: a name, which is made where it is new
    #[arg(long, value_name = "NAME", required_if_eq("kind", "ml-dsa-65"))]
    identity: Option<String>,

    /// Who asks [default: the only identity there is]
    #[arg(long = "as", value_name = "NAME")]
    acting: Option<String>,

    #[command(flatten)]
    into: Into,
}

#[derive(clap::Args, Debug)]
pub(crate) struct CheckArgs {
    /// The custodians' shares; `-` is standard input
    #[arg(required = true)]
    shares: Vec<PathBuf>,

    #[command(flatten)]
    which: Which,
}

#[derive(clap::Args, Debug)]
pub(crate) struct SignArgs {
    /// The document; `-` is standard input
    document: PathBuf,

    /// The custodians' shares; `-` is standard input
    #[arg(required = true)]
    shares: Vec<PathBuf>,

    #[command(flatten)]
    which: Which,

    /// Who asks for the signature [default: the only identity there is]
    #[arg(long = "as", value_name = "NAME")]
    acting: Option<String>,

    #[command(flatten)]
    target: Target,
}

#[derive(clap::Args, Debug)]
pub(crate) struct VerifyArgs {
    /// The result that the quorum gave; `-` is standard input
    result: PathBuf,

    /// The document; `-` is standard input
    document: PathBuf,

    /// Shares, for a session of the kind hmac
    shares: Vec<PathBuf>,

    #[command(flatten)]
    which: Which,

    /// The quorum's public key file
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,

    /// A ring, as its operator gave it out
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    ring: Option<PathBuf>,

    /// Answers as outsiders are answered: a decoy reads as a pass
    #[arg(long)]
    public: bool,

    #[command(flatten)]
    evidence: Evidence,
}

#[derive(clap::Args, Debug)]
pub(crate) struct RepairArgs {
    /// The custodians' shares; `-` is standard input
    #[arg(required = true)]
    shares: Vec<PathBuf>,

    /// The number of the lost share
    #[arg(long, value_name = "NUMBER")]
    lost: u64,

    /// Whose it is [default: whom the session was founded for]
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,

    #[command(flatten)]
    which: Which,

    #[command(flatten)]
    into: Into,
}

#[derive(clap::Args, Debug)]
pub(crate) struct RefreshArgs {
    /// The custodians' shares; `-` is standard input
    #[arg(required = true)]
    shares: Vec<PathBuf>,

    #[command(flatten)]
    which: Which,

    /// Who asks [default: the only identity there is]
    #[arg(long = "as", value_name = "NAME")]
    acting: Option<String>,

    #[command(flatten)]
    into: Into,
}

#[derive(clap::Args, Debug)]
pub(crate) struct RethresholdArgs {
    /// How many of the new shares sign
    #[arg(long, value_name = "K")]
    threshold: u8,

    /// A custodian, once for each new share [default: those until now]
    #[arg(long = "owner", value_name = "NAME")]
    owners: Vec<String>,

    #[command(flatten)]
    rest: RefreshArgs,
}

impl Command {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Found(_) => "session found",
            Self::Check(_) => "session check",
            Self::Sign(_) => "session sign",
            Self::Verify(_) => "session verify",
            Self::Repair(_) => "session repair",
            Self::Refresh(_) => "session refresh",
            Self::Rethreshold(_) => "session rethreshold",
        }
    }
}

pub(crate) fn run(command: &Command, context: &Context) -> Result<Report, Failure> {
    match command {
        Command::Found(args) => found::run(args, context),
        Command::Check(args) => check::run(args, context),
        Command::Sign(args) => sign::run(args, context),
        Command::Verify(args) => verify::run(args, context),
        Command::Repair(args) => custody::repair(args, context),
        Command::Refresh(args) => custody::refresh(args, context),
        Command::Rethreshold(args) => custody::rethreshold(args, context),
    }
}
