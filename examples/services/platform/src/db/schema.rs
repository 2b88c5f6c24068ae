//! Which schema a database has, beside that of this program, and bringing it up to date.

use super::{Db, DbError, guardians, migrations, statements};
use crate::values;
use sqlx::migrate::MigrateError;

statements! {
    APPLIED = "SELECT version, checksum FROM _sqlx_migrations WHERE success ORDER BY version";
}

/// A schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schema {
    /// That of this program.
    Own,
    /// An earlier one, which [`Db::migrate`] brings up to date.
    Earlier,
    /// Another: a later program's, or one that somebody changed.
    Other,
}

impl Db {
    /// Brings the schema up to date; another process that does the same is waited for.
    ///
    /// # Errors
    /// What the database says; a schema that is newer than this program.
    pub async fn migrate(&self) -> Result<(), MigrateError> {
        match self {
            Self::Sqlite { write, .. } => migrations::ALL.run(write).await,
            Self::Postgres { pool, .. } => {
                migrations::ALL.run(pool).await?;
                Ok(guardians::hide(self).await.map_err(|error| sqlx::Error::Configuration(error.into()))?)
            }
        }
    }

    /// Which schema it has. Nothing is changed.
    ///
    /// # Errors
    /// What the database says; of one that has none, that there is no such table.
    pub async fn schema(&self) -> Result<Schema, DbError> {
        let rows = self.list(APPLIED, values![]).await?;
        let read = |row: &super::Row| Ok((row.number("version")?, row.bytes("checksum")?));
        let applied = rows.iter().map(read).collect::<Result<Vec<_>, DbError>>()?;
        let own: Vec<_> = migrations::ALL.iter().map(|one| (one.version, one.checksum.to_vec())).collect();
        Ok(if applied == own {
            Schema::Own
        } else if own.starts_with(&applied) {
            Schema::Earlier
        } else {
            Schema::Other
        })
    }
}
