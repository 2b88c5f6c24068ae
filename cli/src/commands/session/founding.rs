//! Founding a session.

use super::record::{identities, publish, shape};
use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::home::{Home, Step};
use crate::output::Report;
use crate::shares::form::Into;
use dualseal::threshold::{Founding, SessionKind};
use dualseal::{IdentityId, SystemRng};

const EXAMPLES: &str = "\
Examples:
  $ dualseal session found --threshold 2 --owner ana --owner ivo --owner eva --kind ml-dsa-65 \\
      --identity board -o board
  $ dualseal session found --threshold 2 --owner ana --owner ivo --owner eva --kind hmac -o board
  $ dualseal checkpoint sign -o checkpoint.json   # a session counts under a checkpoint";

/// Founds a session: draws a secret and deals it to custodians
///
/// Writes a folder with session.json, which is public, a share for each custodian, and for ml-dsa-65 quorum.pem, the
/// public key by which anybody verifies. The chain gets an entry, and the ring the quorum's key.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// How many shares sign
    #[arg(long, value_name = "K")]
    threshold: u8,

    /// A custodian, once for each share in the order of their numbers: a name, or an identity of 64 characters
    #[arg(long = "owner", value_name = "NAME", required = true)]
    owners: Vec<String>,

    /// What the session's results are
    #[arg(long)]
    kind: Kind,

    /// Whose key the quorum's is, for ml-dsa-65: a name, which is made where it is new
    #[arg(long, value_name = "NAME", required_if_eq("kind", "ml-dsa-65"))]
    identity: Option<String>,

    /// Who asks [default: the only identity there is]
    #[arg(long = "as", value_name = "NAME")]
    acting: Option<String>,

    #[command(flatten)]
    into: Into,
}

/// What a session's results are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Kind {
    /// As many shares as sign also verify; nobody else can
    Hmac,
    /// Anybody verifies, with the quorum's public key
    #[value(name = "ml-dsa-65")]
    MlDsa65,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let home = context.home_to_write()?;
    let founder = home.acting(args.acting.as_deref())?;
    let owners = identities(&home, &args.owners)?;
    let mut step = Step::begin(&home, context.passphrase())?;
    let (head, time, k) = (step.head().clone(), context.now()?, args.threshold);
    let founding =
        Founding { domain: home.domain().domain(), founder: &founder, owners: &owners, k, head: &head, time };
    let founded = match (args.kind, &args.identity) {
        (Kind::Hmac, None) => founding.hmac(&mut SystemRng).map_err(shape)?,
        (Kind::MlDsa65, Some(name)) => {
            let identity_id = quorum(&home, &mut step, name)?;
            founding.mldsa(&identity_id, &mut SystemRng).map_err(shape)?
        }
        _ => {
            let hint = "leave --identity out: a session of the kind hmac has no key that others verify with";
            return Err(Failure::new(USAGE, "--identity is for the kind ml-dsa-65", hint));
        }
    };
    step.act(time, |step| step.take(&founded.entry))?;
    if let SessionKind::MlDsa65 { identity_id, public_key } = founded.session.kind() {
        let hint = "name another identity: this one signs with a key of its own already";
        step.act(time, |step| step.add_key(identity_id, public_key)).map_err(|failure| failure.hint(hint))?;
    }
    let sentence = format!("Founded: any {k} of these {} custodians sign together.", owners.len());
    publish(Report::new(sentence), &home, step, &founded, &owners, &args.into)
        .map(|report| report.note("Sign a checkpoint now: a session counts under one (dualseal checkpoint sign)."))
}

/// The identity that the quorum signs for.
fn quorum(home: &Home, step: &mut Step<'_>, name: &str) -> Result<IdentityId, Failure> {
    let (identity_id, in_context) = home.known_or_drawn(name)?;
    if let Some(in_context) = in_context {
        step.name(name, &identity_id, name, &in_context)?;
    }
    Ok(identity_id)
}
