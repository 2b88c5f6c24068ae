//! The keys, as the ring has them.

use super::names::{UNCHECKED, checked};
use super::state::word;
use crate::context::Context;
use crate::failure::Failure;
use crate::home::{Home, key_info};
use crate::output::{Report, integer, object, quoted, text};
use dualseal::encoding::json::Value;
use dualseal::{IdentityId, KeyPairInfo, KeyRing};

const EXAMPLES: &str = "\
Examples:
  $ dualseal key show
  $ dualseal key show ana";

/// Shows the keys and their states
///
/// They are shown as the rows of the ring have them: nobody is asked for a passphrase. Where the ring key is under
/// none, names that it did not seal are refused; else it is said that nobody checked them. `chain check --with-ring`
/// tells whether the chain vouches for the keys.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// One identity, by its name or its 64 characters [default: all]
    name: Option<String>,

    /// Shows what an outsider may see: a decoy reads as valid
    #[arg(long)]
    public: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let home = context.home()?;
    let is_checked = checked(&home, context)?;
    let file = home.ring_file()?;
    let ring = file.unchecked();
    let report = match &args.name {
        Some(name) => one(&home, ring, &home.identity(name)?, args.public),
        None => all(&home, ring, args.public),
    }?;
    let note = "This is what the rows of the ring say, which was not checked: dualseal chain check --with-ring.";
    let report = if is_checked { report } else { report.note(UNCHECKED) };
    Ok(report.member("checked", Value::Bool(false)).member("names_checked", Value::Bool(is_checked)).note(note))
}

fn one(home: &Home, ring: &KeyRing, identity_id: &IdentityId, public: bool) -> Result<Report, Failure> {
    let info = info(ring, identity_id, public)?;
    let (name, key) = (home.name_of(identity_id)?, info.public_key.hash().to_hex());
    Ok(Report::new(format!("The key of {identity_id} is {}.", word(info.state)))
        .wire("info", Value::parse(info.to_json().as_bytes())?)
        .detail("name", "name", name)
        .detail("key_hash", "key", key)
        .line("made", info.generated.map_or_else(String::new, |time| time.to_string()))
        .line("algorithm", info.algorithm.as_str()))
}

fn all(home: &Home, ring: &KeyRing, public: bool) -> Result<Report, Failure> {
    let mut items = Vec::new();
    let mut report = Report::new(match ring.identities().count() {
        0 => "There is no key yet.".to_owned(),
        1 => "There is one identity.".to_owned(),
        count => format!("There are {count} identities."),
    });
    for identity_id in ring.identities() {
        let info = info(ring, identity_id, public)?;
        let name = home.name_of(identity_id)?;
        report = report.line("identity", format!("{identity_id} {}{}", word(info.state), called(&name)));
        items.push(object([
            ("identity_id", text(identity_id.to_hex())),
            ("key_hash", text(info.public_key.hash().to_hex())),
            ("name", if name.is_empty() { Value::Null } else { text(name) }),
            ("state", text(word(info.state))),
        ]));
    }
    if !public {
        report = report.member("decoys", integer(ring.decoy_count() as u64));
    }
    Ok(report
        .member("keys", Value::Array(items))
        .member("domain", home.domain().to_value())
        .line("domain", home.domain().to_words())
        .detail("origin", "log", home.origin())
        .number("revision", "revision", ring.revision()))
}

/// A short name, where there is one.
fn called(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(", {}", quoted(name)) }
}

fn info(ring: &KeyRing, identity_id: &IdentityId, public: bool) -> Result<KeyPairInfo, Failure> {
    let info = key_info(ring, identity_id)?;
    Ok(if public { info.public().into() } else { info })
}
