//! `dualseal key`: signing keys and the ring that says what state they are in.

mod added;
mod default;
mod export;
mod import;
mod list;
mod names;
mod new;
mod rotate;
mod show;
pub(crate) mod state;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Report;

/// Makes and keeps signing keys
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    New(new::Args),
    List(list::Args),
    Names(names::Args),
    Show(show::Args),
    Default(default::Args),
    Import(import::Args),
    Export(export::Args),
    Rotate(rotate::Args),
    State(state::Args),
}

impl Command {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::New(_) => "key new",
            Self::List(_) => "key list",
            Self::Names(_) => "key names",
            Self::Show(_) => "key show",
            Self::Default(_) => "key default",
            Self::Import(_) => "key import",
            Self::Export(_) => "key export",
            Self::Rotate(_) => "key rotate",
            Self::State(_) => "key state",
        }
    }
}

pub(crate) fn run(command: &Command, context: &Context) -> Result<Report, Failure> {
    match command {
        Command::New(args) => new::run(args, context),
        Command::List(args) => list::run(args, context),
        Command::Names(args) => names::run(args, context),
        Command::Show(args) => show::run(args, context),
        Command::Default(args) => default::run(args, context),
        Command::Import(args) => import::run(args, context),
        Command::Export(args) => export::run(args, context),
        Command::Rotate(args) => rotate::run(args, context),
        Command::State(args) => state::run(args, context),
    }
}
