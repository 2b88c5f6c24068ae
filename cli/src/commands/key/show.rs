//! What is told of keys: to the operator, and to others.

use super::made::named;
use super::{ExportArgs, ShowArgs, word};
use crate::context::Context;
use crate::failure::{Failure, HOME};
use crate::home::Home;
use crate::output::{Report, integer, object, text};
use crate::secrets;
use crate::store::Readers;
use crate::trust::PublicKeyFile;
use dualseal::encoding::json::Value;
use dualseal::{IdentityId, KeyPairInfo, KeyRing};

pub(super) fn show(args: &ShowArgs, context: &Context) -> Result<Report, Failure> {
    let home = context.home()?;
    let ring = home.ring_file()?;
    let report = match &args.name {
        Some(name) => one(&home, &ring, &home.identity(name)?, args.public),
        None => all(&home, &ring, args.public),
    }?;
    let note = "This is what ring.json says, which was not checked: dualseal chain check --with-ring.";
    Ok(report.member("checked", Value::Bool(false)).note(note))
}

fn one(home: &Home, ring: &KeyRing, identity_id: &IdentityId, public: bool) -> Result<Report, Failure> {
    let info = info(ring, identity_id, public)?;
    let (name, key) = (named(home, identity_id)?, info.public_key.hash().to_hex());
    Ok(Report::new(format!("The key of {identity_id} is {}.", word(info.state)))
        .member("info", Value::parse(info.to_json().as_bytes())?)
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
        let name = named(home, identity_id)?;
        report = report.line("identity", format!("{identity_id}  {:<9}  {name}", word(info.state)));
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

pub(super) fn export(args: &ExportArgs, context: &Context) -> Result<Report, Failure> {
    let home = context.home()?;
    let path = args.target.or_stdout();
    if args.ring {
        let ring = home.ring(context)?.public();
        let prepared = args.target.prepare(path, &format!("{}\n", ring.to_json()?), Readers::All)?;
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
        let key = home.signing_key(&identity_id, context)?;
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
    let info = info(&home.ring(context)?, &identity_id, true)?;
    let key_hash = info.public_key.hash().to_hex();
    let file = PublicKeyFile {
        key: info.public_key,
        identity_id: Some(identity_id),
        domain: Some(home.domain().clone()),
        origin: Some(home.origin().to_owned()),
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

fn info(ring: &KeyRing, identity_id: &IdentityId, public: bool) -> Result<KeyPairInfo, Failure> {
    let none = || Failure::new(HOME, format!("{identity_id} has no key here"), "make one by `dualseal key new`");
    let info = ring.info(identity_id).ok_or_else(none)?;
    Ok(if public { info.public() } else { info })
}
