//! A lost share, made again.

use super::against::Against;
use super::deal;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{Report, integer, path_text};
use crate::shares::dealt::{AnyDealing, Card, Checked, Exchange, bad, refusal, tell_bad, tell_misdealt};
use crate::shares::form::Into;
use crate::shares::read::cards;
use crate::store;
use dualseal::shamir::{Dealing, Index, repair};

const EXAMPLES: &str = "\
Examples:
  $ dualseal share repair share-1.txt share-3.txt share-5.txt --dealing dealing.json \\
      --lost 2 -o holder-2";

/// Makes a lost share again from the others
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    against: Against,

    /// The number of the lost share
    #[arg(long, value_name = "NUMBER")]
    lost: u64,

    #[command(flatten)]
    into: Into,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let domain = context.domain_alone()?;
    match AnyDealing::read(&args.against.dealing, domain.domain())? {
        AnyDealing::P521(dealing) => again(&dealing, args, context),
        AnyDealing::Gf256(dealing) => again(&dealing, args, context),
    }
}

fn again<F: Exchange>(dealing: &Dealing<F>, args: &Args, context: &Context) -> Result<Report, Failure> {
    let set = deal::set_of(dealing);
    let (k, n) = (set.threshold.k(), set.threshold.n());
    let hint = format!("give the number of a share of this set with --lost: 1 to {n}");
    let lost = Index::new(args.lost).map_err(|error| Failure::from(error).hint(hint.as_str()))?;
    let cards: Vec<Card<F>> = cards(&args.against.given, k, context.output())?;
    let bad = bad(dealing, &cards);
    let wrap = |share| Card::new(set, share, "made again".to_owned());
    let repaired = repair(&Checked(dealing), &cards, lost, wrap).map_err(|error| {
        let above = lost.get() > n;
        let failure = refusal(error, &cards, &bad);
        if above { failure.hint(hint.as_str()) } else { failure }
    })?;
    let mut folder = store::new_folder(&args.into.out)?;
    let format = args.against.given.format;
    let misdealt = repaired.misdealt;
    let share = repaired.share.into_share();
    let outgoing = [deal::one(dealing, &share, format, &path_text(&args.against.dealing))?];
    args.into.forms.write(&mut folder, &outgoing)?;
    args.into.forms.show(&outgoing)?;
    let made = store::publish(folder)?;
    let report = Report::new(format!("Share {lost} is back: the same that was dealt."))
        .member("index", integer(lost.get().into()))
        .detail("path", "folder", path_text(&made));
    let report = deal::tell_shares(report, &made, &args.into.forms, &outgoing);
    Ok(tell_misdealt(tell_bad(report, &bad), &misdealt)
        .note("Whoever made it had enough shares in one place to open the file."))
}
