//! Lost shares made again, and new shares of the same secret.

use super::found::{identities, outgoing, publish, shape};
use super::in_force::{Custody, owners};
use super::{RefreshArgs, RepairArgs, RethresholdArgs};
use crate::commands::share::deal::tell_shares;
use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::home::Step;
use crate::output::{Report, integer, path_text, text};
use crate::shares::dealt::{numbers, words};
use crate::shares::folder::Folder;
use dualseal::SystemRng;
use dualseal::error::Error;
use dualseal::shamir::Index;
use dualseal::threshold::Founding;

pub(super) fn repair(args: &RepairArgs, context: &Context) -> Result<Report, Failure> {
    let custody = Custody::read(&args.shares, context)?;
    let home = context.home()?;
    let domain = home.domain().domain();
    let session = args.which.in_force(&home, &home.ring(context)?)?;
    let (id, n) = (session.session().session_id(), session.session().threshold().n());
    let hint = format!("give the number of a share of this session with --lost: 1 to {n}");
    let lost = Index::new(args.lost).ok().filter(|lost| lost.get() <= n);
    let lost = lost.ok_or_else(|| Failure::new(USAGE, format!("there is no share {}", args.lost), hint))?;
    let owner = if let Some(name) = &args.owner {
        home.identity(name)?
    } else {
        let kept = owners(&home, &session)?;
        let hint = "name the custodian with --owner";
        let none = || Failure::new(USAGE, "nothing says whose the share was", hint);
        kept.get(usize::from(lost.get()) - 1).copied().ok_or_else(none)?
    };
    let repaired = session
        .repair(domain, &custody.shares, lost, &owner)
        .map_err(|error| custody.refusal(error, session.session(), domain))?;
    let folder = Folder::begin(&args.into.out)?;
    let outgoing = [outgoing(&repaired.share, n)];
    args.into.forms.write(&folder, &outgoing)?;
    args.into.forms.show(&outgoing)?;
    let made = folder.publish()?;
    let report = Report::new(format!("Share {lost} is back: the same that was dealt."))
        .member("index", integer(lost.get().into()))
        .detail("path", "folder", path_text(&made))
        .detail("session_id", "session", id.to_hex())
        .detail("owner", "custodian", owner.to_hex());
    let report = tell_shares(report, &made, &args.into.forms, &outgoing);
    Ok(tell_culprits(report, &repaired.culprits).note("Whoever made it had enough shares in one place to sign."))
}

pub(super) fn refresh(args: &RefreshArgs, context: &Context) -> Result<Report, Failure> {
    renew(args, None, &[], context)
}

pub(super) fn rethreshold(args: &RethresholdArgs, context: &Context) -> Result<Report, Failure> {
    renew(&args.rest, Some(args.threshold), &args.owners, context)
}

fn renew(args: &RefreshArgs, k: Option<u8>, named: &[String], context: &Context) -> Result<Report, Failure> {
    let custody = Custody::read(&args.shares, context)?;
    let home = context.home_to_write()?;
    let domain = home.domain().domain();
    let founder = home.acting(args.acting.as_deref())?;
    let session = args.which.in_force(&home, &home.ring(context)?)?;
    let owners = if named.is_empty() { owners(&home, &session)? } else { identities(&home, named)? };
    let mut step = Step::begin(&home)?;
    let (head, time) = (*step.head(), context.now()?);
    let k = k.unwrap_or(session.session().threshold().k());
    let founding = Founding { domain, founder: &founder, owners: &owners, k, at: &head, time };
    let founded = founding.rethreshold(&session, &custody.shares, &mut SystemRng).map_err(|error| match error {
        Error::Malformed(ref malformed) if matches!(malformed.field, "k" | "n") => shape(error),
        error => custody.refusal(error, session.session(), domain),
    })?;
    step.append(&founded.entry, founded.head);
    let old = session.session().split_id().to_hex();
    let report = Report::new(format!("New shares: any {k} of these {} custodians sign as before.", owners.len()))
        .member("old_split_id", text(old));
    let report = tell_culprits(report, &founded.culprits);
    Ok(publish(report, &home, step, &founded, &owners, &args.into)?
        .note("Sign a checkpoint now, then have every old share destroyed: old ones still sign elsewhere."))
}

fn tell_culprits(report: Report, culprits: &[Index]) -> Report {
    let report = report.member("culprits", numbers(culprits.iter().copied()));
    if culprits.is_empty() { report } else { report.line("bad shares", words(culprits)) }
}
