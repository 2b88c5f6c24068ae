//! What only one of both databases does.

use super::{Db, DbError};
use sqlx::Row as _;
use std::path::Path;

impl Db {
    /// Writes a copy of one moment of the file beside it, while others write; on a server nothing, and `false`.
    ///
    /// # Errors
    /// What the database says: one that is there already is not written over.
    pub async fn copy_into(&self, path: &Path) -> Result<bool, DbError> {
        let Self::Sqlite { read, .. } = self else { return Ok(false) };
        let path = path.to_str().ok_or(DbError::Column("path"))?.to_owned();
        sqlx::query("VACUUM INTO $1").bind(path).execute(read).await?;
        Ok(true)
    }

    /// Whether there is no table in it yet.
    ///
    /// # Errors
    /// What the database says.
    pub async fn is_empty(&self) -> Result<bool, DbError> {
        let tables: i64 = match self {
            Self::Sqlite { read, .. } => {
                let count = sqlx::query("SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table'");
                count.fetch_one(read).await?.try_get(0)?
            }
            Self::Postgres { pool, .. } => {
                let text = "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = current_schema()";
                sqlx::query(text).fetch_one(pool).await?.try_get(0)?
            }
        };
        Ok(tables == 0)
    }
}
