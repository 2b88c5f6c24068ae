//! What a new key brings with it.

use crate::context::Context;
use crate::failure::Failure;
use crate::home::{Home, Step};
use crate::output::{Report, path_text};
use dualseal::SigningKey;
use dualseal::encoding::json::Value;

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
        report = report.member("context", Value::Null);
    }
    step.commit()?;
    if is_first {
        // So that whoever verifies has one from the beginning. The key is there, whatever becomes of it.
        if let Err(failure) = home.sign_checkpoint(&identity_id, key, context.now()?, context.passphrase()) {
            let why = failure.message().to_owned();
            report =
                report.note(format!("No checkpoint could be signed ({why}): do it by `dualseal checkpoint sign`."));
        }
    }
    if passphrase.is_none() {
        report = report.note("The secret files are protected by their mode alone; --protect asks for a passphrase.");
    }
    Ok(report.note(format!("Give others the public key: dualseal key export {name} -o {name}.pem")))
}
