//! What a new key brings with it.

use crate::chain_file::entries;
use crate::context::Context;
use crate::failure::Failure;
use crate::home::{Home, Step};
use crate::output::{Report, path_text};
use crate::store::CHAIN;
use dualseal::checkpoint::{CheckpointSigner, HighWaterMark};
use dualseal::encoding::json::Value;
use dualseal::krunica::Checker;
use dualseal::{CheckedRing, RingKey, SigningKey, SystemRng};

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
    let mut step = Step::begin(home)?;
    let founding = !home.has_ring_key();
    let authority = step.ring_key(passphrase, context.passphrase())?;
    let mut ring = home.ring_to_go_on(context.passphrase())?;
    if founding {
        ring = first_ring(home, &authority)?;
    }
    let appended = ring.add(&identity_id, key.public_key().clone(), step.head(), context.now()?)?;
    step.append(&appended.entry, appended.head);
    step.ring(&ring)?;
    step.signing_key(&identity_id, key, None, passphrase)?;
    if founding {
        // So that there is always one to go on from, and whoever takes it away is noticed.
        let note_key = step.note_key(passphrase)?;
        let signer = CheckpointSigner::new(home.domain().domain(), home.origin(), &identity_id, key)?
            .with_note_key(note_key.public_key());
        let mark = HighWaterMark::first(home.origin(), step.head(), Some(&ring))?;
        step.checkpoint(&signer.sign(&mark, context.now()?, &mut SystemRng)?)?;
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
        report = report.member("context", Value::Null);
    }
    step.commit()?;
    if passphrase.is_none() {
        report = report.note("The secret files are protected by their mode alone; --protect asks for a passphrase.");
    }
    Ok(report.note(format!("Give others the public key: dualseal key export {name} -o {name}.pem")))
}

/// A ring that nobody is in yet, past what the chain has: messages of identities without keys.
fn first_ring(home: &Home, authority: &RingKey) -> Result<CheckedRing, Failure> {
    let mut ring = CheckedRing::new(home.origin(), authority)?;
    let mut checker = Checker::new();
    entries(&home.present(CHAIN)?, |json| ring.follow(&checker.push_json(json)?, |_| false))?;
    Ok(ring)
}
