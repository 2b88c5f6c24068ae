//! Tables whose rows are of guardians: a server shows each transaction those of the guardian that it names, and without
//! one none, also to the role that has the tables.

use super::{Db, DbError, Tx, statements};
use crate::values;
use sqlx::{AssertSqlSafe, Executor as _, SqlSafeStr as _};

statements! {
    SHOWS_ALL = "SELECT CAST(c.relname AS TEXT) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
                 WHERE n.nspname = current_schema() AND c.relname IN ('family_children', 'family_memories') \
                 AND NOT (c.relrowsecurity AND c.relforcerowsecurity \
                 AND (SELECT COUNT(*) FROM pg_policy p WHERE p.polrelid = c.oid) = 1 \
                 AND EXISTS (SELECT 1 FROM pg_policies p WHERE p.schemaname = n.nspname AND p.tablename = c.relname \
                 AND p.permissive = 'PERMISSIVE' AND p.roles = '{public}' AND p.cmd = 'ALL' AND p.qual = $1 \
                 AND p.with_check = $1)) LIMIT 1";
    /// Two processes that begin at once change rights one after the other.
    LOCK = "SELECT pg_advisory_xact_lock(7238415601948)";
    /// Until the transaction ends.
    GUARDIAN = "SELECT set_config('trustd.guardian', $1, true)";
}

const TABLES: [&str; 2] = ["family_children", "family_memories"];
/// Whose a row is, as the server prints it: a policy of the same name may say something else.
const OWN: &str = "(guardian = current_setting('trustd.guardian'::text, true))";

/// Has the tables of guardians show each his own rows alone, also to who has them. Of two policies either shows a row,
/// so all others go.
pub(super) async fn hide(db: &Db) -> Result<(), DbError> {
    if db.is_file() || !shows_all(db).await? {
        return Ok(());
    }
    let changes = TABLES.map(|table| {
        [
            format!("ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"),
            format!("ALTER TABLE {table} FORCE ROW LEVEL SECURITY"),
            format!(
                "DO $$ DECLARE found name; BEGIN FOR found IN SELECT policyname FROM pg_policies WHERE schemaname = \
                 current_schema() AND tablename = '{table}' LOOP EXECUTE format('DROP POLICY %I ON {table}', found); \
                 END LOOP; END $$"
            ),
            format!("CREATE POLICY guardian ON {table} USING {OWN} WITH CHECK {OWN}"),
        ]
    });
    locked(db, &changes.concat()).await
}

/// Whether one of the tables shows its rows to anybody but their guardian.
pub(super) async fn shows_all(db: &Db) -> Result<bool, DbError> {
    Ok(db.find(SHOWS_ALL, values![OWN]).await?.is_some())
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
