//! The state of a key.

use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::home::Step;
use crate::output::{Report, text};
use dualseal::KeyState;
use dualseal::encoding::json::Value;
use dualseal::key::SetState;
use dualseal::mldsa::KeyHash;

const EXAMPLES: &str = "\
Examples:
  $ dualseal key state ana suspended
  $ dualseal key state ana revoked
  $ dualseal key state ana revoked --compromised-from 7   # it was stolen before that entry";

/// Sets the state of a key
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Whose key
    name: String,

    /// The new state
    state: State,

    /// SHA3-256 of a retired key [default: the current key]
    #[arg(long, value_name = "HASH")]
    key: Option<KeyHash>,

    /// With revoked: the entry from which on a thief may have signed with it [default: the revocation's own]
    #[arg(long, value_name = "NUMBER")]
    compromised_from: Option<u64>,
}

/// The states of a key, by the words of people or of the wire.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum State {
    /// Signatures are valid
    #[value(alias = "istina")]
    Valid,
    /// Signatures are refused
    #[value(alias = "laz")]
    Revoked,
    /// A honeypot: outsiders see a pass, the operator sees a thief
    #[value(alias = "oboje")]
    Decoy,
    /// Signatures are neither confirmed nor refused
    #[value(alias = "nijedno")]
    Suspended,
}

impl From<State> for KeyState {
    fn from(state: State) -> Self {
        match state {
            State::Valid => Self::Valid,
            State::Revoked => Self::Revoked,
            State::Decoy => Self::Decoy,
            State::Suspended => Self::Suspended,
        }
    }
}

/// The word for a state.
pub(crate) fn word(state: KeyState) -> &'static str {
    match state {
        KeyState::Valid => "valid",
        KeyState::Revoked => "revoked",
        KeyState::Decoy => "decoy",
        KeyState::Suspended => "suspended",
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let home = context.home_to_write()?;
    let identity_id = home.identity(&args.name)?;
    let state = KeyState::from(args.state);
    let set = match args.compromised_from {
        None => SetState::from(state),
        Some(seq) if state == KeyState::Revoked => SetState::compromised_from(seq),
        Some(_) => {
            let hint = "leave --compromised-from out, or mark the key as revoked first";
            return Err(Failure::new(USAGE, "only a key that is revoked counts as compromised", hint));
        }
    };
    let mut step = Step::begin(&home, context.passphrase())?;
    let seq = step.act(context.now()?, |step| step.set_state(&identity_id, args.key.as_ref(), set))?.seq();
    let after = step.commit()?;
    let key = args.key.or_else(|| after.ring().info(&identity_id).map(|info| *info.public_key.hash()));
    Ok(Report::new(format!("The key of {} is marked as {} now.", args.name, word(state)))
        .detail("identity_id", "identity", identity_id.to_hex())
        .member("key_hash", key.map_or(Value::Null, |key| text(key.to_hex())))
        .detail("state", "state", word(state))
        .number("seq", "entry", seq)
        .note(if state == KeyState::Revoked && args.key.is_none() {
            "Put a new key in its place (dualseal key rotate), and sign a checkpoint that covers both before you tell \
             anybody of it (dualseal checkpoint sign)."
        } else {
            "Sign a checkpoint that covers the change before you tell anybody of it (dualseal checkpoint sign)."
        }))
}
