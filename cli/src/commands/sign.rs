//! `dualseal sign`: signature records over documents, or one over a folder.

mod documents;
mod files;

use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::home::Step;
use crate::input;
use crate::output::{Report, integer, object, path_text, text};
use crate::store;
use crate::target::Target;
use dualseal::encoding::json::Value;
use dualseal::{HashedContent, IdentityId, SignatureRecord, Timestamp};
use dualseal_operator::paths::Show;
use std::path::{Path, PathBuf};

pub(crate) use documents::{Document, MANIFEST, documents};
pub(crate) use files::Files;

const EXAMPLES: &str = "\
Examples:
  $ dualseal sign contract.pdf
  $ dualseal sign contract.pdf deed.pdf --as ana
  $ dualseal sign papers            # papers.manifest.json and one record, over all files in the folder
  $ dualseal sign papers --each     # a record beside each of them
  $ dualseal sign contract.pdf --as ana -o signed.json
  $ dualseal sign order.json --canonical --as ana
  $ cat contract.pdf | dualseal sign - --as ana -o - > record.json";

/// Signs documents of any size, or a folder
///
/// Writes a signature record beside each document, appends their entries to the chain, and keeps copies of the records
/// in the home folder: all of it, or nothing. Of a folder a manifest is written and signed, which lists every file in
/// it with its hash. Where somebody else's record is there already, the new one is named after its signer.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Documents and folders; `-` is standard input
    #[arg(required = true, value_name = "DOCUMENT")]
    documents: Vec<PathBuf>,

    /// Signs each file of a folder by itself, in place of a manifest
    #[arg(long)]
    each: bool,

    /// Whose signature [default: the one that `key default` chose, else the only identity there is]
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

/// A record with what is written of it.
struct Made {
    document: Document,
    record: SignatureRecord,
    seq: u64,
    /// Its copy in the home folder.
    kept: PathBuf,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let documents = documents(&args.documents, args.each, &args.target, SUFFIX)?;
    // Read first, and the lock given up: the document may come slowly, and nobody else is to wait for it.
    let (domain, actor) = {
        let home = context.home()?;
        (home.domain().clone(), home.actor(&home.acting(args.acting.as_deref())?, context.passphrase())?)
    };
    let identity_id = actor.identity_id;
    not_itself(&args.documents, context)?;
    let mut contents = Vec::new();
    for document in &documents {
        let mut hasher = domain.domain().content_hasher(&identity_id);
        match &document.manifest {
            Some(manifest) => hasher.update(manifest.as_bytes()),
            None => content_of(&document.path, args.canonical, |part| hasher.update(part))?,
        }
        contents.push(hasher.finish());
    }
    let home = context.home_to_write()?;
    home.still(&actor, context.passphrase())?;
    let (before, now) = (home.last_time(), context.now()?);
    let mut step = Step::begin(&home, context.passphrase())?;
    let sign = |content: &HashedContent| step.act(now, |step| step.sign(&identity_id, content));
    let tickets = contents.iter().map(sign).collect::<Result<Vec<_>, _>>()?;
    let mut ready = if args.deterministic { step.sign_deterministic(&actor.key)? } else { step.sign(&actor.key)? };
    let none = || Failure::defect("a step made no record");
    let (mut made, mut files) = (Vec::new(), Vec::new());
    for (document, ticket) in documents.into_iter().zip(tickets) {
        let record = ready.changes().records.get(ticket.index()).ok_or_else(none)?.clone();
        let seq = ready.entry_of(record.krunica_hash()).ok_or_else(none)?;
        let text = format!("{}\n", record.to_json());
        let name = format!("{}.json", record.krunica_hash());
        let kept = home.path("records").join(&name);
        let is_own = |bytes: &[u8]| {
            let record = SignatureRecord::from_json(bytes.trim_ascii_end());
            record.map_or(true, |record| *record.identity_id() == identity_id)
        };
        let label = home.label_of(&identity_id)?;
        files.push(Files::prepare(&args.target, (&document, SUFFIX), &text, &label, kept.clone(), is_own)?);
        ready.record(&name, &text);
        made.push(Made { document, record, seq, kept });
    }
    // An entry without the file that shows it helps nobody.
    let whole = store::whole();
    let waiting = Files::waiting(&files)?;
    ready.wait_for(&waiting)?;
    ready.commit()?;
    let published = Files::publish(files, "the record", &waiting, home, context)?;
    drop(whole);
    let report = tell(&made, &published.shown, &identity_id, now).aside_if(published.is_aside);
    Ok(backwards(report, before, now))
}

/// A signature over the home folder would be changed by its own entry.
pub(crate) fn not_itself(documents: &[PathBuf], context: &Context) -> Result<(), Failure> {
    let home = context.home()?.path("").canonicalize().unwrap_or_default();
    let holds = |path: &&PathBuf| path.is_dir() && path.canonicalize().is_ok_and(|path| home.starts_with(path));
    match documents.iter().find(holds) {
        None => Ok(()),
        Some(path) => {
            let message = format!("the home folder is in {}, and changes with every signature", path.shown());
            Err(Failure::new(USAGE, message, "sign a folder without it"))
        }
    }
}

fn tell(made: &[Made], shown: &[String], identity_id: &IdentityId, now: Timestamp) -> Report {
    let rows = made.iter().zip(shown).map(|(made, path)| {
        object([
            ("content_hash", text(made.record.content_hash().to_hex())),
            ("copy", text(path_text(&made.kept))),
            ("document", text(path_text(&made.document.path))),
            ("krunica_hash", text(made.record.krunica_hash().to_hex())),
            ("path", text(path.as_str())),
            ("seq", integer(made.seq)),
        ])
    });
    let sentence = if let [_] = made { "Signed.".to_owned() } else { format!("{} documents are signed.", made.len()) };
    let mut report = Report::new(sentence).member("signed", Value::Array(rows.collect()));
    if let ([made], [path]) = (made, shown) {
        report = report
            .detail("document", "document", path_text(&made.document.path))
            .detail("path", "record", path.as_str())
            .detail("content_hash", "content", made.record.content_hash().to_hex())
            .number("seq", "entry", made.seq)
            .detail("krunica_hash", "handle", made.record.krunica_hash().to_hex())
            .detail("copy", "copy", path_text(&made.kept));
    } else {
        for name in ["document", "path", "content_hash", "seq", "krunica_hash", "copy"] {
            report = report.member(name, Value::Null);
        }
        report = shown.iter().fold(report, |report, path| report.line("record", path.as_str()));
    }
    let files = made.iter().find_map(|made| made.document.files);
    let report = report
        .detail("identity_id", "signer", identity_id.to_hex())
        .detail("timestamp", "time", now.to_string())
        .member("manifest_files", files.map_or(Value::Null, integer));
    let report = files.into_iter().fold(report, |report, files| report.line("files in it", files.to_string()));
    report.note("Others check it with document, record and your public key: dualseal verify RECORD DOCUMENT --key FILE")
}

/// Remarks on a time that is before that of the entry before: one of the two clocks was wrong.
pub(crate) fn backwards(report: Report, before: Option<Timestamp>, now: Timestamp) -> Report {
    match before.filter(|before| *before > now) {
        Some(before) => report.note(format!(
            "Beware: the entry before has a later time, {before}. One of the two is wrong; the order of the entries \
             stands."
        )),
        None => report,
    }
}

/// How the names of records end.
const SUFFIX: &str = ".sig.json";

/// The name of a seal's copy in the home folder.
pub(crate) fn copy_of_seal(bytes: &[u8]) -> String {
    let seal = std::str::from_utf8(bytes).ok().and_then(|text| text.trim_end().parse::<dualseal::seal::Seal>().ok());
    let id = seal.and_then(|seal| seal.info().seal_id.map(|id| id.to_hex()));
    format!("{}.seal", id.unwrap_or_default())
}

/// Feeds the document, or its canonical form, to a hasher.
pub(crate) fn content_of(document: &Path, canonical: bool, mut each: impl FnMut(&[u8])) -> Result<(), Failure> {
    if canonical {
        let about = |error| Failure::from(error).about(document.shown());
        let value = Value::parse(&input::small(document)?).map_err(|error| about(error).hint(CANONICAL))?;
        each(value.to_canonical().map_err(about)?.as_bytes());
        return Ok(());
    }
    input::parts(document, |part| each(part))?;
    Ok(())
}

/// What has no canonical form here, and why.
pub(crate) const CANONICAL: &str = "\
--canonical takes JSON whose numbers are whole and at most 2^53-1, without a name that stands twice: of a fraction two \
programs write two forms. Write fractions as strings, or leave --canonical out to sign the bytes as they are";
