//! `dualseal seal`: a dual seal over a document.

use crate::commands::sign::{backwards, copy_of_seal};
use crate::context::Context;
use crate::failure::Failure;
use crate::home::Step;
use crate::input;
use crate::output::{Report, path_text};
use crate::store::{self, Readers};
use crate::target::Target;
use dualseal::SystemRng;
use dualseal::encoding::json::Value;
use dualseal::seal::Sealer;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ dualseal seal contract.pdf
  $ dualseal seal contract.pdf --as ana -o contract.seal
  $ dualseal seal contract.pdf --as ana --no-chain -o -";

/// Seals a document of any size
///
/// A seal joins an HMAC, which whoever holds the seal key checks, to a signature that covers it, which anybody checks.
/// Its entry in the chain lets it outlive its key.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The document; `-` is standard input
    document: PathBuf,

    /// Whose seal [default: the only identity there is]
    #[arg(long = "as", value_name = "NAME")]
    acting: Option<String>,

    /// Appends no entry to the chain
    #[arg(long)]
    no_chain: bool,

    #[command(flatten)]
    target: Target,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    args.target.beside(&args.document, ".seal")?;
    // Read first, and the lock given up: the document may come slowly, and nobody else is to wait for it.
    let (domain, actor, seal_key) = {
        let home = context.home()?;
        let identity_id = home.acting(args.acting.as_deref())?;
        let seal_key = home.seal_key(&identity_id, context.passphrase())?;
        (home.domain().clone(), home.actor(&identity_id, context.passphrase())?, seal_key)
    };
    let (identity_id, domain) = (actor.identity_id, domain.domain());
    let mut stream = Sealer::new(domain, &identity_id, &seal_key, &actor.key).begin()?;
    input::parts(&args.document, |part| stream.update(part))?;
    let home = context.home_to_write()?;
    home.still(&actor, context.passphrase())?;
    let unplaced = stream.finish_unplaced(&mut SystemRng)?;
    let seal = unplaced.seal();
    let text = format!("{seal}\n");
    let kept = format!("{}.seal", seal.seal_id().to_hex());
    let is_own = |bytes: &[u8]| home.has_copy(&copy_of_seal(bytes), bytes);
    let out = args.target.beside_others(&args.document, ".seal", &home.label_of(&identity_id)?, is_own)?;
    let prepared = args.target.prepare(out, &text, Readers::All)?;
    let (before, now) = (home.last_time().filter(|_| !args.no_chain), context.now()?);
    let mut step = Step::begin(&home, context.passphrase())?;
    step.record(&kept, &text);
    let seq = if args.no_chain { None } else { Some(step.act(now, |step| step.seal(&unplaced))?.seq()) };
    let whole = store::whole();
    step.commit()?;
    let shown = prepared.shown();
    let kept = home.path("records").join(kept);
    drop(home);
    let aside = prepared.publish_copied("the seal", &kept)?;
    drop(whole);
    let report = Report::new("Sealed.")
        .detail("document", "document", path_text(&args.document))
        .detail("path", "seal", shown)
        .detail("identity_id", "sealed by", identity_id.to_hex())
        .detail("seal_id", "seal id", seal.seal_id().to_string())
        .detail("copy", "copy", path_text(&kept));
    let report = match seq {
        Some(seq) => report.number("seq", "entry", seq),
        None => report.member("seq", Value::Null),
    };
    let note =
        "Others check it with the document, the seal and your public key: dualseal verify SEAL DOCUMENT --key FILE";
    Ok(backwards(report.note(note).aside_if(aside), before, now))
}
