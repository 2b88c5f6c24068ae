//! The key that shows a ledger's tier, for others.

use super::keys::tier_key;
use super::ledger::{Ledger, Which};
use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::output::Report;
use crate::store::Readers;
use crate::target::Target;
use crate::trust::TierKeyFile;

const EXAMPLES: &str = "\
Examples:
  $ dualseal vault tier-key -o tier.pem";

/// Writes the public key that shows the ledger's tier (layer L4), for whoever verifies records that left it
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    which: Which,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let home = context.home()?;
    let ledger = Ledger::open(&home, &args.which.ledger)?;
    let key = tier_key(&ledger, context)?.ok_or_else(|| {
        let hint = "give others your public key alone: dualseal key export";
        Failure::new(USAGE, "no key shows the tier public", hint)
    })?;
    let file = TierKeyFile { key: *key.public_key(), identity_id: ledger.identity_id, tier: ledger.tier };
    let prepared = args.target.prepare(args.target.or_stdout(), &file.to_text()?, Readers::All)?;
    let report = Report::new("The tier key is written. Others verify with --tier-key and this file.")
        .detail("path", "file", prepared.shown())
        .detail("name", "ledger", &*ledger.name)
        .detail("identity_id", "identity", file.identity_id.to_hex())
        .detail("tier", "tier", file.tier.as_str())
        .detail("tier_key", "tier key", file.key.to_hex())
        .note("Read the characters after `tier key` to them over another channel, so that nobody gives them another.");
    drop(home);
    let aside = prepared.publish()?;
    Ok(report.aside_if(aside))
}
