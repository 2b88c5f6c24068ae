//! Sealing into a ledger.

use super::addition::{Covered, cover, keep, tell_covered, vault};
use super::keys::Keys;
use super::ledger::{self, Ledger, Which};
use crate::context::Context;
use crate::failure::Failure;
use crate::home::Step;
use crate::input;
use crate::output::{Report, path_text};
use crate::secrets;
use crate::store::{self, Readers, Spool};
use dualseal::SystemRng;
use dualseal::secret::Secret;
use dualseal::vault::{Encryption, IoError, Sealing, VaultSealer};
use std::io::Write;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ dualseal vault seal contract.pdf --type CONTRACT
  $ dualseal vault seal order.json --plain
  $ cat contract.pdf | dualseal vault seal - --note 'received at the front desk'";

/// Seals a document of any size into the ledger
///
/// The document is encrypted under a secret of its own, unless --plain is given. Its record, its entry in the chain and
/// the decoy key of its trap are written together, or none of them; then a checkpoint over them is signed.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The document; `-` is standard input
    document: PathBuf,

    /// What kind of document it is
    #[arg(long = "type", value_name = "TYPE", default_value = "DOCUMENT")]
    kind: String,

    /// Stores it as it is, for everybody who can read the home folder. It cannot be erased
    #[arg(long)]
    plain: bool,

    /// What was reported from outside (layer L1): recorded, and never checked; whoever gets a copy of the record reads
    /// it [default: the document's name]
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,

    /// Signs no checkpoint: sign one by `checkpoint sign` after several documents
    #[arg(long)]
    no_checkpoint: bool,

    #[command(flatten)]
    which: Which,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    // Read first, and the lock given up: the document may come slowly, and nobody else is to wait for it.
    let (actor, keys, tier, folder, protected) = {
        let home = context.home()?;
        let ledger = Ledger::open(&home, &args.which.ledger)?;
        let actor = home.actor(&ledger.identity_id, context.passphrase())?;
        (actor, Keys::read(&ledger, context)?, ledger.tier, home.path(""), home.is_protected()?)
    };
    let encryption = if args.plain { Encryption::None } else { Encryption::Stream };
    // A folder whose secrets are under a passphrase does not get one that is not.
    let passphrase = context.passphrase().for_new(!args.plain && protected)?;
    let vault = vault(&actor.identity_id, tier, &keys, &actor.key);
    let mut slow = Reading::begin(&args.kind, encryption, &vault, &folder)?.all(&args.document, &folder)?;
    let home = context.home_to_write()?;
    home.still(&actor, context.passphrase())?;
    let (ledger, end) = Ledger::open_to_add(&home, &args.which.ledger, context)?;
    let mut step = Step::begin(&home, context.passphrase())?;
    let time = context.now()?;
    let note = args.note.clone().unwrap_or_else(|| name_of(&args.document));
    let unplaced = slow.sealing.finish_unplaced(&end, &note, time, &mut SystemRng, &mut slow.rest)?;
    slow.stored.write_all(&slow.rest).map_err(|error| Failure::writing(&folder, &error))?;
    let vaulted = step.act(time, |step| step.vault(unplaced))?;
    let (record, entry) = (&vaulted.record, &vaulted.entry);
    let seq = record.header().seq;
    step.spooled(&ledger.file(&ledger::stored(seq)), Readers::Owner, slow.stored);
    if let Some(secret) = &vaulted.secret {
        let secret = Secret::from_slice("secret", secret.to_bytes().as_slice())?;
        let text = secrets::seed_file(&secret, passphrase.as_deref().map(String::as_str))?;
        step.secret(&ledger.file(&ledger::secret(seq)), &text);
    }
    let ring = keep(step.ready()?, &ledger)?;
    let covered = if args.no_checkpoint { Covered::No } else { cover(&ledger, &ring, time, &actor.key, context) };
    let header = record.header();
    let report = Report::new("Sealed into the ledger.")
        .detail("document", "document", path_text(&args.document))
        .number("record", "record", seq)
        .detail("type", "type", header.kind.as_str())
        .detail("vault_id", "vault id", header.vault_id.to_hex())
        .detail("encryption", "encryption", header.encryption.as_str())
        .number("length", "stored bytes", header.length)
        .detail("tier", "tier", ledger.tier.as_str())
        .number("seq", "entry", entry.seq());
    let report = tell_covered(report, &covered);
    Ok(report.note("The document itself is where it was: whether it may stay there is up to you."))
}

/// What the document is called, so that it is found again; standard input is called nothing.
fn name_of(document: &Path) -> String {
    let name = document.file_name().filter(|_| !input::is_standard(document));
    name.map(|name| path_text(Path::new(name))).unwrap_or_default()
}

/// A document as it is to be stored, before it has its place.
struct Reading<'a> {
    sealing: Sealing<'a>,
    stored: Spool,
    rest: Vec<u8>,
}

impl<'a> Reading<'a> {
    fn begin(kind: &str, encryption: Encryption, vault: &VaultSealer<'a>, folder: &Path) -> Result<Self, Failure> {
        let (stored, mut rest) = (store::disk().spool(folder)?, Vec::new());
        let sealing = vault.begin(kind, encryption, &mut SystemRng, &mut rest)?;
        Ok(Self { sealing, stored, rest })
    }

    fn all(mut self, document: &Path, folder: &Path) -> Result<Self, Failure> {
        let copied = self.sealing.copy(&mut input::reader(document)?, &mut self.stored, &mut self.rest);
        copied.map_err(|error| match error {
            IoError::Write(error) => Failure::writing(folder, &error),
            error => failed(error, document),
        })?;
        Ok(self)
    }
}

fn failed(error: IoError, document: &Path) -> Failure {
    match error {
        IoError::Dualseal(error) => error.into(),
        IoError::Read(error) | IoError::Write(error) => Failure::reading(document, &error),
    }
}
