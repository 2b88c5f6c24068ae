//! The keys that sign: opened from their rows when they are first needed, and kept expanded while they are used.

use crate::db::Tx;
use crate::problem::Problem;
use crate::secrets::Secrets;
use dualseal::mldsa::KeyHash;
use dualseal::{ExpandedSigningKey, PublicKey, SigningKey};
use dualseal_operator::secrets::Place;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// An expanded key has some 200 kB, so that is 13 MB.
const MOST: usize = 64;

/// Where the seed of a key stands.
///
/// # Errors
/// None: the parts are constants, and a hash is not empty.
pub fn seed_place(public_key: &PublicKey) -> Result<Place, dualseal::Error> {
    Place::new("keys", public_key.hash().as_bytes(), "seed")
}

/// The keys that signed last.
#[derive(Debug, Default)]
pub struct Keys(Mutex<Cache>);

#[derive(Debug, Default)]
struct Cache {
    keys: HashMap<KeyHash, (u64, Arc<ExpandedSigningKey>)>,
    turn: u64,
}

impl Keys {
    /// The key of this public half; `None` where the service has it not.
    ///
    /// # Errors
    /// The database; a row that does not open, or opens to another key.
    pub async fn get(
        &self,
        secrets: &Secrets,
        tx: &mut Tx,
        public_key: &PublicKey,
    ) -> Result<Option<Arc<ExpandedSigningKey>>, Problem> {
        if let Some(found) = self.cached(public_key.hash()) {
            return Ok(Some(found));
        }
        let Some(seed) = secrets.find(tx, &seed_place(public_key)?).await? else { return Ok(None) };
        let key = SigningKey::from_seed(&seed)?;
        if key.public_key() != public_key {
            return Err(Problem::internal("keys", &"the seed of a key is another key's"));
        }
        let key = Arc::new(key.expand());
        self.keep(*public_key.hash(), Arc::clone(&key));
        Ok(Some(key))
    }

    /// Forgets a key that was replaced or called back.
    pub fn drop_key(&self, key: &KeyHash) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).keys.remove(key);
    }

    fn cached(&self, key: &KeyHash) -> Option<Arc<ExpandedSigningKey>> {
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Cache { keys, turn } = &mut *cache;
        *turn += 1;
        let (used, found) = keys.get_mut(key)?;
        *used = *turn;
        Some(Arc::clone(found))
    }

    fn keep(&self, hash: KeyHash, key: Arc<ExpandedSigningKey>) {
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Cache { keys, turn } = &mut *cache;
        *turn += 1;
        if keys.len() >= MOST {
            let oldest = keys.iter().min_by_key(|(_, (used, _))| *used).map(|(hash, _)| *hash);
            oldest.map(|oldest| keys.remove(&oldest));
        }
        keys.insert(hash, (*turn, key));
    }
}
