//! What adds to a ledger: founding it, sealing into it, and saying that something was erased.

use super::keys::{Kept, Keys, MASTER, TIER, kept};
use super::ledger::{self, HEAD, Ledger, check_name, head_json};
use super::verified::Operators;
use super::{EraseArgs, InitArgs, SealArgs};
use crate::commands::chain::entries::entries;
use crate::commands::chain::evidence::own_checkpoint;
use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::home::{Home, Step};
use crate::input;
use crate::output::{Report, path_text};
use crate::secrets;
use crate::store::{CHAIN, Readers};
use dualseal::checkpoint::{ChainCheck, CheckpointSigner};
use dualseal::encoding::json::Value;
use dualseal::secret::Secret;
use dualseal::vault::{Encryption, IoError, LedgerHead, LedgerId, Place, Sealed, Tier, Vault};
use dualseal::{SigningKey, SystemRng, Timestamp};
use std::fs::OpenOptions;
use std::io::{self, Write};

impl From<super::Tier> for Tier {
    fn from(tier: super::Tier) -> Self {
        match tier {
            super::Tier::Public => Self::Public,
            super::Tier::Noble => Self::Noble,
            super::Tier::Native => Self::Native,
        }
    }
}

pub(super) fn init(args: &InitArgs, context: &Context) -> Result<Report, Failure> {
    let name = &args.which.ledger;
    check_name(name)?;
    let home = context.home_to_write()?;
    let identity_id = home.acting(args.acting.as_deref())?;
    let path = home.path(&ledger::file(name, HEAD));
    if path.exists() {
        let failure = Failure::writing(&path, &io::ErrorKind::AlreadyExists.into());
        return Err(failure.hint("use the ledger that is there, or name another with --ledger"));
    }
    let passphrase = context.passphrase().for_new(args.protect || home.is_protected()?)?;
    let passphrase = passphrase.as_deref().map(String::as_str);
    let tier = args.tier.into();
    let head = LedgerHead::new(&LedgerId::draw(&mut SystemRng)?);
    let mut step = Step::begin(&home)?;
    let secrets = if tier == Tier::Public { &[MASTER][..] } else { &[MASTER, TIER] };
    for file in secrets {
        let secret = Secret::random(&mut SystemRng)?;
        step.secret(&ledger::file(name, file), &secrets::seed_file(&secret, passphrase)?)?;
    }
    step.file(&ledger::file(name, HEAD), Readers::All, head_json(&identity_id, tier, &head).as_bytes())?;
    step.commit()?;
    let made = Ledger::open(&home, name)?;
    let report = Report::new(format!("The ledger {name} is ready."))
        .detail("name", "name", name.as_str())
        .detail("ledger", "ledger", head.ledger().to_hex())
        .detail("identity_id", "identity", identity_id.to_hex())
        .detail("tier", "tier", tier.as_str())
        .detail("path", "folder", path_text(&made.path("")))
        .note("Keep a copy of its master.key apart: without it nobody can check all layers.");
    Ok(if passphrase.is_none() {
        report.note("The secret files are protected by their mode alone; --protect asks for a passphrase.")
    } else {
        report
    })
}

pub(super) fn seal(args: &SealArgs, context: &Context) -> Result<Report, Failure> {
    let home = context.home_to_write()?;
    let ledger = Ledger::open_to_add(&home, &args.which.ledger)?;
    let (key, keys) = (home.signing_key(&ledger.identity_id, context)?, Keys::read(&ledger, context)?);
    let encryption = if args.plain { Encryption::None } else { Encryption::Stream };
    // A folder whose secrets are under a passphrase does not get one that is not.
    let passphrase = context.passphrase().for_new(!args.plain && home.is_protected()?)?;
    let mut step = Step::begin(&home)?;
    let chain = *step.head();
    let place = Place { ledger: &ledger.head, chain: &chain, note: &args.note, time: context.now()? };
    let vault = vault(&ledger, &keys, &key);
    let mut document = input::reader(&args.document)?;
    let mut answer = None;
    step.streamed(&ledger.file(&ledger::stored(ledger.head.size())), Readers::Owner, |file| {
        let sealed = vault.seal_from(&args.kind, encryption, &place, &mut SystemRng, &mut document, file);
        if let Err(IoError::Write(error)) = sealed {
            return Err(error);
        }
        answer = Some(sealed);
        Ok(())
    })?;
    let sealed = match answer {
        Some(Ok(sealed)) => sealed,
        Some(Err(IoError::Dualseal(error))) => return Err(error.into()),
        Some(Err(IoError::Read(error) | IoError::Write(error))) => {
            return Err(Failure::reading(&args.document, &error));
        }
        None => return Err(Failure::new(crate::failure::DEFECT, "nothing was sealed", "report this as a defect")),
    };
    let seq = sealed.record.header().seq;
    if let Some(secret) = &sealed.secret {
        let secret = Secret::from_slice("secret", secret.to_bytes().as_slice())?;
        let text = secrets::seed_file(&secret, passphrase.as_deref().map(String::as_str))?;
        step.secret(&ledger.file(&ledger::secret(seq)), &text)?;
    }
    let covered = keep(&mut step, &ledger, &sealed, &key, !args.no_checkpoint, context)?;
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

pub(super) fn erase(args: &EraseArgs, context: &Context) -> Result<Report, Failure> {
    let home = context.home_to_write()?;
    let ledger = Ledger::open_to_add(&home, &args.which.ledger)?;
    let (seq, record) = ledger.find(&args.record)?;
    if kept(&ledger, seq) == Kept::Destroyed {
        let hint = "nothing is left to do; `dualseal vault verify` shows that the ledger says so";
        return Err(Failure::new(USAGE, format!("record {seq} was erased before"), hint));
    }
    if !args.yes {
        let message = format!("to erase record {seq} ({:?}) destroys its document for good", record.header().kind);
        return Err(Failure::new(USAGE, message, "add --yes if you mean it"));
    }
    // What is destroyed must be what was asked for: a record that was put in its place names another document.
    let operators = Operators::new(&ledger, context)?;
    let record = operators.verified(seq, record, "nothing was destroyed")?;
    let record = record.record().as_ref();
    let key = home.signing_key(&ledger.identity_id, context)?;
    let mut step = Step::begin(&home)?;
    let chain = *step.head();
    let place = Place { ledger: &ledger.head, chain: &chain, note: "", time: context.now()? };
    let erased = vault(&ledger, &operators.keys, &key).erase(record, &[], &place, &mut SystemRng);
    let (sealed, stored) = erased.map_err(|error| {
        Failure::from(error).hint("only what was encrypted and is in this ledger can be erased: see `vault list`")
    })?;
    step.file(&ledger.file(&ledger::stored(ledger.head.size())), Readers::Owner, &stored)?;
    // An empty file takes the place of the secret in the same step as the ledger says so: not before, and not later.
    let path = ledger.path(&ledger::secret(seq));
    let open = OpenOptions::new().write(true).open(&path).ok();
    step.secret(&ledger.file(&ledger::secret(seq)), "")?;
    let covered = keep(&mut step, &ledger, &sealed, &key, !args.no_checkpoint, context)?;
    step.commit()?;
    if let Some(mut old) = open {
        // What had the name is overwritten where the file system writes in place; elsewhere it is only given up.
        let length = old.metadata().map_or(0, |metadata| metadata.len());
        let _ = io::copy(&mut io::Read::take(io::repeat(0), length), &mut old).and_then(|_| old.flush());
        let _ = old.sync_all();
    }
    let report = Report::new(format!("Record {seq} is erased: its secret is destroyed, and the ledger says so."))
        .number("record", "record", seq)
        .detail("vault_id", "vault id", record.header().vault_id.to_hex())
        .number("erasure", "erasure", sealed.record.header().seq)
        .number("seq", "entry", sealed.entry.seq());
    Ok(tell_covered(report, covered).note(
        "Its encrypted bytes stay, so that every record still verifies. Copies of the secret or the document elsewhere \
         are yours to destroy: nobody can prove that there are none.",
    ))
}

/// Seals for the ledger's identity, at its tier.
fn vault<'a>(ledger: &Ledger<'_>, keys: &'a Keys, key: &'a SigningKey) -> Vault<'a> {
    let vault = Vault::new(&keys.master, &ledger.identity_id, key);
    match (&keys.tier, ledger.tier) {
        (Some(tier), Tier::Noble) => vault.noble(tier),
        (Some(tier), _) => vault.native(tier),
        (None, _) => vault,
    }
}

/// Adds to a step what belongs to every record. Says whether a checkpoint covers it.
fn keep(
    step: &mut Step<'_>,
    ledger: &Ledger<'_>,
    sealed: &Sealed,
    key: &SigningKey,
    covered: bool,
    context: &Context,
) -> Result<bool, Failure> {
    let header = sealed.record.header();
    step.file(&ledger.file(&ledger::record(header.seq)), Readers::Owner, sealed.record.to_json().as_bytes())?;
    let head = head_json(&ledger.identity_id, ledger.tier, &sealed.ledger);
    step.file(&ledger.file(HEAD), Readers::All, head.as_bytes())?;
    let mut ring = ledger.home.ring()?;
    ring.add_decoy(&ledger.identity_id, &sealed.decoy, header.created_at)?;
    step.ring(&ring)?;
    step.append(&sealed.entry, sealed.head);
    if covered { cover(step, ledger, sealed, key, header.created_at, context) } else { Ok(false) }
}

/// Signs a checkpoint over the chain with the new entry, by whoever signed the last one. Without that key here there is
/// none: another signer's would be a checkpoint that nobody pinned.
fn cover(
    step: &mut Step<'_>,
    ledger: &Ledger<'_>,
    sealed: &Sealed,
    key: &SigningKey,
    time: Timestamp,
    context: &Context,
) -> Result<bool, Failure> {
    let (home, domain): (&Home, _) = (ledger.home, ledger.domain());
    let last = own_checkpoint(home)?;
    let log = last.as_ref().map_or(ledger.identity_id, |last| *last.record().identity_id());
    let other = if log == ledger.identity_id {
        None
    } else if home.key_path(&log).exists() {
        Some(home.signing_key(&log, context)?)
    } else {
        return Ok(false);
    };
    let signer = CheckpointSigner::new(domain, home.origin(), &log, other.as_ref().unwrap_or(key))?;
    let checkpoint = match &last {
        None => signer.sign_first(&sealed.head, time, &mut SystemRng)?,
        Some(last) => {
            let mut check = ChainCheck::new(last);
            entries(&home.path(CHAIN), |json| check.push_json(json).map(drop))?;
            check.push(&sealed.entry)?;
            signer.sign_next(&check.finish()?, time, &mut SystemRng)?
        }
    };
    step.checkpoint(&checkpoint)?;
    Ok(true)
}

fn tell_covered(report: Report, covered: bool) -> Report {
    let report = report.member("checkpoint", Value::Bool(covered));
    if covered {
        return report;
    }
    report.note("No checkpoint covers it yet: sign one by `dualseal checkpoint sign`, and give it to others.")
}
