//! Saying that a document was erased, and destroying its secret in the same step.

use super::addition::{Covered, cover, keep, tell_covered, vault};
use super::keys::{Kept, kept, record_secret};
use super::ledger::{self, Ledger, Which};
use super::operators::Operators;
use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::home::Step;
use crate::input;
use crate::output::{Report, text};
use crate::store::{self, Doomed, Readers};
use dualseal::encoding::json::Value;
use dualseal::shamir::SplitId;
use dualseal::stream::HEADER_BYTES;
use dualseal::vault::{
    Destination, Encryption, Erasable, ErasedSplits, OperatorRecord, Provisional, SealedErasure, Unsealer,
};
use dualseal::{SystemRng, Verified};
use dualseal_operator::paths::Show;
use std::collections::BTreeSet;
use std::io::Read;

const EXAMPLES: &str = "\
Examples:
  $ dualseal vault erase 0 --yes
  $ dualseal vault erase 0 --yes \\
      --split 6f1d7c0e5b2a49388d6e0f9a1b3c5d7e9f02468ace13579bdf0123456789abcd";

/// Destroys the secret of an encrypted document, and says so in the ledger
///
/// The encrypted bytes stay, which nobody can read any more: so every other record still verifies, and this one as
/// well. Nothing is destroyed unless every layer of the record holds and the secret opens it, also where the key that
/// sealed it was called back since: that is what most calls for erasing. Where the secret is lost already, the ledger
/// gets the record of it; where it came back, it is destroyed again. Copies of the secret or the document elsewhere are
/// not destroyed, and nobody can prove that there are none. The erasure names every split of the secret that stands in
/// the chain, and ends them: whoever has shares destroys them. It counts when a checkpoint covers it.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The record, by its place in the ledger or its vault id
    record: String,

    /// Does it: it cannot be undone
    #[arg(long)]
    yes: bool,

    /// A split that does not stand in the chain and whose shares were destroyed as well, by its 64 characters; may be
    /// given several times
    #[arg(long = "split", value_name = "ID")]
    splits: Vec<SplitId>,

    /// Signs no checkpoint
    #[arg(long)]
    no_checkpoint: bool,

    #[command(flatten)]
    which: Which,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let home = context.home_to_write()?;
    let (ledger, ends) = Ledger::open_to_add(&home, &args.which.ledger, context)?;
    let (seq, record) = ledger.find(&args.record)?;
    if !args.yes {
        let message = format!("to erase record {seq} ({:?}) destroys its document for good", record.header().kind);
        return Err(Failure::new(USAGE, message, "add --yes if you mean it"));
    }
    let operators = Operators::new(&ledger, context)?;
    let erasures = operators.erasures()?;
    let (said, here) = (erasures.of(&record), kept(&ledger, seq) == Kept::Here);
    let spared = match said {
        Some(_) => erasures.spared(&ledger, &operators.keys.master, &record.header().vault_id)?,
        None => Vec::new(),
    };
    // Shards that were dealt later, or not named, are erased like the first ones.
    let said = said.filter(|_| spared.is_empty());
    if said.is_some() && !(here && args.splits.is_empty()) {
        let hint = "nothing is left to do; `dualseal vault verify` shows that the ledger says so";
        let hint =
            if here { "leave --split out: its secret is back, and the ledger is not changed for it" } else { hint };
        return Err(Failure::new(USAGE, format!("record {seq} was erased before"), hint));
    }
    if let Some(waiting) = erasures.waiting_for(&record) {
        let message = format!("record {seq} was erased before, as record {waiting} says, which no checkpoint covers");
        return Err(Failure::new(USAGE, message, "sign a checkpoint that covers it by `dualseal checkpoint sign`"));
    }
    // What is destroyed must be what was asked for: a record that was put in its place names another document.
    let (erasable, verified) = operators.erasable(seq, record, "nothing was destroyed")?;
    let encrypted = erasable.header().encryption == Encryption::Stream;
    if encrypted && here {
        opens(&ledger, seq, &verified, context)?;
    }
    let mut step = Step::begin(&home, context.passphrase())?;
    // An empty file takes the place of the secret in the same step as the ledger says so: not before, and not later.
    // Under another name somebody would still have it: that is for its owner to see to first.
    let doomed = store::disk().doomed(&ledger.path(&ledger::secret(seq)))?;
    step.secret(&ledger.file(&ledger::secret(seq)), "");
    let report = if let Some(said) = said {
        step.commit()?;
        wipe(doomed);
        let report = Report::new(format!("Record {seq} is erased: its secret was back, and is destroyed again."));
        let splits = said.erasure.splits().iter().map(ToString::to_string).collect();
        tell_covered(tell(report, seq, &erasable, [said.record, said.erasure.seq()], splits), &Covered::Yes)
    } else {
        let key = home.signer(&operators.ring, &ledger.identity_id, context.passphrase())?;
        let chain = step.head().clone();
        let place = Destination { ledger: &ends, head: &chain, note: "", time: context.now()? };
        let vault = vault(&ledger.identity_id, ledger.tier, &operators.keys, &key);
        let erased = [erasable.header().vault_id];
        let walked = ledger.splits(&operators.keys.master, &erased, &chain)?;
        let [own] = walked.as_slice() else { return Err(Failure::defect("one vault has other splits than its own")) };
        let splits = ErasedSplits::Walked { own, prepared: &args.splits };
        let erased = vault.erase(&erasable, splits, &place, &mut SystemRng);
        let erased: SealedErasure = erased.map_err(|error| {
            Failure::from(error).hint("only what was encrypted and is in this ledger can be erased: see `vault list`")
        })?;
        let (vaulted, stored) = step.act(place.time, |step| step.erase(key.public_key(), erased))?;
        let number = vaulted.record.header().seq;
        step.file(&ledger.file(&ledger::stored(number)), Readers::Owner, &stored);
        let ring = keep(step.ready()?, &ledger)?;
        // Before anything else can go wrong.
        wipe(doomed);
        let covered = if args.no_checkpoint { Covered::No } else { cover(&ledger, &ring, place.time, &key, context) };
        let what = if here { "its secret is destroyed" } else { "its secret was lost before" };
        let report = Report::new(format!("Record {seq} is erased: {what}, and the ledger says so."));
        let found = own.splits().found().iter().map(|split| split.split_id.to_string());
        let splits = found.chain(args.splits.iter().map(ToString::to_string)).collect();
        let places = [number, vaulted.entry.seq()];
        tell_covered(tell(report, seq, &erasable, places, splits), &covered)
    };
    let report =
        if here { report } else { report.note("It was not here, so that nobody tried whether it was the one.") };
    Ok(report.note(
        "Its encrypted bytes stay, so that every record still verifies. Copies of the secret or the document elsewhere \
         are yours to destroy: nobody can prove that there are none.",
    ))
}

/// It has no name any more: that is what destroys it.
fn wipe(doomed: Option<Doomed>) {
    if let Some(doomed) = doomed {
        let _ = doomed.wipe();
    }
}

fn tell(report: Report, seq: u64, erasable: &Erasable, [erasure, entry]: [u64; 2], splits: BTreeSet<String>) -> Report {
    let report = report
        .number("record", "record", seq)
        .detail("vault_id", "vault id", erasable.header().vault_id.to_hex())
        .number("erasure", "erasure", erasure)
        .number("seq", "entry", entry);
    let report = splits.iter().fold(report, |report, split| report.line("split", split.as_str()));
    report.member("splits", Value::Array(splits.into_iter().map(text).collect()))
}

/// Tries the secret that is to be destroyed. Were another file in its place, the ledger would say for good that a
/// secret is destroyed which somebody has.
fn opens(ledger: &Ledger<'_>, seq: u64, verified: &Verified<OperatorRecord>, context: &Context) -> Result<(), Failure> {
    let secret = record_secret(ledger, seq, context)?;
    let stored = ledger.path(&ledger::stored(seq));
    let mut header = Vec::with_capacity(HEADER_BYTES);
    let read = input::reader(&stored)?.take(HEADER_BYTES as u64).read_to_end(&mut header);
    read.map_err(|error| Failure::reading(&stored, &error))?;
    let mut unsealer = Unsealer::new(verified, Some(&secret))?;
    // The header is bound to its key: a key that fits it opens all of the rest, whose hash was checked above.
    unsealer.update(&header, &mut Provisional::new()).map_err(|error| {
        let path = ledger.path(&ledger::secret(seq));
        let message = format!("{} does not open record {seq}", path.shown());
        Failure::from(error).about(message).hint("restore it from a copy of the home folder; nothing was destroyed")
    })
}
