//! Logging in by a key: a challenge, and a statement signed over it.
//!
//! A challenge has no row: its nonce proves that the service made it, for whom and until when. So challenges cost
//! nothing, whoever asks for how many, and of unknown subjects they look alike. Only a statement that holds writes a
//! row, which makes the nonce a used one in every process.

use super::keys::TokenKey;
use super::tokens::{Grant, Issued};
use super::{Authority, logins, nodes};
use crate::access::{Tier, World};
use crate::db::{Tx, statements};
use crate::problem::{Problem, kinds};
use crate::values;
use dualseal::ed25519::{Ed25519PublicKey, Ed25519Signature, Ed25519SigningKey};
use dualseal::hash::{Hmac, Sha3_256};
use dualseal::presence::{Nonce, Statement};
use dualseal::{IdentityId, SystemRng, Timestamp};
use std::sync::LazyLock;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

statements! {
    USE = "INSERT INTO used_nonces (nonce, expires) VALUES ($1, $2) ON CONFLICT (nonce) DO NOTHING";
    VOIDED = "SELECT MAX(before) AS before FROM voided";
    ENDED = "DELETE FROM used_nonces WHERE expires < $1";
}

/// Milliseconds in which a challenge is answered.
const LIFE: i64 = 60_000;
/// Drawn bytes of a nonce; the other twenty prove it.
const DRAWN: usize = 12;

/// What a login signs over.
#[derive(Clone, Copy, Debug)]
pub struct Challenge {
    /// What makes it usable once.
    pub nonce: Nonce,
    /// Until when.
    pub expiry: Timestamp,
}

/// A statement of a login, as it was sent.
#[derive(Clone, Debug)]
pub struct Login {
    /// Who.
    pub identity_id: IdentityId,
    /// With which tier.
    pub tier: Tier,
    /// By which login key, as its enrolment named it.
    pub key_id: Uuid,
    /// The challenge.
    pub challenge: Challenge,
    /// The signature of the statement.
    pub signature: Ed25519Signature,
    /// The program that gets the token.
    pub client: String,
}

impl Authority {
    /// A challenge for a subject, known or not.
    ///
    /// # Errors
    /// The database; the generator failed.
    pub async fn challenge(&self, subject: &IdentityId) -> Result<Challenge, Problem> {
        let now = self.clock.millis();
        let keys = self.keys.live(&self.db, &self.secrets, now).await?;
        let key = keys.first().ok_or_else(|| Problem::internal("token keys", &"there is no key"))?;
        let expiry = Timestamp::from_millis(now.saturating_add(LIFE))?;
        let mut nonce = *Nonce::draw(&mut SystemRng)?.as_bytes();
        let tag = proof(key, subject, expiry, &nonce[..DRAWN]).finish();
        nonce[DRAWN..].copy_from_slice(&tag[..32 - DRAWN]);
        Ok(Challenge { nonce: Nonce::from_bytes(nonce), expiry })
    }

    /// Whether a challenge is the service's own, for this subject. Who uses it once [spends](Self::spend_challenge) it.
    ///
    /// # Errors
    /// The database.
    pub async fn is_own_challenge(&self, subject: &IdentityId, challenge: &Challenge) -> Result<bool, Problem> {
        let keys = self.keys.live(&self.db, &self.secrets, self.clock.millis()).await?;
        let (drawn, tag) = challenge.nonce.as_bytes().split_at(DRAWN);
        Ok(keys.iter().any(|key| {
            let made = proof(key, subject, challenge.expiry, drawn).finish();
            // Whoever could tell how far a guess goes would make challenges of his own.
            bool::from(made[..32 - DRAWN].ct_eq(tag))
        }))
    }

    /// Spends a challenge, in the transaction that it is for; false where it was spent.
    ///
    /// # Errors
    /// The database.
    pub async fn spend_challenge(&self, tx: &mut Tx, challenge: &Challenge) -> Result<bool, Problem> {
        spend(tx, challenge.nonce.as_bytes(), challenge.expiry.as_millis()).await
    }

    /// A token for a statement that holds. Why one does not is told to nobody.
    ///
    /// # Errors
    /// [`kinds::BAD_LOGIN`]; the database.
    pub async fn log_in(&self, login: &Login) -> Result<Issued, Problem> {
        let refused = |reason: &'static str| {
            tracing::debug!(reason, "a login was refused");
            Problem::new(&kinds::BAD_LOGIN)
        };
        let (now, Challenge { nonce, expiry }) = (self.clock.now(), login.challenge);
        let is_ours = self.is_own_challenge(&login.identity_id, &login.challenge).await?;
        let row = logins::find_key(self, &login.key_id, &login.identity_id).await?;
        // Of an unknown subject as much is computed as of a known one.
        let public_key = row.as_ref().map_or(*NOBODY, |row| row.public_key);
        let stated = Statement::login(self.audience(), &login.identity_id, login.tier.as_str())?;
        let mut consume = |_: &Nonce| true;
        let held = stated.verify(&self.domain, &nonce, expiry, &public_key, &login.signature, now, &mut consume);
        if !is_ours {
            return Err(refused("challenge"));
        }
        if held.is_err() {
            return Err(refused("statement"));
        }
        let Some(row) = row else { return Err(refused("unknown")) };
        if login.tier > row.tier {
            return Err(refused("tier"));
        }
        // Only now is anything locked: whoever sends what does not hold keeps nobody waiting.
        let mut tx = self.db.begin().await?;
        let voided = tx.find(VOIDED, values![]).await?.map(|row| row.maybe_number("before")).transpose()?.flatten();
        if voided.is_some_and(|before| expiry.as_millis() - LIFE <= before) {
            return Err(refused("voided"));
        }
        // Nor has one that was removed a token again.
        if let Some(node) = &row.node
            && !nodes::is_there(&mut tx, &self.tags, node, &login.identity_id).await?
        {
            return Err(refused("node"));
        }
        // In the transaction that issues the token, so that one challenge gives one, whichever process is asked.
        if !spend(&mut tx, nonce.as_bytes(), expiry.as_millis()).await? {
            return Err(refused("used"));
        }
        let grant = Grant {
            subject: login.identity_id,
            tier: login.tier,
            scopes: row.scopes,
            client: login.client.clone(),
            node: row.node.map(|node| node.label),
            login: Some(login.key_id),
            life: None,
            world: if row.world == World::Real.number() { World::Real } else { World::Decoy },
        };
        let issued = self.issue(&mut tx, &grant).await?;
        tx.commit().await?;
        Ok(issued)
    }
}

/// Spends what gives a token once, until it ends by itself; false where it was spent.
pub(super) async fn spend(tx: &mut Tx, once: &[u8; 32], ends: i64) -> Result<bool, Problem> {
    Ok(tx.execute(USE, values![&once[..], ends]).await? == 1)
}

/// Removes what could not be used again anyhow.
pub(super) async fn sweep(tx: &mut Tx, now: i64) -> Result<(), Problem> {
    tx.execute(ENDED, values![now.saturating_sub(LIFE)]).await?;
    Ok(())
}

fn proof(key: &TokenKey, subject: &IdentityId, expiry: Timestamp, drawn: &[u8]) -> Hmac<Sha3_256> {
    let mut mac = key.challenges.start();
    mac.update(subject.as_bytes());
    mac.update(&expiry.as_millis().to_be_bytes());
    mac.update(drawn);
    mac
}

/// A key that nobody logs in with, in the place of one that there is not: made once, so that no request shows by its
/// time which it was.
static NOBODY: LazyLock<Ed25519PublicKey> = LazyLock::new(|| {
    let drawn = Ed25519SigningKey::generate(&mut SystemRng);
    drawn.map_or_else(|_| Ed25519PublicKey::from_bytes([0; 32]), |key| *key.public_key())
});
