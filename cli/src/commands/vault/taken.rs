//! What leaves a ledger: documents for whoever holds its secrets, and records without their traps for everybody.

use super::erasures::Said;
use super::keys::{Kept, kept};
use super::ledger::{self, Ledger};
use super::verified::Operators;
use super::{RedactArgs, UnsealArgs};
use crate::commands::Target;
use crate::context::Context;
use crate::failure::{Failure, SECRET, USAGE};
use crate::input;
use crate::output::{Report, integer, path_text, text};
use crate::secrets;
use crate::store::{Readers, Unpublished};
use dualseal::Verified;
use dualseal::encoding::json::Value;
use dualseal::secret::Secret;
use dualseal::stream::KeyMaterial;
use dualseal::vault::{Encryption, IoError, OperatorRecord, unseal_to};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

pub(super) fn unseal(args: &UnsealArgs, context: &Context) -> Result<Report, Failure> {
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
        Encryption::Stream => Some(secret(&ledger, seq, context)?),
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

pub(super) fn secret(ledger: &Ledger<'_>, seq: u64, context: &Context) -> Result<Secret<32>, Failure> {
    match kept(ledger, seq) {
        Kept::Here => secrets::read_seed(&ledger.path(&ledger::secret(seq)), context),
        Kept::Gone => {
            let message = format!("the secret of record {seq} is lost, and the ledger says of no erasure");
            Err(Failure::new(SECRET, message, "restore it from a copy of the home folder"))
        }
    }
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
        Err(IoError::Dualseal(error)) => Err(Failure::from(error).about(bytes.display())),
    }
}

pub(super) fn redact(args: &RedactArgs, context: &Context) -> Result<Report, Failure> {
    let home = context.home()?;
    let ledger = Ledger::open(&home, &args.which.ledger)?;
    let out = args.target.or_stdout();
    let mut report = Report::new("Written without the trap. It may leave.").detail("name", "ledger", &*ledger.name);
    let Some(which) = &args.record else {
        let (mut lines, mut count) = (String::new(), 0);
        ledger.each(|record| {
            lines.push_str(&record.redacted().to_json());
            lines.push('\n');
            count += 1;
            Ok(())
        })?;
        let prepared = args.target.prepare(out, &lines, Readers::All)?;
        report = report.detail("path", "file", prepared.shown()).number("records", "records", count);
        drop(home);
        let aside = prepared.publish()?;
        let nothing = ["record", "stored", "vault_id"];
        report = nothing.into_iter().fold(report, |report, member| report.member(member, Value::Null));
        return Ok(report.note(NOTE).aside_if(aside));
    };
    let (seq, record) = ledger.find(which)?;
    let text_of = format!("{}\n", record.redacted().to_json().as_str());
    let prepared = args.target.prepare(out, &text_of, Readers::All)?;
    let bytes = match &args.stored {
        Some(path) => Some(copied(&ledger, seq, path, &args.target)?),
        None => None,
    };
    report = report
        .detail("path", "file", prepared.shown())
        .member("records", integer(1))
        .number("record", "record", seq)
        .detail("vault_id", "vault id", record.header().vault_id.to_hex())
        .member("stored", args.stored.as_deref().map_or(Value::Null, |path| text(path_text(path))));
    if let Some(path) = &args.stored {
        report = report.line("stored bytes", path_text(path));
    }
    drop(home);
    if let Some(bytes) = bytes {
        bytes.publish()?;
    }
    let aside = prepared.publish()?;
    Ok(report.note(NOTE).aside_if(aside))
}

const NOTE: &str = "Others verify it with the stored bytes and your public key: \
                    dualseal vault verify --file RECORD --stored FILE --key FILE";

/// The stored bytes of a record, under a name that they get later.
fn copied(ledger: &Ledger<'_>, seq: u64, path: &Path, target: &Target) -> Result<Unpublished, Failure> {
    let from = ledger.path(&ledger::stored(seq));
    let write = |file: &mut dyn Write| {
        io::copy(&mut input::reader(&from)?, file).map(drop).map_err(|error| Failure::writing(path, &error))
    };
    Ok(Unpublished::streamed(path, Readers::All, target.force(), write)?.0)
}
