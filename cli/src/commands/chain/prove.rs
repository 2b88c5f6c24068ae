//! One entry's place in the log, as a text that needs nobody's answer.

use crate::chain_file::{read_for, under};
use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::home::Home;
use crate::log_folder::{LogFolder, unproved};
use crate::output::{Report, text};
use crate::published::{self, Cosigned, Notes, Published, SIGN, last_checkpoint};
use crate::store::{CHAIN, Readers};
use crate::target::Target;
use dualseal::Verified;
use dualseal::checkpoint::{Checkpoint, PlaceProof};
use dualseal::encoding::json::Value;
use dualseal::note::LogProof;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ dualseal chain prove 0 -o entry.tlog-proof
  $ dualseal chain prove 0 --note cosigned --out entry.tlog-proof --force
  $ dualseal chain prove 0 --place -o entry.place.json
  $ dualseal chain prove 0 --tiles public -o entry.tlog-proof   # of a long chain a few reads";

/// Proves that an entry stands in the log, to whoever has the log's note key (C2SP tlog-proof) or fingerprint (--place)
///
/// The proof holds under the last checkpoint's note, and its extra line is the entry itself: its leaf is computed from
/// it. With --place it holds under the last checkpoint, which it brings. Of the rest of the chain neither tells
/// anything.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The number of the entry, from 0
    seq: u64,

    #[command(flatten)]
    notes: Notes,

    /// Writes a place proof of the library's own
    #[arg(long, conflicts_with = "note")]
    place: bool,

    /// The log's folder, as `chain export --tiles` wrote it: the proof is read there, and not from the whole chain
    #[arg(long, value_name = "DIR")]
    tiles: Option<PathBuf>,

    #[command(flatten)]
    target: Target,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let home = context.home()?;
    let ring = home.ring(context.passphrase())?;
    let mut cosigned = None;
    let (place, proof, note_key) = if args.place {
        let checkpoint = last_checkpoint(&home, &ring)?;
        let place = place_of(&home, &checkpoint, args)?;
        let proof = format!("{}\n", place.to_json());
        (place, proof, None)
    } else {
        let published = Published::of(&home, &ring, context.passphrase())?;
        let place = place_of(&home, published.checkpoint(), args)?;
        cosigned = args.notes.read(published.checkpoint().record())?;
        let note = cosigned.as_ref().map_or(published.note(), Cosigned::note).clone();
        let entry = place.entry();
        let proof =
            LogProof::new(args.seq, place.path().to_vec(), note).with_extra(entry.to_json_line().trim_end().as_bytes());
        proof.verify(&entry.leaf_hash(), published.key())?;
        (place, proof.to_text(), Some(published.key().to_text()))
    };
    let prepared = args.target.prepare(args.target.or_stdout(), &proof, Readers::All)?;
    let (shown, domain) = (prepared.shown(), home.domain().clone());
    drop(home);
    let aside = prepared.publish()?;
    let checkpoint = place.checkpoint();
    let report = Report::new("The entry stands in the log.")
        .number("seq", "entry", args.seq)
        .number("size", "entries", checkpoint.tree_head().size)
        .detail("origin", "log", checkpoint.origin())
        .detail("log", "fingerprint", checkpoint.fingerprint(domain.domain()).to_hex())
        .member("note_key", note_key.as_deref().map_or(Value::Null, text));
    let report = note_key.into_iter().fold(report, |report, key| report.line("note key", key));
    Ok(published::tell(cosigned.as_ref(), report.detail("path", "file", shown)).aside_if(aside))
}

fn place_of(home: &Home, checkpoint: &Verified<Checkpoint>, args: &Args) -> Result<PlaceProof, Failure> {
    let seq = args.seq;
    let size = checkpoint.record().tree_head().size;
    if seq >= size {
        let message = format!("the last checkpoint covers {size} entries, and entry {seq} is none of them");
        return Err(Failure::new(USAGE, message, SIGN));
    }
    let none = || Failure::defect("the chain that agreed is shorter than its checkpoint");
    if let Some(folder) = &args.tiles {
        return LogFolder::new(folder).places(checkpoint.record(), &[seq]).map_err(unproved)?.pop().ok_or_else(none);
    }
    let reader = under(home.domain().domain(), checkpoint)?;
    let proofs =
        read_for(&home.present(CHAIN)?, reader, |reader| reader.place_proofs(move |entry| entry.seq() == seq))?;
    proofs.into_iter().next().ok_or_else(none)
}
