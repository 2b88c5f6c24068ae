//! `dualseal evidence`: files that convince a stranger, whatever the size of the log.

mod given;
mod make;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Report;

/// Makes evidence for strangers: one file instead of the whole chain
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Make(make::Args),
}

impl Command {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Make(_) => "evidence make",
        }
    }
}

pub(crate) fn run(command: &Command, context: &Context) -> Result<Report, Failure> {
    match command {
        Command::Make(args) => make::run(args, context),
    }
}
