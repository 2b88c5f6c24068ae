//! `dualseal id`: identifiers computed offline.

use crate::context::Context;
use crate::failure::{BUSY, Failure};
use crate::home::{Step, could_be_name, drawn_context};
use crate::input;
use crate::output::Report;
use dualseal::encoding::json::Value;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ dualseal id --creator ana@acme.example --context 9f0c2d
  $ dualseal id deed.pdf --creator notary --context 2026
  $ dualseal id --creator ana@acme.example --draw";

/// Computes the identifier of a content by a creator in a context
///
/// The same input always gives the same identifier, and nothing is asked over a network. An identifier of a name alone
/// can be guessed by trying names: for people, draw the context and keep it.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The content, of any size; none for a person [default: empty]
    file: Option<PathBuf>,

    /// Who made it
    #[arg(long)]
    creator: String,

    /// In which context
    #[arg(long, default_value = "", hide_default_value = true, conflicts_with = "draw")]
    context: String,

    /// Draws the context: 64 characters that nobody can guess
    #[arg(long)]
    draw: bool,

    /// Remembers the identifier in the home folder under a short name
    #[arg(long, value_name = "NAME")]
    save: Option<String>,

    /// Computes it without the rules on `::`, as identifiers issued elsewhere were
    #[arg(long)]
    legacy: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let domain = {
        let home = context.home_if_any()?;
        if let Some(name) = &args.save {
            could_be_name(name)?;
            home.as_ref().map_or(Ok(()), |home| home.free_name(name))?;
        }
        context.domain(None, home.as_ref())?
    };
    let in_context = if args.draw { drawn_context()? } else { args.context.clone() };
    // The content may come slowly, and nobody else is to wait for the folder meanwhile.
    let identity_id = if args.legacy {
        let mut content = Vec::new();
        content_of(args.file.as_deref(), |part| content.extend_from_slice(part))?;
        domain.domain().legacy_identity_id(&content, &args.creator, &in_context)
    } else {
        let mut hasher = domain.domain().identity_hasher(&args.creator, &in_context)?;
        content_of(args.file.as_deref(), |part| hasher.update(part))?;
        hasher.finish()
    };
    let mut report = Report::new(identity_id.to_hex())
        .member("identity_id", crate::output::text(identity_id.to_hex()))
        .detail("domain", "domain", domain.to_words())
        .detail("creator", "creator", args.creator.as_str())
        .detail("context", "context", in_context.as_str());
    if let Some(name) = &args.save {
        let home = context.home_or_new(None, false)?;
        if context.domain(None, Some(&home))?.to_words() != domain.to_words() {
            let message = "the home folder was made meanwhile, with another domain";
            return Err(Failure::new(BUSY, message, "run the command again"));
        }
        home.free_name(name)?;
        let mut step = Step::begin(&home, context.passphrase())?;
        step.name(name, &identity_id, &args.creator, &in_context)?;
        step.commit()?;
        report = report.detail("name", "saved as", name);
    } else {
        report = report.member("name", Value::Null);
    }
    Ok(if args.draw {
        report.note("Keep the context: without it nobody can compute the identifier again.")
    } else {
        report
    })
}

fn content_of(file: Option<&Path>, mut each: impl FnMut(&[u8])) -> Result<(), Failure> {
    let Some(file) = file else { return Ok(()) };
    input::parts(file, |part| each(part))?;
    Ok(())
}
