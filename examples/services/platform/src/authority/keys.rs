//! The keys that sign tokens: their seeds are secrets, and their public halves are made from those alone, so that
//! nobody who can write rows has a key of his own believed.

use crate::db::{Db, Tx, statements};
use crate::problem::Problem;
use crate::secrets::Secrets;
use crate::values;
use dualseal::SystemRng;
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::hash::{HmacKey, Sha3_256};
use dualseal::presence::Nonce;
use dualseal_operator::secrets::Place;
use jsonwebtoken::{DecodingKey, EncodingKey};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};
use uuid::Uuid;
use zeroize::{ZeroizeOnDrop, Zeroizing};

statements! {
    LIVE = "SELECT kid, until FROM token_keys WHERE until IS NULL OR until > $1 ORDER BY since DESC, kid DESC";
    NEWEST = "SELECT kid FROM token_keys WHERE until IS NULL ORDER BY since DESC, kid DESC LIMIT 1";
    RETIRE = "UPDATE token_keys SET until = $1 WHERE until IS NULL";
    ADD = "INSERT INTO token_keys (kid, since) VALUES ($1, $2)";
    OLD = "SELECT kid FROM token_keys WHERE until IS NOT NULL AND until < $1";
    REMOVE = "DELETE FROM token_keys WHERE kid = $1 AND until IS NOT NULL AND until < $2";
}

const SEED: &str = "seed";
const CHALLENGE: &str = "challenge";
/// A retired key verifies as long as any token of it can live, with some for clocks.
const RETIRED_LIFE: i64 = 86_400_000 + 60_000;
/// Names that nobody knows make a process read the keys again, and no more often than this.
const AGAIN: Duration = Duration::from_secs(1);

/// The copy of the seed that is in `EncodingKey` is wiped with it: this does not compile with one that is not.
const _: fn() = || {
    fn wiped<T: ZeroizeOnDrop>() {}
    wiped::<EncodingKey>();
};

/// A key, in use.
pub(super) struct TokenKey {
    pub(super) kid: String,
    pub(super) verifies: DecodingKey,
    pub(super) signs: EncodingKey,
    /// What makes challenges provable.
    pub(super) challenges: HmacKey<Sha3_256>,
    /// Its public half.
    pub(super) public: [u8; 32],
}

impl fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenKey").field("kid", &self.kid).finish_non_exhaustive()
    }
}

/// The keys that this process has opened.
#[derive(Debug, Default)]
pub(super) struct TokenKeys {
    opened: RwLock<HashMap<String, Arc<TokenKey>>>,
    asked: RwLock<Option<Instant>>,
}

fn place(kid: &str, purpose: &str) -> Result<Place, dualseal::Error> {
    Place::new("token_keys", kid.as_bytes(), purpose)
}

/// Adds a key that signs from now on; the one before verifies until its last token has expired.
pub(super) async fn rotate(tx: &mut Tx, secrets: &Secrets, now: i64) -> Result<String, Problem> {
    let kid = Uuid::now_v7().to_string();
    let key = Ed25519SigningKey::generate(&mut SystemRng)?;
    let challenges = Nonce::draw(&mut SystemRng)?;
    tx.execute(RETIRE, values![now.saturating_add(RETIRED_LIFE)]).await?;
    tx.execute(ADD, values![&kid, now]).await?;
    secrets.put(tx, &secrets.seal(place(&kid, SEED)?, key.seed().expose())?.into()).await?;
    secrets.put(tx, &secrets.seal(place(&kid, CHALLENGE)?, challenges.as_bytes())?.into()).await?;
    Ok(kid)
}

/// Makes the first key where there is none.
pub(super) async fn begin(tx: &mut Tx, secrets: &Secrets, now: i64) -> Result<(), Problem> {
    if tx.find(NEWEST, values![]).await?.is_none() {
        rotate(tx, secrets, now).await?;
    }
    Ok(())
}

/// Removes the keys whose last token has expired, with their secrets.
pub(super) async fn sweep(tx: &mut Tx, secrets: &Secrets, now: i64) -> Result<(), Problem> {
    for row in tx.list(OLD, values![now]).await? {
        let kid = row.text("kid")?;
        secrets.remove(tx, &place(&kid, SEED)?).await?;
        secrets.remove(tx, &place(&kid, CHALLENGE)?).await?;
        tx.execute(REMOVE, values![kid, now]).await?;
    }
    Ok(())
}

impl TokenKeys {
    /// The key of a name, unless it is unknown.
    pub(super) async fn find(
        &self,
        db: &Db,
        secrets: &Secrets,
        kid: &str,
        now: i64,
    ) -> Result<Option<Arc<TokenKey>>, Problem> {
        if let Some(key) = self.known(kid) {
            return Ok(Some(key));
        }
        {
            let mut asked = self.asked.write().unwrap_or_else(PoisonError::into_inner);
            if asked.is_some_and(|asked| asked.elapsed() < AGAIN) {
                return Ok(None);
            }
            *asked = Some(Instant::now());
        }
        self.live(db, secrets, now).await?;
        Ok(self.known(kid))
    }

    /// All that verify now, the one that signs first.
    pub(super) async fn live(&self, db: &Db, secrets: &Secrets, now: i64) -> Result<Vec<Arc<TokenKey>>, Problem> {
        let mut live = Vec::new();
        for row in db.list(LIVE, values![now]).await? {
            let kid = row.text("kid")?;
            if let Some(key) = self.known(&kid) {
                live.push(key);
                continue;
            }
            let seed = secrets.find_in(db, &place(&kid, SEED)?).await?;
            let challenges = secrets.find_in(db, &place(&kid, CHALLENGE)?).await?;
            live.push(self.open(kid, seed, challenges)?);
        }
        let mut opened = self.opened.write().unwrap_or_else(PoisonError::into_inner);
        opened.retain(|kid, _| live.iter().any(|key| key.kid == *kid));
        Ok(live)
    }

    /// The one that signs, as the transaction sees it: what another process rotated counts at once.
    pub(super) async fn signing(&self, tx: &mut Tx, secrets: &Secrets) -> Result<Arc<TokenKey>, Problem> {
        let row = tx.find(NEWEST, values![]).await?;
        let kid = row.ok_or_else(|| Problem::internal("token keys", &"there is no key"))?.text("kid")?;
        if let Some(key) = self.known(&kid) {
            return Ok(key);
        }
        let seed = secrets.find(tx, &place(&kid, SEED)?).await?;
        let challenges = secrets.find(tx, &place(&kid, CHALLENGE)?).await?;
        self.open(kid, seed, challenges)
    }

    fn known(&self, kid: &str) -> Option<Arc<TokenKey>> {
        self.opened.read().unwrap_or_else(PoisonError::into_inner).get(kid).cloned()
    }

    fn open(
        &self,
        kid: String,
        seed: Option<Zeroizing<Vec<u8>>>,
        challenges: Option<Zeroizing<Vec<u8>>>,
    ) -> Result<Arc<TokenKey>, Problem> {
        let (Some(seed), Some(challenges)) = (seed, challenges) else {
            return Err(Problem::internal("token keys", &"a key has no secret"));
        };
        let public = *Ed25519SigningKey::from_seed(&seed)?.public_key().as_bytes();
        let key = Arc::new(TokenKey {
            verifies: DecodingKey::from_ed_der(&public),
            signs: EncodingKey::from_ed_der(&seed),
            challenges: HmacKey::new(&challenges),
            public,
            kid: kid.clone(),
        });
        self.opened.write().unwrap_or_else(PoisonError::into_inner).insert(kid, Arc::clone(&key));
        Ok(key)
    }
}
