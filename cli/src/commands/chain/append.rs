//! Appending a message.

use crate::commands::sign::backwards;
use crate::context::Context;
use crate::failure::Failure;
use crate::home::Step;
use crate::output::Report;

const EXAMPLES: &str = "\
Examples:
  $ dualseal chain append 'contract received' --as ana";

/// Appends a message
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Any text
    message: String,

    /// For whom it stands [default: the only identity there is]
    #[arg(long = "as", value_name = "NAME")]
    acting: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let home = context.home_to_write()?;
    let identity_id = home.acting(args.acting.as_deref())?;
    let (before, now) = (home.last_time(), context.now()?);
    let mut step = Step::begin(&home, context.passphrase())?;
    let entry = step.act(now, |step| step.append(&identity_id, &args.message))?;
    step.commit()?;
    let report = Report::new("Appended.")
        .number("seq", "entry", entry.seq())
        .detail("identity_id", "for", identity_id.to_hex())
        .detail("time", "time", entry.time().to_string())
        .detail("h", "hash", entry.hash().to_hex())
        .detail("krunica_hash", "handle", entry.krunica_hash().to_hex());
    Ok(backwards(report, before, now))
}
