//! Checking a chain: alone, under a checkpoint, and with the ring that it vouches for.

use super::CheckArgs;
use super::entries::entries;
use super::evidence::{agree, own_checkpoint};
use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::home::Home;
use crate::output::{Report, path_text};
use crate::store::CHAIN;
use dualseal::checkpoint::{Checkpoint, RingCheck};
use dualseal::encoding::json::Value;
use dualseal::krunica::Checker;
use dualseal::{Head, Verified};
use std::path::Path;

pub(super) fn check(args: &CheckArgs, context: &Context) -> Result<Report, Failure> {
    let home = if args.file.is_none() { Some(context.home()?) } else { None };
    let path = match (&args.file, &home) {
        (Some(path), _) => path.clone(),
        (None, Some(home)) => home.path(CHAIN),
        (None, None) => return Err(Failure::new(USAGE, "there is no chain to check", "name a file")),
    };
    let domain = context.domain(args.evidence.domain()?.as_ref(), home.as_ref())?;
    let checkpoint = match args.evidence.checkpoint(&domain, home.as_ref())? {
        None => home.as_ref().map_or(Ok(None), own_checkpoint)?,
        given => given,
    };
    let head = match &checkpoint {
        Some(checkpoint) => *agree(&path, checkpoint, &|_| false)?.head(),
        None => alone(&path)?,
    };
    if let Some(home) = &home {
        let (kept, _) = home.head()?;
        if kept != head {
            let message = "the chain holds together, and is not the one that this program wrote";
            let failure = Failure::new(crate::failure::HOME, message, "restore the home folder from a copy");
            return Err(failure.about(path.display()));
        }
    }
    let ring = match (&home, args.with_ring) {
        (Some(home), true) => Some(ring(home, checkpoint.as_ref(), context)?),
        _ => None,
    };
    Ok(tell(&path, &head, checkpoint.as_ref(), ring))
}

fn tell(path: &Path, head: &Head, checkpoint: Option<&Verified<Checkpoint>>, ring: Option<u64>) -> Report {
    let sentence = match checkpoint {
        Some(_) => "The chain holds together and agrees with its checkpoint.",
        None => "The chain holds together.",
    };
    let report = Report::new(sentence)
        .detail("path", "chain", path_text(path))
        .number("size", "entries", head.size())
        .detail("top", "top", head.top().to_hex())
        .detail("time_top", "time top", head.time_top().to_hex());
    let report = match checkpoint.map(Verified::record) {
        Some(checkpoint) => report
            .number("covered", "covered", checkpoint.head().size())
            .detail("origin", "log", checkpoint.origin())
            .line("signed", checkpoint.time().to_string()),
        None => report
            .member("covered", Value::Null)
            .member("origin", Value::Null)
            .note("Without a checkpoint nobody can tell whether its end was cut off or all of it was written anew."),
    };
    match ring {
        Some(revision) => report.number("ring_revision", "ring", revision),
        None => report.member("ring_revision", Value::Null),
    }
}

fn alone(path: &Path) -> Result<Head, Failure> {
    let mut checker = Checker::new();
    entries(path, |json| Ok(checker.push_json(json).map(drop)?))?;
    Ok(checker.head())
}

/// Holds the ring of a home folder against its chain, and gives its revision.
pub(crate) fn ring(home: &Home, checkpoint: Option<&Verified<Checkpoint>>, context: &Context) -> Result<u64, Failure> {
    let none = || {
        let hint = "sign one by `dualseal checkpoint sign`";
        Failure::new(USAGE, "a ring is held against a chain under a checkpoint, and there is none", hint)
    };
    let (ring, authority) = (home.ring()?, home.ring_key(context)?);
    let mut check = RingCheck::new(&authority, checkpoint.ok_or_else(none)?);
    entries(&home.path(CHAIN), |json| check.push_json(json).map(drop))?;
    check.finish(&ring).map_err(|error| Failure::from(error).about("ring.json"))?;
    Ok(ring.revision())
}
