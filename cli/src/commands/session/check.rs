//! Whether shares make a quorum.

use super::in_force::{Custody, Which, surroundings};
use super::record::describe;
use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::output::{Report, integer};
use crate::shares::dealt::tell_health;
use dualseal::encoding::json::Value;
use dualseal::error::{Error, SharingFault, SharingProblem};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ dualseal session check share-1.json share-3.json --session session.json";

/// Tells whether shares make a quorum, and rebuilds nothing
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The custodians' shares; `-` is standard input
    #[arg(required = true)]
    shares: Vec<PathBuf>,

    #[command(flatten)]
    which: Which,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let custody = Custody::read(&args.shares, context)?;
    let (home, domain) = surroundings(context)?;
    let known = args.which.find(home.as_ref())?;
    let Some(session) = known.records.last() else {
        return Err(Failure::new(USAGE, "no session was given", "give its session.json with --session"));
    };
    let quorum = session.quorum(domain.domain(), &custody.shares);
    let (found, needed) = (quorum.health.present.len(), quorum.needed);
    let n = session.threshold().n();
    let sentence = if quorum.reached {
        format!("A quorum: {found} of {n} shares hold, and {needed} sign.")
    } else {
        format!("NO QUORUM: {found} of {n} shares hold, and {needed} are needed.")
    };
    let report = tell_health(Report::new(sentence), &quorum.health)
        .member("reached", Value::Bool(quorum.reached))
        .member("needed", integer(needed.into()));
    let report = describe(report, session);
    if quorum.reached {
        return Ok(report);
    }
    let found = u8::try_from(found).unwrap_or(u8::MAX);
    let fault = SharingFault { problem: SharingProblem::TooFewShares { needed, found }, culprits: Vec::new() };
    let missing = needed.saturating_sub(found);
    Ok(report.coded(Error::from(fault).code()).note(format!("Bring {missing} more custodians whose shares hold.")))
}
