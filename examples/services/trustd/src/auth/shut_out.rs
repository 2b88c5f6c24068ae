//! Shutting somebody out: what he could bring others in by ends first, so that a crash in between leaves him with less
//! than before, and never an invitation that outlives him.

use crate::{App, presence};
use dualseal::IdentityId;
use platform::access::World;
use platform::authority::Revocation;
use platform::problem::Problem;
use uuid::Uuid;

/// Removes a login, and withdraws every invitation of whose it was; `decoy` is the caller whose own key is a honeypot.
///
/// # Errors
/// As [`platform::authority::Authority::remove_login`].
pub(crate) async fn remove_login(app: &App, id: &Uuid, decoy: Option<&IdentityId>) -> Result<(), Problem> {
    let world = if decoy.is_some() { World::Decoy } else { World::Real };
    let whose = app.authority.whose_login(id, decoy).await?;
    presence::withdraw_of(app, &whose, world).await?;
    app.authority.remove_login(id, decoy).await.map(drop)
}

/// Revokes tokens; of a subject it withdraws every invitation, too. Says how many tokens ended.
///
/// # Errors
/// The database.
pub(crate) async fn revoke(app: &App, which: &Revocation, world: World) -> Result<u64, Problem> {
    if let Revocation::Subject(subject, ..) = which {
        presence::withdraw_of(app, subject, world).await?;
    }
    app.authority.revoke(which, world).await
}
