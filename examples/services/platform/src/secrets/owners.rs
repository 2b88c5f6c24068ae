//! The erasure keys of the owners: each under the master, apart from the database, one generation after the other. A
//! record's secret hangs on its owner's current one.

use super::Secrets;
use crate::apart::{Apart, ApartError};
use crate::db::{Db, Tx, statements};
use crate::problem::{Problem, kinds};
use crate::values;
use dualseal::encoding::hex;
use dualseal::presence::Nonce;
use dualseal::{IdentityId, SystemRng};
use dualseal_operator::secrets::{ErasureKey, Place, RecordSecret, SecretFault, Vaulted};
use std::sync::Arc;
use zeroize::Zeroizing;

statements! {
    LEAST = "SELECT generation FROM erasure_owners WHERE owner = $1";
    OWN = "INSERT INTO owned_secrets (tbl, line, purpose, owner, generation) VALUES ($1, $2, $3, $4, $5) \
           ON CONFLICT (tbl, line, purpose) DO UPDATE SET owner = excluded.owner, generation = excluded.generation";
    OWNED = "SELECT o.generation, s.stored FROM owned_secrets o JOIN secrets s \
             ON s.tbl = o.tbl AND s.line = o.line AND s.purpose = o.purpose \
             WHERE o.tbl = $1 AND o.line = $2 AND o.purpose = $3 AND o.owner = $4";
}

const FOLDER: &str = "erasure-keys";
/// A key that was made while another process made the same one is read again.
const TRIES: usize = 3;

/// The erasure keys of all owners.
#[derive(Clone, Debug)]
pub struct ErasureKeys {
    pub(super) apart: Apart,
    pub(super) secrets: Secrets,
}

/// An owner's key.
#[derive(Clone, Debug)]
pub struct OwnerKey {
    pub(super) owner: IdentityId,
    pub(super) generation: i64,
    pub(super) key: Arc<ErasureKey>,
}

impl From<ApartError> for Problem {
    fn from(error: ApartError) -> Self {
        Self::internal("apart", &error)
    }
}

impl ErasureKeys {
    /// In this place, under this master.
    #[must_use]
    pub fn new(apart: Apart, secrets: Secrets) -> Self {
        Self { apart, secrets }
    }

    /// The secrets that they are themselves among.
    #[must_use]
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// The key that the owner's next secrets hang on, made when it is first needed. It is asked for anew for each
    /// secret: another process may have destroyed it.
    ///
    /// # Errors
    /// The place apart; a key that does not open.
    pub async fn current(&self, owner: &IdentityId) -> Result<OwnerKey, Problem> {
        for _ in 0..TRIES {
            if let Some(generation) = self.generations(owner).await?.pop() {
                // Between the two it may have been destroyed, after the next one was made.
                if let Some(key) = self.key(owner, generation).await? {
                    return Ok(key);
                }
            } else {
                self.make(owner, 1).await?;
            }
        }
        Err(Problem::new(&kinds::BUSY).retry_after(1))
    }

    /// The key of an owner who is made for one secret, and has none yet.
    ///
    /// # Errors
    /// The place apart.
    pub async fn begin(&self, owner: &IdentityId) -> Result<OwnerKey, Problem> {
        let key = ErasureKey::draw(self.secrets.domain(), &mut SystemRng)?;
        let stored = key.seal(self.secrets.master(), place(owner, 1)?, &mut SystemRng)?;
        self.apart.put(&name(owner, 1), None, stored.stored()).await?;
        Ok(OwnerKey { owner: *owner, generation: 1, key: Arc::new(key) })
    }

    /// Takes away all keys of an owner who was made for one secret, which is gone.
    pub async fn leave(&self, owner: &IdentityId) {
        let left = async {
            for generation in self.generations(owner).await? {
                self.apart.destroy(&name(owner, generation)).await?;
            }
            Ok::<_, Problem>(())
        };
        if let Err(problem) = left.await {
            tracing::warn!(%problem, "a key that nothing hangs on lies apart");
        }
    }

    /// A key of its own, for what is kept together and erased together.
    ///
    /// # Errors
    /// The place apart.
    pub async fn draw(&self) -> Result<OwnerKey, Problem> {
        self.current(&IdentityId::from_bytes(*Nonce::draw(&mut SystemRng)?.as_bytes())).await
    }

    /// Takes away a key that was [drawn](Self::draw) for what was surely not kept. Where that is unknown the key stays:
    /// without what hangs on it it opens nothing.
    pub async fn discard(&self, key: &OwnerKey) {
        if let Err(error) = self.apart.destroy(&name(&key.owner, key.generation)).await {
            tracing::warn!(%error, "a key that nothing hangs on lies apart");
        }
    }

    /// Notes, in the transaction that keeps it, that a secret hangs on a key.
    ///
    /// # Errors
    /// [`kinds::CONFLICT`] where the key is being destroyed: the secret is wrapped anew, under the next one.
    pub async fn own(&self, tx: &mut Tx, key: &OwnerKey, place: &Place) -> Result<(), Problem> {
        let owner = &key.owner.as_bytes()[..];
        let least = tx.find(LEAST, values![owner]).await?.map(|row| row.number("generation")).transpose()?;
        if least.is_some_and(|least| key.generation < least) {
            return Err(Problem::new(&kinds::CONFLICT).detail("the owner's key was just replaced"));
        }
        let values = values![place.table(), place.row(), place.purpose(), owner, key.generation];
        tx.execute(OWN, values).await?;
        Ok(())
    }

    /// Opens a secret of an owner; `None` where there is none.
    ///
    /// # Errors
    /// [`kinds::ERASED`] where its key was destroyed: the row came back with a backup from before. A row that does not
    /// open.
    pub async fn open(
        &self,
        db: &Db,
        owner: &IdentityId,
        place: &Place,
    ) -> Result<Option<Zeroizing<Vec<u8>>>, Problem> {
        let found = self.find(db, owner, place).await?;
        Ok(found.map(|(row, key)| row.open(&key.key)).transpose()?)
    }

    /// Opens a key that [hangs on](OwnerKey::wrap_key) an owner's; `None` where there is none.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub async fn open_key(&self, db: &Db, owner: &IdentityId, place: &Place) -> Result<Option<ErasureKey>, Problem> {
        let found = self.find(db, owner, place).await?;
        Ok(found.map(|(row, key)| ErasureKey::open(&*key.key, &row)).transpose()?)
    }

    /// The row of a place, and the key that it is under.
    async fn find(
        &self,
        db: &Db,
        owner: &IdentityId,
        place: &Place,
    ) -> Result<Option<(RecordSecret, OwnerKey)>, Problem> {
        for _ in 0..TRIES {
            let mut values = super::of(place);
            values.push((&owner.as_bytes()[..]).into());
            let Some(row) = db.find(OWNED, values).await? else { return Ok(None) };
            let (generation, stored) = (row.number("generation")?, row.bytes("stored")?);
            if stored.is_empty() {
                return Ok(None);
            }
            if let Some(key) = self.key(owner, generation).await? {
                return Ok(Some((RecordSecret::read(place.clone(), stored)?, key)));
            }
            // Another process may have put it under the next key, and destroyed this one, in between.
            if self.generations(owner).await?.iter().all(|found| *found <= generation) {
                break;
            }
        }
        Err(Problem::new(&kinds::ERASED))
    }

    /// The generations of an owner's keys, in order: one, and two while one is being destroyed.
    pub(super) async fn generations(&self, owner: &IdentityId) -> Result<Vec<i64>, Problem> {
        let names = self.apart.names(&folder(owner)).await?;
        let mut generations: Vec<i64> = names.iter().filter_map(|name| name.parse().ok()).collect();
        generations.sort_unstable();
        Ok(generations)
    }

    pub(super) async fn key(&self, owner: &IdentityId, generation: i64) -> Result<Option<OwnerKey>, Problem> {
        let Some(stored) = self.apart.read(&name(owner, generation)).await? else { return Ok(None) };
        let key = self.opened(&place(owner, generation)?, stored.to_vec())?;
        Ok(Some(OwnerKey { owner: *owner, generation, key: Arc::new(key) }))
    }

    /// Makes a key, unless another process has.
    pub(super) async fn make(&self, owner: &IdentityId, generation: i64) -> Result<(), Problem> {
        let key = ErasureKey::draw(self.secrets.domain(), &mut SystemRng)?;
        let stored = key.seal(self.secrets.master(), place(owner, generation)?, &mut SystemRng)?;
        match self.apart.put(&name(owner, generation), None, stored.stored()).await {
            Ok(()) | Err(ApartError::Moved) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Puts every key under the new master, and says how many were not.
    pub(super) async fn under_new_master(&self) -> Result<u64, Problem> {
        let (secrets, mut rewrapped) = (&self.secrets, 0);
        for owner in self.apart.names(FOLDER).await? {
            let Ok(bytes) = hex::decode::<32>("owner", &owner) else { continue };
            let owner = IdentityId::from_bytes(bytes);
            for generation in self.generations(&owner).await? {
                let name = name(&owner, generation);
                let Some(stored) = self.apart.read(&name).await? else { continue };
                let place = place(&owner, generation)?;
                let row = Vaulted::read(place.clone(), stored.to_vec())?;
                match row.open(secrets.master()) {
                    Ok(_) => continue,
                    Err(SecretFault::OtherKey) => {}
                    Err(fault) => return Err(fault.into()),
                }
                let next = secrets.seal(place, &secrets.open(row.place(), row.stored().to_vec())?)?;
                self.apart.put(&name, Some(&stored), next.stored()).await?;
                rewrapped += 1;
            }
        }
        Ok(rewrapped)
    }

    fn opened(&self, place: &Place, stored: Vec<u8>) -> Result<ErasureKey, SecretFault> {
        let row = Vaulted::read(place.clone(), stored)?;
        match (ErasureKey::open(self.secrets.master(), &row), self.secrets.before()) {
            (Err(SecretFault::OtherKey), Some(before)) => ErasureKey::open(before, &row),
            (opened, _) => opened,
        }
    }
}

impl OwnerKey {
    /// Whose it is.
    #[must_use]
    pub fn owner(&self) -> &IdentityId {
        &self.owner
    }

    /// Wraps a record's own secret: the step [keeps](dualseal_operator::step::Step::keep) it, and the rows of the same
    /// work note whose it is ([`ErasureKeys::own`]).
    ///
    /// # Errors
    /// The generator failed.
    pub fn wrap(&self, place: Place, secret: &[u8]) -> Result<RecordSecret, SecretFault> {
        RecordSecret::seal(&self.key, place, secret, &mut SystemRng)
    }

    /// Wraps a key under which more of the owner's stands for a while: its row is written as that of a secret.
    ///
    /// # Errors
    /// The generator failed.
    pub fn wrap_key(&self, place: Place, key: &ErasureKey) -> Result<RecordSecret, SecretFault> {
        key.seal(&*self.key, place, &mut SystemRng)
    }
}

fn folder(owner: &IdentityId) -> String {
    format!("{FOLDER}/{}", owner.to_hex())
}

pub(super) fn name(owner: &IdentityId, generation: i64) -> String {
    format!("{}/{generation}", folder(owner))
}

/// Its generation is part of its place: an earlier key does not open in the place of a later one.
fn place(owner: &IdentityId, generation: i64) -> Result<Place, dualseal::Error> {
    Place::new(FOLDER, &[&owner.as_bytes()[..], &generation.to_be_bytes()].concat(), "key")
}
