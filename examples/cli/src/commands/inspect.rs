//! `dualseal inspect`: what a file is, and whether it is well formed.

use crate::context::Context;
use crate::failure::{Failure, READ};
use crate::input;
use crate::output::{Report, integer, object, path_text, text};
use crate::secrets;
use crate::trust::PublicKeyFile;
use dualseal::encoding::json::Value;
use dualseal::inspect::inspect;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ dualseal inspect contract.pdf.sig.json
  $ dualseal inspect ana.pem
  $ cat contract.pdf.seal | dualseal inspect -";

/// Says what a file is, and everything that is wrong with its form
///
/// It verifies nothing: a file without findings is well formed, no more. A secret is never printed.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Any file; `-` is standard input
    file: PathBuf,
}

/// What was found out about a file.
struct Found {
    kind: String,
    version: Option<String>,
    count: Option<u64>,
    /// With the library's numbers, where they are the library's.
    findings: Vec<(Option<u16>, String)>,
}

pub(crate) fn run(args: &Args, _: &Context) -> Result<Report, Failure> {
    let bytes = zeroize::Zeroizing::new(input::small(&args.file)?);
    let Found { kind, version, count, findings } = pem(&bytes).unwrap_or_else(|| record(&bytes));
    let shown = path_text(&args.file);
    let sentence = match (findings.is_empty(), kind.as_str()) {
        (true, kind) => format!("{shown} is a well-formed {kind}."),
        (false, "unknown") => format!("{shown} is nothing that is known here."),
        (false, kind) => format!("{shown} is a {kind}, and NOT well formed."),
    };
    let list = findings.iter().map(|(code, what)| {
        object([("code", code.map_or(Value::Null, |code| Value::Integer(code.into()))), ("text", text(what.as_str()))])
    });
    let mut report = Report::new(sentence)
        .detail("kind", "kind", kind)
        .detail("path", "file", shown)
        .member("findings", Value::Array(list.collect()))
        .member("version", version.as_deref().map_or(Value::Null, text))
        .member("count", count.map_or(Value::Null, integer));
    if let Some(version) = version {
        report = report.line("version", version);
    }
    if let Some(count) = count {
        report = report.line("holds", count.to_string());
    }
    for (_, finding) in &findings {
        report = report.line("wrong", finding.as_str());
    }
    Ok(match findings.first() {
        None => report.note("Well formed is not verified: dualseal verify."),
        Some((Some(code), _)) => report.coded(*code),
        Some((None, _)) => report.ended(READ),
    })
}

fn record(bytes: &[u8]) -> Found {
    // A seal is one string; the line end of its file is no part of it.
    let bytes = if bytes.starts_with(b"SEAL-") { bytes.strip_suffix(b"\n").unwrap_or(bytes) } else { bytes };
    let found = inspect(bytes);
    let findings = found.findings.iter().map(|error| (Some(error.code()), error.to_string())).collect();
    Found { kind: found.kind.to_string(), version: found.version, count: found.count, findings }
}

/// The labels of what a text holds in PEM. JSON holds none: what its members quote is no key file.
pub(crate) fn pem_labels(text: &str) -> impl Iterator<Item = &str> {
    let is_json = text.trim_start().starts_with(['{', '[']);
    let lines = text.lines().filter(move |_| !is_json);
    lines.filter_map(|line| Some(line.strip_prefix("-----BEGIN ")?.split_once("-----")?.0))
}

/// Keys are in PEM; the text before a public key says whose it is. Nothing is decrypted.
fn pem(bytes: &[u8]) -> Option<Found> {
    let text = std::str::from_utf8(bytes).ok()?;
    let label = pem_labels(text).next()?;
    let (kind, read) = match label {
        "PUBLIC KEY" => ("public key file", PublicKeyFile::from_text(text).map(drop)),
        "PRIVATE KEY" => {
            ("secret key file", dualseal::SigningKey::from_pkcs8_pem(text).map(drop).map_err(Failure::from))
        }
        "ENCRYPTED PRIVATE KEY" => ("secret key file under a passphrase", secrets::well_formed(bytes)),
        "DUALSEAL SECRET" => ("secret of a home folder", secrets::well_formed(bytes)),
        "ENCRYPTED DUALSEAL SECRET" => ("secret of a home folder under a passphrase", secrets::well_formed(bytes)),
        _ => return None,
    };
    let findings = read.err().map(|failure| (failure.code(), failure.message().to_owned())).into_iter().collect();
    Some(Found { kind: kind.to_owned(), version: None, count: None, findings })
}
