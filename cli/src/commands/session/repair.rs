//! A lost share, made again.

use super::in_force::{Custody, Which, owners, record_at};
use super::record::{outgoing, tell_faults};
use crate::commands::share::deal::tell_shares;
use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::output::{Report, integer, path_text};
use crate::shares::form::Into;
use crate::store;
use dualseal::shamir::Index;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ dualseal session repair share-1.json share-3.json --lost 2 -o for-ivo";

/// Makes a custodian's lost share again from the others
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The custodians' shares; `-` is standard input
    #[arg(required = true)]
    shares: Vec<PathBuf>,

    /// The number of the lost share
    #[arg(long, value_name = "NUMBER")]
    lost: u64,

    /// Whose it is [default: whom the session was founded for]
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,

    #[command(flatten)]
    which: Which,

    #[command(flatten)]
    into: Into,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let custody = Custody::read(&args.shares, context)?;
    let home = context.home()?;
    let session = args.which.in_force(&home, &*home.ring(context.passphrase())?)?;
    let (id, quorum) = (session.founder().session_id(), session.quorum(&custody.shares));
    let n = record_at(&session, quorum.seq).threshold().n();
    let hint = format!("give the number of a share of this session with --lost: 1 to {n}");
    let lost = Index::new(args.lost).ok().filter(|lost| lost.get() <= n);
    let lost = lost.ok_or_else(|| Failure::new(USAGE, format!("there is no share {}", args.lost), hint))?;
    let owner = if let Some(name) = &args.owner {
        home.identity(name)?
    } else {
        let kept = owners(&home, &session, quorum.seq)?;
        let hint = "name the custodian with --owner";
        let none = || Failure::new(USAGE, "nothing says whose the share was", hint);
        kept.get(usize::from(lost.get()) - 1).copied().ok_or_else(none)?
    };
    let repaired = session.repair(&custody.shares, lost, &owner).map_err(|error| custody.refusal(error, &session))?;
    let mut folder = store::new_folder(&args.into.out)?;
    let outgoing = [outgoing(&repaired.share, n)];
    args.into.forms.write(&mut folder, &outgoing)?;
    args.into.forms.show(&outgoing)?;
    let made = store::publish(folder)?;
    let report = Report::new(format!("Share {lost} is back: the same that was dealt."))
        .member("index", integer(lost.get().into()))
        .detail("path", "folder", path_text(&made))
        .detail("session_id", "session", id.to_hex())
        .detail("owner", "custodian", owner.to_hex());
    let report = tell_shares(report, &made, &args.into.forms, &outgoing);
    Ok(tell_faults(report, &repaired.culprits, &repaired.misdealt)
        .note("Whoever made it had enough shares in one place to sign."))
}
