//! One entry's place in the log, as a text that needs nobody's answer.

use crate::chain_file::{agree, entries};
use crate::commands::chain::published::Published;
use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::input;
use crate::output::Report;
use crate::store::{CHAIN, Readers};
use crate::target::Target;
use dualseal::krunica::Checker;
use dualseal::note::{LogProof, Note};
use dualseal::tree::PathFinder;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ dualseal chain prove 0 -o entry.tlog-proof
  $ dualseal chain prove 0 --note cosigned --out entry.tlog-proof --force";

/// Proves that an entry stands in the log, to whoever has the log's note key (C2SP tlog-proof)
///
/// The proof holds under the last checkpoint's note, and its extra line is the entry itself: its leaf is computed from
/// it. Of the rest of the chain it tells nothing.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The number of the entry, from 0
    seq: u64,

    /// The note with the cosignatures of witnesses, as they gave it
    #[arg(long, value_name = "FILE")]
    note: Option<PathBuf>,

    #[command(flatten)]
    target: Target,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let home = context.home()?;
    let published = Published::of(&home, context.passphrase())?;
    let chain = home.present(CHAIN)?;
    agree(home.domain().domain(), &chain, published.checkpoint())?;
    let body = published.note().body();
    let Some(mut finder) = PathFinder::new(body.size, args.seq) else {
        let message =
            format!("the last checkpoint covers {} entries, and entry {} is none of them", body.size, args.seq);
        return Err(Failure::new(USAGE, message, "sign a newer one by `dualseal checkpoint sign`"));
    };
    let (mut checker, mut proved) = (Checker::new(), None);
    entries(&chain, |json| {
        let entry = checker.push_json(json)?;
        finder.push(entry.leaf_hash());
        if entry.seq() == args.seq {
            proved = Some(entry);
        }
        Ok(())
    })?;
    let (Some(path), Some(entry)) = (finder.finish(), proved) else {
        return Err(Failure::defect("the chain that agreed is shorter than its checkpoint"));
    };
    let note = match &args.note {
        Some(path) => cosigned(path, &published)?,
        None => published.note().clone(),
    };
    let proof = LogProof::new(args.seq, path, note).with_extra(entry.to_json_line().trim_end().as_bytes());
    proof.verify(&entry.leaf_hash(), published.key())?;
    let prepared = args.target.prepare(args.target.or_stdout(), &proof.to_text(), Readers::All)?;
    let shown = prepared.shown();
    let aside = prepared.publish()?;
    Ok(Report::new("The entry stands in the log.")
        .number("seq", "entry", args.seq)
        .number("size", "entries", body.size)
        .detail("origin", "log", body.origin.as_str())
        .detail("note_key", "note key", published.key().to_text())
        .detail("path", "file", shown)
        .aside_if(aside))
}

/// A note of the same head, with what witnesses added.
fn cosigned(path: &Path, published: &Published) -> Result<Note, Failure> {
    let read = || -> Result<Note, dualseal::Error> {
        let note = Note::from_text(&String::from_utf8_lossy(&input::small(path).unwrap_or_default()))?;
        note.verify(published.key())?;
        Ok(note)
    };
    let note = read().map_err(|error| Failure::from(error).about(path.display()))?;
    if note.body() != published.note().body() {
        let message = format!("{} is not the note of the last checkpoint", path.display());
        return Err(Failure::new(USAGE, message, "ask the witnesses for the newest one"));
    }
    Ok(note)
}
