//! Making evidence, by whoever has the log.

use super::given::{self, document_of, stem};
use crate::chain_file;
use crate::commands::key::state::word;
use crate::commands::verify::{Dates, noun};
use crate::context::Context;
use crate::domain_file::DomainFile;
use crate::failure::Failure;
use crate::home::Home;
use crate::input;
use crate::log_folder::LogFolder;
use crate::output::{Report, path_text, text};
use crate::published::{self, Cosigned, Notes, last_checkpoint, note};
use crate::store::{CHAIN, Readers};
use crate::target::Target;
use dualseal::checkpoint::Checkpoint;
use dualseal::encoding::json::Value;
use dualseal::evidence::EvidenceKind;
use dualseal::key::KeyState;
use dualseal_operator::evidence::{EvidenceError, Given, Made, Maker, only};
use dualseal_operator::paths::Show;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ dualseal evidence make old.pdf.sig.json
  $ dualseal evidence make contract.pdf.seal contract.pdf -o contract.evidence.json
  $ dualseal evidence make contract.pdf.sig.json --note cosigned
  $ dualseal evidence make contract.pdf.sig.json --tiles public --seq 2   # of a long chain a few reads";

/// Makes one file that shows a record, its key and its place in the log to a stranger
///
/// The file has some 30 kB whatever the size of the log, and is verified with the document, the log's fingerprint and
/// the signer's, offline: dualseal verify DOCUMENT --evidence FILE --log HEX --key HEX. The record stands in the home
/// folder's chain, below its last checkpoint. What nobody could verify is not given out.
///
/// It is written beside the record, as RECORD without .json and with .evidence.json.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A signature record, a seal, a quorum's result, or a vault record as `vault redact` writes it
    record: PathBuf,

    /// The document, of a vault record the stored bytes [default: by the record's name, where it is there]
    document: Option<PathBuf>,

    /// Whose seal it is [default: of those for whom the chain has it, whoever made it]
    #[arg(long = "as", value_name = "NAME")]
    acting: Option<String>,

    /// The session of a quorum's result (session.json)
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,

    #[command(flatten)]
    notes: Notes,

    /// The log's folder, as `chain export --tiles` wrote it: the places are read there, and not from the whole chain
    #[arg(long, value_name = "DIR", requires = "seq")]
    tiles: Option<PathBuf>,

    /// The number of the record's entry, as it was told when the record was made
    #[arg(long, value_name = "NUMBER", requires = "tiles")]
    seq: Option<u64>,

    #[command(flatten)]
    target: Target,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    input::one_stream([&args.record].into_iter().chain(&args.document))?;
    let out = args.target.beside(&stem(&args.record), ".evidence.json")?;
    let given = given::read(&args.record, args.session.as_deref())?;
    let document = document(args);
    let home = context.home()?;
    let ring = home.ring(context.passphrase())?;
    let (domain, checkpoint) = (home.domain().clone(), last_checkpoint(&home, &ring)?);
    let maker = Maker::new(domain.domain(), domain.name(), &ring, &checkpoint)?;
    let cosigned = args.notes.read(checkpoint.record())?;
    let made = make(&home, &maker, &given, (args, context), (checkpoint.record(), cosigned.as_ref()))?;
    // The document may come slowly, and nobody else is to wait for the folder.
    drop(home);
    let made = choose(&maker, made, document.as_deref())?;
    let file = made.file()?;
    let prepared = args.target.prepare(out, &format!("{}\n", file.to_json()), Readers::All)?;
    let shown = prepared.shown();
    let aside = prepared.publish()?;
    let dates = Dates::in_ring(&ring, &made.identity_id, made.key.hash(), made.seq);
    let report = told((&made, file.kind()), (checkpoint.record(), &domain), dates, document.as_deref(), shown);
    Ok(published::tell(cosigned.as_ref(), report).aside_if(aside))
}

/// The document that was named, or that is there under the name that the record's says.
fn document(args: &Args) -> Option<PathBuf> {
    args.document.clone().or_else(|| document_of(&args.record).filter(|path| path.is_file()))
}

/// For everybody who could have made the record, a file.
fn make(
    home: &Home,
    maker: &Maker<'_>,
    given: &Given,
    (args, context): (&Args, &Context),
    (checkpoint, cosigned): (&Checkpoint, Option<&Cosigned>),
) -> Result<Vec<Made>, Failure> {
    let acting = args.acting.as_deref().map(|name| home.identity(name)).transpose()?;
    let places = if let (Some(folder), Some(seq)) = (&args.tiles, args.seq) {
        maker.places_from(&LogFolder::new(folder), given, seq)?
    } else {
        let path = home.present(CHAIN)?;
        maker.places(given, input::reader(&path)?).map_err(|error| match error {
            EvidenceError::Chain(error) => chain_file::of(&path)(error),
            error => error.into(),
        })?
    };
    let note = match cosigned {
        None => note(home, checkpoint, context.passphrase())?,
        Some(cosigned) => Some(cosigned.note().clone()),
    };
    Ok(maker.make(given, &places, acting.as_ref(), note.as_ref())?)
}

/// Which of the files holds over the document.
fn choose(maker: &Maker<'_>, made: Vec<Made>, document: Option<&Path>) -> Result<Made, Failure> {
    let Some(document) = document else { return Ok(only(made)?) };
    maker.choose(made, input::reader(document)?).map_err(|error| match error {
        EvidenceError::Read(error) => Failure::reading(document, &error),
        EvidenceError::OtherDocument(error) => {
            let hint = "nothing was written: give the document as it was signed, of a vault record the stored bytes";
            Failure::from(error).about(document.shown()).hint(hint)
        }
        error => error.into(),
    })
}

fn told(
    (made, kind): (&Made, EvidenceKind),
    (checkpoint, domain): (&Checkpoint, &DomainFile),
    dates: Dates,
    document: Option<&Path>,
    shown: String,
) -> Report {
    let sentence = match document {
        Some(_) => "Evidence is made, and holds over the document.",
        None => "Evidence is made, and was NOT held against its document.",
    };
    let mut report = Report::new(sentence)
        .detail("path", "evidence", shown)
        .wire("vrsta", text(kind.as_str()))
        .line("kind", noun(kind))
        .member("document", document.map_or(Value::Null, |path| text(path_text(path))))
        .detail("identity_id", "signer", made.identity_id.to_hex())
        .detail("key_hash", "key", made.key.hash().to_hex())
        .detail("state", "key state", word(made.state))
        .number("seq", "entry", made.seq)
        .number("size", "entries", checkpoint.tree_head().size)
        .detail("origin", "log", checkpoint.origin())
        .detail("log", "fingerprint", checkpoint.fingerprint(domain.domain()).to_hex())
        .detail("domain", "domain", domain.to_words());
    if made.state != KeyState::Valid {
        report = report.note(format!(
            "As of this checkpoint the key is {}, and whoever verifies is told so, with where the record stands.",
            word(made.state)
        ));
    }
    report = dates.told().into_iter().fold(report, Report::note);
    if document.is_none() {
        report = report.note("Give the document after the record, so that it is seen to hold before others see it.");
    }
    report.note(
        "Others verify it with the document and the log's fingerprint, which you give them over another channel: \
         dualseal verify DOCUMENT --evidence FILE --log HEX --key HEX",
    )
}
