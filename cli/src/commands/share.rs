//! `dualseal share`: keeping the shares of a split file in good health. Each of these needs the threshold of shares in
//! one place, except for `health`, which rebuilds nothing.

pub(crate) mod deal;
mod health;
mod renew;
mod repair;

use crate::context::Context;
use crate::domain_file::DomainFile;
use crate::failure::Failure;
use crate::output::Report;
use crate::shares::form::Into;
use crate::shares::read::Given;
use std::path::PathBuf;

const HEALTH: &str = "\
Examples:
  $ dualseal share health share-*.txt --dealing dealing.json";

const REPAIR: &str = "\
Examples:
  $ dualseal share repair share-1.txt share-3.txt share-5.txt --dealing dealing.json \\
      --lost 2 -o holder-2";

const REFRESH: &str = "\
Examples:
  $ dualseal share refresh share-1.txt share-3.txt share-5.txt --dealing dealing.json -o refreshed";

const RETHRESHOLD: &str = "\
Examples:
  $ dualseal share rethreshold share-1.txt share-3.txt share-5.txt --dealing dealing.json \\
      --threshold 4 --shares 7 -o rethresholded";

/// Keeps the shares of a split file in good health
///
/// They are in the folder that `split` made, with dealing.json: FILE.split.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Tells which shares are present, missing, invalid and foreign, and rebuilds nothing
    #[command(after_help = HEALTH)]
    Health(HealthArgs),
    /// Makes a lost share again from the others
    #[command(after_help = REPAIR)]
    Repair(RepairArgs),
    /// Deals new shares of the same secret, so that the old ones can be destroyed
    ///
    /// It protects only once so many old shares are destroyed that the rest of them is below the threshold. The wrapped
    /// file stays as it is.
    #[command(after_help = REFRESH)]
    Refresh(RefreshArgs),
    /// As refresh, with another threshold or number of shares
    ///
    /// Old shares keep the old threshold for as long as they exist.
    #[command(after_help = RETHRESHOLD)]
    Rethreshold(RethresholdArgs),
}

/// Shares with the record that they are held against.
#[derive(clap::Args, Debug)]
pub(crate) struct Against {
    #[command(flatten)]
    given: Given,

    /// The record that was written with the shares (dealing.json)
    #[arg(long, value_name = "FILE")]
    dealing: PathBuf,
}

#[derive(clap::Args, Debug)]
pub(crate) struct HealthArgs {
    #[command(flatten)]
    against: Against,
}

#[derive(clap::Args, Debug)]
pub(crate) struct RepairArgs {
    #[command(flatten)]
    against: Against,

    /// The number of the lost share
    #[arg(long, value_name = "NUMBER")]
    lost: u64,

    #[command(flatten)]
    into: Into,
}

#[derive(clap::Args, Debug)]
pub(crate) struct RefreshArgs {
    #[command(flatten)]
    against: Against,

    #[command(flatten)]
    into: Into,
}

#[derive(clap::Args, Debug)]
pub(crate) struct RethresholdArgs {
    #[command(flatten)]
    against: Against,

    /// How many of the new shares give the file back
    #[arg(long, value_name = "K")]
    threshold: u64,

    /// How many new shares there are
    #[arg(long, value_name = "N")]
    shares: u64,

    #[command(flatten)]
    into: Into,
}

impl Command {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Health(_) => "share health",
            Self::Repair(_) => "share repair",
            Self::Refresh(_) => "share refresh",
            Self::Rethreshold(_) => "share rethreshold",
        }
    }
}

/// The domain of a split: what was asked for, else that of the home folder where there is one, as for everything that
/// is made there. The folder stays locked for no longer than that takes.
pub(crate) fn domain_of(context: &Context) -> Result<DomainFile, Failure> {
    match context.asked_domain()? {
        Some(domain) => Ok(domain),
        None => context.domain(None, context.home_if_any()?.as_ref()),
    }
}

pub(crate) fn run(command: &Command, context: &Context) -> Result<Report, Failure> {
    match command {
        Command::Health(args) => health::run(args, context),
        Command::Repair(args) => repair::run(args, context),
        Command::Refresh(args) => renew::refresh(args, context),
        Command::Rethreshold(args) => renew::rethreshold(args, context),
    }
}
