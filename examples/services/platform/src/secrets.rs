//! Secrets at rest: each a row that opens under the master, at its place and at no other. Those of records hang on the
//! erasure keys of their owners, which lie [apart](crate::apart), so that destroying a key erases them in every backup.
//!
//! | file | what it is |
//! |---|---|
//! | `masters` | where the master comes from, and which one the rows are under |
//! | `rows` | the rows in order, and putting them under another key |
//! | `rotation` | from one master to the next |
//! | `owners` | the erasure keys of the owners |
//! | `erasure` | destroying one, after the owner's other secrets hang on the next |
//! | `tags` | tags of the rows that say who may do what |

mod erasure;
mod masters;
mod owners;
mod rotation;
mod rows;
mod tags;

pub use erasure::Destroyed;
pub use masters::{MasterCheck, MastersFault, begin_rotation, open};
pub use owners::{ErasureKeys, OwnerKey};
pub use rotation::{RotatedMaster, rotate_master};
pub(crate) use rows::every_row;
pub use tags::{Kind, RowTags, Tagged};

use crate::db::{Db, DbError, Row, Statement, Tx, statements};
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
}

/// All statements of the secrets.
pub const STATEMENTS: &[&[Statement]] = &[ALL, erasure::ALL, masters::ALL, owners::ALL, rows::ALL, tags::ALL];

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

    /// With the master before, of a rotation that has not ended: what is under it opens, and nothing is put under it.
    #[must_use]
    pub fn with_before(self, before: Master) -> Self {
        Self { before: Some(Arc::new(before)), ..self }
    }

    /// The master before, while a rotation is under way.
    #[must_use]
    pub fn before(&self) -> Option<&Master> {
        self.before.as_deref()
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
}

fn of(place: &Place) -> Vec<crate::db::Value> {
    values![place.table(), place.row(), place.purpose()]
}
