//! What a set of shares amounts to.

use super::against::Against;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{Report, integer};
use crate::shares::dealt::{AnyDealing, Card, Exchange, bad, health_of, tell_bad, tell_health};
use crate::shares::read::cards;
use dualseal::encoding::json::Value;
use dualseal::error::{Error, SharingFault, SharingProblem};
use dualseal::shamir::{Commitments, Dealing};

const EXAMPLES: &str = "\
Examples:
  $ dualseal share health share-*.txt --dealing dealing.json";

/// Tells which shares are present, missing, invalid and foreign, and rebuilds nothing
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    against: Against,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let domain = context.domain_alone()?;
    match AnyDealing::read(&args.against.dealing, domain.domain())? {
        AnyDealing::P521(dealing) => health(&dealing, args, context),
        AnyDealing::Gf256(dealing) => health(&dealing, args, context),
    }
}

fn health<F: Exchange>(dealing: &Dealing<F>, args: &Args, context: &Context) -> Result<Report, Failure> {
    let (k, n) = (dealing.threshold().k(), dealing.threshold().n());
    let cards: Vec<Card<F>> = cards(&args.against.given, k, context.output())?;
    let (health, bad) = (health_of(dealing, &cards), bad(dealing, &cards));
    let found = u8::try_from(health.present.len()).unwrap_or(u8::MAX);
    let reached = found >= k;
    let sentence = if reached {
        format!("Enough: {found} of {n} shares hold, and {k} give the file back.")
    } else {
        format!("NOT ENOUGH: {found} of {n} shares hold, and {k} are needed.")
    };
    let report = tell_health(Report::new(sentence), &health)
        .member("reached", Value::Bool(reached))
        .member("k", integer(k.into()))
        .member("n", integer(n.into()));
    let report = tell_bad(report, &bad);
    if reached {
        let spare = found - k;
        return Ok(report.note(format!("{spare} more may be lost. Make lost ones again by `dualseal share repair`.")));
    }
    let fault = SharingFault { problem: SharingProblem::TooFewShares { needed: k, found }, culprits: Vec::new() };
    Ok(report.coded(Error::from(fault).code()).note(format!("Bring {} more that hold.", k - found)))
}
