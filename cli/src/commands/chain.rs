//! `dualseal chain`: the append-only chain.

mod check;
pub(crate) mod entries;
pub(crate) mod evidence;
mod show;

use crate::context::Context;
use crate::failure::Failure;
use crate::home::Step;
use crate::output::Report;
use evidence::Evidence;
use std::path::PathBuf;

const APPEND: &str = "\
Examples:
  $ dualseal chain append 'contract received' --as ana";

const CHECK: &str = "\
Examples:
  $ dualseal chain check
  $ dualseal chain check --with-ring
  $ dualseal chain check chain.jsonl
  $ dualseal chain check chain.jsonl --checkpoint checkpoint.json --log-key log.pem";

const SHOW: &str = "\
Examples:
  $ dualseal chain show
  $ dualseal chain show chain.jsonl --from 1 --count 2";

/// Appends to the chain, and checks one
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Appends a message
    #[command(after_help = APPEND)]
    Append(AppendArgs),
    /// Checks a chain, entry by entry, and names the first bad one
    ///
    /// A chain alone shows an altered middle. Only a checkpoint shows that its end was cut off or that all of it was
    /// written anew. The home folder's own is also held against its ring and where this program left it.
    #[command(after_help = CHECK)]
    Check(CheckArgs),
    /// Shows entries
    #[command(after_help = SHOW)]
    Show(ShowArgs),
}

#[derive(clap::Args, Debug)]
pub(crate) struct AppendArgs {
    /// Any text
    message: String,

    /// For whom it stands [default: the only identity there is]
    #[arg(long = "as", value_name = "NAME")]
    acting: Option<String>,
}

#[derive(clap::Args, Debug)]
pub(crate) struct CheckArgs {
    /// The chain, as JSON lines or a JSON array [default: the home folder's]
    file: Option<PathBuf>,

    /// Holds the home folder's ring against the chain as well
    #[arg(long, conflicts_with = "file")]
    with_ring: bool,

    #[command(flatten)]
    evidence: Evidence,
}

#[derive(clap::Args, Debug)]
pub(crate) struct ShowArgs {
    /// The chain [default: the home folder's]
    file: Option<PathBuf>,

    /// The first entry to show
    #[arg(long, value_name = "SEQ", default_value_t = 0)]
    from: u64,

    /// At most so many entries
    #[arg(long, value_name = "NUMBER")]
    count: Option<u64>,
}

impl Command {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Append(_) => "chain append",
            Self::Check(_) => "chain check",
            Self::Show(_) => "chain show",
        }
    }
}

pub(crate) fn run(command: &Command, context: &Context) -> Result<Report, Failure> {
    match command {
        Command::Append(args) => append(args, context),
        Command::Check(args) => check::check(args, context),
        Command::Show(args) => show::show(args, context),
    }
}

fn append(args: &AppendArgs, context: &Context) -> Result<Report, Failure> {
    let home = context.home_to_write()?;
    let identity_id = home.acting(args.acting.as_deref())?;
    let mut step = Step::begin(&home)?;
    let appended = step.head().append(home.domain().domain(), &identity_id, &args.message, context.now()?)?;
    step.append(&appended.entry, appended.head);
    step.commit()?;
    Ok(Report::new("Appended.")
        .number("seq", "entry", appended.entry.seq())
        .detail("identity_id", "for", identity_id.to_hex())
        .detail("time", "time", appended.entry.time().to_string())
        .detail("h", "hash", appended.entry.hash().to_hex())
        .detail("krunica_hash", "handle", appended.entry.krunica_hash().to_hex()))
}
