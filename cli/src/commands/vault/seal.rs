//! Sealing into a ledger.

use super::addition::{keep, tell_covered, vault};
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
use dualseal::vault::{Destination, Encryption, IoError, Sealed, Sealing, VaultSealer};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ dualseal vault seal contract.pdf --type CONTRACT
  $ dualseal vault seal order.json --plain
  $ cat contract.pdf | dualseal vault seal - --note 'received at the front desk'";

/// Seals a document of any size into the ledger
///
/// The document is encrypted under a secret of its own, unless --plain is given. Its record, its entry in the chain,
/// the decoy key of its trap and a checkpoint over it are written together, or none of them.
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

    /// What was reported from outside (layer L1): recorded, and never checked
    #[arg(long, value_name = "TEXT", default_value = "")]
    note: String,

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
    let slow = if input::is_stream(&args.document) {
        Some(Slow::read(&args.document, &args.kind, encryption, &vault, &folder)?)
    } else {
        None
    };
    let home = context.home_to_write()?;
    home.still(&actor, context.passphrase())?;
    let ledger = Ledger::open_to_add(&home, &args.which.ledger)?;
    let ring = home.ring_to_go_on(context.passphrase())?;
    let mut step = Step::begin(&home)?;
    let chain = step.head().clone();
    let place = Destination { ledger: &ledger.head, head: &chain, note: &args.note, time: context.now()? };
    let stored = ledger.file(&ledger::stored(ledger.head.size()));
    let sealed = step.streamed(&stored, Readers::Owner, |file| {
        let sealed = if let Some(slow) = slow {
            slow.finish(&place, file)
        } else {
            let mut document = input::reader(&args.document)?;
            vault.seal_from(&args.kind, encryption, &place, &mut SystemRng, &mut document, file)
        };
        sealed.map_err(|error| match error {
            IoError::Write(error) => Failure::writing(&home.path(&stored), &error),
            error => failed(error, &args.document),
        })
    })?;
    let seq = sealed.record.header().seq;
    if let Some(secret) = &sealed.secret {
        let secret = Secret::from_slice("secret", secret.to_bytes().as_slice())?;
        let text = secrets::seed_file(&secret, passphrase.as_deref().map(String::as_str))?;
        step.secret(&ledger.file(&ledger::secret(seq)), &text)?;
    }
    let covered = keep(&mut step, &ledger, ring, (&sealed, None), &actor.key, !args.no_checkpoint, context)?;
    step.commit()?;
    let header = sealed.record.header();
    let report = Report::new("Sealed into the ledger.")
        .detail("document", "document", path_text(&args.document))
        .number("record", "record", seq)
        .detail("type", "type", header.kind.as_str())
        .detail("vault_id", "vault id", header.vault_id.to_hex())
        .detail("encryption", "encryption", header.encryption.as_str())
        .number("length", "stored bytes", header.length)
        .detail("tier", "tier", ledger.tier.as_str())
        .number("seq", "entry", sealed.entry.seq());
    let report = tell_covered(report, covered);
    Ok(report.note("The document itself is where it was: whether it may stay there is up to you."))
}

/// A document that came slowly, as it is to be stored, before it has its place.
struct Slow<'a> {
    sealing: Sealing<'a>,
    stored: Spool,
    rest: Vec<u8>,
}

impl<'a> Slow<'a> {
    fn read(
        document: &Path,
        kind: &str,
        encryption: Encryption,
        vault: &VaultSealer<'a>,
        folder: &Path,
    ) -> Result<Self, Failure> {
        let mut stored = store::disk().spool(folder)?;
        let mut rest = Vec::new();
        let mut sealing = vault.begin(kind, encryption, &mut SystemRng, &mut rest)?;
        let copied = sealing.copy(&mut input::reader(document)?, &mut stored, &mut rest);
        copied.map_err(|error| match error {
            IoError::Write(error) => Failure::writing(folder, &error),
            error => failed(error, document),
        })?;
        Ok(Self { sealing, stored, rest })
    }

    fn finish(mut self, place: &Destination<'_>, to: &mut dyn Write) -> Result<Sealed, IoError> {
        let sealed = self.sealing.finish(place, &mut SystemRng, &mut self.rest)?;
        self.stored.rewind().and_then(|()| io::copy(&mut self.stored, to)).map_err(IoError::Write)?;
        to.write_all(&self.rest).map_err(IoError::Write)?;
        Ok(sealed)
    }
}

fn failed(error: IoError, document: &Path) -> Failure {
    match error {
        IoError::Dualseal(error) => error.into(),
        IoError::Read(error) | IoError::Write(error) => Failure::reading(document, &error),
    }
}
