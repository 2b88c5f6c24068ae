//! Records without their traps, for everybody.

use super::ledger::{self, Ledger, Which};
use crate::context::Context;
use crate::failure::Failure;
use crate::input;
use crate::output::{Report, integer, path_text, text};
use crate::store::{Readers, Unpublished};
use crate::target::Target;
use dualseal::encoding::json::Value;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ dualseal vault redact 0 -o copy.vault.json --stored copy.stored
  $ dualseal vault redact -o ledger.jsonl";

/// Writes the copy of a record that may leave: without its trap
///
/// Without a record, writes the whole ledger as JSON lines.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The record, by its place in the ledger or its vault id [default: the whole ledger]
    record: Option<String>,

    /// Writes the stored bytes there as well
    #[arg(long, value_name = "FILE", requires = "record")]
    stored: Option<PathBuf>,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    which: Which,
}

const NOTE: &str = "Others verify it with the stored bytes and your public key: \
                    dualseal vault verify --file RECORD --stored FILE --key FILE";

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let home = context.home()?;
    let ledger = Ledger::open(&home, &args.which.ledger)?;
    let out = args.target.or_stdout();
    let mut report = Report::new("Written without the trap. It may leave.").detail("name", "ledger", &*ledger.name);
    let Some(which) = &args.record else {
        let (mut lines, mut count) = (String::new(), 0);
        ledger.each(|record| {
            lines.push_str(&record.to_json());
            lines.push('\n');
            count += 1;
            Ok(())
        })?;
        let prepared = args.target.prepare(out, &lines, Readers::All)?;
        report = report.detail("path", "file", prepared.shown()).number("records", "records", count);
        drop(home);
        let aside = prepared.publish()?;
        let nothing = ["record", "stored", "vault_id"];
        report = nothing.into_iter().fold(report, |report, member| report.member(member, Value::Null));
        return Ok(report.note(NOTE).aside_if(aside));
    };
    let (seq, record) = ledger.find(which)?;
    let text_of = format!("{}\n", record.to_json());
    let prepared = args.target.prepare(out, &text_of, Readers::All)?;
    let bytes = match &args.stored {
        Some(path) => Some(copied(&ledger, seq, path, &args.target)?),
        None => None,
    };
    report = report
        .detail("path", "file", prepared.shown())
        .member("records", integer(1))
        .number("record", "record", seq)
        .detail("vault_id", "vault id", record.header().vault_id.to_hex())
        .member("stored", args.stored.as_deref().map_or(Value::Null, |path| text(path_text(path))));
    if let Some(path) = &args.stored {
        report = report.line("stored bytes", path_text(path));
    }
    drop(home);
    if let Some(bytes) = bytes {
        bytes.publish()?;
    }
    let aside = prepared.publish()?;
    Ok(report.note(NOTE).aside_if(aside))
}

/// The stored bytes of a record, under a name that they get later.
fn copied(ledger: &Ledger<'_>, seq: u64, path: &Path, target: &Target) -> Result<Unpublished, Failure> {
    let from = ledger.path(&ledger::stored(seq));
    let write = |file: &mut dyn Write| {
        io::copy(&mut input::reader(&from)?, file).map(drop).map_err(|error| Failure::writing(path, &error))
    };
    Ok(Unpublished::streamed(path, Readers::All, target.force(), write)?.0)
}
