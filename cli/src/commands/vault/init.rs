//! Founding a ledger.

use super::keys::{TIER, TierName, tier_key};
use super::ledger::{self, Ledger, Which, about_json, check_name};
use crate::context::Context;
use crate::failure::Failure;
use crate::home::{LEDGER, MASTER, Step};
use crate::output::{Report, path_text};
use crate::secrets;
use crate::store::Readers;
use dualseal::SystemRng;
use dualseal::encoding::json::Value;
use dualseal::secret::Secret;
use dualseal::vault::{LedgerId, Tier};
use std::io;

const EXAMPLES: &str = "\
Examples:
  $ dualseal vault init
  $ dualseal vault init --as ana --ledger deeds --tier native";

/// Makes a ledger and its secrets
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Whose documents it keeps [default: the only identity there is]
    #[arg(long = "as", value_name = "NAME")]
    acting: Option<String>,

    /// The tier of whoever seals
    #[arg(long, value_name = "TIER", default_value = "native")]
    tier: TierName,

    /// Asks for a passphrase that protects the secret files
    #[arg(long)]
    protect: bool,

    #[command(flatten)]
    which: Which,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let name = &args.which.ledger;
    check_name(name)?;
    let home = context.home_to_write()?;
    let identity_id = home.acting(args.acting.as_deref())?;
    home.ring(context.passphrase())?;
    let path = home.path(&ledger::file(name, LEDGER));
    if path.exists() {
        let failure = Failure::writing(&path, &io::ErrorKind::AlreadyExists.into());
        return Err(failure.hint("use the ledger that is there, or name another with --ledger"));
    }
    let passphrase = context.passphrase().for_new(args.protect || home.is_protected()?)?;
    let passphrase = passphrase.as_deref().map(String::as_str);
    let tier = args.tier.into();
    let id = LedgerId::draw(&mut SystemRng)?;
    let mut step = Step::begin(&home, context.passphrase())?;
    step.ledger(&id);
    let secrets = if tier == Tier::Public { &[MASTER][..] } else { &[MASTER, TIER] };
    for file in secrets {
        let secret = Secret::random(&mut SystemRng)?;
        step.secret(&ledger::file(name, file), &secrets::seed_file(&secret, passphrase)?);
    }
    step.file(&ledger::file(name, LEDGER), Readers::All, about_json(&identity_id, tier, &id).as_bytes());
    step.commit()?;
    let made = Ledger::open(&home, name)?;
    let report = Report::new(format!("The ledger {name} is ready."))
        .detail("name", "name", name.as_str())
        .detail("ledger", "ledger", id.to_hex())
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
