//! Changes of the ring: each is one entry of the chain, written together with it.

use super::{ImportArgs, NewArgs, RotateArgs, StateArgs, word};
use crate::commands::id::{drawn, free_name};
use crate::context::Context;
use crate::failure::Failure;
use crate::home::{Home, Step};
use crate::output::{Report, path_text, text};
use crate::secrets;
use dualseal::checkpoint::CheckpointSigner;
use dualseal::{IdentityId, KeyState, SigningKey, SystemRng};

pub(super) fn new(args: &NewArgs, context: &Context) -> Result<Report, Failure> {
    if args.protect && context.home_if_any()?.is_none() {
        // Asked first, so that a slip leaves no empty home folder behind.
        context.passphrase().for_new(true)?;
    }
    let home = context.home_or_new(args.origin.as_deref())?;
    add(&args.name, &SigningKey::generate(&mut SystemRng)?, args.protect, &home, context)
}

pub(super) fn import(args: &ImportArgs, context: &Context) -> Result<Report, Failure> {
    let key = secrets::read_key(&args.file, context)?;
    let home = context.home_or_new(None)?;
    add(&args.name, &key, args.protect, &home, context)
}

/// An identity's first key. A name that is not known yet gets an identity of its own.
fn add(name: &str, key: &SigningKey, protect: bool, home: &Home, context: &Context) -> Result<Report, Failure> {
    let (identity_id, in_context) = if let Some(identity_id) = home.known(name)? {
        (identity_id, None)
    } else {
        free_name(home, name)?;
        let in_context = drawn()?;
        (home.domain().domain().identity_id(b"", name, &in_context)?, Some(in_context))
    };
    let passphrase = passphrase(protect, home, context)?;
    let passphrase = passphrase.as_deref().map(String::as_str);
    let mut step = Step::begin(home)?;
    let founding = !home.has_ring_key();
    let authority = step.ring_key(passphrase, context)?;
    let mut ring = home.ring(context)?;
    let appended = ring.add(&identity_id, key.public_key().clone(), step.head(), context.now()?, &authority)?;
    step.append(&appended.entry, appended.head);
    step.ring(&ring)?;
    step.signing_key(&identity_id, key, None, passphrase)?;
    if founding {
        // So that there is always one to go on from, and whoever takes it away is noticed.
        let signer = CheckpointSigner::new(home.domain().domain(), home.origin(), &identity_id, key)?;
        step.checkpoint(&signer.sign_first(step.head(), context.now()?, &mut SystemRng)?)?;
    }
    let mut report = Report::new(format!("{name} has a key."))
        .detail("identity_id", "identity", identity_id.to_hex())
        .detail("key_hash", "key", key.public_key().hash().to_hex())
        .detail("path", "secret key", path_text(&home.key_path(&identity_id)))
        .member("domain", home.domain().to_value())
        .detail("origin", "log", home.origin());
    if let Some(in_context) = in_context {
        step.name(name, &identity_id, name, &in_context)?;
        report = report.detail("context", "context", in_context);
    } else {
        report = report.member("context", dualseal::encoding::json::Value::Null);
    }
    step.commit()?;
    if passphrase.is_none() {
        report = report.note("The secret files are protected by their mode alone; --protect asks for a passphrase.");
    }
    Ok(report.note(format!("Give others the public key: dualseal key export {name} -o {name}.pem")))
}

pub(super) fn rotate(args: &RotateArgs, context: &Context) -> Result<Report, Failure> {
    let home = context.home_to_write()?;
    let identity_id = home.identity(&args.name)?;
    let mut ring = home.ring(context)?;
    let old = ring.info(&identity_id).map(|info| info.public_key);
    let authority = home.ring_key(context)?;
    // A folder whose secrets are under a passphrase does not get one that is not.
    let passphrase = passphrase(false, &home, context)?;
    let key = SigningKey::generate(&mut SystemRng)?;
    let mut step = Step::begin(&home)?;
    let seq = step.head().size();
    let appended = ring.rotate(&identity_id, key.public_key().clone(), step.head(), context.now()?, &authority)?;
    step.append(&appended.entry, appended.head);
    step.ring(&ring)?;
    step.signing_key(&identity_id, &key, old.as_ref(), passphrase.as_deref().map(String::as_str))?;
    step.commit()?;
    let state = ring.info(&identity_id).map_or(KeyState::Valid, |info| info.state);
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

pub(super) fn state(args: &StateArgs, context: &Context) -> Result<Report, Failure> {
    let home = context.home_to_write()?;
    let identity_id = home.identity(&args.name)?;
    let state = args.state.into();
    let mut ring = home.ring(context)?;
    let authority = home.ring_key(context)?;
    let mut step = Step::begin(&home)?;
    let seq = step.head().size();
    let now = context.now()?;
    let appended = ring.set_state(&identity_id, args.key.as_ref(), state, step.head(), now, &authority)?;
    step.append(&appended.entry, appended.head);
    step.ring(&ring)?;
    step.commit()?;
    let key = args.key.or_else(|| ring.info(&identity_id).map(|info| *info.public_key.hash()));
    Ok(Report::new(format!("The key of {} is marked as {} now.", args.name, word(state)))
        .detail("identity_id", "identity", identity_id.to_hex())
        .member("key_hash", key.map_or(dualseal::encoding::json::Value::Null, |key| text(key.to_hex())))
        .detail("state", "state", word(state))
        .number("seq", "entry", seq)
        .note(if state == KeyState::Revoked && args.key.is_none() {
            "Put a new key in its place (dualseal key rotate), and sign a checkpoint that covers both before you tell \
             anybody of it (dualseal checkpoint sign)."
        } else {
            "Sign a checkpoint that covers the change before you tell anybody of it (dualseal checkpoint sign)."
        }))
}

type Text = zeroize::Zeroizing<String>;

/// The passphrase for a new secret file: asked for, or that of the secrets that are there already.
fn passphrase(protect: bool, home: &Home, context: &Context) -> Result<Option<Text>, Failure> {
    if home.is_protected()? {
        // So that one passphrase opens all of them.
        home.ring_key(context)?;
    }
    context.passphrase().for_new(protect)
}

/// Whose key a report is about.
pub(super) fn named(home: &Home, identity_id: &IdentityId) -> Result<String, Failure> {
    let names = home.names()?;
    Ok(names.into_iter().find(|(_, id)| id == identity_id).map_or_else(String::new, |(name, _)| name))
}
