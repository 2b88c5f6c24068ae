//! A new identity with its key.

use super::added::{add, there};
use crate::context::Context;
use crate::failure::Failure;
use crate::output::Report;
use dualseal::{SigningKey, SystemRng};

const EXAMPLES: &str = "\
Examples:
  $ dualseal key new ana
  $ dualseal key new log --origin acme.example/log --domain ACME
  $ dualseal key new ana --passphrase-file passphrase.txt";

/// Makes an identity and its key, and the home folder if there is none
///
/// Without a passphrase the key is protected by the mode of its file alone (0600). Asked again for the first key, where
/// nothing else has happened in the home folder, it makes nothing and says what is there.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A short name for the identity, or an identity of 64 characters that `id` computed
    name: String,

    /// The name of the log that the home folder's chain is, for a new home folder [default: drawn]
    #[arg(long)]
    origin: Option<String>,

    /// Asks for a passphrase that protects the secret files
    #[arg(long)]
    protect: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let home = context.home_or_new(args.origin.as_deref(), args.protect)?;
    if let Some(there) = there(&args.name, args.protect, &home, context)? {
        return Ok(there);
    }
    add(&args.name, &SigningKey::generate(&mut SystemRng)?, args.protect, &home, context)
}
