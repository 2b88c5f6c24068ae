//! Appending a message.

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
    let mut step = Step::begin(&home)?;
    let appended = step.head().append(home.domain().domain(), &identity_id, &args.message, context.now()?)?;
    step.append(&appended.entry, appended.head);
    step.commit()?;
    Ok(Report::new("Appended.")
        .number("seq", "entry", appended.entry.seq())
        .detail("identity_id", "for", identity_id.to_hex())
        .detail("time", "time", appended.entry.time().to_string())
        .detail("h", "hash", appended.entry.hash().to_hex())
        .detail("krunica_hash", "handle", appended.entry.krunica_hash().to_hex()))
}
