//! A key that was made elsewhere.

use super::added::add;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::Report;
use crate::secrets;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ dualseal key import ana ana-secret.pem";

/// Takes over a signing key that was made elsewhere (PKCS#8, PEM)
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A short name for the identity, or its 64 characters
    name: String,

    /// The signing key
    file: PathBuf,

    /// Asks for a passphrase that protects the secret files here
    #[arg(long)]
    protect: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let key = secrets::read_key(&args.file, context.passphrase())?;
    let home = context.home_or_new(None, args.protect)?;
    add(&args.name, &key, args.protect, &home, context)
}
