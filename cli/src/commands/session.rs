//! `dualseal session`: k of n custodians sign together, with a secret that no one of them has.

mod check;
mod founding;
mod in_force;
mod record;
mod renewal;
mod repair;
mod sign;
mod verify;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Report;

/// Signs with k of n custodians
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Found(founding::Args),
    Check(check::Args),
    Sign(sign::Args),
    Verify(Box<verify::Args>),
    Repair(repair::Args),
    Refresh(renewal::RefreshArgs),
    Rethreshold(renewal::RethresholdArgs),
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
        Command::Found(args) => founding::run(args, context),
        Command::Check(args) => check::run(args, context),
        Command::Sign(args) => sign::run(args, context),
        Command::Verify(args) => verify::run(args, context),
        Command::Repair(args) => repair::run(args, context),
        Command::Refresh(args) => renewal::refresh(args, context),
        Command::Rethreshold(args) => renewal::rethreshold(args, context),
    }
}
