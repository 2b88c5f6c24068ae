//! `dualseal audit`: everything in a folder, verified at once.

mod args;
mod aside;
mod bundles;
mod chains;
mod documents;
mod files;
mod forks;
mod judgement;
mod kinds;
mod known;
mod names;
mod results;
mod rings;
mod seals;
mod signatures;
mod since;
mod stamp;
mod standing;
mod steps;
mod tell;
mod trusted;
mod vaults;

#[cfg(all(test, unix))]
mod swapped;

pub(crate) use args::Args;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::{Report, integer};
use dualseal::encoding::json::Value;

pub(crate) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let (trusted, home) = trusted::Trusted::new(args, context)?;
    let begin = since::Since::checkpoint(args, home.as_ref(), trusted.own())?;
    // Files may be read for long, and nobody else is to wait for the home folder.
    let own = home.zip(trusted.own()).map(|(home, ring)| home.into_log(ring, context.passphrase())).transpose()?;
    let since = since::Since::new(args, begin.as_ref(), own.as_ref(), trusted.own())?;
    let files = files::walk(&args.folder)?;
    let mut audit = known::Audit::new(&trusted, args, since.as_ref(), files);
    audit.classify();
    audit.read_seal_keys(own.as_ref(), context)?;
    audit.check(own.as_ref())?;
    let hashed = audit.hashed;
    let rings = audit.told_rings();
    let mut lines = trusted.findings();
    lines.append(&mut audit.found);
    lines.extend(audit.into_lines());
    let report = tell::report(&args.folder, lines, args.public);
    let report = since.iter().fold(report, |report, since| report.note(since.note()));
    let since = since.map_or(Value::Null, |since| integer(since.size()));
    Ok(report.member("hashed_bytes", integer(hashed)).member("rings", rings).member("since", since))
}
