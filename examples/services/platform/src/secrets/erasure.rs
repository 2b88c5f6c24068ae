//! Destroying an owner's key. His other secrets are put under the next one before: what was erased is under the old one
//! alone, also in every backup. A crash between two of the steps loses nothing that stays, and all are done again.

use super::owners::ErasureKeys;
use super::rotation::problem;
use super::rows::{StoreRows, Under};
use crate::db::{Db, DbError, Tx, statements};
use crate::log::{Log, Work};
use crate::problem::Problem;
use crate::values;
use dualseal::{IdentityId, SystemRng};
use dualseal_operator::secrets::{Place, Rotated, Rotation, rotate};
use dualseal_operator::step::{Changes, State, Step};

statements! {
    BEGIN = "INSERT INTO erasure_owners (owner, generation, asked, ended) VALUES ($1, $2, 1, 0) ON CONFLICT (owner) \
             DO UPDATE SET asked = erasure_owners.asked + 1, generation = CASE WHEN excluded.generation > \
             erasure_owners.generation THEN excluded.generation ELSE erasure_owners.generation END RETURNING asked";
    DISOWN = "DELETE FROM owned_secrets WHERE tbl = $1 AND line = $2 AND purpose = $3";
    END = "UPDATE erasure_owners SET ended = $2 WHERE owner = $1 AND ended < $2";
    IS_UNENDED = "SELECT 1 AS one FROM erasure_owners WHERE owner = $1 AND asked > ended";
    UNENDED = "SELECT owner FROM erasure_owners WHERE asked > ended";
}

const BATCH: usize = 64;

/// What destroying an owner's key did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Destroyed {
    /// How many of his other secrets are under the next key now.
    pub rewrapped: u64,
    /// How many keys were destroyed: none where a secret could not be put under the next one.
    pub keys: u64,
    /// The places of secrets that could not: they open under no key of his.
    pub refused: Vec<Place>,
}

impl ErasureKeys {
    /// Notes, in the transaction of a step that [forgets](dualseal_operator::step::Step::forget) the rows of an owner's
    /// secrets, that they are erased: [`destroy`](Self::destroy) follows, or, after a crash,
    /// [`end_erasures`](Self::end_erasures) does.
    ///
    /// # Errors
    /// The database.
    pub async fn erase(&self, tx: &mut Tx, owner: &IdentityId, erased: &[Place]) -> Result<(), Problem> {
        tx.find(BEGIN, values![&owner.as_bytes()[..], 0_i64]).await?;
        for place in erased {
            tx.execute(DISOWN, super::of(place)).await?;
        }
        Ok(())
    }

    /// Removes a secret that no step kept and that hangs on an owner's key, which stays.
    ///
    /// # Errors
    /// The database.
    pub async fn remove(tx: &mut Tx, place: &Place) -> Result<(), DbError> {
        tx.execute(super::REMOVE, super::of(place)).await?;
        tx.execute(DISOWN, super::of(place)).await.map(drop)
    }

    /// Has some of an owner's secrets erased for good: their rows are forgotten, his others hang on a new key, and
    /// those before it are destroyed. Where a step forgot the rows already, as it does with the entry that says so,
    /// that is seen.
    ///
    /// # Errors
    /// The database, the place apart, the log. It is ended later then ([`end_erasures`](Self::end_erasures)).
    pub async fn destroy(
        &self,
        db: &Db,
        log: &Log,
        owner: &IdentityId,
        erased: Vec<Place>,
    ) -> Result<Destroyed, Problem> {
        let mut olds = self.generations(owner).await?;
        // Without any key there is nothing that one opens.
        let next = olds.last().copied().unwrap_or(0) + 1;
        self.make(owner, next).await?;
        let asked = log.submit(Forget { owner: *owner, next, erased: erased.clone() }).await?;
        let mut destroyed = Destroyed::default();
        // Another process may have erased something of his meanwhile.
        olds.retain(|old| *old < next);
        for old in olds {
            let rotated = self.rewrap(db, log, owner, (old, next), erased.clone()).await?;
            destroyed.rewrapped += rotated.rewrapped;
            destroyed.refused.extend(rotated.refused.iter().map(|refused| refused.place.clone()));
            if rotated.is_complete() {
                destroyed.keys += u64::from(self.apart.destroy(&super::owners::name(owner, old)).await?);
            } else {
                tracing::error!(owner = owner.to_hex(), "secrets do not open under their owner's key, which is kept");
            }
        }
        if destroyed.refused.is_empty() {
            db.execute(END, values![&owner.as_bytes()[..], asked]).await?;
        }
        Ok(destroyed)
    }

    /// [Destroys](Self::destroy) the key of what transactions [noted](Self::erase) as erased, if any did. Where that
    /// fails, a job goes on with it.
    pub async fn end(&self, db: &Db, log: &Log, owner: &IdentityId) {
        let ended = async {
            let unended = db.find(IS_UNENDED, values![&owner.as_bytes()[..]]).await?;
            if unended.is_some() {
                self.destroy(db, log, owner, Vec::new()).await?;
            }
            Ok::<_, Problem>(())
        };
        if let Err(problem) = ended.await {
            tracing::error!(%problem, owner = owner.to_hex(), "the key of what was erased is not destroyed yet");
        }
    }

    /// Ends what a crash interrupted: a job, and the start, do it. Says how many owners that were.
    ///
    /// # Errors
    /// As [`destroy`](Self::destroy), the last one, when all were tried.
    pub async fn end_erasures(&self, db: &Db, log: &Log) -> Result<u64, Problem> {
        let (mut done, mut failed) = (0, None);
        for row in &db.list(UNENDED, values![]).await? {
            let ended = async {
                let owner = row.bytes("owner")?.try_into().map_err(|_| DbError::Column("owner"))?;
                self.destroy(db, log, &IdentityId::from_bytes(owner), Vec::new()).await
            };
            // One whose key, or whose row, does not open keeps no other's from being destroyed.
            match ended.await {
                Ok(_) => done += 1,
                Err(problem) => {
                    tracing::error!(%problem, "what was erased has a key still");
                    failed = Some(problem);
                }
            }
        }
        failed.map_or(Ok(done), Err)
    }

    async fn rewrap(
        &self,
        db: &Db,
        log: &Log,
        owner: &IdentityId,
        (old, new): (i64, i64),
        erased: Vec<Place>,
    ) -> Result<Rotated, Problem> {
        let (Some(before), Some(next)) = (self.key(owner, old).await?, self.key(owner, new).await?) else {
            return Ok(Rotated::default());
        };
        let under = Under { owner: owner.as_bytes().to_vec(), generation: old };
        let (db, log) = (db.clone(), log.clone());
        let rotated = tokio::task::spawn_blocking(move || {
            let rotation = Rotation::new(&*before.key, &*next.key)?.erasing(erased);
            let mut rows = StoreRows::new(&db, &log, under, new);
            rotate(&rotation, &mut rows, BATCH, &mut SystemRng).map_err(problem)
        });
        rotated.await.map_err(|error| Problem::internal("erasure", &error))?
    }
}

/// Forgets the erased rows, and has nobody write under the old key any more.
struct Forget {
    owner: IdentityId,
    next: i64,
    erased: Vec<Place>,
}

impl Work for Forget {
    type Read = Vec<bool>;
    type Made = Vec<bool>;
    type Answer = i64;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Self::Read, Problem> {
        let mut listed = Vec::with_capacity(self.erased.len());
        for place in &self.erased {
            let row = tx.find(super::FIND, super::of(place)).await?;
            let is_there = row.map(|row| row.bytes("stored")).transpose()?.is_some_and(|stored| !stored.is_empty());
            listed.push(is_there && super::rows::is_listed(tx, place).await?);
        }
        Ok(listed)
    }

    fn step(&self, step: &mut Step<'_>, listed: Self::Read) -> Result<Self::Made, Problem> {
        for (place, _) in self.erased.iter().zip(&listed).filter(|(_, listed)| **listed) {
            step.forget(place.clone());
        }
        Ok(listed)
    }

    async fn rows(&self, tx: &mut Tx, listed: Self::Made, _: &Changes) -> Result<i64, Problem> {
        let row = tx.find(BEGIN, values![&self.owner.as_bytes()[..], self.next]).await?;
        for (place, is_listed) in self.erased.iter().zip(listed) {
            tx.execute(DISOWN, super::of(place)).await?;
            if !is_listed && !super::rows::is_listed(tx, place).await? {
                tx.execute(super::REMOVE, super::of(place)).await?;
            }
        }
        Ok(row.map(|row| row.number("asked")).transpose()?.unwrap_or_default())
    }
}
