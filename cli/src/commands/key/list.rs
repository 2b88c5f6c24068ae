//! Every key of the ring, the retired ones as well.

use super::names::{UNCHECKED, checked};
use super::state::word;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{Report, integer, object, quoted, text};
use dualseal::encoding::json::Value;
use dualseal::{IdentityId, KeyRing};

const EXAMPLES: &str = "\
Examples:
  $ dualseal key list
  $ dualseal key list ana";

/// Lists every key with its fingerprint and state, the retired ones as well
///
/// They are shown as the rows of the ring have them: nobody is asked for a passphrase. Where the ring key is under
/// none, names that it did not seal are refused; else it is said that nobody checked them. `chain check --with-ring`
/// tells whether the chain vouches for the keys.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// One identity, by its name or its 64 characters [default: all]
    name: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    let home = context.home()?;
    let is_checked = checked(&home, context)?;
    let file = home.ring_file()?;
    let (ring, default) = (file.unchecked(), home.default_identity()?);
    let asked = args.name.as_ref().map(|name| home.identity(name)).transpose()?;
    let mut items = Vec::new();
    let mut report = Report::new("");
    for identity_id in ring.identities().filter(|id| asked.is_none_or(|asked| asked == **id)) {
        let (name, creator) = (home.name_of(identity_id)?, home.creator_of(identity_id)?);
        let of = if name.is_empty() { identity_id.to_hex() } else { quoted(&name) };
        let is_default = default.as_ref() == Some(identity_id);
        for key in keys(ring, identity_id) {
            let signs = if is_default && key.retired.is_none() { ", signs where nobody is named" } else { "" };
            report = report.line(word(key.state), format!("{} of {of}, {}{signs}", key.hash, key.told()));
            items.push(object([
                ("compromised_from", key.compromised_from.map_or(Value::Null, integer)),
                ("creator", creator.clone().map_or(Value::Null, text)),
                ("default", Value::Bool(is_default)),
                ("identity_id", text(identity_id.to_hex())),
                ("key_hash", text(key.hash.clone())),
                ("name", if name.is_empty() { Value::Null } else { text(name.as_str()) }),
                ("retired", key.retired.map_or(Value::Null, integer)),
                ("revoked", key.revoked.map_or(Value::Null, integer)),
                ("state", text(word(key.state))),
            ]));
        }
    }
    let sentence = match items.len() {
        0 => "There is no key yet.".to_owned(),
        1 => "There is one key.".to_owned(),
        count => format!("There are {count} keys."),
    };
    let note = "An old public key is written by `dualseal key export NAME --key FINGERPRINT`.";
    let report = if is_checked { report } else { report.note(UNCHECKED) };
    Ok(report
        .saying(sentence)
        .member("keys", Value::Array(items))
        .member("checked", Value::Bool(false))
        .member("names_checked", Value::Bool(is_checked))
        .note(note))
}

/// A key as the ring has it.
struct Row {
    hash: String,
    state: dualseal::KeyState,
    retired: Option<u64>,
    revoked: Option<u64>,
    compromised_from: Option<u64>,
}

impl Row {
    fn told(&self) -> String {
        let role = self.retired.map_or_else(|| "current".to_owned(), |entry| format!("retired by entry {entry}"));
        let revoked = self.revoked.map(|entry| format!("called back by entry {entry}"));
        let from = self.compromised_from.map(|entry| format!("counts as compromised from entry {entry} on"));
        [Some(role), revoked, from].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

fn keys(ring: &KeyRing, identity_id: &IdentityId) -> Vec<Row> {
    let row = |(key, state): (&dualseal::PublicKey, dualseal::KeyState)| Row {
        hash: key.hash().to_hex(),
        state,
        retired: ring.retired_at(identity_id, key.hash()),
        revoked: ring.revoked_at(identity_id, key.hash(), u64::MAX),
        compromised_from: ring.compromised_from(identity_id, key.hash()),
    };
    ring.keys(identity_id).map(row).collect()
}
