//! What anybody has the service read with a request of some bytes: large documents, a few at a time, and each once as
//! long as it lies there as it did.

use super::store::Content;
use super::{Vault, stored};
use dualseal::Domain;
use dualseal::vault::StoredHash;
use platform::problem::{Problem, kinds};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// As many are read at once for all strangers together.
const AT_ONCE: usize = 2;
/// How long one waits for his turn.
const PATIENCE: Duration = Duration::from_secs(2);
/// As many hashes are kept, of a kilobyte each.
const MOST: usize = 1024;

/// What strangers had read.
#[derive(Debug)]
pub(crate) struct Strangers {
    turns: Semaphore,
    /// By the object's name: what it was like when it was read, and what the layers need of it.
    known: Mutex<HashMap<[u8; 32], (String, StoredHash)>>,
}

impl Default for Strangers {
    fn default() -> Self {
        Self { turns: Semaphore::new(AT_ONCE), known: Mutex::default() }
    }
}

impl Strangers {
    /// What the layers need of what is stored.
    ///
    /// # Errors
    /// [`kinds::BUSY`] where too many are read; [`kinds::NOT_INTACT`]; the store.
    pub(super) async fn hash(&self, domain: &Domain, vault: &Vault, content: &Content) -> Result<StoredHash, Problem> {
        let Content::Object(name) = content else {
            return stored::hash(domain, stored::pieces(vault, content).await?).await;
        };
        let stamp = stored::stamp(vault, name).await?;
        if let Some(known) = self.known(name, &stamp) {
            return Ok(known);
        }
        let busy = || Problem::new(&kinds::BUSY).retry_after(PATIENCE.as_secs());
        let _turn = timeout(PATIENCE, self.turns.acquire()).await.map_err(|_| busy())?.map_err(|_| busy())?;
        // Who had the turn before may have read the same.
        if let Some(known) = self.known(name, &stamp) {
            return Ok(known);
        }
        let hash = stored::hash(domain, stored::pieces(vault, content).await?).await?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(*name, (stamp, hash.clone()));
        Ok(hash)
    }

    fn known(&self, name: &[u8; 32], stamp: &str) -> Option<StoredHash> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(name).filter(|(before, _)| before == stamp).map(|(_, hash)| hash.clone())
    }

    /// As if two were read, until this is dropped.
    #[cfg(test)]
    pub(crate) async fn two(&self) -> tokio::sync::SemaphorePermit<'_> {
        self.turns.acquire_many(2).await.unwrap()
    }
}
