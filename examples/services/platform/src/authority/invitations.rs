//! Invitations: a code that enrols one login key, once and within a day. Kept is its hash alone.

use super::Authority;
use super::token::{scope_text, scopes_of};
use crate::access::{Scope, Tier, World};
use crate::db::{Tx, statements};
use crate::problem::{Problem, kinds};
use crate::values;
use crate::web::Bearer;
use dualseal::hash::Sha3_256;
use dualseal::presence::Nonce;
use dualseal::{IdentityId, SystemRng, Timestamp};
use std::collections::BTreeSet;

statements! {
    ADD = "INSERT INTO invitations (code, identity_id, tier, scope, made, expires, world) \
           VALUES ($1, $2, $3, $4, $5, $6, $7)";
    /// One statement, so that of two at a time one alone gets it.
    USE = "UPDATE invitations SET used = $2 WHERE code = $1 AND used IS NULL AND expires > $2 \
           AND made > (SELECT COALESCE(MAX(before), 0) FROM voided) RETURNING identity_id, tier, scope, world";
    ENDED = "DELETE FROM invitations WHERE expires < $1";
}

/// Milliseconds in which it is used.
const LIFE: i64 = 86_400_000;

/// Who is invited to enrol a login key.
#[derive(Clone, Debug)]
pub struct Invitation {
    /// Whose.
    pub identity_id: IdentityId,
    /// The highest tier that the login gets.
    pub tier: Tier,
    /// The scopes of its tokens.
    pub scopes: BTreeSet<Scope>,
    /// The world of whoever invites.
    pub world: World,
}

/// A code, told once.
#[derive(Clone)]
pub struct Invited {
    /// 64 hexadecimal characters: whoever has them enrols.
    pub code: Bearer,
    /// Until when.
    pub expires: Timestamp,
}

impl std::fmt::Debug for Invited {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Invited").field("expires", &self.expires).finish_non_exhaustive()
    }
}

/// A code, as it is told.
///
/// # Errors
/// [`kinds::BAD_INVITATION`] for a text that is none.
pub fn invitation_code(text: &str) -> Result<Nonce, Problem> {
    text.parse().map_err(|_| Problem::new(&kinds::BAD_INVITATION))
}

impl Authority {
    /// Invites.
    ///
    /// # Errors
    /// [`kinds::INVALID_FIELD`] for scopes that no login has; the database.
    pub async fn invite(&self, invitation: &Invitation) -> Result<Invited, Problem> {
        if invitation.scopes.contains(&Scope::Node) || invitation.scopes.is_empty() {
            let detail = "names scopes, and not `node`, which is for tokens of nodes";
            return Err(Problem::invalid("/scopes", "scopes", detail));
        }
        let (now, code) = (self.clock.millis(), Nonce::draw(&mut SystemRng)?);
        let expires = Timestamp::from_millis(now.saturating_add(LIFE))?;
        let values = values![
            &Sha3_256::digest(code.as_bytes())[..],
            invitation.identity_id.to_hex(),
            invitation.tier.as_str(),
            scope_text(&invitation.scopes),
            now,
            expires.as_millis(),
            invitation.world.number(),
        ];
        self.db.execute(ADD, values).await?;
        Ok(Invited { code: code.to_hex().into(), expires })
    }

    /// Uses a code up, with what the transaction enrols.
    ///
    /// # Errors
    /// [`kinds::BAD_INVITATION`] for one that is unknown, used, over or voided; the database.
    pub async fn use_invitation(&self, tx: &mut Tx, code: &Nonce) -> Result<Invitation, Problem> {
        let refused = || Problem::new(&kinds::BAD_INVITATION);
        let values = values![&Sha3_256::digest(code.as_bytes())[..], self.clock.millis()];
        let row = tx.find(USE, values).await?.ok_or_else(refused)?;
        let wrong = |error: String| Problem::internal("invitations", &error);
        let is_real = row.number("world")? == World::Real.number();
        Ok(Invitation {
            identity_id: row.text("identity_id")?.parse()?,
            tier: row.text("tier")?.parse().map_err(wrong)?,
            scopes: scopes_of(&row.text("scope")?).map_err(wrong)?,
            world: if is_real { World::Real } else { World::Decoy },
        })
    }
}

pub(super) async fn sweep(tx: &mut Tx, now: i64) -> Result<(), Problem> {
    tx.execute(ENDED, values![now]).await?;
    Ok(())
}
