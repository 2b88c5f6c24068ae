//! The dual seal over a text that is signed, by an identity of the service's own, whoever signs.

use crate::App;
use crate::vault::Vault;
use crate::vault::enclose::Signer;
use dualseal::krunica::KrunicaHash;
use dualseal::seal::{DualSeal, Legacy, Policy, SealOutcome, SealVerifier, Sealer};
use dualseal::{Entry, IdentityId, KeyRing, Located, PublicKey, SigningKey, SystemRng};
use dualseal_operator::step::Step;
use platform::problem::Problem;

/// Whose key seals.
pub(crate) enum By {
    /// The identity's own.
    Itself(Signer),
    /// One that counts for nothing, for a thief.
    Nobody(Box<SigningKey>),
}

/// Seals a text, with the seal's own entry: it outlives the key that made it.
///
/// # Errors
/// The key is not the current one any more; the generator failed.
pub(crate) fn seal(
    step: &mut Step<'_>,
    vault: &Vault,
    (identity_id, by): (&IdentityId, &By),
    text: &str,
) -> Result<(DualSeal, Entry), Problem> {
    let key = vault.keys.seal_key(step.domain(), identity_id);
    let (unplaced, entry) = match by {
        By::Itself(signer) => {
            let sealer = Sealer::current(step.domain(), step.ring(), identity_id, &key, &**signer)?;
            let unplaced = sealer.seal_unplaced(text.as_bytes(), &mut SystemRng)?;
            let entry = step.seal(&unplaced)?;
            (unplaced, entry)
        }
        By::Nobody(signing) => {
            let sealer = Sealer::new(step.domain(), identity_id, &key, &**signing);
            let unplaced = sealer.seal_unplaced(text.as_bytes(), &mut SystemRng)?;
            let entry = step.seal_as_decoy(&unplaced)?;
            (unplaced, entry)
        }
    };
    Ok((unplaced.seal().clone(), entry))
}

/// Whether a seal holds now, both layers of it; none where its key is suspended. A thief's holds by the key that is
/// named.
///
/// # Errors
/// The database, the log.
pub(crate) async fn holds(
    app: &App,
    vault: &Vault,
    (seal, krunica): (&str, &str),
    (identity_id, text): (&IdentityId, &str),
    counterfeit: Option<&PublicKey>,
) -> Result<Option<bool>, Problem> {
    let (Ok(seal), Ok(krunica)) = (seal.parse::<DualSeal>(), krunica.parse::<KrunicaHash>()) else {
        return Ok(Some(false));
    };
    let (state, key) = (app.log.state().await?, vault.keys.seal_key(app.log.domain(), identity_id));
    let pinned = counterfeit.map(|key| KeyRing::pinned(identity_id, key.clone()));
    let ring: &KeyRing = pinned.as_ref().unwrap_or(state.ring());
    let verifier = SealVerifier::new(app.log.domain(), ring, app.log.prepared());
    let told = |place: Option<&Located>| {
        let seal = seal.clone().into();
        verifier.verify(&seal, text.as_bytes(), identity_id, Policy::Both(&key), Legacy::Refused, place).public()
    };
    let mut outcome = told(None);
    if outcome == SealOutcome::Rejected {
        // By a key that was replaced since it holds at its place alone.
        let located = app.log.reader().located(&state, &krunica).await?;
        outcome = located.map_or(outcome, |located| told(Some(&located)));
    }
    Ok(match outcome {
        SealOutcome::Ok | SealOutcome::Decoy => Some(true),
        SealOutcome::Suspended => None,
        SealOutcome::Rejected => Some(false),
    })
}
