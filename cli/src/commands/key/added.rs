//! What a new key brings with it.

use crate::context::Context;
use crate::failure::Failure;
use crate::home::{Home, Step};
use crate::output::{Report, path_text};
use dualseal::encoding::json::Value;
use dualseal::error::Misuse;
use dualseal::{Error, IdentityId, KeyState, PublicKey, SigningKey};

/// An identity's first key. A name that is not known yet gets an identity of its own.
pub(super) fn add(
    name: &str,
    key: &SigningKey,
    protect: bool,
    home: &Home,
    context: &Context,
) -> Result<Report, Failure> {
    let (identity_id, in_context) = home.known_or_drawn(name)?;
    let passphrase = home.passphrase_for_new(protect, context.passphrase())?;
    let passphrase = passphrase.as_deref().map(String::as_str);
    let mut step = Step::begin(home, context.passphrase())?;
    let is_first = step.state().ring().identities().next().is_none() && step.state().last().is_none();
    if let Some(passphrase) = passphrase.filter(|_| is_first) {
        step.protect(passphrase, context.passphrase())?;
    }
    step.act(context.now()?, |step| step.add_key(&identity_id, key.public_key()))?;
    step.signing_key(&identity_id, key, None, passphrase)?;
    match &in_context {
        Some(in_context) => step.name(name, &identity_id, name, in_context)?,
        None => step.keep_names()?,
    }
    step.commit()?;
    let sentence = format!("{name} has a key.");
    let mut report = told(sentence, (&identity_id, key.public_key()), in_context, home);
    if is_first {
        report = covered(report, &identity_id, key, home, context)?;
    }
    Ok(kept(report, name, passphrase.is_some()))
}

/// The first key of a home folder in which nothing else has happened: whoever was interrupted before the answer asks
/// for it again. Of every other key that is there it is said which one it is.
pub(super) fn there(name: &str, protect: bool, home: &Home, context: &Context) -> Result<Option<Report>, Failure> {
    let Some(identity_id) = home.known(name)? else { return Ok(None) };
    let state = home.state(context.passphrase())?;
    let Some(current) = state.ring().info(&identity_id) else { return Ok(None) };
    let (key, is_protected) = (&current.public_key, home.is_protected()?);
    let is_all = state.head().size() == 1 && current.state == KeyState::Valid && home.key_path(&identity_id).exists();
    let asked = context.asked_domain()?;
    let is_asked = (is_protected || !protect) && asked.is_none_or(|asked| asked.domain() == home.domain().domain());
    if !is_all || !is_asked {
        let hint = format!("put a new key in its place by `dualseal key rotate {name}`, or choose another name");
        let failure = Failure::from(Error::from(Misuse::HasCurrentKey)).hint(hint);
        return Err(failure.saying(format!("{name} already has a current key, {}", key.hash())));
    }
    let signing = home.signer(state.ring(), &identity_id, context.passphrase())?;
    let sentence = format!("{name} has a key already, and none was made.");
    let mut report = told(sentence, (&identity_id, key), home.context_of(name)?, home);
    if state.last().is_none() {
        report = covered(report, &identity_id, &signing, home, context)?;
    }
    Ok(Some(kept(report, name, is_protected)))
}

fn told(
    sentence: String,
    (identity_id, key): (&IdentityId, &PublicKey),
    in_context: Option<String>,
    home: &Home,
) -> Report {
    let report = Report::new(sentence)
        .detail("identity_id", "identity", identity_id.to_hex())
        .detail("key_hash", "key", key.hash().to_hex())
        .detail("path", "secret key", path_text(&home.key_path(identity_id)))
        .member("domain", home.domain().to_value())
        .detail("origin", "log", home.origin());
    match in_context {
        Some(in_context) => report.detail("context", "context", in_context),
        None => report.member("context", Value::Null),
    }
}

/// Signs the first checkpoint, so that whoever verifies has one from the beginning. The key is there, whatever becomes
/// of it.
fn covered(
    report: Report,
    identity_id: &IdentityId,
    key: &SigningKey,
    home: &Home,
    context: &Context,
) -> Result<Report, Failure> {
    let signed = home.sign_checkpoint(identity_id, key, context.now()?, context.passphrase());
    let Err(failure) = signed else { return Ok(report) };
    let why = failure.message().to_owned();
    Ok(report.note(format!("No checkpoint could be signed ({why}): do it by `dualseal checkpoint sign`.")))
}

fn kept(report: Report, name: &str, is_protected: bool) -> Report {
    let report = if is_protected {
        report
    } else {
        report.note("The secret files are protected by their mode alone; --protect asks for a passphrase.")
    };
    report.note(format!("Give others the public key: dualseal key export {name} -o {name}.pem"))
}
