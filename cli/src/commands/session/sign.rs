//! Signing with a quorum.

use super::in_force::{Custody, Which};
use crate::commands::sign::Files;
use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::home::{Home, Step};
use crate::input;
use crate::output::{Report, path_text, text};
use crate::shares::dealt::{numbers, tell_misdealt, words};
use crate::store::{self, Readers};
use crate::target::Target;
use dualseal::SystemRng;
use dualseal::hash::{HashFunction, Sha3_512};
use dualseal::id::MessageHash;
use dualseal::threshold::SessionKind;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ dualseal session sign resolution.pdf share-1.json share-3.json
  $ cat share-3.json | dualseal session sign resolution.pdf share-1.json - --as ana -o signed.json";

/// Signs a document with enough shares
///
/// The secret exists in this computer's memory while it signs. Custodians who do not trust it with their shares do not
/// sign here.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The document; `-` is standard input
    document: PathBuf,

    /// The custodians' shares; `-` is standard input
    #[arg(required = true)]
    shares: Vec<PathBuf>,

    #[command(flatten)]
    which: Which,

    /// Who asks for the signature [default: the only identity there is]
    #[arg(long = "as", value_name = "NAME")]
    acting: Option<String>,

    #[command(flatten)]
    target: Target,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    if input::is_standard(&args.document) && args.shares.iter().any(|path| input::is_standard(path)) {
        let hint = "give one of them as a file";
        return Err(Failure::new(USAGE, "the document and a share cannot both be standard input", hint));
    }
    let out = args.target.beside(&args.document, ".quorum.json")?;
    // Without the lock: the document and the shares may come slowly, and nobody else is to wait for them.
    let requester = {
        let home = context.home()?;
        args.which.find(Some(&home))?;
        // A name counts where the ring key sealed it.
        home.authority(context.passphrase())?;
        home.acting(args.acting.as_deref())?
    };
    let custody = Custody::read(&args.shares, context)?;
    let message = message_of(&args.document)?;
    let home = context.home_to_write()?;
    let ring = home.ring(context.passphrase())?;
    let session = args.which.in_force(&home, &ring)?;
    if let SessionKind::MlDsa65 { identity_id, public_key } = session.founder().kind() {
        let hint =
            "see the state of its key by `dualseal key show`; a session whose key was replaced is to be founded anew";
        Home::may_sign(&ring, identity_id, public_key).map_err(|failure| failure.hint(hint))?;
    }
    let mut step = Step::begin(&home, context.passphrase())?;
    let (time, shares) = (context.now()?, &custody.shares);
    let signed = session
        .sign(&message, &requester, shares, step.head(), time, &mut SystemRng)
        .map_err(|refusal| custody.refusal(refusal.error, &session))?;
    let content = format!("{}\n", signed.result.to_json());
    let prepared = args.target.prepare(out, &content, Readers::All)?;
    let kept = format!("{}.json", signed.entry.krunica_hash());
    step.record(&kept, &content);
    step.act(time, |step| step.take(&signed.entry))?;
    let kept = home.path("records").join(kept);
    let files = vec![Files::of(prepared, kept.clone())];
    let whole = store::whole();
    let waiting = Files::waiting(&files)?;
    let mut ready = step.ready()?;
    ready.wait_for(&waiting)?;
    ready.commit()?;
    let published = Files::publish(files, "the result", &waiting, home, context)?;
    drop(whole);
    let culprits = signed.result.culprits();
    let report = Report::new("Signed by the quorum.")
        .detail("document", "document", path_text(&args.document))
        .detail("path", "result", published.shown.concat())
        .detail("session_id", "session", session.founder().session_id().to_hex())
        .detail("algorithm", "algorithm", signed.result.algorithm().as_str())
        .detail("requester", "asked by", requester.to_hex())
        .detail("timestamp", "time", signed.result.time().to_string())
        .number("seq", "entry", signed.entry.seq())
        .detail("krunica_hash", "handle", signed.entry.krunica_hash().to_hex())
        .member("culprits", numbers(culprits.iter().copied()))
        .detail("copy", "copy", path_text(&kept));
    let report = if culprits.is_empty() {
        report
    } else {
        report
            .line("bad shares", words(culprits))
            .note("The result names who sent bad shares, and cannot be cleared of it.")
    };
    let note = match session.founder().kind() {
        SessionKind::Hmac => "Custodians check it: dualseal session verify RESULT DOCUMENT SHARES…",
        SessionKind::MlDsa65 { .. } => {
            "Anybody checks it: dualseal session verify RESULT DOCUMENT --session session.json --key quorum.pem"
        }
    };
    let report = tell_misdealt(report, &signed.misdealt);
    Ok(report.member("kind", text("threshold result")).note(note).aside_if(published.is_aside))
}

/// The hash of a document of any size, as a quorum signs it.
pub(super) fn message_of(document: &Path) -> Result<MessageHash, Failure> {
    let mut hash = Sha3_512::default();
    input::parts(document, |part| hash.update(part))?;
    Ok(MessageHash::from_bytes(hash.finish()))
}
