//! Showing a ledger.

use super::erasures::Erasures;
use super::ledger::{Ledger, Which};
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{Report, integer, object, quoted, short, text};
use dualseal::encoding::json::Value;

const EXAMPLES: &str = "\
Examples:
  $ dualseal vault list
  $ dualseal vault list --find lease";

/// Shows the records
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Only records with this text in their note, their type or their vault id, in whatever letters
    #[arg(long, value_name = "TEXT")]
    find: Option<String>,

    #[command(flatten)]
    which: Which,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let home = context.home()?;
    let ledger = Ledger::open(&home, &args.which.ledger)?;
    let erasures = Erasures::listed(&ledger)?;
    let (mut records, mut rows) = (Vec::new(), Vec::new());
    let wanted = args.find.as_ref().map(|text| text.to_lowercase());
    let mut all = 0_u64;
    ledger.each(|record| {
        let header = record.header();
        all += 1;
        let texts = [record.note().to_owned(), header.kind.clone(), header.vault_id.to_hex()];
        if wanted.as_ref().is_some_and(|wanted| !texts.iter().any(|text| text.to_lowercase().contains(wanted))) {
            return Ok(());
        }
        let state = erasures.state(&ledger, &record).as_str();
        let (time, id) = (header.created_at.to_string(), short(header.vault_id));
        rows.push([
            header.seq.to_string(),
            header.kind.clone(),
            time.clone(),
            header.length.to_string(),
            id,
            state.into(),
            if record.note().is_empty() { String::new() } else { quoted(record.note()) },
        ]);
        records.push(object([
            ("created_at", text(time)),
            ("identity_id", text(header.identity_id.to_hex())),
            ("length", integer(header.length)),
            ("note", text(record.note())),
            ("record", integer(header.seq)),
            ("state", text(state)),
            ("type", text(header.kind.as_str())),
            ("vault_id", text(header.vault_id.to_hex())),
        ]));
        Ok(())
    })?;
    let sentence = match rows.len() {
        0 if all > 0 => format!("None of the {all} records has this text."),
        count if wanted.is_some() => format!("{count} of the {all} records have this text."),
        0 => "The ledger is empty.".to_owned(),
        1 => "There is one record.".to_owned(),
        count => format!("There are {count} records."),
    };
    let mut report = Report::new(sentence)
        .member("name", text(ledger.name.as_str()))
        .member("ledger", text(ledger.id.to_hex()))
        .member("identity_id", text(ledger.identity_id.to_hex()))
        .member("tier", text(ledger.tier.as_str()))
        .member("size", integer(ledger.end()?.size()))
        .member("records", Value::Array(records));
    for line in table(&["#", "type", "sealed", "bytes", "vault id", "document", "note"].map(str::to_owned), &rows) {
        report = report.line("", line);
    }
    Ok(report.note("A list is not verified: dualseal vault verify."))
}

/// Lines whose columns stand below one another.
fn table<const N: usize>(head: &[String; N], rows: &[[String; N]]) -> Vec<String> {
    if rows.is_empty() {
        return Vec::new();
    }
    let all = || std::iter::once(head).chain(rows);
    let widths: [usize; N] =
        std::array::from_fn(|column| all().map(|row| row[column].chars().count()).max().unwrap_or(0));
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    all().map(line).collect()
}
