//! Secrets at rest: each a row that opens under the master, at its place and at no other.

use crate::db::{Db, DbError, Row, Tx, statements};
use crate::problem::Problem;
use crate::values;
use dualseal::{Domain, SystemRng};
use dualseal_operator::secrets::{Master, Place, SecretFault, Vaulted};
use dualseal_operator::step::SecretRow;
use std::sync::Arc;
use zeroize::Zeroizing;

statements! {
    FIND = "SELECT stored FROM secrets WHERE tbl = $1 AND line = $2 AND purpose = $3";
    PUT = "INSERT INTO secrets (tbl, line, purpose, stored) VALUES ($1, $2, $3, $4) \
           ON CONFLICT (tbl, line, purpose) DO UPDATE SET stored = excluded.stored";
    REMOVE = "DELETE FROM secrets WHERE tbl = $1 AND line = $2 AND purpose = $3";
    MASTERS = "SELECT key_id FROM masters ORDER BY since DESC";
    NAME_MASTER = "INSERT INTO masters (key_id, since) VALUES ($1, $2)";
}

/// Opens and seals the rows of `secrets`.
#[derive(Clone, Debug)]
pub struct Secrets {
    master: Arc<Master>,
    /// The master before, while a rotation is under way.
    before: Option<Arc<Master>>,
}

impl Secrets {
    /// Under this master.
    #[must_use]
    pub fn new(master: Master) -> Self {
        Self { master: Arc::new(master), before: None }
    }

    /// The master.
    #[must_use]
    pub fn master(&self) -> &Master {
        &self.master
    }

    /// The domain of what is under it.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        self.master.domain()
    }

    /// Makes the row of a secret: the log's writer [keeps](dualseal_operator::step::Step::keep) it, or
    /// [`put`](Self::put) stores it with other rows.
    ///
    /// # Errors
    /// The generator failed.
    pub fn seal(&self, place: Place, secret: &[u8]) -> Result<Vaulted<Master>, SecretFault> {
        Vaulted::seal(&self.master, place, secret, &mut SystemRng)
    }

    /// Opens the bytes that stand at a place.
    ///
    /// # Errors
    /// They are not of this place, or under another master.
    pub fn open(&self, place: &Place, stored: Vec<u8>) -> Result<Zeroizing<Vec<u8>>, SecretFault> {
        let row = Vaulted::<Master>::read(place.clone(), stored)?;
        match (row.open(&self.master), &self.before) {
            (Err(SecretFault::OtherKey), Some(before)) => row.open(before),
            (opened, _) => opened,
        }
    }

    /// The secret of a place; `None` where there is none, or it was forgotten.
    ///
    /// # Errors
    /// The database; a row that does not open here.
    pub async fn find(&self, tx: &mut Tx, place: &Place) -> Result<Option<Zeroizing<Vec<u8>>>, Problem> {
        let row = tx.find(FIND, of(place)).await?;
        self.opened(place, row)
    }

    /// The same outside of a transaction.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub async fn find_in(&self, db: &Db, place: &Place) -> Result<Option<Zeroizing<Vec<u8>>>, Problem> {
        let row = db.find(FIND, of(place)).await?;
        self.opened(place, row)
    }

    fn opened(&self, place: &Place, row: Option<Row>) -> Result<Option<Zeroizing<Vec<u8>>>, Problem> {
        let stored = row.map(|row| row.bytes("stored")).transpose()?.filter(|stored| !stored.is_empty());
        Ok(stored.map(|stored| self.open(place, stored)).transpose()?)
    }

    /// Stores a row, in the place of what was there.
    ///
    /// # Errors
    /// The database.
    pub async fn put(&self, tx: &mut Tx, row: &SecretRow) -> Result<(), DbError> {
        let mut values = of(row.place());
        values.push(row.stored().into());
        tx.execute(PUT, values).await.map(drop)
    }

    /// Removes a row that no step kept.
    ///
    /// # Errors
    /// The database.
    pub async fn remove(&self, tx: &mut Tx, place: &Place) -> Result<(), DbError> {
        tx.execute(REMOVE, of(place)).await.map(drop)
    }

    /// Compares the master with the name of the one that the rows are under; the first is written down.
    ///
    /// # Errors
    /// [`SecretFault::OtherMaster`].
    pub async fn check(&self, tx: &mut Tx, now: i64) -> Result<(), MasterCheck> {
        let names = tx.list(MASTERS, values![]).await?;
        let Some(newest) = names.first() else {
            tx.execute(NAME_MASTER, values![self.master.key_id().to_hex(), now]).await?;
            return Ok(());
        };
        let kept = newest.text("key_id")?;
        if kept == self.master.key_id().to_hex() { Ok(()) } else { Err(MasterCheck::Other { kept }) }
    }
}

/// Why the master is not the one of the store.
#[derive(Debug)]
pub enum MasterCheck {
    /// The rows are under another.
    Other {
        /// Its name.
        kept: String,
    },
    /// The database.
    Db(DbError),
}

impl From<DbError> for MasterCheck {
    fn from(error: DbError) -> Self {
        Self::Db(error)
    }
}

impl std::fmt::Display for MasterCheck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Other { kept } => write!(f, "the secrets are under the master {kept}, and another was given"),
            Self::Db(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MasterCheck {}

fn of(place: &Place) -> Vec<crate::db::Value> {
    values![place.table(), place.row(), place.purpose()]
}
