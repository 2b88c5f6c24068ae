//! Who acts where nobody is named.

use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::home::Step;
use crate::output::{Report, quoted};

const EXAMPLES: &str = "\
Examples:
  $ dualseal key default ana";

/// Chooses who signs where --as names nobody
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Whose key
    name: String,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let home = context.home_to_write()?;
    home.authority(context.passphrase())?;
    let identity_id = home.identity(&args.name)?;
    if !home.key_path(&identity_id).exists() {
        let message = format!("{} has no signing key in this home folder", quoted(&args.name));
        return Err(Failure::new(USAGE, message, "choose one that `dualseal key list` shows with its key"));
    }
    // Its file need not hold its key.
    home.actor(&identity_id, context.passphrase())?;
    let mut step = Step::begin(&home, context.passphrase())?;
    step.default_identity(&identity_id)?;
    step.commit()?;
    Ok(Report::new(format!("{} signs where nobody else is named.", quoted(&args.name)))
        .detail("identity_id", "identity", identity_id.to_hex())
        .detail("name", "name", args.name.as_str()))
}
