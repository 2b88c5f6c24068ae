//! New shares of the same secret.

use super::in_force::{Custody, Which, at_head, owners};
use super::record::{identities, publish, shape, tell_faults};
use crate::context::Context;
use crate::failure::Failure;
use crate::home::Step;
use crate::output::{Report, text};
use crate::shares::form::Into;
use dualseal::SystemRng;
use dualseal::error::Error;
use dualseal::threshold::{Committed, Founded, Renewal, SessionShare};
use std::path::PathBuf;

const REFRESH: &str = "\
Examples:
  $ dualseal session refresh share-1.json share-3.json -o refreshed";

/// Deals new shares of the same secret to the same custodians, so that the old ones can be destroyed
#[derive(clap::Args, Debug)]
#[command(after_help = REFRESH)]
pub(crate) struct RefreshArgs {
    /// The custodians' shares; `-` is standard input
    #[arg(required = true)]
    shares: Vec<PathBuf>,

    #[command(flatten)]
    which: Which,

    /// Who asks [default: the only identity there is]
    #[arg(long = "as", value_name = "NAME")]
    acting: Option<String>,

    #[command(flatten)]
    into: Into,
}

const RETHRESHOLD: &str = "\
Examples:
  $ dualseal session rethreshold share-1.json share-3.json --threshold 3 --owner ana \\
      --owner ivo --owner eva --owner iva -o rethresholded";

/// As refresh, with another threshold or other custodians
#[derive(clap::Args, Debug)]
#[command(after_help = RETHRESHOLD)]
pub(crate) struct RethresholdArgs {
    /// How many of the new shares sign
    #[arg(long, value_name = "K")]
    threshold: u8,

    /// A custodian, once for each new share [default: those until now]
    #[arg(long = "owner", value_name = "NAME")]
    owners: Vec<String>,

    #[command(flatten)]
    rest: RefreshArgs,
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
    let ring = home.ring(context.passphrase())?;
    let session = args.which.in_force(&home, &ring)?;
    let quorum = session.quorum(&custody.shares);
    let owners = if named.is_empty() { owners(&home, &session, quorum.seq)? } else { identities(&home, named)? };
    let mut step = Step::begin(&home, context.passphrase())?;
    let (k, time) = (k.unwrap_or(quorum.needed), context.now()?);
    let renewal = Renewal { owners: &owners, k, time };
    let prepared =
        session.prepare_rethreshold(&custody.shares, &renewal, &mut SystemRng).map_err(|error| match error {
            Error::Malformed(ref malformed) if matches!(malformed.field, "k" | "n") => shape(error),
            error => custody.refusal(error, &session),
        })?;
    // The shares are written before the entry is, and each is read again as its custodian will.
    let copies = prepared.shares().iter().map(|share| SessionShare::from_json(share.to_json().as_bytes()));
    let shares = copies.collect::<Result<Vec<_>, _>>()?;
    let said = |share: &SessionShare| Ok((share.index(), share.acknowledge(domain, prepared.session())?));
    let said = shares.iter().map(said).collect::<Result<Vec<_>, Error>>()?;
    let at = at_head(&home, step.head(), &session, &ring)?;
    let Committed { session: record, entry, head } = prepared.commit(&at, &said, None, &founder)?;
    let founded = Founded { session: record, shares, entry, head };
    step.act(time, |step| step.take(&founded.entry))?;
    let old = quorum.split_id.to_hex();
    let report = Report::new(format!("New shares: any {k} of these {} custodians sign as before.", owners.len()))
        .member("old_split_id", text(old));
    let report = tell_faults(report, prepared.culprits(), prepared.misdealt());
    Ok(publish(report, &home, step, &founded, &owners, &args.into)?
        .note("Sign a checkpoint now, then have every old share destroyed: old ones still sign elsewhere."))
}
