//! `dualseal checkpoint`: signed heads of a chain.

use crate::chain_file::{agree, agree_stating, read_for};
use crate::commands::verify::{ShownBy, Who, verdict};
use crate::context::Context;
use crate::domain_file::DomainFile;
use crate::evidence::{NamedLog, OfLog, tell_unverified};
use crate::failure::{Failure, status_of};
use crate::log_folder::{LogFolder, unproved};
use crate::output::{Report, path_text, text};
use crate::store::Readers;
use crate::target::{Prepared, Target};
use dualseal::checkpoint::{Checkpoint, Comparison, Followed, Follower, compare};
use dualseal::encoding::json::Value;
use dualseal::reader::{ChainReader, Consistency, TrustedHead};
use dualseal::{Verdict, VerdictKind, Verified};
use dualseal_operator::paths::Show;
use std::path::{Path, PathBuf};

const SIGN: &str = "\
Examples:
  $ dualseal checkpoint sign                       # it stands in the home folder, as checkpoint.json
  $ dualseal checkpoint sign -o checkpoint.json";

const RENEW: &str = "\
Examples:
  $ dualseal checkpoint renew-mark newer.json";

const CHECK: &str = "\
Examples:
  $ dualseal checkpoint check checkpoint.json --log-key log.pem
  $ dualseal checkpoint check checkpoint.json --log \"$(cat log.fingerprint)\"
  $ dualseal checkpoint check checkpoint.json --log-key log.pem --chain chain.jsonl --least-size 2";

const COMPARE: &str = "\
Examples:
  $ dualseal checkpoint compare checkpoint.json newer.json --log-key log.pem --chain chain.jsonl
  $ dualseal checkpoint compare checkpoint.json newer.json --log-key log.pem --tiles public";

/// Signs heads of the chain, and checks them
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Signs the head of the home folder's chain, which must go on from the last checkpoint
    ///
    /// The first one is signed with the first key of a home folder. The signer's mark, beside the folder, shows what
    /// was signed: a folder that was put back from an older copy signs nothing.
    #[command(after_help = SIGN)]
    Sign(SignArgs),
    /// Makes the signer's mark anew where it was lost, from the last checkpoint that somebody else has kept
    ///
    /// The mark stands beside the home folder, so that a copy of the folder that was put back signs nothing: it would
    /// sign a fork. Give the newest checkpoint that you can find elsewhere. From one that is older than what was signed
    /// since, it lets an old copy go on.
    ///
    /// Where the mark was lost before any checkpoint was signed there is none to give: with --nothing-signed you say so
    /// yourself. If that is not so, or this folder is not the newest copy, it signs a fork from then on, and takes keys
    /// for valid that were called back since; nothing tells.
    #[command(after_help = RENEW)]
    RenewMark(RenewArgs),
    /// Verifies a checkpoint by what you pinned of its log, and a chain by it
    ///
    /// Without --log-key it is held against the home folder: its ring, in which a retired key counts no more, and its
    /// own chain. One that contradicts the chain is a fork: somebody else signs with the log's key.
    #[command(after_help = CHECK)]
    Check(CheckArgs),
    /// Tells whether two checkpoints of one log are the same, one grown from the other, or a fork
    ///
    /// A fork is proof that the log's signer showed different chains to different people. Keep both checkpoints.
    #[command(after_help = COMPARE)]
    Compare(CompareArgs),
}

#[derive(clap::Args, Debug)]
pub(crate) struct SignArgs {
    /// Who signs for the log [default: the only identity there is]
    #[arg(long = "as", value_name = "NAME")]
    acting: Option<String>,

    #[command(flatten)]
    target: Target,
}

#[derive(clap::Args, Debug)]
pub(crate) struct RenewArgs {
    /// The last checkpoint that somebody else has kept
    #[arg(required_unless_present = "nothing_signed")]
    checkpoint: Option<PathBuf>,

    /// No checkpoint of this log was ever signed, and this is its newest copy: what nobody but you can know
    #[arg(long, conflicts_with = "checkpoint")]
    nothing_signed: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct CheckArgs {
    /// The checkpoint
    checkpoint: PathBuf,

    /// The chain that it must agree with
    #[arg(long, value_name = "FILE")]
    chain: Option<PathBuf>,

    #[command(flatten)]
    log: NamedLog,
}

#[derive(clap::Args, Debug)]
pub(crate) struct CompareArgs {
    /// One checkpoint
    first: PathBuf,

    /// The other
    second: PathBuf,

    /// The chain of the larger one, for checkpoints of different sizes
    #[arg(long, value_name = "FILE")]
    chain: Option<PathBuf>,

    /// The folder of the larger one's log in place of its chain, as `chain export --tiles` wrote it: a few reads
    #[arg(long, value_name = "DIR", conflicts_with = "chain")]
    tiles: Option<PathBuf>,

    #[command(flatten)]
    log: NamedLog,
}

impl Command {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Sign(_) => "checkpoint sign",
            Self::RenewMark(_) => "checkpoint renew-mark",
            Self::Check(_) => "checkpoint check",
            Self::Compare(_) => "checkpoint compare",
        }
    }
}

pub(crate) fn run(command: &Command, context: &Context) -> Result<Report, Failure> {
    match command {
        Command::Sign(args) => sign(args, context),
        Command::RenewMark(args) => renew_mark(args, context),
        Command::Check(args) => check(args, context),
        Command::Compare(args) => compare_two(args, context),
    }
}

fn sign(args: &SignArgs, context: &Context) -> Result<Report, Failure> {
    let home = context.home_to_write()?;
    let identity_id = home.acting(args.acting.as_deref())?;
    // Nothing is signed over a ring that somebody edited: the next checkpoint would bless it.
    let ring = home.ring(context.passphrase())?;
    let key = home.signer(&ring, &identity_id, context.passphrase())?;
    // What can go wrong with the file goes wrong before anything is signed.
    let out = args.target.is_named().then(|| args.target.or_stdout());
    if let Some(out) = &out {
        drop(args.target.prepare(out.clone(), "", Readers::All)?);
    }
    let checkpoint = home.sign_checkpoint(&identity_id, &key, context.now()?, context.passphrase())?;
    let content = format!("{}\n", checkpoint.to_json());
    let taken = "it was signed: take the home folder's checkpoint.json";
    // The home folder has it; it is 11 KB of numbers to people.
    let kept = path_text(&home.path("checkpoint.json"));
    let prepared = out.map(|out| args.target.prepare(out, &content, Readers::All)).transpose();
    let prepared = prepared.map_err(|failure| failure.hint(taken))?;
    let domain = home.domain().clone();
    drop(home);
    let shown = prepared.as_ref().map_or(kept, Prepared::shown);
    let published = prepared.map(Prepared::publish).transpose();
    let aside = published.map_err(|failure| failure.hint(taken))?.unwrap_or_default();
    Ok(describe(Report::new("The chain's head is signed."), &checkpoint, &domain)
        .detail("path", "file", shown)
        .note(
            "Give it to others: only a checkpoint that somebody else keeps proves anything. By the fingerprint, told \
             over another channel, they know the log.",
        )
        .aside_if(aside))
}

/// Makes a lost mark anew.
fn renew_mark(args: &RenewArgs, context: &Context) -> Result<Report, Failure> {
    let home = context.home_to_write()?;
    let Some(checkpoint) = &args.checkpoint else {
        home.renew_unsigned_mark(context.passphrase())?;
        let report =
            Report::new("The signer's mark is made anew, on your word.").detail("origin", "log", home.origin());
        let absent = ["size", "top", "root", "time", "identity_id", "key_hash", "log"];
        return Ok(absent.into_iter().fold(report, |report, name| report.member(name, Value::Null)).note(
            "It protects from now on. If a checkpoint was signed before, or this folder is an old copy, nothing tells: \
             what it signs is a fork then, and keys count that were called back.",
        ));
    };
    // Of a ring that nobody vouches for yet: it is held against the state before the mark is written.
    let file = home.ring_file()?;
    let seen = home.kept_elsewhere(checkpoint, file.unchecked())?;
    let (domain, checkpoint) = (home.domain().clone(), seen.record().clone());
    home.renew_mark(&seen, context.passphrase())?;
    Ok(describe(Report::new("The signer's mark is made anew."), &checkpoint, &domain)
        .note("It protects from now on. Of what was signed after that checkpoint nothing tells: ask all who follow."))
}

fn check(args: &CheckArgs, context: &Context) -> Result<Report, Failure> {
    let home = if args.log.has_key() { None } else { context.home_if_any()? };
    let domain = context.domain(args.log.domain()?.as_ref(), home.as_ref())?;
    let ring = home.as_ref().map(|home| home.ring(context.passphrase())).transpose()?;
    let verdict = args.log.verify(&args.checkpoint, &domain, OfLog { home: home.as_ref(), ring: ring.as_deref() })?;
    let shown_by = if home.is_some() { ShownBy::Ring } else { ShownBy::Caller };
    let report = verdict::report_of("checkpoint", &verdict, false, &Who { shown_by, ..Who::default() });
    let Verdict::Valid(checkpoint) = verdict else {
        let absent =
            ["chain", "identity_id", "key_hash", "log", "origin", "ring_unverified", "root", "size", "time", "top"];
        return Ok(absent.into_iter().fold(report, |report, name| report.member(name, Value::Null)));
    };
    let report = describe(report, checkpoint.record(), &domain);
    match &args.chain {
        None => Ok(tell_unverified(report.member("chain", Value::Null), None)),
        Some(chain) => {
            // The home folder's own was held against its ring's changes, by the ring key.
            let (agreed, unverified) = if home.is_some() {
                (agree(domain.domain(), chain, &checkpoint)?, None)
            } else {
                let (agreed, stated) = agree_stating(domain.domain(), chain, &checkpoint)?;
                (agreed, Some(stated.unverified().clone()))
            };
            let report = report.number("chain", "chain", agreed.head().size());
            Ok(tell_unverified(report, unverified.as_ref()).note("The chain agrees with the checkpoint."))
        }
    }
}

fn compare_two(args: &CompareArgs, context: &Context) -> Result<Report, Failure> {
    let home = if args.log.has_key() { None } else { context.home_if_any()? };
    let domain = context.domain(args.log.domain()?.as_ref(), home.as_ref())?;
    let ring = home.as_ref().map(|home| home.ring(context.passphrase())).transpose()?;
    let known = OfLog { home: home.as_ref(), ring: ring.as_deref() };
    let read = |path: &Path| -> Result<Verified<Checkpoint>, Failure> {
        let verdict = args.log.judge_file(path, &domain, known)?;
        let (kind, reason) = (verdict.kind(), verdict.internal().reason.unwrap_or_default());
        let message = format!("{} is {}: {reason}", path.shown(), kind.as_str());
        let hint = "compare checkpoints of one log, with its key";
        verdict.valid().ok_or_else(|| Failure::new(status_of(kind.code()), message, hint))
    };
    let (first, second) = (read(&args.first)?, read(&args.second)?);
    let outcome = match &args.chain {
        None => match compare(&first, &second)? {
            Comparison::Equal => Relation::Equal,
            Comparison::Fork(_) => Relation::Fork,
            Comparison::Contradiction => Relation::Contradiction,
            Comparison::SizesDiffer => match &args.tiles {
                None => Relation::Unknown,
                Some(folder) => grown(&first, &second, folder)?,
            },
        },
        Some(chain) => {
            let reader = ChainReader::new(domain.domain(), &TrustedHead::beginning());
            match read_for(chain, reader, |reader| reader.consistency(&first, &second))? {
                Consistency::Equal => Relation::Equal,
                Consistency::Grown => Relation::Grown,
                Consistency::Fork(_) => Relation::Fork,
                Consistency::Contradiction => Relation::Contradiction,
            }
        }
    };
    let (word, sentence) = outcome.told();
    let report = Report::new(sentence)
        .member("comparison", text(word))
        .detail("origin", "log", first.record().origin())
        .number("first_size", "first", first.record().tree_head().size)
        .number("second_size", "second", second.record().tree_head().size);
    Ok(match outcome {
        Relation::Equal | Relation::Grown => report,
        Relation::Fork => report
            .coded(VerdictKind::Invalid.code())
            .note("Keep both files: together they prove it to anybody. Do not rely on this log."),
        Relation::Contradiction => report
            .coded(VerdictKind::Invalid.code())
            .note("Ask the log's operator which of the two keys is his. It proves nothing against either signer."),
        Relation::Unknown => {
            report.coded(VerdictKind::Suspended.code()).note("Give the larger one's chain with --chain.")
        }
    })
}

/// By a proof over the trees, from a folder that nobody believes.
fn grown(first: &Verified<Checkpoint>, second: &Verified<Checkpoint>, folder: &Path) -> Result<Relation, Failure> {
    let size = |checkpoint: &Verified<Checkpoint>| checkpoint.record().tree_head().size;
    let (smaller, larger) = if size(first) < size(second) { (first, second) } else { (second, first) };
    let path = LogFolder::new(folder).growth(size(smaller), size(larger)).map_err(unproved)?;
    let followed = Follower::new(smaller.clone()).follow(larger.clone(), &path).map_err(|error| {
        let hint = "the folder may be at fault, and not the log: the larger one's chain tells (--chain)";
        Failure::from(error).about(folder.shown()).hint(hint)
    })?;
    Ok(match followed {
        Followed::Grown | Followed::Older => Relation::Grown,
        Followed::Same => Relation::Equal,
        Followed::Fork(_) => Relation::Fork,
        Followed::Contradiction => Relation::Contradiction,
    })
}

/// What two checkpoints say.
#[derive(Clone, Copy)]
enum Relation {
    Equal,
    Grown,
    Fork,
    Contradiction,
    Unknown,
}

impl Relation {
    fn told(self) -> (&'static str, &'static str) {
        match self {
            Self::Equal => ("equal", "Both were signed over the same chain."),
            Self::Grown => ("grown", "The larger one's chain begins with the smaller one's."),
            Self::Fork => ("fork", "FORK: the log's signer signed two chains that contradict each other."),
            Self::Contradiction => (
                "contradiction",
                "They contradict each other, and each is signed with another key: one of them is wrong.",
            ),
            Self::Unknown => {
                ("unknown", "They have different sizes: only the chain tells whether one grew from the other.")
            }
        }
    }
}

fn describe(report: Report, checkpoint: &Checkpoint, domain: &DomainFile) -> Report {
    report
        .detail("origin", "log", checkpoint.origin())
        .number("size", "size", checkpoint.tree_head().size)
        .detail("top", "top", checkpoint.tree_head().top.to_hex())
        .detail("root", "root", checkpoint.tree_head().root.to_hex())
        .detail("time", "signed", checkpoint.time().to_string())
        .detail("identity_id", "by", checkpoint.identity_id().to_hex())
        .detail("key_hash", "key", checkpoint.public_key().hash().to_hex())
        .detail("log", "fingerprint", checkpoint.fingerprint(domain.domain()).to_hex())
}
