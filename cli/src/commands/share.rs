//! `dualseal share`: keeping the shares of a split file in good health. Each of these needs the threshold of shares in
//! one place, except for `health`, which rebuilds nothing.

mod against;
pub(crate) mod deal;
mod health;
mod renew;
mod repair;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Report;

/// Keeps the shares of a split file in good health
///
/// They are in the folder that `split` made, with dealing.json: FILE.split.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Health(health::Args),
    Repair(repair::Args),
    Refresh(renew::RefreshArgs),
    Rethreshold(renew::RethresholdArgs),
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

pub(crate) fn run(command: &Command, context: &Context) -> Result<Report, Failure> {
    match command {
        Command::Health(args) => health::run(args, context),
        Command::Repair(args) => repair::run(args, context),
        Command::Refresh(args) => renew::refresh(args, context),
        Command::Rethreshold(args) => renew::rethreshold(args, context),
    }
}
