//! `dualseal vault`: a ledger of sealed documents in the home folder.

mod addition;
mod erase;
mod erasures;
mod init;
mod keys;
mod ledger;
mod list;
mod operators;
mod redact;
mod seal;
mod tier_key;
mod trace;
mod unseal;
mod verify;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Report;

/// Keeps documents sealed in nine layers, in a ledger whose records vouch for one another
///
/// Everything is in the home folder, under vaults/. A record's place counts under a checkpoint, which every change
/// signs anew.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Init(init::Args),
    Seal(seal::Args),
    Verify(Box<verify::Args>),
    Unseal(unseal::Args),
    List(list::Args),
    Trace(trace::Args),
    Erase(erase::Args),
    Redact(redact::Args),
    TierKey(tier_key::Args),
}

impl Command {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Init(_) => "vault init",
            Self::Seal(_) => "vault seal",
            Self::Verify(_) => "vault verify",
            Self::Unseal(_) => "vault unseal",
            Self::List(_) => "vault list",
            Self::Trace(_) => "vault trace",
            Self::Erase(_) => "vault erase",
            Self::Redact(_) => "vault redact",
            Self::TierKey(_) => "vault tier-key",
        }
    }
}

pub(crate) fn run(command: &Command, context: &Context) -> Result<Report, Failure> {
    match command {
        Command::Init(args) => init::run(args, context),
        Command::Seal(args) => seal::run(args, context),
        Command::Verify(args) => verify::run(args, context),
        Command::Unseal(args) => unseal::run(args, context),
        Command::List(args) => list::run(args, context),
        Command::Trace(args) => trace::run(args, context),
        Command::Erase(args) => erase::run(args, context),
        Command::Redact(args) => redact::run(args, context),
        Command::TierKey(args) => tier_key::run(args, context),
    }
}
