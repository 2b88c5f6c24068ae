//! A new key in place of the current one.

use super::state::word;
use crate::context::Context;
use crate::failure::Failure;
use crate::home::Step;
use crate::output::Report;
use dualseal::{KeyState, SigningKey, SystemRng};

const EXAMPLES: &str = "\
Examples:
  $ dualseal key rotate ana";

/// Puts a new key in place of the current one, which is retired
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Whose key
    name: String,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let home = context.home_to_write()?;
    let identity_id = home.identity(&args.name)?;
    let ring = home.ring(context.passphrase())?;
    let old = ring.info(&identity_id).map(|info| info.public_key);
    // A folder whose secrets are under a passphrase does not get one that is not.
    let passphrase = home.passphrase_for_new(false, context.passphrase())?;
    let key = SigningKey::generate(&mut SystemRng)?;
    let mut step = Step::begin(&home, context.passphrase())?;
    let seq = step.act(context.now()?, |step| step.rotate(&identity_id, key.public_key()))?.seq();
    step.signing_key(&identity_id, &key, old.as_ref(), passphrase.as_deref().map(String::as_str))?;
    let state = step.commit()?.ring().info(&identity_id).map_or(KeyState::Valid, |info| info.state);
    Ok(Report::new(format!("{} has a new key; the old one is retired.", args.name))
        .detail("identity_id", "identity", identity_id.to_hex())
        .detail("key_hash", "new key", key.public_key().hash().to_hex())
        .detail("retired", "old key", old.map_or_else(String::new, |key| key.hash().to_hex()))
        .detail("state", "state", word(state))
        .number("seq", "entry", seq)
        .note(
            "Sign a checkpoint now: what the old key signed before counts only under one (dualseal checkpoint sign).",
        ))
}
