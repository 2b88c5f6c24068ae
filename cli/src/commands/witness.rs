//! `dualseal witness`: who follows other people's logs.

mod follow;
mod kept;
mod new;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Report;

/// Follows other people's logs, and cosigns what only grew
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    New(new::Args),
    Follow(follow::Args),
}

impl Command {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::New(_) => "witness new",
            Self::Follow(_) => "witness follow",
        }
    }
}

pub(crate) fn run(command: &Command, context: &Context) -> Result<Report, Failure> {
    match command {
        Command::New(args) => new::run(args, context),
        Command::Follow(args) => follow::run(args, context),
    }
}
