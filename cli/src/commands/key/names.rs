//! The short names of the home folder, and taking over those that the ring key did not seal.

use crate::context::Context;
use crate::failure::{Failure, HOME};
use crate::home::{Home, Step};
use crate::output::{Report, object, quoted, text};
use dualseal::IdentityId;
use dualseal::encoding::json::Value;

const EXAMPLES: &str = "\
Examples:
  $ dualseal key names
  $ dualseal key names --adopt   # of an older folder, after each was compared";

/// Lists the short names with whom each stands for, and whether the ring key sealed them
///
/// Names that it did not seal count for nothing: a folder of an older version has such, and so has one that somebody
/// changed: the status is 78 then. Compare each with what you know of it, and keep them with --adopt.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Seals them as they are
    #[arg(long)]
    adopt: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    if args.adopt {
        // What waits there can only be finished under names that count.
        let home = context.home_unfinished()?;
        home.adopt_names(context.passphrase())?;
        let mut step = Step::begin(&home, context.passphrase())?;
        step.keep_names()?;
        step.commit()?;
        context.finish(&home)?;
        return tell(&home, "The names are sealed as they are.", true);
    }
    let home = context.home()?;
    match home.authority(context.passphrase()) {
        Ok(_) => tell(&home, "The ring key sealed these names.", true),
        Err(failure) if failure.refused() == Some("names") => {
            let note = "Compare each with what you know of it, and keep them by dualseal key names --adopt.";
            let told = tell(&home, "Nobody sealed these names: they count for nothing.", false)?;
            Ok(told.ended(HOME).note(note))
        }
        Err(failure) => Err(failure),
    }
}

/// Whether the names were held against the ring key: where that is here, and under no passphrase. Names that it did not
/// seal are refused then; else nobody checked them, which is to be said.
pub(super) fn checked(home: &Home, context: &Context) -> Result<bool, Failure> {
    if !home.has_ring_key() || home.is_protected()? {
        return Ok(false);
    }
    home.authority(context.passphrase()).map(|_| true)
}

/// What is said where they were not.
pub(super) const UNCHECKED: &str =
    "Nobody checked these names: their file may have been changed. `dualseal key names` asks the ring key.";

fn tell(home: &Home, sentence: &str, is_sealed: bool) -> Result<Report, Failure> {
    let written = home.written_names()?;
    let file = home.ring_file()?;
    let key = |id: &IdentityId| file.unchecked().info(id).map(|info| info.public_key.hash().to_hex());
    let mut report = Report::new(sentence).member("sealed", Value::Bool(is_sealed));
    let mut rows = Vec::new();
    for (name, identity_id, creator) in &written.rows {
        let key = key(identity_id);
        let acts = if written.default == Some(*identity_id) { ", signs where nobody is named" } else { "" };
        let has = key.as_ref().map_or_else(|| "without a key".to_owned(), |key| format!("with the key {key}"));
        let from = creator.as_deref().map_or_else(
            || ", which is not computed from the creator and context that are written here".to_owned(),
            |creator| format!(" of {}", quoted(creator)),
        );
        report = report.line("name", format!("{} is {identity_id}{from}, {has}{acts}", quoted(name)));
        rows.push(object([
            ("creator", creator.clone().map_or(Value::Null, text)),
            ("identity_id", text(identity_id.to_hex())),
            ("key_hash", key.map_or(Value::Null, text)),
            ("name", text(name.as_str())),
        ]));
    }
    let default = written.default.map_or(Value::Null, |id| text(id.to_hex()));
    Ok(report.member("default", default).member("names", Value::Array(rows)))
}
