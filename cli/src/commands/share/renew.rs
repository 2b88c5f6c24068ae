//! New shares of the same secret.

use super::against::Against;
use super::deal;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{Report, path_text, text};
use crate::shares::dealt::{AnyDealing, Card, Exchange, bad, refusal, tell_bad, tell_misdealt};
use crate::shares::form::Into;
use crate::shares::read::cards;
use crate::store;
use dualseal::SystemRng;
use dualseal::shamir::{Commitments, Dealing, Share, Threshold};

const REFRESH: &str = "\
Examples:
  $ dualseal share refresh share-1.txt share-3.txt share-5.txt --dealing dealing.json -o refreshed";

/// Deals new shares of the same secret, so that the old ones can be destroyed
///
/// It protects only once so many old shares are destroyed that the rest of them is below the threshold. The wrapped
/// file stays as it is.
#[derive(clap::Args, Debug)]
#[command(after_help = REFRESH)]
pub(crate) struct RefreshArgs {
    #[command(flatten)]
    against: Against,

    #[command(flatten)]
    into: Into,
}

const RETHRESHOLD: &str = "\
Examples:
  $ dualseal share rethreshold share-1.txt share-3.txt share-5.txt --dealing dealing.json \\
      --threshold 4 --shares 7 -o rethresholded";

/// As refresh, with another threshold or number of shares
///
/// Old shares keep the old threshold for as long as they exist.
#[derive(clap::Args, Debug)]
#[command(after_help = RETHRESHOLD)]
pub(crate) struct RethresholdArgs {
    #[command(flatten)]
    against: Against,

    /// How many of the new shares give the file back
    #[arg(long, value_name = "K")]
    threshold: u64,

    /// How many new shares there are
    #[arg(long, value_name = "N")]
    shares: u64,

    #[command(flatten)]
    into: Into,
}

pub(super) fn refresh(args: &RefreshArgs, context: &Context) -> Result<Report, Failure> {
    run(&args.against, &args.into, None, context)
}

pub(super) fn rethreshold(args: &RethresholdArgs, context: &Context) -> Result<Report, Failure> {
    run(&args.against, &args.into, Some(deal::threshold(args.threshold, args.shares)?), context)
}

fn run(against: &Against, into: &Into, threshold: Option<Threshold>, context: &Context) -> Result<Report, Failure> {
    let domain = context.domain_alone()?;
    match AnyDealing::read(&against.dealing, domain.domain())? {
        AnyDealing::P521(dealing) => renew(&dealing, against, into, threshold, context),
        AnyDealing::Gf256(dealing) => renew(&dealing, against, into, threshold, context),
    }
}

fn renew<F: Exchange>(
    dealing: &Dealing<F>,
    against: &Against,
    into: &Into,
    threshold: Option<Threshold>,
    context: &Context,
) -> Result<Report, Failure> {
    let cards: Vec<Card<F>> = cards(&against.given, dealing.threshold().k(), context.output())?;
    let bad = bad(dealing, &cards);
    let mut folder = store::new_folder(&into.out)?;
    let (k, n) = threshold.map_or((dealing.threshold().k(), dealing.threshold().n()), |new| (new.k(), new.n()));
    let old = dealing.split_id().to_hex();
    let shares = cards.iter().map(|card| Share::from_bytes(card.as_ref().index(), card.as_ref().to_bytes().as_ref()));
    let shares = shares.collect::<Result<Vec<_>, _>>()?;
    let dealt = dealing.rethreshold(&shares, threshold.unwrap_or(dealing.threshold()), &mut SystemRng);
    let dealt = dealt.map_err(|error| refusal(error, &cards, &bad))?;
    let outgoing = deal::outgoing(&dealt, against.given.format, &path_text(&against.dealing))?;
    deal::write(&mut folder, &dealt, &into.forms, &outgoing)?;
    into.forms.show(&outgoing)?;
    let made = store::publish(folder)?;
    let report = Report::new(format!("New shares: any {k} of these {n} give the same file back."))
        .detail("path", "folder", path_text(&made))
        .member("old_split_id", text(old));
    let report = deal::tell(report, &made, &dealt, &into.forms, &outgoing);
    Ok(tell_misdealt(tell_bad(report, &bad), &dealt.misdealt)
        .note("Give the holders the new shares, and have every old one destroyed: together they still open the file.")
        .note("Keep the new dealing.json; the wrapped file stays as it is."))
}
