//! Tables whose rows are of guardians: a server shows each transaction those of the guardian that it names, and without
//! one none, also to the role that has the tables.

use super::{Db, DbError, Tx, statements};
use crate::values;
use sqlx::{AssertSqlSafe, Executor as _, SqlSafeStr as _};

statements! {
    SHOWS_ALL = "SELECT CAST(c.relname AS TEXT) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
                 WHERE n.nspname = current_schema() AND c.relname IN ('family_children', 'family_memories') \
                 AND NOT (c.relrowsecurity AND c.relforcerowsecurity) LIMIT 1";
    HOLDS = "SELECT 1 AS one FROM pg_policies WHERE schemaname = current_schema() AND tablename = $1 \
             AND policyname = 'guardian'";
    /// Two processes that begin at once change rights one after the other.
    LOCK = "SELECT pg_advisory_xact_lock(7238415601948)";
    /// Until the transaction ends.
    GUARDIAN = "SELECT set_config('trustd.guardian', $1, true)";
}

const TABLES: [&str; 2] = ["family_children", "family_memories"];

/// Has the tables of guardians show each his own rows alone, also to who has them.
pub(super) async fn hide(db: &Db) -> Result<(), DbError> {
    if db.is_file() {
        return Ok(());
    }
    for table in TABLES {
        let is_hidden = db.find(HOLDS, values![table]).await?.is_some();
        if is_hidden && !shows_all(db).await? {
            continue;
        }
        let own = "guardian = current_setting('trustd.guardian', true)";
        let changes = [
            format!("ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"),
            format!("ALTER TABLE {table} FORCE ROW LEVEL SECURITY"),
            format!("DROP POLICY IF EXISTS guardian ON {table}"),
            format!("CREATE POLICY guardian ON {table} USING ({own}) WITH CHECK ({own})"),
        ];
        locked(db, &changes).await?;
    }
    Ok(())
}

/// Whether one of the tables shows its rows to everybody.
pub(super) async fn shows_all(db: &Db) -> Result<bool, DbError> {
    Ok(db.find(SHOWS_ALL, values![]).await?.is_some())
}

/// Changes of rights, all or none, while nobody else makes some. On a file there are none.
pub(super) async fn locked(db: &Db, texts: &[String]) -> Result<(), DbError> {
    let Db::Postgres { pool, .. } = db else { return Ok(()) };
    let mut tx = pool.begin().await?;
    tx.execute(LOCK.text()).await?;
    for text in texts {
        tx.execute(AssertSqlSafe(text.clone()).into_sql_str()).await?;
    }
    Ok(tx.commit().await?)
}

impl Tx {
    /// Whose rows the tables of guardians show from now on, until the transaction ends or another is named.
    ///
    /// # Errors
    /// What the database says.
    pub async fn for_guardian(&mut self, guardian: &str) -> Result<(), DbError> {
        if self.is_of_server() {
            self.find(GUARDIAN, values![guardian]).await?;
        }
        Ok(())
    }
}
