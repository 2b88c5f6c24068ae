//! Identities by which the service itself signs: each gets its key when it first signs.

use crate::App;
use dualseal::{IdentityId, SigningKey, SystemRng};
use dualseal_operator::step::{Changes, State, Step};
use platform::db::Tx;
use platform::log::{Work, seed_place};
use platform::problem::Problem;

/// Gives an identity a key, where it has none.
///
/// # Errors
/// The log.
pub(crate) async fn keyed(app: &App, identity_id: IdentityId) -> Result<(), Problem> {
    if app.log.state().await?.ring().info(&identity_id).is_some() {
        return Ok(());
    }
    app.log.submit(Keyed { app: App::clone(app), identity_id }).await
}

struct Keyed {
    app: App,
    identity_id: IdentityId,
}

impl Work for Keyed {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        if step.ring().info(&self.identity_id).is_none() {
            let key = SigningKey::generate(&mut SystemRng)?;
            step.add_key(&self.identity_id, key.public_key())?;
            step.keep(self.app.secrets.seal(seed_place(key.public_key())?, key.seed().expose())?);
        }
        Ok(())
    }

    async fn rows(&self, _: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        Ok(())
    }
}
