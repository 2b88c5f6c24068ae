//! What the log's writer does for logins: each that is enrolled or removed leaves an entry of its identity, `login
//! enrolled ID` or `login removed ID`.

use super::logins::{self, NewKey, NewOutside, Removal};
use super::{Authority, Invitation, invitations, nodes};
use crate::access::{Scope, Tier, World};
use crate::db::Tx;
use crate::log::Work;
use crate::problem::{Problem, kinds};
use dualseal::IdentityId;
use dualseal::ed25519::Ed25519PublicKey;
use dualseal::presence::Nonce;
use dualseal_operator::step::{Changes, State, Step};
use std::collections::BTreeSet;
use uuid::Uuid;

/// A login key that was enrolled.
#[derive(Clone, Debug)]
pub struct Enrolled {
    /// Its name.
    pub id: Uuid,
    /// Whose.
    pub identity_id: IdentityId,
    /// The highest tier of its tokens.
    pub tier: Tier,
    /// Their scopes.
    pub scopes: BTreeSet<Scope>,
}

impl Authority {
    /// Enrols a login key by an invitation, which is used up. Whoever asks once more with both had no answer: it is the
    /// same, for the day of the invitation and as long as the login is there.
    ///
    /// # Errors
    /// [`kinds::BAD_INVITATION`] for one that is unknown, used, over or voided;
    /// [`kinds::INVALID_FIELD`];
    /// [`kinds::CONFLICT`] where the identity has this key; the database.
    pub async fn enrol(&self, code: Nonce, public_key: Ed25519PublicKey, label: String) -> Result<Enrolled, Problem> {
        if let Err(problem) = self.check_invitation(&code).await {
            return self.enrolled(&code, &public_key).await?.ok_or(problem);
        }
        let id = Uuid::now_v7();
        self.log.submit(Enrol { authority: self.clone(), id, code, public_key, label }).await
    }

    /// What a code that was used enrolled, where it was this key.
    async fn enrolled(&self, code: &Nonce, key: &Ed25519PublicKey) -> Result<Option<Enrolled>, Problem> {
        let Some(Invitation { identity_id, world, .. }) = self.used_invitation(code).await? else { return Ok(None) };
        let found = logins::find_own(self, &identity_id, key, world).await?;
        Ok(found.map(|(id, found)| Enrolled { id, identity_id, tier: found.tier, scopes: found.scopes }))
    }

    /// Takes a subject of an outside issuer for an identity.
    ///
    /// # Errors
    /// [`kinds::INVALID_FIELD`];
    /// [`kinds::CONFLICT`] where the subject has one; the database.
    pub async fn add_outside(&self, new: &NewOutside) -> Result<Uuid, Problem> {
        logins::check_outside(self, new)?;
        let id = Uuid::now_v7();
        self.log.submit(AddOutside { authority: self.clone(), id, new: new.clone() }).await?;
        Ok(id)
    }

    /// Removes a login key or an outside subject, and says whose it was: every token that was got by it ends, and every
    /// invitation that its identity gave out. A caller of the decoy world
    /// removes what such callers made, and as a honeypot sees no more of its own.
    ///
    /// # Errors
    /// [`kinds::UNKNOWN_ID`]; the database.
    pub async fn remove_login(&self, id: &Uuid, decoy: Option<&IdentityId>) -> Result<IdentityId, Problem> {
        let is_honeypot = self.is_honeypot_of(decoy).await?;
        self.log.submit(Remove { authority: self.clone(), id: *id, decoy: decoy.copied(), is_honeypot }).await
    }

    /// Whose login [`remove_login`](Self::remove_login) would remove.
    ///
    /// # Errors
    /// As it.
    pub async fn whose_login(&self, id: &Uuid, decoy: Option<&IdentityId>) -> Result<IdentityId, Problem> {
        let is_honeypot = self.is_honeypot_of(decoy).await?;
        let mut tx = self.db.begin().await?;
        let (whose, _) = logins::to_remove(&mut tx, id, decoy, is_honeypot).await?;
        tx.roll_back().await?;
        Ok(whose)
    }

    async fn is_honeypot_of(&self, decoy: Option<&IdentityId>) -> Result<bool, Problem> {
        match decoy {
            Some(own) => self.is_honeypot(own).await,
            None => Ok(false),
        }
    }
}

struct Enrol {
    authority: Authority,
    id: Uuid,
    code: Nonce,
    public_key: Ed25519PublicKey,
    label: String,
}

impl Work for Enrol {
    type Read = NewKey;
    type Made = NewKey;
    type Answer = Enrolled;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<NewKey, Problem> {
        let invitation = self.authority.invitation(tx, &self.code).await?;
        let Invitation { identity_id, tier, scopes, world, by, node } = invitation;
        if let Some(node) = &node
            && !nodes::is_there(tx, &self.authority.tags, node, &identity_id).await?
        {
            return Err(Problem::new(&kinds::BAD_INVITATION));
        }
        let (public_key, label) = (self.public_key, self.label.clone());
        let key = NewKey { identity_id, tier, scopes, public_key, label, world, by, node };
        logins::check_key(&key)?;
        Ok(key)
    }

    fn step(&self, step: &mut Step<'_>, key: NewKey) -> Result<NewKey, Problem> {
        step.append(&key.identity_id, &format!("login enrolled {}", self.id))?;
        Ok(key)
    }

    async fn rows(&self, tx: &mut Tx, key: NewKey, _: &Changes) -> Result<Enrolled, Problem> {
        self.authority.use_invitation(tx, &self.code).await?;
        logins::add_key(&self.authority, tx, &self.id, &key).await?;
        let NewKey { identity_id, tier, scopes, .. } = key;
        Ok(Enrolled { id: self.id, identity_id, tier, scopes })
    }
}

struct AddOutside {
    authority: Authority,
    id: Uuid,
    new: NewOutside,
}

impl Work for AddOutside {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        step.append(&self.new.identity_id, &format!("login enrolled {}", self.id))?;
        Ok(())
    }

    async fn rows(&self, tx: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        logins::add_outside(&self.authority, tx, &self.id, &self.new).await
    }
}

struct Remove {
    authority: Authority,
    id: Uuid,
    decoy: Option<IdentityId>,
    is_honeypot: bool,
}

impl Work for Remove {
    type Read = (IdentityId, Removal);
    type Made = (IdentityId, Removal);
    type Answer = IdentityId;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Self::Read, Problem> {
        logins::to_remove(tx, &self.id, self.decoy.as_ref(), self.is_honeypot).await
    }

    fn step(&self, step: &mut Step<'_>, (identity_id, removal): Self::Read) -> Result<Self::Made, Problem> {
        step.append(&identity_id, &format!("login removed {}", self.id))?;
        Ok((identity_id, removal))
    }

    async fn rows(&self, tx: &mut Tx, made: Self::Made, _: &Changes) -> Result<IdentityId, Problem> {
        let ((whose, removal), world) = (made, if self.decoy.is_some() { World::Decoy } else { World::Real });
        logins::remove(&self.authority, tx, &self.id, removal).await?;
        invitations::withdraw_of(tx, &whose, world).await?;
        Ok(whose)
    }
}
