//! The decoy's world: identities whose keys are drawn from one secret, so that a look at one leaves no row, and rows of
//! what was changed there.

use super::super::rules::may_sign_there;
use super::super::types::Stanje;
use super::{DECOY, DECOY_KEYS, PUT_DECOY, PUT_DECOY_KEY, SET_DECOY_KEY};
use crate::App;
use dualseal::hash::hkdf_sha3_256;
use dualseal::{IdentityId, KeyPairInfo, KeyState, PublicKey, SignatureRecord, SigningKey, Timestamp};
use dualseal_operator::step::State;
use http::StatusCode;
use platform::access::World;
use platform::db::Tx;
use platform::idempotency::Idempotency;
use platform::log::decoy_place;
use platform::problem::{Problem, kinds};
use platform::values;
use platform::web::Record;
use std::sync::Arc;

/// The key that an identity has in the decoy's world.
#[derive(Clone, Debug)]
pub(in super::super) struct DecoyKey {
    identity_id: IdentityId,
    info: KeyPairInfo,
    generation: u64,
    /// Whether the ring has it: the honeypot itself.
    is_real: bool,
}

impl DecoyKey {
    /// The key with which an identity signs there. One whose own key is a honeypot signs with that.
    pub(in super::super) async fn find(
        app: &App,
        tx: &mut Tx,
        state: &State,
        identity_id: &IdentityId,
    ) -> Result<Self, Problem> {
        let key = Self::look(app, tx, state, identity_id).await?.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
        // Whose key is valid, he signs with elsewhere: a drawn key's record would pass for his.
        if !key.is_real && is_somebodys(state, identity_id) {
            return Err(Problem::new(&kinds::KEY_ELSEWHERE));
        }
        may_sign_there(key.info.state)?;
        if !key.is_real {
            app.log.keys().lend(&drawn(app, tx, identity_id, key.generation).await?);
        }
        Ok(key)
    }

    async fn look(app: &App, tx: &mut Tx, state: &State, identity_id: &IdentityId) -> Result<Option<Self>, Problem> {
        let row = tx.find(DECOY, values![identity_id.to_hex()]).await?;
        let real = state.ring().info(identity_id);
        let changed = match &row {
            Some(row) => Some((row.size("generation")?, row.text("stanje")?, row.number("generated")?)),
            None => None,
        };
        let (generation, stanje, generated) = match (changed, &real) {
            (Some(changed), _) => changed,
            (None, Some(info)) => {
                let generated = info.generated.map_or(0, Timestamp::as_millis);
                (0, info.state.public().to_string(), generated)
            }
            (None, None) => return Ok(None),
        };
        let honeypot = real.filter(|info| generation == 0 && info.state == KeyState::Decoy);
        let is_real = honeypot.is_some();
        let public_key = if let Some(info) = honeypot {
            info.public_key
        } else {
            drawn(app, tx, identity_id, generation).await?.public_key().clone()
        };
        let state = stanje.parse().map_err(|_| Problem::internal("decoy", &"a state that there is not"))?;
        let info = KeyPairInfo {
            identity_id: *identity_id,
            public_key,
            algorithm: dualseal::key::Algorithm::MlDsa65,
            state,
            generated: Timestamp::from_millis(generated).ok(),
        };
        Ok(Some(Self { identity_id: *identity_id, info, generation, is_real }))
    }

    pub(in super::super) fn public_key(&self) -> &PublicKey {
        &self.info.public_key
    }

    /// Notes a key that signs, so that whoever shows its record is answered as the decoy's world would.
    pub(in super::super) async fn note(&self, tx: &mut Tx) -> Result<(), Problem> {
        if !self.is_real {
            let values = values![&self.public_key().hash().as_bytes()[..], self.identity_id.to_hex()];
            tx.execute(PUT_DECOY_KEY, values).await?;
        }
        Ok(())
    }
}

/// Whether a world has an identity: what a thief made is in the decoy's alone.
pub(crate) async fn is_there(app: &App, world: World, identity_id: &IdentityId) -> Result<bool, Problem> {
    let is_made = app.db.find(DECOY, values![identity_id.to_hex()]).await?.is_some() && world == World::Decoy;
    Ok(is_made || app.log.state().await?.ring().info(identity_id).is_some())
}

/// What is told of an identity there; `None` for one that there is not.
pub(crate) async fn decoy_info(
    app: &App,
    state: &State,
    identity_id: &IdentityId,
) -> Result<Option<KeyPairInfo>, Problem> {
    let mut tx = app.db.snapshot().await?;
    let found = DecoyKey::look(app, &mut tx, state, identity_id).await?;
    if found.as_ref().is_some_and(|key| key.is_real) {
        // As of everybody else: a honeypot is not told by its time.
        drawn(app, &mut tx, identity_id, 0).await?;
    }
    tx.roll_back().await?;
    Ok(found.map(|key| key.info))
}

/// Whether somebody of the real world has this identity, with a key that is no honeypot.
fn is_somebodys(state: &State, identity_id: &IdentityId) -> bool {
    state.ring().info(identity_id).is_some_and(|info| info.state != KeyState::Decoy)
}

/// The log's state; and, where a record is by a key of the decoy's world, and of the identity that it names, which
/// nobody has, or a honeypot, the state of the key there.
pub(in super::super) async fn state_and_decoy(
    app: &App,
    record: &SignatureRecord,
) -> Result<(Arc<State>, Option<KeyState>), Problem> {
    let key_hash = *record.public_key().hash().as_bytes();
    let (state, found) = app.log.state_beside(DECOY_KEYS, key_hash).await?;
    let of = record.identity_id().to_hex();
    let stanje = found.as_deref().and_then(|found| found.strip_prefix(&of)).map(str::trim_start);
    let stanje = stanje.filter(|_| !is_somebodys(&state, record.identity_id())).map(str::parse).transpose();
    let stanje = stanje.map_err(|_| Problem::internal("decoy", &"a state that there is not"))?;
    Ok((state, stanje))
}

/// A change that nothing real comes of.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum DecoyChange<'a> {
    /// The key pair is made or fetched.
    Keypair,
    /// The key is replaced.
    Rotate,
    /// The state of the current key is set, or of the one that is named.
    Set(Stanje, Option<&'a PublicKey>),
}

impl DecoyChange<'_> {
    /// Writes the decoy's rows, and answers as the service would.
    pub(in super::super) async fn make(
        self,
        app: &App,
        state: &State,
        identity_id: &IdentityId,
        idempotency: &Idempotency,
    ) -> Result<(StatusCode, Record), Problem> {
        let mut tx = app.db.begin().await?;
        let found = DecoyKey::look(app, &mut tx, state, identity_id).await?;
        let now = app.clock.now();
        let (status, generation, set) = match (self, &found) {
            (Self::Keypair, Some(_)) => (StatusCode::OK, None, None),
            (Self::Keypair, None) => (StatusCode::CREATED, Some((0, now)), Some(KeyState::Valid)),
            (_, None) => return Err(Problem::new(&kinds::UNKNOWN_ID)),
            (Self::Rotate, Some(found)) => (StatusCode::OK, Some((found.generation + 1, now)), Some(KeyState::Valid)),
            (Self::Set(_, Some(named)), Some(found)) if *named != found.info.public_key => {
                let mut keys = state.ring().keys(identity_id);
                if !keys.any(|(key, _)| key == named) {
                    let detail = "the identity has no such key";
                    return Err(Problem::invalid("/javni_kljuc", "not-this-identity", detail));
                }
                // Of a retired one nothing is shown.
                (StatusCode::OK, None, None)
            }
            (Self::Set(stanje, _), Some(found)) => {
                let key = found.public_key().hash().as_bytes().to_vec();
                let stanje_there = KeyState::from(stanje).to_string();
                tx.execute(SET_DECOY_KEY, values![key, identity_id.to_hex(), stanje_there]).await?;
                let kept = (found.generation, found.info.generated.unwrap_or(now));
                (StatusCode::OK, Some(kept), Some(KeyState::from(stanje)))
            }
        };
        if let (Some((generation, generated)), Some(set)) = (generation, set) {
            let values = values![identity_id.to_hex(), generation, set.to_string(), generated.as_millis()];
            tx.execute(PUT_DECOY, values).await?;
        }
        let told = DecoyKey::look(app, &mut tx, state, identity_id).await?;
        let told = told.ok_or_else(|| Problem::new(&kinds::INTERNAL))?;
        let record = Record::new(told.info.public().to_json())?;
        idempotency.store(&mut tx, status, &record).await?;
        tx.commit().await?;
        Ok((status, record))
    }
}

/// A key that nobody has in any ring, and that signs and seals for an identity what a thief has the service make: it
/// looks like what is real in the log, and holds for nobody.
///
/// # Errors
/// The database.
pub(crate) async fn counterfeit(app: &App, tx: &mut Tx, identity_id: &IdentityId) -> Result<SigningKey, Problem> {
    let key = drawn(app, tx, identity_id, u64::MAX).await?;
    app.log.keys().lend(&key);
    Ok(key)
}

/// The key of an identity, of the secret that all of them are drawn from.
async fn drawn(app: &App, tx: &mut Tx, identity_id: &IdentityId, generation: u64) -> Result<SigningKey, Problem> {
    let secret = app.secrets.find(tx, &decoy_place()?).await?;
    let secret = secret.ok_or_else(|| Problem::internal("decoy", &"the secret of drawn keys is gone"))?;
    let info: [&[u8]; 3] = [b"decoy key", identity_id.as_bytes(), &generation.to_be_bytes()];
    let seed = hkdf_sha3_256::<32>(&secret, &[], &info);
    Ok(SigningKey::from_seed(seed.expose())?)
}
