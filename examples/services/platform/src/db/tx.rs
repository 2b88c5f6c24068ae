//! A transaction.

use super::value::{postgres, postgres_locking, sqlite};
use super::{DbError, Row, Statement, Value};
use serde::{Deserialize, Serialize};
use sqlx::{Postgres, Sqlite, Transaction};

/// A transaction; dropped, nothing of it happened.
#[derive(Debug)]
pub struct Tx {
    kind: Kind,
    told_under: Option<Under>,
}

#[derive(Debug)]
enum Kind {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>),
}

/// A checkpoint of a log that covers so many entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Under {
    pub(crate) log: i64,
    pub(crate) size: u64,
}

impl From<Transaction<'static, Sqlite>> for Tx {
    fn from(tx: Transaction<'static, Sqlite>) -> Self {
        Self { kind: Kind::Sqlite(tx), told_under: None }
    }
}

impl From<Transaction<'static, Postgres>> for Tx {
    fn from(tx: Transaction<'static, Postgres>) -> Self {
        Self { kind: Kind::Postgres(tx), told_under: None }
    }
}

impl Tx {
    /// Under which checkpoint alone what is written next is told to anybody: every answer that is stored to be repeated
    /// keeps that.
    pub(crate) fn tell_under(&mut self, under: Option<Under>) {
        self.told_under = under;
    }

    pub(crate) fn told_under(&self) -> Option<Under> {
        self.told_under
    }

    /// Whether it is a server's.
    pub(super) fn is_of_server(&self) -> bool {
        matches!(self.kind, Kind::Postgres(_))
    }

    /// Reads at most one row.
    ///
    /// # Errors
    /// What the database says.
    pub async fn find(&mut self, statement: Statement, values: Vec<Value>) -> Result<Option<Row>, DbError> {
        Ok(match &mut self.kind {
            Kind::Sqlite(tx) => sqlite(statement.text(), values).fetch_optional(&mut **tx).await?.map(Row::Sqlite),
            Kind::Postgres(tx) if statement.locks() => {
                let query = postgres_locking(statement.for_postgres(), values);
                query.fetch_optional(&mut **tx).await?.map(Row::Postgres)
            }
            Kind::Postgres(tx) => {
                postgres(statement.text(), values).fetch_optional(&mut **tx).await?.map(Row::Postgres)
            }
        })
    }

    /// Reads rows.
    ///
    /// # Errors
    /// What the database says.
    pub async fn list(&mut self, statement: Statement, values: Vec<Value>) -> Result<Vec<Row>, DbError> {
        Ok(match &mut self.kind {
            Kind::Sqlite(tx) => {
                let rows = sqlite(statement.text(), values).fetch_all(&mut **tx).await?;
                rows.into_iter().map(Row::Sqlite).collect()
            }
            Kind::Postgres(tx) => {
                let query = if statement.locks() {
                    postgres_locking(statement.for_postgres(), values)
                } else {
                    postgres(statement.text(), values)
                };
                query.fetch_all(&mut **tx).await?.into_iter().map(Row::Postgres).collect()
            }
        })
    }

    /// Changes rows, and says how many.
    ///
    /// # Errors
    /// What the database says; [`DbError::Unique`], after which nothing of the transaction is taken any more.
    pub async fn execute(&mut self, statement: Statement, values: Vec<Value>) -> Result<u64, DbError> {
        Ok(match &mut self.kind {
            Kind::Sqlite(tx) => sqlite(statement.text(), values).execute(&mut **tx).await?.rows_affected(),
            Kind::Postgres(tx) => postgres(statement.text(), values).execute(&mut **tx).await?.rows_affected(),
        })
    }

    /// Writes it down.
    ///
    /// # Errors
    /// What the database says; whether it happened is not known then.
    pub async fn commit(self) -> Result<(), DbError> {
        match self.kind {
            Kind::Sqlite(tx) => tx.commit().await,
            Kind::Postgres(tx) => tx.commit().await,
        }
        .map_err(DbError::of_change)
    }

    /// Takes everything back.
    ///
    /// # Errors
    /// What the database says.
    pub async fn roll_back(self) -> Result<(), DbError> {
        match self.kind {
            Kind::Sqlite(tx) => tx.rollback().await?,
            Kind::Postgres(tx) => tx.rollback().await?,
        }
        Ok(())
    }
}
