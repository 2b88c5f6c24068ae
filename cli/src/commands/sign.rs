//! `dualseal sign`: a signature record over a document.

use crate::context::Context;
use crate::failure::Failure;
use crate::home::Step;
use crate::input;
use crate::output::{Report, path_text};
use crate::store::Readers;
use crate::target::Target;
use dualseal::encoding::json::Value;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ dualseal sign contract.pdf
  $ dualseal sign contract.pdf --as ana -o signed.json
  $ dualseal sign order.json --canonical --as ana
  $ cat contract.pdf | dualseal sign - --as ana -o - > record.json";

/// Signs a document of any size
///
/// Writes a signature record beside it, appends its entry to the chain, and keeps a copy of the record in the home
/// folder: all of it, or nothing.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The document; `-` is standard input
    document: PathBuf,

    /// Whose signature [default: the only identity there is]
    #[arg(long = "as", value_name = "NAME")]
    acting: Option<String>,

    /// The document is JSON: signs its canonical form (RFC 8785), in any spacing and member order
    #[arg(long)]
    canonical: bool,

    /// Signs without fresh randomness (the deterministic variant of FIPS 204), for tests
    #[arg(long)]
    deterministic: bool,

    #[command(flatten)]
    target: Target,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let out = args.target.beside(&args.document, ".sig.json")?;
    // Read first, and the lock given up: the document may come slowly, and nobody else is to wait for it.
    let (domain, actor) = {
        let home = context.home()?;
        (home.domain().clone(), home.actor(&home.acting(args.acting.as_deref())?, context.passphrase())?)
    };
    let identity_id = actor.identity_id;
    let mut hasher = domain.domain().content_hasher(&identity_id);
    content_of(&args.document, args.canonical, |part| hasher.update(part))?;
    let content = hasher.finish();
    let home = context.home_to_write()?;
    home.still(&actor, context.passphrase())?;
    let mut step = Step::begin(&home, context.passphrase())?;
    let ticket = step.act(context.now()?, |step| step.sign(&identity_id, &content))?;
    let mut ready = if args.deterministic { step.sign_deterministic(&actor.key)? } else { step.sign(&actor.key)? };
    let none = || Failure::defect("a step made no record");
    let record = ready.changes().records.get(ticket.index()).ok_or_else(none)?.clone();
    let seq = ready.changes().entries.last().ok_or_else(none)?.seq();
    let text = format!("{}\n", record.to_json());
    let prepared = args.target.prepare(out, &text, Readers::All)?;
    let kept = format!("{}.json", record.krunica_hash());
    ready.record(&kept, &text);
    ready.commit()?;
    let shown = prepared.shown();
    let kept = home.path("records").join(kept);
    drop(home);
    let aside = prepared.publish_copied("the record", &kept)?;
    Ok(Report::new("Signed.")
        .detail("document", "document", path_text(&args.document))
        .detail("path", "record", shown)
        .detail("identity_id", "signer", identity_id.to_hex())
        .detail("timestamp", "time", record.time().to_string())
        .detail("content_hash", "content", content.to_hex())
        .number("seq", "entry", seq)
        .detail("krunica_hash", "handle", record.krunica_hash().to_hex())
        .detail("copy", "copy", path_text(&kept))
        .note("Others check it with document, record and your public key: dualseal verify RECORD DOCUMENT --key FILE")
        .aside_if(aside))
}

/// Feeds the document, or its canonical form, to a hasher.
pub(crate) fn content_of(document: &Path, canonical: bool, mut each: impl FnMut(&[u8])) -> Result<(), Failure> {
    if canonical {
        let about = |error| Failure::from(error).about(document.display());
        let value = Value::parse(&input::small(document)?).map_err(about)?;
        each(value.to_canonical().map_err(about)?.as_bytes());
        return Ok(());
    }
    input::parts(document, |part| each(part))?;
    Ok(())
}
