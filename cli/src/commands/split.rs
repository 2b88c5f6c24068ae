//! `dualseal split`: a file that any k of n people can open together, and fewer cannot.

use crate::commands::share::deal;
use crate::context::Context;
use crate::domain_file::DomainFile;
use crate::failure::{Failure, USAGE};
use crate::input;
use crate::output::{Report, integer, path_text, text};
use crate::shares::dealt::{Exchange, field_word};
use crate::shares::form::Forms;
use crate::shares::text::FieldName;
use crate::shares::text::Format;
use crate::shares::wrapped;
use crate::store;
use dualseal::SystemRng;
use dualseal::field::{Fp521, Gf2_256};
use dualseal::shamir::{Dealing, DrawnSecret};
use std::ffi::OsString;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ dualseal split will.pdf --threshold 3 --shares 5
  $ dualseal split keys.kdbx --threshold 2 --shares 3 --form file,png -o keys.split
  $ dualseal split seed.txt --threshold 2 --shares 3 --form qr
  $ tar c papers | dualseal split - --threshold 3 --shares 5 -o papers.split
  $ dualseal split will.pdf --threshold 3 --shares 5 --format ssss   # for ssss-combine -t 3 -x -D";

/// Wraps a file so that any K of N shares give it back, and fewer say nothing
///
/// Draws a secret, encrypts the file under it, and shares the secret. Writes a folder with the wrapped file and
/// dealing.json, which need no secrecy, and the shares, one for each holder. By the dealing a bad share is found later,
/// and who sent it: keep it with the wrapped file. Nobody keeps the secret; the file stays where it is. The split is of
/// the domain of the home folder, where there is one: holders elsewhere give its name with --domain.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file, of any size; `-` is standard input
    file: PathBuf,

    /// How many shares give the file back
    #[arg(long, value_name = "K")]
    threshold: u64,

    /// How many shares there are, 2 to 255
    #[arg(long, value_name = "N")]
    shares: u64,

    /// The field that is shared over [default: p521, with --format ssss gf256]
    #[arg(long)]
    field: Option<FieldName>,

    /// How the shares are written
    #[arg(long, default_value = "dualseal")]
    format: Format,

    #[command(flatten)]
    forms: Forms,

    /// The folder to make [default: FILE.split]
    #[arg(short, long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    match (args.field, args.format) {
        (Some(FieldName::P521) | None, Format::Dualseal) => split::<Fp521>(args, context),
        (Some(FieldName::Gf256), _) | (None, Format::Ssss) => split::<Gf2_256>(args, context),
        (Some(FieldName::P521), Format::Ssss) => {
            let hint = "leave --field out, or take --field gf256";
            Err(Failure::new(USAGE, "the program ssss does not know the field p521", hint))
        }
    }
}

fn split<F: Exchange>(args: &Args, context: &Context) -> Result<Report, Failure> {
    let domain = context.domain_alone()?;
    let threshold = deal::threshold(args.threshold, args.shares)?;
    let mut folder = store::new_folder(&out(args)?)?;
    let name = wrapped_name(args);
    let purpose = wrapped::purpose(domain.domain())?;
    let secret = DrawnSecret::<F>::draw(&mut SystemRng)?;
    let bytes = wrapped::wrap(&args.file, &secret, &purpose, &mut folder, name.as_os_str())?;
    let dealt = Dealing::deal(domain.domain(), &secret, threshold, &mut SystemRng)?;
    let (k, n) = (threshold.k(), threshold.n());
    let outgoing = deal::outgoing(&dealt, args.format, &path_text(&args.file))?;
    deal::write(&mut folder, &dealt, &args.forms, &outgoing)?;
    args.forms.show(&outgoing)?;
    let made = store::publish(folder)?;
    let report = Report::new(format!("Split: any {k} of the {n} shares give the file back, and fewer say nothing."))
        .detail("path", "folder", path_text(&made))
        .detail("wrapped", "wrapped file", path_text(&made.join(&name)))
        .member("bytes", integer(bytes))
        .member("field", text(field_word(F::WORD)))
        .member("format", text(if args.format == Format::Ssss { "ssss" } else { "dualseal" }))
        .member("domain", domain.to_value());
    let report = deal::tell(report, &made, &dealt, &args.forms, &outgoing);
    let report = report
        .note(
            "Give each holder one share, and keep the wrapped file and dealing.json where the holders will find them.",
        )
        .note("The file itself is still where it was; who has it needs no share.");
    if domain.to_value() == DomainFile::default().to_value() {
        return Ok(report);
    }
    Ok(report.note(format!(
        "Giving it back takes --domain {}, or its file, where the home folder is not of this domain.",
        domain.to_words()
    )))
}

fn out(args: &Args) -> Result<PathBuf, Failure> {
    if let Some(out) = &args.out {
        return Ok(out.clone());
    }
    if input::is_standard(&args.file) {
        let message = "a file from standard input has no name to derive a folder's from";
        return Err(Failure::new(USAGE, message, "name the folder to make with --out FOLDER"));
    }
    let mut path = OsString::from(&args.file);
    path.push(".split");
    Ok(path.into())
}

/// The name need not be UTF-8.
fn wrapped_name(args: &Args) -> OsString {
    let standard = input::is_standard(&args.file);
    let mut name = args.file.file_name().filter(|_| !standard).map_or_else(|| "file".into(), OsString::from);
    name.push(".wrapped");
    name
}
