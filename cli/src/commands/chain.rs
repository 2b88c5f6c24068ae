//! `dualseal chain`: the append-only chain.

mod append;
mod check;
mod export;
mod prove;
mod show;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Report;

/// Appends to the chain, checks one, and shows it to others
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Append(append::Args),
    Check(check::Args),
    Export(export::Args),
    Prove(prove::Args),
    Show(show::Args),
}

impl Command {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Append(_) => "chain append",
            Self::Check(_) => "chain check",
            Self::Export(_) => "chain export",
            Self::Prove(_) => "chain prove",
            Self::Show(_) => "chain show",
        }
    }
}

pub(crate) fn run(command: &Command, context: &Context) -> Result<Report, Failure> {
    match command {
        Command::Append(args) => append::run(args, context),
        Command::Check(args) => check::run(args, context),
        Command::Export(args) => export::run(args, context),
        Command::Prove(args) => prove::run(args, context),
        Command::Show(args) => show::run(args, context),
    }
}
