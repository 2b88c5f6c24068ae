//! `dualseal lint`: stored inputs that do not meet the rules.

use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::input;
use crate::output::{Report, integer, object, text};
use dualseal::encoding::json::Value;
use dualseal::error::{Error, Malformed, Problem};
use dualseal::id::lint;
use dualseal_operator::paths::Show;
use std::path::PathBuf;

const IDS: &str = "\
Examples:
  $ dualseal lint ids inputs.json";

/// Finds stored inputs that do not meet the rules
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Finds inputs of identifiers that another input may share an identifier with
    ///
    /// Reads a JSON array of objects with the members `creator` and `context`.
    #[command(after_help = IDS)]
    Ids {
        /// The list; `-` is standard input
        file: PathBuf,
    },
}

impl Command {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Ids { .. } => "lint ids",
        }
    }
}

pub(crate) fn run(command: &Command, _: &Context) -> Result<Report, Failure> {
    let Command::Ids { file } = command;
    let about = |error: Error| Failure::from(error).about(file.shown());
    let wrong = || {
        let hint = r#"write [{"creator":"ana","context":"2026"}]"#;
        Failure::new(USAGE, format!("{} is not a list of inputs", file.shown()), hint)
    };
    let Value::Array(items) = Value::parse(&input::small(file)?).map_err(about)? else { return Err(wrong()) };
    let mut inputs = Vec::new();
    for item in &items {
        let Value::Object(members) = item else { return Err(wrong()) };
        match (members.get("creator"), members.get("context")) {
            (Some(Value::String(creator)), Some(Value::String(context))) => {
                inputs.push((creator.as_str(), context.as_str()));
            }
            _ => return Err(wrong()),
        }
    }
    let found = lint(inputs.iter().copied());
    let list = found.iter().map(|one| object([("field", text(one.field)), ("index", integer(one.index as u64))]));
    let list = Value::Array(list.collect());
    if found.is_empty() {
        let report = Report::new("No input is ambiguous.").number("inputs", "inputs", inputs.len() as u64);
        return Ok(report.member("found", list));
    }
    let sentence =
        format!("{} of {} inputs break the rules: others may share their identifiers.", found.len(), inputs.len());
    let mut report = Report::new(sentence).member("inputs", integer(inputs.len() as u64)).member("found", list);
    for one in &found {
        report = report
            .line("ambiguous", format!("input {}: its {} contains `::` or begins with `:`", one.index, one.field));
    }
    let ambiguous = Error::from(Malformed::new("creator", None, Problem::Ambiguous));
    Ok(report.coded(ambiguous.code()).note("Keep such identifiers as they are, and issue new ones under the rules."))
}
