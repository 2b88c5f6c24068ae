//! What adds to a ledger: founding it, and sealing into it.

use super::keys::{Keys, MASTER, TIER, tier_key};
use super::ledger::{self, HEAD, Ledger, check_name, head_json};
use super::{InitArgs, SealArgs};
use crate::commands::chain::entries::entries;
use crate::commands::chain::evidence::last_checkpoint;
use crate::context::Context;
use crate::failure::Failure;
use crate::home::{Home, Step};
use crate::input;
use crate::output::{Report, path_text};
use crate::secrets;
use crate::store::{CHAIN, Readers, spool};
use dualseal::checkpoint::{ChainCheck, CheckpointSigner};
use dualseal::encoding::json::Value;
use dualseal::secret::Secret;
use dualseal::vault::{Encryption, IoError, LedgerHead, LedgerId, Place, Sealed, Sealing, Tier, Vault};
use dualseal::{IdentityId, KeyRing, KeyState, SigningKey, SystemRng};
use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::Path;

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
    home.ring(context)?;
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
        .detail("path", "folder", path_text(&made.path("")));
    let report = match tier_key(&made, context)? {
        Some(key) => report
            .detail("tier_key", "tier key", key.public_key().to_hex())
            .note("Others check the tier with its public key: dualseal vault tier-key."),
        None => report.member("tier_key", Value::Null),
    };
    let report = report.note("Keep a copy of its master.key apart: without it nobody can check all layers.");
    Ok(if passphrase.is_none() {
        report.note("The secret files are protected by their mode alone; --protect asks for a passphrase.")
    } else {
        report
    })
}

pub(super) fn seal(args: &SealArgs, context: &Context) -> Result<Report, Failure> {
    // Read first, and the lock given up: the document may come slowly, and nobody else is to wait for it.
    let (actor, keys, tier, folder, protected) = {
        let home = context.home()?;
        let ledger = Ledger::open(&home, &args.which.ledger)?;
        let actor = home.actor(&ledger.identity_id, context)?;
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
    home.still(&actor, context)?;
    let ledger = Ledger::open_to_add(&home, &args.which.ledger)?;
    let ring = home.ring(context)?;
    let mut step = Step::begin(&home)?;
    let chain = *step.head();
    let place = Place { ledger: &ledger.head, chain: &chain, note: &args.note, time: context.now()? };
    let mut answer = None;
    step.streamed(&ledger.file(&ledger::stored(ledger.head.size())), Readers::Owner, |file| {
        let sealed = match slow {
            Some(slow) => slow.finish(&place, file),
            None => match input::reader(&args.document) {
                Ok(mut document) => {
                    vault.seal_from(&args.kind, encryption, &place, &mut SystemRng, &mut document, file)
                }
                Err(failure) => {
                    answer = Some(Err(failure));
                    return Ok(());
                }
            },
        };
        if let Err(IoError::Write(error)) = sealed {
            return Err(error);
        }
        answer = Some(sealed.map_err(|error| failed(error, &args.document)));
        Ok(())
    })?;
    let none = || Failure::new(crate::failure::DEFECT, "nothing was sealed", "report this as a defect");
    let sealed = answer.ok_or_else(none)??;
    let seq = sealed.record.header().seq;
    if let Some(secret) = &sealed.secret {
        let secret = Secret::from_slice("secret", secret.to_bytes().as_slice())?;
        let text = secrets::seed_file(&secret, passphrase.as_deref().map(String::as_str))?;
        step.secret(&ledger.file(&ledger::secret(seq)), &text)?;
    }
    let covered = keep(&mut step, &ledger, ring, &sealed, &actor.key, !args.no_checkpoint, context)?;
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
    stored: File,
    rest: Vec<u8>,
}

impl<'a> Slow<'a> {
    fn read(
        document: &Path,
        kind: &str,
        encryption: Encryption,
        vault: &Vault<'a>,
        folder: &Path,
    ) -> Result<Self, Failure> {
        let mut stored = spool(folder)?;
        let mut rest = Vec::new();
        let mut sealing = vault.begin(kind, encryption, &mut SystemRng, &mut rest)?;
        let copied = sealing.copy(&mut input::reader(document)?, &mut stored, &mut rest);
        copied.map_err(|error| match error {
            IoError::Write(error) => Failure::writing(folder, &error),
            error => failed(error, document),
        })?;
        Ok(Self { sealing, stored, rest })
    }

    fn finish(mut self, place: &Place<'_>, to: &mut File) -> Result<Sealed, IoError> {
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

/// Seals for the ledger's identity, at its tier.
pub(super) fn vault<'a>(identity_id: &IdentityId, tier: Tier, keys: &'a Keys, key: &'a SigningKey) -> Vault<'a> {
    let vault = Vault::new(&keys.master, identity_id, key);
    match (&keys.tier, tier) {
        (Some(tier), Tier::Noble) => vault.noble(tier),
        (Some(tier), _) => vault.native(tier),
        (None, _) => vault,
    }
}

/// Adds to a step what belongs to every record. Says whether a checkpoint covers it.
pub(super) fn keep(
    step: &mut Step<'_>,
    ledger: &Ledger<'_>,
    mut ring: KeyRing,
    sealed: &Sealed,
    key: &SigningKey,
    covered: bool,
    context: &Context,
) -> Result<bool, Failure> {
    let header = sealed.record.header();
    step.file(&ledger.file(&ledger::record(header.seq)), Readers::Owner, sealed.record.to_json().as_bytes())?;
    let head = head_json(&ledger.identity_id, ledger.tier, &sealed.ledger);
    step.file(&ledger.file(HEAD), Readers::All, head.as_bytes())?;
    ring.add_decoy(&ledger.identity_id, &sealed.decoy, header.created_at)?;
    step.ring(&ring)?;
    step.append(&sealed.entry, sealed.head);
    if covered { cover(step, ledger, &ring, sealed, key, context) } else { Ok(false) }
}

/// Signs a checkpoint over the chain with the new entry, by whoever signed the last one. Without that key here, and
/// valid, there is none: another signer's would be a checkpoint that nobody pinned.
fn cover(
    step: &mut Step<'_>,
    ledger: &Ledger<'_>,
    ring: &KeyRing,
    sealed: &Sealed,
    key: &SigningKey,
    context: &Context,
) -> Result<bool, Failure> {
    let (home, domain): (&Home, _) = (ledger.home, ledger.domain());
    let time = sealed.record.header().created_at;
    let Some(last) = last_checkpoint(home, ring)? else { return Ok(false) };
    let log = *last.record().identity_id();
    let other = if log == ledger.identity_id {
        None
    } else if home.key_path(&log).exists() && ring.info(&log).is_some_and(|info| info.state == KeyState::Valid) {
        Some(home.signer(ring, &log, context)?)
    } else {
        return Ok(false);
    };
    let signer = CheckpointSigner::new(domain, home.origin(), &log, other.as_ref().unwrap_or(key))?;
    let mut check = ChainCheck::new(&last);
    entries(&home.path(CHAIN), |json| check.push_json(json).map(drop))?;
    check.push(&sealed.entry)?;
    let checkpoint = signer.sign_next(&check.finish()?, time, &mut SystemRng)?;
    step.checkpoint(&checkpoint)?;
    Ok(true)
}

pub(super) fn tell_covered(report: Report, covered: bool) -> Report {
    let report = report.member("checkpoint", Value::Bool(covered));
    if covered {
        return report;
    }
    report.note("No checkpoint covers it yet: sign one by `dualseal checkpoint sign`, and give it to others.")
}
