//! One schema and one text per statement, over SQLite and PostgreSQL.
//!
//! | file | what it is |
//! |---|---|
//! | `statement` | a statement, in the list that a test prepares on both |
//! | `value` | what is bound, and what a row gives back |
//! | `tx` | a transaction |
//! | `copy` | what only one of both does: a copy of the file |
//! | `file` | reading a file on the thread that asks |
//! | `error` | what a store says when it cannot |
//! | `looking` | connections to a server that are kept for small questions |
//! | `migrations` | the files of the schema |
//! | `schema` | which schema there is, and bringing it up to date |
//! | `guardians` | tables whose rows are shown to their guardians alone |
//! | `roles` | who has the tables of a server, and who serves |

mod copy;
mod error;
mod file;
mod guardians;
mod looking;
mod migrations;
mod roles;
mod schema;
mod statement;
mod tx;
mod value;

pub use error::DbError;
pub use file::{Columns, Here};
pub use looking::Kept;
pub use roles::{OF_SERVERS, RoleFault};
pub(crate) use schema::ALL as SCHEMA;
pub use schema::Schema;
pub use statement::{Statement, statements};
pub use tx::Tx;
pub(crate) use tx::Under;
pub use value::{Row, Value};

use looking::KEPT;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection as _, Executor as _, PgPool, SqlitePool};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// How long somebody waits for a connection before he is told to come back.
const PATIENCE: Duration = Duration::from_secs(10);
/// A connection that was idle for so long is asked whether it still lives.
const QUIET: Duration = Duration::from_secs(1);

/// The database.
#[derive(Clone, Debug)]
pub enum Db {
    /// One file, with one connection that writes: more would wait for each other's locks, for seconds.
    Sqlite {
        /// The one that writes.
        write: SqlitePool,
        /// Those that read.
        read: SqlitePool,
        /// Those that read a little, at once.
        here: Here,
    },
    /// A server.
    Postgres {
        /// All connections but
        pool: PgPool,
        /// those that are kept for small questions.
        kept: Kept,
    },
}

impl Db {
    /// Opens `sqlite:FILE`, within `folder` unless it is absolute, or `postgres://…`; with `connections` to a server.
    ///
    /// # Errors
    /// What the database says; [`sqlx::Error::Configuration`] for an address that is neither.
    pub async fn open(address: &str, folder: &Path, connections: u32) -> Result<Self, sqlx::Error> {
        if let Some(file) = address.strip_prefix("sqlite:") {
            let path = folder.join(file);
            let options = SqliteConnectOptions::new()
                .filename(&path)
                .create_if_missing(true)
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Full)
                .foreign_keys(true)
                // A secret that was destroyed does not stand in a free page.
                .pragma("secure_delete", "ON")
                .statement_cache_capacity(256)
                .busy_timeout(PATIENCE);
            let pool = SqlitePoolOptions::new().acquire_timeout(PATIENCE).test_before_acquire(false);
            // A disk that fails or is full ends a transaction. sqlx counts it on, and begins no other one there.
            let pool = pool.before_acquire(|held, _| Box::pin(async move { Ok(!held.is_in_transaction()) }));
            // Where it cannot open the file to write, for want of a descriptor or of a disk, SQLite opens it to read.
            // This asks for the lock, and writes nothing.
            let write = pool.clone().after_connect(|opened, _| {
                Box::pin(async move { opened.execute("PRAGMA incremental_vacuum(0)").await.map(drop) })
            });
            let write = write.max_connections(1).connect_with(options.clone()).await?;
            let read = pool.max_connections(connections.clamp(2, 8)).connect_with(options.read_only(true)).await?;
            return Ok(Self::Sqlite { write, read, here: Here::new(path) });
        }
        if !address.starts_with("postgres:") && !address.starts_with("postgresql:") {
            return Err(sqlx::Error::Configuration("neither sqlite: nor postgres:".into()));
        }
        let options = PgConnectOptions::from_str(address)?.statement_cache_capacity(256);
        let pool =
            PgPoolOptions::new().acquire_timeout(PATIENCE).max_connections(connections.saturating_sub(KEPT).max(3));
        // One that was used a moment ago lives.
        let pool = pool.test_before_acquire(false).before_acquire(|connection, seen| {
            Box::pin(async move {
                if seen.idle_for >= QUIET {
                    connection.ping().await?;
                }
                Ok(true)
            })
        });
        Ok(Self::Postgres { pool: pool.connect_with(options.clone()).await?, kept: Kept::new(options) })
    }

    /// Begins a transaction that writes: on SQLite the only one at the time.
    ///
    /// # Errors
    /// What the database says.
    pub async fn begin(&self) -> Result<Tx, DbError> {
        Ok(match self {
            Self::Sqlite { write, .. } => write.begin_with("BEGIN IMMEDIATE").await?.into(),
            Self::Postgres { pool, .. } => pool.begin().await?.into(),
        })
    }

    /// Begins a transaction that reads one moment.
    ///
    /// # Errors
    /// What the database says.
    pub async fn snapshot(&self) -> Result<Tx, DbError> {
        Ok(match self {
            Self::Sqlite { read, .. } => read.begin().await?.into(),
            Self::Postgres { pool, .. } => {
                pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?.into()
            }
        })
    }

    /// Reads at most one row, outside of any transaction.
    ///
    /// # Errors
    /// What the database says.
    pub async fn find(&self, statement: Statement, values: Vec<Value>) -> Result<Option<Row>, DbError> {
        Ok(match self {
            Self::Sqlite { read, .. } => {
                value::sqlite(statement.text(), values).fetch_optional(read).await?.map(Row::Sqlite)
            }
            Self::Postgres { pool, .. } => {
                value::postgres(statement.text(), values).fetch_optional(pool).await?.map(Row::Postgres)
            }
        })
    }

    /// Reads rows, outside of any transaction.
    ///
    /// # Errors
    /// What the database says.
    pub async fn list(&self, statement: Statement, values: Vec<Value>) -> Result<Vec<Row>, DbError> {
        Ok(match self {
            Self::Sqlite { read, .. } => {
                let rows = value::sqlite(statement.text(), values).fetch_all(read).await?;
                rows.into_iter().map(Row::Sqlite).collect()
            }
            Self::Postgres { pool, .. } => {
                let rows = value::postgres(statement.text(), values).fetch_all(pool).await?;
                rows.into_iter().map(Row::Postgres).collect()
            }
        })
    }

    /// Reads a few rows by their keys, outside of any transaction, as they are now: those of a file on this thread,
    /// where nothing else can run meanwhile; a server's by a connection that is kept for it. What reads many is
    /// [`list`](Self::list)'s.
    ///
    /// # Errors
    /// What the database says.
    pub async fn look(&self, statement: Statement, values: Vec<Value>) -> Result<Vec<Row>, DbError> {
        let rows = match self {
            Self::Sqlite { here, .. } => here.list(statement, &values),
            Self::Postgres { kept, .. } => kept.list(statement, &values).await,
        };
        if let Some(rows) = rows {
            return Ok(rows);
        }
        self.list(statement, values).await
    }

    /// Changes rows in a transaction of its own, and says how many.
    ///
    /// # Errors
    /// What the database says; [`DbError::Unique`].
    pub async fn execute(&self, statement: Statement, values: Vec<Value>) -> Result<u64, DbError> {
        let done = match self {
            Self::Sqlite { write, .. } => {
                value::sqlite(statement.text(), values).execute(write).await.map(|done| done.rows_affected())
            }
            Self::Postgres { pool, .. } => {
                value::postgres(statement.text(), values).execute(pool).await.map(|done| done.rows_affected())
            }
        };
        done.map_err(DbError::of_change)
    }

    /// Prepares a statement, and runs it not.
    ///
    /// # Errors
    /// What the database says of it.
    pub async fn prepare(&self, statement: Statement) -> Result<(), DbError> {
        use sqlx::{AssertSqlSafe, Executor, SqlSafeStr};
        match self {
            Self::Sqlite { read, .. } => {
                read.acquire().await?.prepare(statement.text().into_sql_str()).await?;
            }
            Self::Postgres { pool, .. } => {
                let text = statement.for_postgres();
                pool.acquire().await?.prepare(AssertSqlSafe(text).into_sql_str()).await?;
            }
        }
        Ok(())
    }

    /// Whether it is a file.
    #[must_use]
    pub fn is_file(&self) -> bool {
        matches!(self, Self::Sqlite { .. })
    }

    /// Ends all connections, after what is under way.
    pub async fn close(&self) {
        match self {
            Self::Sqlite { write, read, here } => {
                here.close();
                read.close().await;
                write.close().await;
            }
            Self::Postgres { pool, kept } => {
                kept.close();
                pool.close().await;
            }
        }
    }
}
