//! `dualseal seal`: dual seals over documents, or one over a folder.

use crate::commands::sign::{Document, Files, backwards, copy_of_seal, documents, not_itself};
use crate::context::Context;
use crate::failure::Failure;
use crate::home::Step;
use crate::input;
use crate::output::{Report, integer, object, path_text, text};
use crate::store;
use crate::target::Target;
use dualseal::encoding::json::Value;
use dualseal::seal::Sealer;
use dualseal::{IdentityId, SystemRng};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ dualseal seal contract.pdf
  $ dualseal seal contract.pdf deed.pdf --as ana
  $ dualseal seal papers            # papers.manifest.json and one seal, over all files in the folder
  $ dualseal seal contract.pdf --as ana -o contract.seal
  $ dualseal seal contract.pdf --as ana --no-chain -o -";

/// Seals documents of any size, or a folder
///
/// A seal joins an HMAC, which whoever holds the seal key checks, to a signature that covers it, which anybody checks.
/// Its entry in the chain lets it outlive its key. Of several documents all are sealed, or none; of a folder a manifest
/// is written and sealed, which lists every file in it with its hash.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Documents and folders; `-` is standard input
    #[arg(required = true, value_name = "DOCUMENT")]
    documents: Vec<PathBuf>,

    /// Seals each file of a folder by itself, in place of a manifest
    #[arg(long)]
    each: bool,

    /// Whose seal [default: the only identity there is]
    #[arg(long = "as", value_name = "NAME")]
    acting: Option<String>,

    /// Appends no entry to the chain
    #[arg(long)]
    no_chain: bool,

    #[command(flatten)]
    target: Target,
}

/// A seal with what is written of it.
struct Made {
    document: Document,
    seal_id: String,
    seq: Option<u64>,
    /// Its copy in the home folder.
    kept: PathBuf,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let documents = documents(&args.documents, args.each, &args.target, SUFFIX)?;
    // Read first, and the lock given up: the documents may come slowly, and nobody else is to wait for them.
    let (domain, actor, seal_key) = {
        let home = context.home()?;
        let identity_id = home.acting(args.acting.as_deref())?;
        let seal_key = home.seal_key(&identity_id, context.passphrase())?;
        (home.domain().clone(), home.actor(&identity_id, context.passphrase())?, seal_key)
    };
    not_itself(&args.documents, context)?;
    let (identity_id, domain) = (actor.identity_id, domain.domain());
    let sealer = Sealer::new(domain, &identity_id, &seal_key, &actor.key);
    let mut streams = Vec::new();
    for document in &documents {
        let mut stream = sealer.begin()?;
        match &document.manifest {
            Some(manifest) => stream.update(manifest.as_bytes()),
            None => _ = input::parts(&document.path, |part| stream.update(part))?,
        }
        streams.push(stream);
    }
    let home = context.home_to_write()?;
    home.still(&actor, context.passphrase())?;
    let finish = streams.into_iter().map(|stream| stream.finish_unplaced(&mut SystemRng));
    let unplaced = finish.collect::<Result<Vec<_>, _>>()?;
    let (before, now) = (home.last_time().filter(|_| !args.no_chain), context.now()?);
    let mut step = Step::begin(&home, context.passphrase())?;
    let (mut made, mut files) = (Vec::new(), Vec::new());
    for (document, unplaced) in documents.into_iter().zip(&unplaced) {
        let seal = unplaced.seal();
        let text = format!("{seal}\n");
        let name = format!("{}.seal", seal.seal_id().to_hex());
        let kept = home.path("records").join(&name);
        let is_own = |bytes: &[u8]| home.has_copy(&copy_of_seal(bytes), bytes);
        let label = home.label_of(&identity_id)?;
        files.push(Files::prepare(&args.target, (&document, SUFFIX), &text, &label, kept.clone(), is_own)?);
        step.record(&name, &text);
        let seq = if args.no_chain { None } else { Some(step.act(now, |step| step.seal(unplaced))?.seq()) };
        made.push(Made { document, seal_id: seal.seal_id().to_string(), seq, kept });
    }
    let whole = store::whole();
    let waiting = Files::waiting(&files)?;
    let mut ready = step.ready()?;
    ready.wait_for(&waiting)?;
    ready.commit()?;
    let published = Files::publish(files, "the seal", &waiting, home, context)?;
    drop(whole);
    let report = tell(&made, &published.shown, &identity_id).aside_if(published.is_aside);
    Ok(backwards(report, before, now))
}

fn tell(made: &[Made], shown: &[String], identity_id: &IdentityId) -> Report {
    let rows = made.iter().zip(shown).map(|(made, path)| {
        object([
            ("copy", text(path_text(&made.kept))),
            ("document", text(path_text(&made.document.path))),
            ("path", text(path.as_str())),
            ("seal_id", text(made.seal_id.as_str())),
            ("seq", made.seq.map_or(Value::Null, integer)),
        ])
    });
    let sentence = if let [_] = made { "Sealed.".to_owned() } else { format!("{} documents are sealed.", made.len()) };
    let mut report = Report::new(sentence).member("sealed", Value::Array(rows.collect()));
    if let ([made], [path]) = (made, shown) {
        report = report
            .detail("document", "document", path_text(&made.document.path))
            .detail("path", "seal", path.as_str())
            .detail("seal_id", "seal id", made.seal_id.as_str())
            .detail("copy", "copy", path_text(&made.kept));
        report = match made.seq {
            Some(seq) => report.number("seq", "entry", seq),
            None => report.member("seq", Value::Null),
        };
    } else {
        for name in ["document", "path", "seal_id", "copy", "seq"] {
            report = report.member(name, Value::Null);
        }
        report = shown.iter().fold(report, |report, path| report.line("seal", path.as_str()));
    }
    let files = made.iter().find_map(|made| made.document.files);
    let report = report
        .detail("identity_id", "sealed by", identity_id.to_hex())
        .member("manifest_files", files.map_or(Value::Null, integer));
    let report = files.into_iter().fold(report, |report, files| report.line("files in it", files.to_string()));
    report.note("Others check it with document, seal and your public key: dualseal verify SEAL DOCUMENT --key FILE")
}

/// How the names of seals end.
const SUFFIX: &str = ".seal";
