//! `dualseal combine`: shares back into the file that was split.

use crate::context::Context;
use crate::failure::{Failure, READ, USAGE};
use crate::input;
use crate::output::{Report, integer};
use crate::shares::dealt::{
    AnyDealing, Card, Checked, Exchange, bad, numbers, refusal, tell_bad, tell_misdealt, words,
};
use crate::shares::read::{Given, Parsed, cards, ssss_cards};
use crate::shares::text::{FieldName, Format};
use crate::shares::wrapped::{self, Sink};
use crate::target::Target;
use dualseal::encoding::hex;
use dualseal::encoding::json::Value;
use dualseal::error::{SharingFault, SharingProblem};
use dualseal::field::{Fp521, Gf2_256};
use dualseal::secret::Secret;
use dualseal::shamir::{Commitments, Dealing, Share, reconstruct, reconstruct_unanchored};
use dualseal::stream::KeyMaterial;
use dualseal::{Domain, Error};
use dualseal_operator::paths::Show;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

const EXAMPLES: &str = "\
Examples:
  $ dualseal combine . -o will.pdf   # in the folder that `split` made, or with what is left of it
  $ dualseal combine share-1.txt share-3.txt share-5.txt --dealing dealing.json \\
      --wrapped will.pdf.wrapped -o will.pdf
  $ cat scanned.txt | dualseal combine - share-2.txt share-5.txt --dealing dealing.json \\
      --wrapped will.pdf.wrapped -o will.pdf
  $ dualseal combine shares.txt --unanchored --wrapped will.pdf.wrapped -o will.pdf
  $ dualseal combine ssss.txt --format ssss --threshold 3 --secret -o secret.hex
  $ ssss-combine -t 3 -x -D -q < ssss.txt 2>&1 | dualseal combine --from-secret - \\
      --wrapped will.pdf.wrapped -o will.pdf";

/// Gives a file back that was split, and names whoever sent a bad share
///
/// With the dealing record every bad share is found, and nothing comes back that was not dealt. Without it
/// (--unanchored) the shares are held against each other only: more than half of those to spare, if they work together,
/// can choose what comes back and make honest holders look bad. All of it is in the folder that `split` made, which is
/// FILE.split where it was not named.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    given: Given,

    /// The record that was written with the shares [default: dealing.json in a folder that is given]
    #[arg(long, value_name = "FILE")]
    dealing: Option<PathBuf>,

    /// The wrapped file; `-` is standard input [default: the only one in a folder that is given]
    #[arg(long, value_name = "FILE")]
    wrapped: Option<PathBuf>,

    /// Rebuilds without the dealing record: nobody vouches for what comes back
    #[arg(long, conflicts_with = "dealing")]
    unanchored: bool,

    /// How many shares are needed, for shares that do not say so
    #[arg(long, value_name = "K")]
    threshold: Option<u64>,

    /// Gives the shared secret itself in hexadecimal, and opens no file
    #[arg(long, conflicts_with = "wrapped")]
    secret: bool,

    /// Opens the file with a secret that another program rebuilt: 64 or 132 hexadecimal characters
    #[arg(long, value_name = "FILE", conflicts_with_all = ["files", "dealing", "unanchored", "secret"])]
    from_secret: Option<PathBuf>,

    #[command(flatten)]
    target: Target,
}

/// A secret that came back, with what is told of it.
struct Rebuilt {
    secret: Box<dyn KeyMaterial>,
    hex: Zeroizing<String>,
    report: Report,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let domain = context.domain_alone()?;
    let sink = Sink::new(&args.target)?;
    let (dealing, wrapped) = beside(args)?;
    input::one_stream(args.given.files().iter().chain(&args.from_secret).chain(&wrapped))?;
    let rebuilt = match (&args.from_secret, &dealing) {
        (Some(path), _) => from_secret(path)?,
        _ if args.given.is_empty() => {
            return Err(Failure::new(
                USAGE,
                "there are no shares",
                "name the files that hold them; `-` is standard input",
            ));
        }
        (None, Some(path)) => match AnyDealing::read(path, domain.domain())? {
            AnyDealing::P521(dealing) => anchored(&dealing, args, context)?,
            AnyDealing::Gf256(dealing) => anchored(&dealing, args, context)?,
        },
        (None, None) => alone(args, context)?,
    };
    finish(args, &sink, rebuilt, wrapped.as_deref(), domain.domain())
}

/// The dealing record and the wrapped file: those that were named, else those in the folder of the shares.
fn beside(args: &Args) -> Result<(Option<PathBuf>, Option<PathBuf>), Failure> {
    let folder = args.given.files().iter().find(|path| path.is_dir());
    let in_folder = folder.map(|folder| folder.join(DEALING)).filter(|path| path.is_file() && !args.unanchored);
    let dealing = args.dealing.clone().or(in_folder);
    if args.secret || args.wrapped.is_some() {
        return Ok((dealing, args.wrapped.clone()));
    }
    let none = |what: &str| {
        let hint = "say with --wrapped FILE which file the shares open, or --secret for the secret itself";
        Failure::new(USAGE, what, hint)
    };
    let folder = folder.ok_or_else(|| none("no wrapped file is named, and no folder that has one"))?;
    let read = |error| Failure::reading(folder, &error);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(read)? {
        let path = entry.map_err(read)?.path();
        if path.extension().is_some_and(|ending| ending == WRAPPED) {
            found.push(path);
        }
    }
    match found.as_slice() {
        [only] => Ok((dealing, Some(only.clone()))),
        [] => Err(none("no wrapped file is in the folder of the shares")),
        _ => Err(none("several wrapped files are in the folder of the shares")),
    }
}

/// What `split` calls the record, and how the name of the wrapped file ends.
const DEALING: &str = "dealing.json";
const WRAPPED: &str = "wrapped";

/// Opens the file, or gives out the secret.
fn finish(
    args: &Args,
    sink: &Sink,
    rebuilt: Rebuilt,
    wrapped: Option<&Path>,
    domain: &Domain,
) -> Result<Report, Failure> {
    let Rebuilt { secret, hex, report } = rebuilt;
    let Some(blob) = wrapped else {
        let aside = sink.secret(&hex, &args.target)?;
        return Ok(report.member("bytes", Value::Null).detail("path", "secret", sink.shown()).aside_if(aside));
    };
    let (bytes, aside) = sink.unwrap(blob, &*secret, &wrapped::purpose(domain)?, &args.target)?;
    Ok(report.number("bytes", "bytes", bytes).detail("path", "file", sink.shown()).aside_if(aside))
}

/// By the dealer's commitments.
fn anchored<F: Exchange>(dealing: &Dealing<F>, args: &Args, context: &Context) -> Result<Rebuilt, Failure> {
    let cards: Vec<Card<F>> = cards(&args.given, dealing.threshold().k(), context.output())?;
    let bad = bad(dealing, &cards);
    let rebuilt = reconstruct(&Checked(dealing), &cards).map_err(|error| refusal(error, &cards, &bad))?;
    let sentence = match (bad.is_empty(), args.secret) {
        (true, false) => "The file is back, as it was split.",
        (false, false) => "The file is back, as it was split; some of the shares were bad.",
        (true, true) => "The secret is back, as it was dealt.",
        (false, true) => "The secret is back, as it was dealt; some of the shares were bad.",
    };
    let report = Report::new(sentence)
        .member("anchored", Value::Bool(true))
        .member("k", integer(dealing.threshold().k().into()))
        .member("outliers", Value::Array(Vec::new()))
        .member("unchecked", Value::Bool(false));
    let report = tell_misdealt(tell_bad(report, &bad), &rebuilt.misdealt);
    let hex = Zeroizing::new(hex::encode(rebuilt.secret.to_bytes().as_ref()));
    Ok(Rebuilt { secret: Box::new(rebuilt.secret), hex, report })
}

/// By the shares alone, where that was asked for.
fn alone(args: &Args, context: &Context) -> Result<Rebuilt, Failure> {
    let lines = args.given.lines(context.output())?;
    if args.given.format == Format::Ssss {
        let Some(k) = args.threshold else {
            let hint = "say with --threshold K how many shares are needed: the text of ssss does not tell";
            return Err(Failure::new(USAGE, "the threshold is not known", hint));
        };
        return unanchored::<Gf2_256>(ssss_cards(&lines, k)?, k, args);
    }
    if !args.unanchored {
        let hint = "give the dealing.json of the shares with --dealing; if it is lost, say --unanchored";
        return Err(Failure::new(USAGE, "without the dealing record nobody can tell a bad share", hint));
    }
    let parsed = Parsed::of(&lines, context.output())?;
    if !parsed.agree() {
        let fault = SharingFault { problem: SharingProblem::Mixed { foreign: Vec::new() }, culprits: Vec::new() };
        let hint = format!("the shares {} name different sets: give those of one", words(&parsed.indices()));
        return Err(Failure::from(Error::from(fault)).hint(hint));
    }
    let k = args.threshold.or(parsed.k().map(u64::from)).unwrap_or_default();
    match parsed.field() {
        Some(FieldName::P521) => unanchored::<Fp521>(parsed.cards()?, k, args),
        Some(FieldName::Gf256) => unanchored::<Gf2_256>(parsed.cards()?, k, args),
        None => Err(Failure::new(READ, "no share is in what was given", "give files that hold shares, one a line")),
    }
}

fn unanchored<F: Exchange>(cards: Vec<Card<F>>, k: u64, args: &Args) -> Result<Rebuilt, Failure> {
    let places: Vec<_> = cards.iter().map(Card::place).collect();
    let shares: Vec<Share<F>> = cards.into_iter().map(Card::into_share).collect();
    let found = reconstruct_unanchored(k, &shares).map_err(|error| {
        let indices = shares.iter().map(Share::index);
        let places: Vec<_> = indices.zip(places.iter().map(String::as_str)).collect();
        crate::shares::dealt::refused(error, &places, &[], false)
    })?;
    let what = if args.secret { "A secret" } else { "A file" };
    let report = Report::new(format!("{what} is back, and NOBODY VOUCHES for it: no dealing record was asked."))
        .member("anchored", Value::Bool(false))
        .member("culprits", Value::Array(Vec::new()))
        .member("foreign", Value::Array(Vec::new()))
        .member("misdealt", Value::Array(Vec::new()))
        .line("outliers", words(found.outliers()))
        .member("outliers", numbers(found.outliers().iter().copied()))
        .member("unchecked", Value::Bool(found.unchecked()))
        .line("threshold", k.to_string())
        .member("k", integer(k));
    let report = if found.unchecked() {
        report
            .note("There were just as many shares as are needed: nothing was checked, any such shares give something.")
    } else if found.outliers().is_empty() {
        report.note("The shares agree with each other. Holders who work together could have made them agree.")
    } else {
        report.note("Outliers are no culprits: holders who work together can make honest ones stand out.")
    };
    let secret = key_of(found.to_bytes().as_ref())?;
    let hex = Zeroizing::new(hex::encode(found.to_bytes().as_ref()));
    Ok(Rebuilt { secret, hex, report })
}

/// A secret that another program rebuilt. The last word counts, because ssss-combine says `Resulting secret:` first.
fn from_secret(path: &Path) -> Result<Rebuilt, Failure> {
    let bytes = Zeroizing::new(input::small(path)?);
    let hint = "give the hexadecimal that the other program printed, 64 characters for ssss";
    let wrong = |error: Error| Failure::from(error).about(path.shown()).hint(hint);
    let text = std::str::from_utf8(&bytes).unwrap_or_default();
    let word = Zeroizing::new(text.split_whitespace().last().unwrap_or_default().to_ascii_lowercase());
    let secret = if word.len() == 132 {
        key_of(hex::decode_secret::<66>("secret", &word).map_err(wrong)?.expose())?
    } else {
        key_of(hex::decode_secret::<32>("secret", &word).map_err(wrong)?.expose())?
    };
    let report = Report::new("The file is back: it was wrapped under this secret.")
        .member("anchored", Value::Bool(false))
        .member("culprits", Value::Array(Vec::new()))
        .member("foreign", Value::Array(Vec::new()))
        .member("misdealt", Value::Array(Vec::new()))
        .member("outliers", Value::Array(Vec::new()))
        .member("unchecked", Value::Bool(true))
        .member("k", Value::Null);
    Ok(Rebuilt { secret, hex: word, report })
}

/// Bytes that nobody vouches for, as what they are: some key.
fn key_of(bytes: &[u8]) -> Result<Box<dyn KeyMaterial>, Failure> {
    Ok(if bytes.len() == 66 {
        Box::new(Secret::<66>::from_slice("secret", bytes)?)
    } else {
        Box::new(Secret::<32>::from_slice("secret", bytes)?)
    })
}
