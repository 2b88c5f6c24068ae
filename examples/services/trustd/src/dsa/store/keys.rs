//! Keys: made, replaced, and their states.

use super::super::rules;
use super::super::types::{BelaRequest, Stanje};
use super::NOTE;
use crate::App;
use dualseal::key::SetState;
use dualseal::{Entry, IdentityId, KeyPairInfo, KeyState, SigningKey, SystemRng};
use dualseal_operator::step::{Changes, State, Step};
use http::StatusCode;
use platform::access::Caller;
use platform::db::Tx;
use platform::idempotency::Idempotency;
use platform::log::{Work, seed_place};
use platform::problem::{Problem, kinds};
use platform::values;
use platform::web::Record;

/// Makes an identity's key pair, or fetches the one that is there.
pub(in super::super) struct Keypair {
    pub(in super::super) app: App,
    pub(in super::super) caller: Caller,
    pub(in super::super) identity_id: IdentityId,
    pub(in super::super) idempotency: Idempotency,
}

impl Work for Keypair {
    type Read = ();
    type Made = (StatusCode, KeyPairInfo);
    type Answer = (StatusCode, Record);

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<Self::Made, Problem> {
        if let Some(info) = step.ring().info(&self.identity_id) {
            return Ok((StatusCode::OK, info));
        }
        let key = SigningKey::generate(&mut SystemRng)?;
        step.add_key(&self.identity_id, key.public_key())?;
        step.keep(self.app.secrets.seal(seed_place(key.public_key())?, key.seed().expose())?);
        Ok((StatusCode::CREATED, current(step, &self.identity_id)?))
    }

    async fn rows(&self, tx: &mut Tx, made: Self::Made, _: &Changes) -> Result<Self::Answer, Problem> {
        let (status, info) = made;
        let record = Record::new(rules::told(&self.caller, &info))?;
        self.idempotency.store(tx, status, &record).await?;
        Ok((status, record))
    }
}

/// Puts a new key in the place of an identity's current one.
pub(in super::super) struct Rotate {
    pub(in super::super) app: App,
    pub(in super::super) caller: Caller,
    pub(in super::super) identity_id: IdentityId,
    pub(in super::super) idempotency: Idempotency,
}

impl Work for Rotate {
    type Read = ();
    type Made = KeyPairInfo;
    type Answer = Record;

    async fn read(&self, tx: &mut Tx, state: &State) -> Result<(), Problem> {
        let info = state.ring().info(&self.identity_id).ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
        let key = self.app.log.keys().get(&self.app.secrets, tx, &info.public_key).await?;
        // Or one native would sign alone for whom k custodians sign.
        key.map(drop).ok_or_else(|| Problem::new(&kinds::KEY_ELSEWHERE))
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<KeyPairInfo, Problem> {
        let old = current(step, &self.identity_id)?;
        let key = SigningKey::generate(&mut SystemRng)?;
        step.rotate(&self.identity_id, key.public_key())?;
        step.keep(self.app.secrets.seal(seed_place(key.public_key())?, key.seed().expose())?);
        self.app.log.keys().drop_key(old.public_key.hash());
        // Nothing is signed by it any more, and nobody needs its seed.
        step.forget(seed_place(&old.public_key)?);
        current(step, &self.identity_id)
    }

    async fn rows(&self, tx: &mut Tx, info: KeyPairInfo, _: &Changes) -> Result<Record, Problem> {
        let record = Record::new(rules::told(&self.caller, &info))?;
        self.idempotency.store(tx, StatusCode::OK, &record).await?;
        Ok(record)
    }

    /// The seed of the new key is no row yet for whoever would sign with it in the same transaction.
    fn is_alone(&self) -> bool {
        true
    }

    fn is_sealed(&self) -> bool {
        true
    }
}

/// Changes the state of a key.
pub(in super::super) struct SetKeyState {
    pub(in super::super) caller: Caller,
    pub(in super::super) asked: BelaRequest,
    pub(in super::super) set: SetState,
    pub(in super::super) note: String,
    pub(in super::super) idempotency: Idempotency,
}

impl Work for SetKeyState {
    type Read = ();
    type Made = (Entry, KeyPairInfo);
    type Answer = Record;

    async fn read(&self, _: &mut Tx, state: &State) -> Result<(), Problem> {
        let identity_id = &self.asked.identity_id.0;
        let mut keys = state.ring().keys(identity_id).peekable();
        if keys.peek().is_none() {
            return Err(Problem::new(&kinds::UNKNOWN_ID));
        }
        match &self.asked.javni_kljuc {
            Some(named) if !keys.any(|(key, _)| *key == named.0.0) => {
                Err(Problem::invalid("/javni_kljuc", "not-this-identity", "the identity has no such key"))
            }
            _ => Ok(()),
        }
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<Self::Made, Problem> {
        let identity_id = &self.asked.identity_id.0;
        let named = self.asked.javni_kljuc.as_ref().map(|key| *key.0.0.hash());
        let now = current(step, identity_id)?;
        // The current key is meant by no name.
        let named = named.filter(|named| named != now.public_key.hash());
        // In both directions: a lone change that changes nothing to see would tell of the other.
        let order = if self.asked.stanje == Stanje::Oboje || now.state == KeyState::Decoy {
            rules::cover(step.ring(), identity_id, &mut SystemRng)?
        } else {
            vec![None]
        };
        let mut changed = None;
        for place in order {
            match place {
                None => changed = Some(step.set_state(identity_id, named.as_ref(), self.set)?),
                Some(other) => {
                    let state = current(step, &other)?.state;
                    step.set_state(&other, None, state)?;
                }
            }
        }
        let changed = changed.ok_or_else(|| Problem::new(&kinds::INTERNAL))?;
        Ok((changed, current(step, identity_id)?))
    }

    async fn rows(&self, tx: &mut Tx, made: Self::Made, _: &Changes) -> Result<Record, Problem> {
        let (entry, info) = made;
        let (handle, stanje) = (entry.krunica_hash(), KeyState::from(self.asked.stanje).to_string());
        let (identity_id, by) = (self.asked.identity_id.0.to_hex(), self.caller.subject.to_hex());
        tx.execute(NOTE, values![&handle.as_bytes()[..], identity_id, stanje, &self.note, by]).await?;
        let record = Record::new(rules::told(&self.caller, &info))?;
        self.idempotency.store(tx, StatusCode::OK, &record).await?;
        Ok(record)
    }

    fn is_sealed(&self) -> bool {
        rules::is_sealed(self.asked.stanje)
    }
}

fn current(step: &Step<'_>, identity_id: &IdentityId) -> Result<KeyPairInfo, Problem> {
    step.ring().info(identity_id).ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))
}
