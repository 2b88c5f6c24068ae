//! New shares of the same secret.

use super::{Against, RefreshArgs, RethresholdArgs, deal, domain_of};
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{Report, path_text, text};
use crate::shares::dealt::{AnyDealing, Card, Exchange, bad, refusal, tell_bad};
use crate::shares::folder::Folder;
use crate::shares::form::Into;
use crate::shares::read::cards;
use dualseal::SystemRng;
use dualseal::shamir::{Commitments, Dealing, Share, Threshold};

pub(super) fn refresh(args: &RefreshArgs, context: &Context) -> Result<Report, Failure> {
    run(&args.against, &args.into, None, context)
}

pub(super) fn rethreshold(args: &RethresholdArgs, context: &Context) -> Result<Report, Failure> {
    let hint = "ask for 2 to 255 --shares, and a --threshold from 2 to as many";
    let threshold = Threshold::new(args.threshold, args.shares).map_err(|error| Failure::from(error).hint(hint))?;
    run(&args.against, &args.into, Some(threshold), context)
}

fn run(against: &Against, into: &Into, threshold: Option<Threshold>, context: &Context) -> Result<Report, Failure> {
    let domain = domain_of(context)?;
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
    let cards: Vec<Card<F>> = cards(&against.given, dealing.threshold().k(), context)?;
    let bad = bad(dealing, &cards);
    let folder = Folder::begin(&into.out)?;
    let (k, n) = threshold.map_or((dealing.threshold().k(), dealing.threshold().n()), |new| (new.k(), new.n()));
    let old = dealing.split_id().to_hex();
    let shares = cards.iter().map(|card| Share::from_bytes(card.as_ref().index(), card.as_ref().to_bytes().as_ref()));
    let shares = shares.collect::<Result<Vec<_>, _>>()?;
    let dealt = dealing.rethreshold(&shares, threshold.unwrap_or(dealing.threshold()), &mut SystemRng);
    let dealt = dealt.map_err(|error| refusal(error, &cards, &bad))?;
    let outgoing = deal::outgoing(&dealt, against.given.format, &path_text(&against.dealing))?;
    deal::write(&folder, &dealt, &into.forms, &outgoing)?;
    into.forms.show(&outgoing)?;
    let made = folder.publish()?;
    let report = Report::new(format!("New shares: any {k} of these {n} give the same file back."))
        .detail("path", "folder", path_text(&made))
        .member("old_split_id", text(old));
    let report = deal::tell(report, &made, &dealt, &into.forms, &outgoing);
    Ok(tell_bad(report, &bad)
        .note("Give the holders the new shares, and have every old one destroyed: together they still open the file.")
        .note("Keep the new dealing.json; the wrapped file stays as it is."))
}
