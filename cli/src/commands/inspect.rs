//! `dualseal inspect`: what a file is, and whether it is well formed.

mod finding;
mod foreign;
mod kept;
mod lines;
mod notes;
mod opened;
mod pem;
mod said;
mod sharing;

pub(crate) use kept::{RECORDS, home_file, tells_decoys};
pub(crate) use pem::pem_labels;
pub(crate) use sharing::{DEALING, is_dealing, share_kind};

use crate::context::Context;
use crate::failure::{Failure, READ};
use crate::output::{Report, integer, object, path_text, text};
use crate::secrets;
use crate::trust::PublicKeyFile;
use dualseal::encoding::json::Value;
use dualseal::error::{Error, Malformed, Problem};
use dualseal::inspect::{Kind, inspect};
use dualseal::stream::{HEADER_BYTES, MAGIC, TAG_BYTES};
use finding::{Inspected, UNKNOWN};
use opened::Opened;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ dualseal inspect contract.pdf.sig.json
  $ dualseal inspect ana.pem
  $ cat contract.pdf.seal | dualseal inspect -";

/// Says what a file is, and everything that is wrong with its form
///
/// It verifies nothing: a file without findings is well formed, no more. A secret is never printed. A file may have any
/// size: records and keys are read whole up to 64 MiB, chains and ledgers line by line, and of anything else only how
/// it begins.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Any file; `-` is standard input
    file: PathBuf,
}

/// An encrypted stream: stored bytes of a vault, or a wrapped file.
pub(crate) const STREAM: &str = "encrypted stream";
/// Texts are read whole up to this size.
const WHOLE: u64 = 64 << 20;

pub(crate) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let mut file = Opened::open(&args.file)?;
    let found = look(&args.file, &mut file, context)?;
    let said = if found.findings.is_empty() { said::Said::of(file.begins(), context) } else { said::Said::default() };
    Ok(tell(args, &file, found, said))
}

fn look(path: &Path, file: &mut Opened, context: &Context) -> Result<Inspected, Failure> {
    if let Some(found) = kept::named(path, file)? {
        return Ok(found);
    }
    let begins = file.begins();
    if begins.starts_with(&MAGIC) {
        return Ok(stream(file));
    }
    if let what @ Some(_) = foreign::what(begins) {
        return Ok(Inspected::foreign(what));
    }
    if let Some(found) = lines::look(file)? {
        return Ok(found);
    }
    if !is_text(file.begins()) {
        return Ok(Inspected::foreign(None));
    }
    if !file.read_whole(WHOLE)? {
        return Ok(too_long(file));
    }
    let bytes = file.begins();
    let found = key(bytes).or_else(|| notes::look(bytes));
    let found = found.or_else(|| sharing::look(bytes, context)).or_else(|| kept::look(bytes));
    Ok(found.unwrap_or_else(|| record(bytes)))
}

fn tell(args: &Args, file: &Opened, found: Inspected, said: said::Said) -> Report {
    let Inspected { kind, version, count, findings, omitted, foreign } = found;
    let (shown, size) = (path_text(&args.file), file.size());
    let bytes = size.map_or_else(|| "of unknown size".to_owned(), |size| format!("{size} bytes"));
    let sentence = match (findings.is_empty(), kind.as_str(), foreign) {
        (true, kind, _) => format!("{shown} is a well-formed {kind}."),
        (false, UNKNOWN, Some(what)) => format!("{shown} is not a dualseal file: it is {what}, {bytes}."),
        (false, UNKNOWN, None) => format!("{shown} is not a dualseal file, as far as it can be told: {bytes}."),
        (false, kind, _) => format!("{shown} is a {kind}, and NOT well formed."),
    };
    let is_secret = sharing::is_share(&kind) || kind.starts_with("secret");
    let is_sealed = kind == STREAM;
    let is_evidence = kind == Kind::Evidence.as_str();
    let list = findings.iter().map(|(code, what)| {
        object([("code", code.map_or(Value::Null, |code| Value::Integer(code.into()))), ("text", text(what.as_str()))])
    });
    let mut report = Report::new(sentence)
        .detail("kind", "kind", kind)
        .detail("path", "file", shown)
        .member("findings", Value::Array(list.collect()))
        .member("omitted", integer(omitted))
        .member("version", version.as_deref().map_or(Value::Null, text))
        .member("count", count.map_or(Value::Null, integer))
        .member("size", size.map_or(Value::Null, integer));
    if let Some(version) = version {
        report = report.line("version", version);
    }
    if let Some(count) = count {
        report = report.line("holds", count.to_string());
    }
    report = said.tell(report);
    for (_, finding) in &findings {
        report = report.line("wrong", finding.as_str());
    }
    if omitted > 0 {
        report = report.line("wrong", format!("and {omitted} more"));
    }
    match findings.first() {
        None if is_secret => report.note("It is a secret: keep it apart."),
        None if is_sealed => report.note("Only its secret shows what is in it, and whether all of it is here."),
        None if is_evidence => report
            .note("Well formed is not verified: dualseal verify DOCUMENT --evidence FILE, with the log's fingerprint."),
        None => report.note("Well formed is not verified, and what it says is its own word: dualseal verify."),
        Some((Some(code), _)) => report.coded(*code),
        Some((None, _)) => report.ended(READ),
    }
}

/// An encrypted stream, by its header. Whether the rest is whole, only its secret shows.
fn stream(file: &Opened) -> Inspected {
    let found = Inspected::new(STREAM);
    let least = HEADER_BYTES + TAG_BYTES;
    match file.size() {
        Some(size) if size < least as u64 => {
            let found_bytes = usize::try_from(size).unwrap_or(usize::MAX);
            found.with(&Malformed::new("stream", None, Problem::Length { expected: least, found: found_bytes }).into())
        }
        _ => found,
    }
}

/// Text with more bytes than are read.
fn too_long(file: &Opened) -> Inspected {
    let size = file.size().map_or_else(|| "more".to_owned(), |size| format!("{size} bytes"));
    let range = Error::from(Malformed::new("file", None, Problem::Range));
    let finding = format!("it has {size}: records and keys are read up to {WHOLE}");
    Inspected { findings: vec![(Some(range.code()), finding)], ..Inspected::new(UNKNOWN) }
}

/// Whether it begins as a record, a key or a share could: nothing but text does.
fn is_text(begins: &[u8]) -> bool {
    let part = begins.get(..4096).unwrap_or(begins);
    let text = match std::str::from_utf8(part) {
        Ok(text) => text,
        // A character may be cut in two.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(part.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default()
        }
        Err(_) => return begins.trim_ascii_start().starts_with(b"{") || begins.trim_ascii_start().starts_with(b"["),
    };
    let first = text.trim_start().chars().next();
    let begun = matches!(first, Some('{' | '[' | '-' | '#')) || begins.starts_with(b"SEAL-");
    begun || begins.len() < opened::BEGINNING
}

fn record(bytes: &[u8]) -> Inspected {
    // A seal is one string; the line end of its file is no part of it.
    let bytes = if bytes.starts_with(b"SEAL-") { bytes.strip_suffix(b"\n").unwrap_or(bytes) } else { bytes };
    let found = inspect(bytes);
    let findings = found.findings.iter().map(|error| (Some(error.code()), error.to_string())).collect();
    let (version, count, omitted) = (found.version, found.count, found.omitted);
    Inspected { version, count, findings, omitted, ..Inspected::new(found.kind.to_string()) }
}

/// Keys are in PEM; the text before a public key says whose it is. Nothing is decrypted.
fn key(bytes: &[u8]) -> Option<Inspected> {
    let text = std::str::from_utf8(bytes).ok()?;
    let label = pem_labels(text).next()?;
    let (kind, read) = match label {
        "PUBLIC KEY" => ("public key file", PublicKeyFile::from_text(text).map(drop).map_err(Failure::from)),
        "PRIVATE KEY" => ("secret key file", secrets::key_form(bytes)),
        "ENCRYPTED PRIVATE KEY" => ("secret key file under a passphrase", secrets::well_formed(bytes)),
        "DUALSEAL SECRET" => ("secret of a home folder", secrets::well_formed(bytes)),
        "ENCRYPTED DUALSEAL SECRET" => ("secret of a home folder under a passphrase", secrets::well_formed(bytes)),
        _ => return None,
    };
    let findings = read.err().map(|failure| (failure.code(), failure.message().to_owned())).into_iter().collect();
    Some(Inspected { findings, ..Inspected::new(kind) })
}
