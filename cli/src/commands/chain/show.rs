//! Entries for people to read, or as the JSON lines that they are.

use super::ShowArgs;
use super::entries::entries;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{Report, integer};
use crate::store::CHAIN;
use dualseal::encoding::json::Value;
use dualseal::krunica::Checker;

pub(super) fn show(args: &ShowArgs, context: &Context) -> Result<Report, Failure> {
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
        let w3 = crate::commands::short(entry.w3());
        report = report.line("entry", format!("{:>6}  {}  {w3}  {}", entry.seq(), entry.time(), entry.message()));
    }
    let list: Result<Vec<Value>, _> = shown.iter().map(|entry| Value::parse(entry.to_json().as_bytes())).collect();
    Ok(report.member("entries", Value::Array(list?)))
}
