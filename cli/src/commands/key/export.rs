//! What others need of a key, or of the ring.

use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::home::key_info;
use crate::output::Report;
use crate::secrets;
use crate::store::Readers;
use crate::target::Target;
use crate::trust::PublicKeyFile;
use dualseal::encoding::json::Value;
use dualseal::mldsa::KeyHash;

const EXAMPLES: &str = "\
Examples:
  $ dualseal key export ana -o ana.pem
  $ dualseal key export --ring -o ring.json
  $ dualseal key export ana --key \"$(cat old.fingerprint)\" -o old.pem
  $ dualseal key export ana --secret -o ana-secret.pem";

/// Writes what others need: the public key, or the ring without its secrets
///
/// The public key file is PEM that any program reads; lines before it say whose key it is and in which domain. The
/// passphrase of the home folder is asked for, because its own key vouches for the ring.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Whose key [default: the only identity there is]
    name: Option<String>,

    /// The ring, as it may leave its operator
    #[arg(long, conflicts_with_all = ["name", "secret", "key", "without_creator"])]
    ring: bool,

    /// An old public key, by its fingerprint [default: the current one]
    #[arg(long, value_name = "HEX", conflicts_with = "secret")]
    key: Option<KeyHash>,

    /// Leaves out whose name the identity was computed from, which the file else says
    #[arg(long)]
    without_creator: bool,

    /// The signing key itself
    #[arg(long, requires = "out")]
    secret: bool,

    #[command(flatten)]
    target: Target,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let home = context.home()?;
    let path = args.target.or_stdout();
    if args.ring {
        let ring = home.ring(context.passphrase())?.public();
        let prepared = args.target.prepare(path, &format!("{}\n", ring.to_json()), Readers::All)?;
        let shown = prepared.shown();
        drop(home);
        let aside = prepared.publish()?;
        return Ok(Report::new("The ring is written, without decoys; what it calls valid is your word.")
            .detail("path", "file", shown)
            .number("revision", "revision", ring.revision())
            .member("identity_id", Value::Null)
            .member("key_hash", Value::Null)
            .aside_if(aside));
    }
    let identity_id = home.acting(args.name.as_deref())?;
    if args.secret {
        if home.has_ring_key() {
            // A name counts where the ring key sealed it.
            home.authority(context.passphrase())?;
        }
        let key = home.signing_key(&identity_id, context.passphrase())?;
        let passphrase = context.passphrase().for_new(false)?;
        let content = secrets::key_file(&key, passphrase.as_deref().map(String::as_str))?;
        let prepared = args.target.prepare(path, &content, Readers::Owner)?;
        let shown = prepared.shown();
        drop(home);
        let aside = prepared.publish()?;
        let report = Report::new("The signing key is written. Whoever has it can sign.").detail("path", "file", shown);
        return Ok(report
            .detail("identity_id", "identity", identity_id.to_hex())
            .detail("key_hash", "key", key.public_key().hash().to_hex())
            .member("revision", Value::Null)
            .aside_if(aside));
    }
    let ring = home.ring(context.passphrase())?;
    let key = match &args.key {
        Some(hash) => ring.keys(&identity_id).find(|(key, _)| key.hash() == hash).map(|(key, _)| key.clone()),
        None => Some(key_info(&ring, &identity_id)?.public_key),
    };
    let none = || Failure::new(USAGE, "the identity has no such key", "see the keys by `dualseal key list`");
    let key = key.ok_or_else(none)?;
    let key_hash = key.hash().to_hex();
    let file = PublicKeyFile {
        key,
        identity_id: Some(identity_id),
        domain: Some(home.domain().clone()),
        origin: Some(home.origin().to_owned()),
        creator: if args.without_creator { None } else { home.origin_of(&identity_id)? },
    };
    let prepared = args.target.prepare(path, &file.to_text()?, Readers::All)?;
    let shown = prepared.shown();
    drop(home);
    let aside = prepared.publish()?;
    Ok(Report::new("The public key is written. Others verify with --key and this file.")
        .detail("path", "file", shown)
        .detail("identity_id", "identity", identity_id.to_hex())
        .detail("key_hash", "key", key_hash)
        .member("revision", Value::Null)
        .note("Read the characters after `key` to them over another channel, so that nobody gives them another key.")
        .aside_if(aside))
}
