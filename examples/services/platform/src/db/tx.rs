//! A transaction.

use super::value::{postgres, postgres_locking, sqlite};
use super::{DbError, Row, Statement, Value};
use sqlx::{Postgres, Sqlite, Transaction};

/// A transaction; dropped, nothing of it happened.
#[derive(Debug)]
pub enum Tx {
    /// SQLite's.
    Sqlite(Transaction<'static, Sqlite>),
    /// PostgreSQL's.
    Postgres(Transaction<'static, Postgres>),
}

impl Tx {
    /// Reads at most one row.
    ///
    /// # Errors
    /// What the database says.
    pub async fn find(&mut self, statement: Statement, values: Vec<Value>) -> Result<Option<Row>, DbError> {
        Ok(match self {
            Self::Sqlite(tx) => sqlite(statement.text(), values).fetch_optional(&mut **tx).await?.map(Row::Sqlite),
            Self::Postgres(tx) if statement.locks() => {
                let query = postgres_locking(statement.for_postgres(), values);
                query.fetch_optional(&mut **tx).await?.map(Row::Postgres)
            }
            Self::Postgres(tx) => {
                postgres(statement.text(), values).fetch_optional(&mut **tx).await?.map(Row::Postgres)
            }
        })
    }

    /// Reads rows.
    ///
    /// # Errors
    /// What the database says.
    pub async fn list(&mut self, statement: Statement, values: Vec<Value>) -> Result<Vec<Row>, DbError> {
        Ok(match self {
            Self::Sqlite(tx) => {
                let rows = sqlite(statement.text(), values).fetch_all(&mut **tx).await?;
                rows.into_iter().map(Row::Sqlite).collect()
            }
            Self::Postgres(tx) => {
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
        Ok(match self {
            Self::Sqlite(tx) => sqlite(statement.text(), values).execute(&mut **tx).await?.rows_affected(),
            Self::Postgres(tx) => postgres(statement.text(), values).execute(&mut **tx).await?.rows_affected(),
        })
    }

    /// Writes it down.
    ///
    /// # Errors
    /// What the database says; whether it happened is not known then.
    pub async fn commit(self) -> Result<(), DbError> {
        match self {
            Self::Sqlite(tx) => tx.commit().await?,
            Self::Postgres(tx) => tx.commit().await?,
        }
        Ok(())
    }

    /// Takes everything back.
    ///
    /// # Errors
    /// What the database says.
    pub async fn roll_back(self) -> Result<(), DbError> {
        match self {
            Self::Sqlite(tx) => tx.rollback().await?,
            Self::Postgres(tx) => tx.rollback().await?,
        }
        Ok(())
    }
}
