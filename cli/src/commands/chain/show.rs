//! Entries for people to read, or as the JSON lines that they are.

use crate::chain_file::entries;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{Report, integer, short};
use crate::store::CHAIN;
use dualseal::encoding::json::Value;
use dualseal::krunica::Checker;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ dualseal chain show
  $ dualseal chain show chain.jsonl --from 1 --count 2";

/// Shows entries
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The chain [default: the home folder's]
    file: Option<PathBuf>,

    /// The first entry to show
    #[arg(long, value_name = "SEQ", default_value_t = 0)]
    from: u64,

    /// At most so many entries
    #[arg(long, value_name = "NUMBER")]
    count: Option<u64>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let home = if args.file.is_none() { Some(context.home()?) } else { None };
    let path = match (&args.file, &home) {
        (Some(path), _) => path.clone(),
        (None, home) => home.as_ref().map_or_else(|| Ok(CHAIN.into()), |home| home.present(CHAIN))?,
    };
    let end = args.count.map_or(u64::MAX, |count| args.from.saturating_add(count));
    let mut checker = Checker::new();
    let mut shown = Vec::new();
    entries(&path, |json| {
        let entry = checker.push_json(json)?;
        if (args.from..end).contains(&entry.seq()) {
            shown.push(entry);
        }
        Ok(())
    })?;
    let size = checker.head().size();
    let mut report = Report::new(format!("{} of {size} entries.", shown.len())).member("size", integer(size));
    for entry in &shown {
        let w3 = short(entry.identity_id());
        report = report.line("entry", format!("{} {} {w3} {}", entry.seq(), entry.time(), entry.message()));
    }
    let list: Result<Vec<Value>, _> = shown.iter().map(|entry| Value::parse(entry.to_json().as_bytes())).collect();
    Ok(report.wire("entries", Value::Array(list?)))
}
