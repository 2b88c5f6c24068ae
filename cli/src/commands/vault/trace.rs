//! Naming the record whose trap somebody stepped into.

use super::keys::Keys;
use super::ledger::{Ledger, Which};
use crate::commands::sign::content_of;
use crate::context::Context;
use crate::failure::{Failure, READ, USAGE};
use crate::input;
use crate::output::{Report, integer, text};
use dualseal::encoding::json::Value;
use dualseal::inspect::{Kind, inspect};
use dualseal::key::Unprepared;
use dualseal::vault::{self, Fragment, VaultRecord};
use dualseal::verdict::DecoyTicket;
use dualseal::{SignatureRecord, Verdict, VerdictKind, Verifier};
use dualseal_operator::paths::Show;
use std::path::PathBuf;
use zeroize::Zeroizing;

const EXAMPLES: &str = "\
Examples:
  $ dualseal vault trace leaked.txt
  $ dualseal vault trace contract.pdf.thief.json contract.pdf";

/// Names the record from which a secret leaked
///
/// Each kept record holds a trap: a fragment that looks and works like a signing key. Give the fragment that was found,
/// the record that holds it, or what somebody signed with it.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// What was found: a fragment of 64 characters, a record that holds one, or a signature record; `-` is standard
    /// input
    found: PathBuf,

    /// The document that was signed, for a signature record
    document: Option<PathBuf>,

    #[command(flatten)]
    which: Which,
}

/// What was found.
enum Leak {
    Fragment(Fragment),
    /// A record with its fragment.
    Kept(Box<VaultRecord>),
    Signed(DecoyTicket),
    /// A signature that no trap made.
    Other(&'static str),
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    // Without the lock: what was found may come slowly, and nobody else is to wait for it.
    let found = read(args, context)?;
    let home = context.home()?;
    let ledger = Ledger::open(&home, &args.which.ledger)?;
    let keys = match &found {
        Leak::Signed(_) => Some(Keys::read(&ledger, context)?),
        Leak::Fragment(_) | Leak::Kept(_) | Leak::Other(_) => None,
    };
    let mut traced = None;
    ledger.each(|record| {
        let one = [record];
        let hit = match (&found, &keys) {
            (Leak::Fragment(fragment), _) => vault::trace(fragment, &one),
            (Leak::Kept(kept), _) => kept.fragment().and_then(|fragment| vault::trace(fragment, &one)),
            (Leak::Signed(ticket), Some(keys)) => vault::trace_decoy(&keys.master, ticket, &one),
            _ => None,
        };
        if hit.is_some() {
            traced = one.into_iter().next();
        }
        Ok(())
    })?;
    let report = match (&traced, &found) {
        (Some(record), _) => {
            let header = record.header();
            Report::new(format!("It leaked from record {} of the ledger {}.", header.seq, ledger.name))
                .detail("type", "type", header.kind.as_str())
                .detail("vault_id", "vault id", header.vault_id.to_hex())
                .detail("created_at", "sealed", header.created_at.to_string())
                .note("Somebody read the kept record. Find out who could, and change what else was there.")
        }
        (None, found) => {
            let why = if let Leak::Other(kind) = found { kind } else { "no record of this ledger holds it" };
            Report::new(format!("Not traced: {why}."))
                .coded(VerdictKind::Invalid.code())
                .member("type", Value::Null)
                .member("vault_id", Value::Null)
                .member("created_at", Value::Null)
                .note("If there are other ledgers, name them with --ledger.")
        }
    };
    let seq = traced.map_or(Value::Null, |record| integer(record.header().seq));
    Ok(report.member("name", text(ledger.name.as_str())).member("record", seq))
}

fn read(args: &Args, context: &Context) -> Result<Leak, Failure> {
    let about = |error: dualseal::Error| Failure::from(error).about(args.found.shown());
    let bytes = Zeroizing::new(input::small(&args.found)?);
    if let Ok(hex) = std::str::from_utf8(bytes.trim_ascii())
        && hex.len() == 64
    {
        return Fragment::from_hex(hex).map(Leak::Fragment).map_err(about);
    }
    match inspect(&bytes).kind {
        Kind::VaultRecord => {
            let record = VaultRecord::from_json(&bytes).map_err(about)?;
            if record.fragment().is_some() {
                return Ok(Leak::Kept(Box::new(record)));
            }
            let message = format!("{} holds no fragment", args.found.shown());
            Err(Failure::new(READ, message, "a redacted record tells nothing of a leak; its vault id is in it"))
        }
        Kind::SignatureRecord => signed(SignatureRecord::from_json(&bytes).map_err(about)?, args, context),
        kind => {
            let message = format!("{} is {kind}, and nothing that can be traced", args.found.shown());
            let hint = "give the 64 characters of a fragment, a record that holds one, or a signature record";
            Err(Failure::new(READ, message, hint))
        }
    }
}

/// Only a signature that holds, over the document that it is of, shows whose key made it.
fn signed(record: SignatureRecord, args: &Args, context: &Context) -> Result<Leak, Failure> {
    let document = args.document.as_ref().ok_or_else(|| {
        Failure::new(USAGE, "a signature record is traced with its document", "give the document after the record")
    })?;
    let (domain, ring) = {
        let home = context.home()?;
        (home.domain().clone(), home.ring(context.passphrase())?)
    };
    let domain = domain.domain();
    let mut hasher = domain.content_hasher(record.identity_id());
    content_of(document, false, |part| hasher.update(part))?;
    Ok(match Verifier::new(domain, &ring, &Unprepared).verify(&hasher.finish(), record, None) {
        Verdict::Decoy(ticket) => Leak::Signed(ticket),
        Verdict::Valid(_) => Leak::Other("the signature is valid, by a key of the signer"),
        _ => Leak::Other("the signature is by no key of a trap, or is not of this document"),
    })
}
