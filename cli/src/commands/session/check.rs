//! Whether shares make a quorum.

use super::in_force::{Custody, Which, record_at, surroundings};
use super::record::describe;
use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::output::{Report, integer};
use crate::shares::dealt::tell_health;
use dualseal::encoding::json::Value;
use dualseal::error::{Error, SharingFault, SharingProblem};
use dualseal::shamir::Health;
use dualseal::threshold::Session;
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
    if let Some(home) = home.as_ref()
        && args.which.is_kept(home)?
    {
        let session = args.which.in_force(home, &*home.ring(context.passphrase())?)?;
        let quorum = session.quorum(&custody.shares);
        return Ok(told(record_at(&session, quorum.seq), &quorum.health, quorum.reached));
    }
    let known = args.which.find(home.as_ref())?;
    let [session] = known.records.as_slice() else {
        let hint = "name one session.json with --session: without its chain nothing tells which is in force";
        return Err(Failure::new(USAGE, "several records are named", hint));
    };
    let health = session.health(domain.domain(), &custody.shares);
    let reached = health.present.len() >= usize::from(session.threshold().k());
    Ok(told(session, &health, reached).note("By this record alone: whether it is in force, its chain tells."))
}

fn told(session: &Session, health: &Health, reached: bool) -> Report {
    let (found, needed) = (health.present.len(), session.threshold().k());
    let n = session.threshold().n();
    let sentence = if reached {
        format!("A quorum: {found} of {n} shares hold, and {needed} sign.")
    } else {
        format!("NO QUORUM: {found} of {n} shares hold, and {needed} are needed.")
    };
    let report = tell_health(Report::new(sentence), health)
        .member("reached", Value::Bool(reached))
        .member("needed", integer(needed.into()));
    let report = describe(report, session);
    if reached {
        return report;
    }
    let found = u8::try_from(found).unwrap_or(u8::MAX);
    let fault = SharingFault { problem: SharingProblem::TooFewShares { needed, found }, culprits: Vec::new() };
    let missing = needed.saturating_sub(found);
    report.coded(Error::from(fault).code()).note(format!("Bring {missing} more custodians whose shares hold."))
}
