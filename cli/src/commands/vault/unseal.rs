//! Documents out of a ledger, for whoever holds its secrets.

use super::erasures::Said;
use super::keys::{Kept, kept, record_secret};
use super::ledger::{self, Ledger, Which};
use super::operators::Operators;
use crate::context::Context;
use crate::failure::{Failure, SECRET, USAGE};
use crate::input;
use crate::output::{Report, path_text};
use crate::store::{Readers, Unpublished};
use crate::target::Target;
use dualseal::Verified;
use dualseal::stream::KeyMaterial;
use dualseal::vault::{Encryption, IoError, OperatorRecord, unseal_to};
use dualseal_operator::paths::Show;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

const EXAMPLES: &str = "\
Examples:
  $ dualseal vault unseal 0 -o copy.pdf
  $ dualseal vault unseal 0 -o - > copy.pdf";

/// Takes a document out, if every layer of its record holds
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The record, by its place in the ledger or its vault id
    record: String,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    which: Which,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let out = args.target.or_stdout();
    if !args.target.is_named() && io::stdout().is_terminal() {
        let hint = "say where to write with --out FILE, or --out - if you mean it";
        return Err(Failure::new(USAGE, "the document would go to this terminal", hint));
    }
    let home = context.home()?;
    let ledger = Ledger::open(&home, &args.which.ledger)?;
    let (seq, record) = ledger.find(&args.record)?;
    let operators = Operators::new(&ledger, context)?;
    if let Some(said) = operators.erasures()?.of(&record) {
        return Err(erased(&ledger, seq, said));
    }
    let (header, record) = (record.header().clone(), operators.verified(seq, record, "the document stays sealed")?);
    let secret = match header.encryption {
        Encryption::None => None,
        Encryption::Stream => Some(record_secret(&ledger, seq, context)?),
    };
    let secret = secret.as_ref().map(|secret| secret as &dyn KeyMaterial);
    let bytes = ledger.path(&ledger::stored(seq));
    let aside = input::is_standard(&out);
    if aside {
        // Nothing is seen before all of it was found to hold.
        copy(&record, secret, &bytes, &mut io::sink(), &out)?;
        copy(&record, secret, &bytes, &mut io::stdout().lock(), Path::new("standard output"))?;
    } else {
        let write = |file: &mut dyn Write| copy(&record, secret, &bytes, file, &out);
        let (unpublished, ()) = Unpublished::streamed(&out, Readers::Owner, args.target.force(), write)?;
        unpublished.publish()?;
    }
    Ok(Report::new("Unsealed: every layer of its record holds.")
        .number("record", "record", seq)
        .detail("type", "type", header.kind.as_str())
        .detail("created_at", "sealed", header.created_at.to_string())
        .detail("vault_id", "vault id", header.vault_id.to_hex())
        .detail("path", "document", path_text(&out))
        .aside_if(aside))
}

fn erased(ledger: &Ledger<'_>, seq: u64, said: &Said) -> Failure {
    let by = said.record;
    if kept(ledger, seq) == Kept::Here {
        let message = format!("record {seq} was erased, as record {by} says, but its secret is back");
        return Failure::new(SECRET, message, format!("destroy it by `dualseal vault erase {seq} --yes`"));
    }
    let message = format!("record {seq} was erased, as record {by} says: its secret is destroyed");
    Failure::new(SECRET, message, "nothing brings the document back; its record still verifies")
}

fn copy(
    record: &Verified<OperatorRecord>,
    secret: Option<&dyn KeyMaterial>,
    bytes: &Path,
    to: &mut dyn Write,
    out: &Path,
) -> Result<(), Failure> {
    let mut from = input::reader(bytes)?;
    let written = unseal_to(record, secret, &mut from, to).and_then(|_| to.flush().map_err(IoError::Write));
    match written {
        Ok(()) => Ok(()),
        // A reader that went away is no failure.
        Err(IoError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(IoError::Write(error)) => Err(Failure::writing(out, &error)),
        Err(IoError::Read(error)) => Err(Failure::reading(bytes, &error)),
        Err(IoError::Dualseal(error)) => Err(Failure::from(error).about(bytes.shown())),
    }
}
