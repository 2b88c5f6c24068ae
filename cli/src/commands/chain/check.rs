//! Checking a chain: alone, under a checkpoint, and with the ring that it vouches for.

use crate::chain_file::Kept;
use crate::context::Context;
use crate::evidence::{Evidence, OfLog, tell_unverified};
use crate::failure::{Failure, USAGE};
use crate::output::{Report, integer, path_text};
use crate::store::CHAIN;
use dualseal::checkpoint::Checkpoint;
use dualseal::encoding::json::Value;
use dualseal::krunica::Checker;
use dualseal::{Entry, Head, KeyRing, Timestamp, Verified};
use dualseal_operator::chain::{self, ChainError};
use std::io::Read;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ dualseal chain check
  $ dualseal chain check --with-ring
  $ dualseal chain check chain.jsonl
  $ dualseal chain check chain.jsonl --checkpoint checkpoint.json --log-key log.pem";

/// Checks a chain, entry by entry, and names the first bad one
///
/// A chain alone shows an altered middle. Only a checkpoint shows that its end was cut off or that all of it was
/// written anew. The home folder's own is also held against its ring and where this program left it.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The chain, as JSON lines or a JSON array [default: the home folder's]
    file: Option<PathBuf>,

    /// Holds the home folder's ring against the chain as well
    #[arg(long, conflicts_with = "file")]
    with_ring: bool,

    #[command(flatten)]
    evidence: Evidence,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let home = if args.file.is_none() { Some(context.home()?) } else { None };
    let path = match (&args.file, &home) {
        (Some(path), _) => path.clone(),
        (None, Some(home)) => home.present(CHAIN)?,
        (None, None) => return Err(Failure::new(USAGE, "there is no chain to check", "name a file")),
    };
    let domain = context.domain(args.evidence.domain()?.as_ref(), home.as_ref())?;
    // The entries before all that is said of them, so that the first bad one is named.
    let mut chain = Kept::open(&path)?;
    let (head, backwards) = chain.read(|reader| alone(reader))?;
    let ring = match &home {
        Some(home) => {
            let ring = home.ring(context.passphrase())?;
            home.wrote(&head)?;
            if args.with_ring {
                home.audit(context.passphrase())?;
            }
            Some(ring)
        }
        None => None,
    };
    let known = OfLog { home: home.as_ref(), ring: ring.as_deref() };
    let given = args.evidence.checkpoint(&domain, known)?.map(|checkpoint| (checkpoint, true));
    let checkpoint = match (given, &home, &ring) {
        (None, Some(home), Some(ring)) => home.last(ring)?.map(|own| {
            let counts = own.counts();
            (own.into_signed(), counts)
        }),
        (given, ..) => given,
    };
    let unverified = match (&checkpoint, &home) {
        (None, _) => None,
        // Its own checkpoint was held against the ring's changes, by the ring key.
        (Some((checkpoint, _)), Some(_)) => {
            chain.read(|reader| chain::agree(domain.domain(), reader, checkpoint))?;
            None
        }
        (Some((checkpoint, _)), None) => {
            let (_, stated) = chain.read(|reader| chain::agree_stating(domain.domain(), reader, checkpoint))?;
            Some(stated.unverified().clone())
        }
    };
    let counts = checkpoint.as_ref().is_none_or(|(_, counts)| *counts);
    let checkpoint = checkpoint.map(|(checkpoint, _)| checkpoint);
    let ring = match (ring, args.with_ring) {
        (Some(ring), true) => Some(under(&ring, checkpoint.as_ref())?),
        _ => None,
    };
    let report = tell_unverified(tell(&path, &head, checkpoint.as_ref(), ring), unverified.as_ref());
    let report = backwards.tell(report);
    Ok(if counts { report } else { report.note("Its checkpoint is by a key that does not count: sign a new one.") })
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
        .detail("root", "root", head.root().to_hex());
    let report = match checkpoint.map(Verified::record) {
        Some(checkpoint) => report
            .number("covered", "covered", checkpoint.tree_head().size)
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

/// The end of a chain, with the entries that say an earlier time than the one before them: its clock was wrong, or was
/// set back.
fn alone(reader: &mut dyn Read) -> Result<(Head, Backwards), ChainError> {
    let (mut checker, mut backwards) = (Checker::new(), Backwards::default());
    chain::portions(reader, |texts| {
        for entry in checker.push_json_all(texts.iter().copied())? {
            backwards.see(&entry);
        }
        Ok(())
    })?;
    Ok((checker.into_head(), backwards))
}

/// Entries whose times go backwards.
#[derive(Default)]
struct Backwards {
    last: Option<Timestamp>,
    entries: Vec<u64>,
    count: u64,
}

impl Backwards {
    /// So many are named.
    const NAMED: usize = 64;

    fn see(&mut self, entry: &Entry) {
        if self.last.is_some_and(|last| last > entry.time()) {
            self.count += 1;
            if self.entries.len() < Self::NAMED {
                self.entries.push(entry.seq());
            }
        }
        self.last = Some(entry.time());
    }

    fn tell(&self, report: Report) -> Report {
        let report = report.member("backwards", Value::Array(self.entries.iter().map(|seq| integer(*seq)).collect()));
        match self.entries.first() {
            Some(first) => report.note(format!(
                "Beware: {} times go backwards, first that of entry {first}. The order of the entries stands.",
                self.count
            )),
            None => report,
        }
    }
}

/// The revision of a ring that was held against the chain, under a checkpoint that somebody else may have.
fn under(ring: &KeyRing, checkpoint: Option<&Verified<Checkpoint>>) -> Result<u64, Failure> {
    let none = || {
        let hint = "sign one by `dualseal checkpoint sign`";
        Failure::new(USAGE, "a ring is held against a chain under a checkpoint, and there is none", hint)
    };
    checkpoint.ok_or_else(none).map(|_| ring.revision())
}
