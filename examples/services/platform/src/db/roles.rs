//! Roles of a server. One has the tables, brings the schema up to date, and makes backups; another serves, and has
//! nothing, so that the [tables of guardians](super::guardians) hide their rows from it: a statement that names no
//! guardian reads nobody's children, whoever wrote it.

use super::{Db, DbError, Schema, Statement, guardians, statements};
use crate::config::Config;
use crate::values;
use sqlx::migrate::MigrateError;
use std::fmt;

statements! {
    ROLE = "SELECT CAST(current_user AS TEXT) AS role";
    IS_ABOVE = "SELECT 1 AS one FROM pg_roles r WHERE (r.rolsuper OR r.rolbypassrls) \
                AND pg_has_role(current_user, r.oid, 'MEMBER') LIMIT 1";
    /// Whoever has the schema, or the database, drops the tables of others.
    OWNS = "SELECT 'the database ' || datname AS name FROM pg_database WHERE datname = current_database() \
            AND pg_has_role(current_user, datdba, 'MEMBER') \
            UNION ALL SELECT 'the schema ' || nspname FROM pg_namespace WHERE nspname = current_schema() \
            AND pg_has_role(current_user, nspowner, 'MEMBER') \
            UNION ALL SELECT 'the table ' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
            WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm', 'S') \
            AND pg_has_role(current_user, c.relowner, 'MEMBER') ORDER BY name LIMIT 1";
    LACKS = "SELECT 1 AS one FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
             WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND c.relname <> '_sqlx_migrations' \
             AND NOT (has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT') \
             AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE')) LIMIT 1";
    /// Copies of all rows are made without row-level security, which is no right that a role gets by another.
    COPIES = "SELECT 1 AS one FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolbypassrls)";
    NAMES = "SELECT quote_ident(current_schema()) AS schema, quote_ident($1) AS role";
}

/// Statements that a server alone knows: another list than that of those for both databases.
pub const OF_SERVERS: &[&[Statement]] = &[ALL, guardians::ALL];

/// Why a role does not serve.
#[derive(Debug)]
pub enum RoleFault {
    /// What the database says.
    Db(DbError),
    /// It does not open.
    Opening(sqlx::Error),
    /// Its schema is not brought up to date.
    Migrating(MigrateError),
    /// It is a superuser, or passes by row-level security, or may become such a role.
    Above(String),
    /// It has a table, the schema or the database, or may become who has it.
    Owns(String, String),
    /// The tables are not there, do not hide rows or are not his to use, and no role is named that could change that.
    Unprepared,
}

impl From<DbError> for RoleFault {
    fn from(error: DbError) -> Self {
        Self::Db(error)
    }
}

impl fmt::Display for RoleFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Db(error) => write!(f, "database: {error}"),
            Self::Opening(error) => write!(f, "database: {error}"),
            Self::Migrating(error) => write!(f, "database: {error}"),
            Self::Above(role) => write!(
                f,
                "database: the role {role} passes by row-level security; the service takes one that does not, and \
                 `database_owner` the address of the one that has the tables"
            ),
            Self::Owns(role, what) => write!(
                f,
                "database: the role {role} has {what}; the service takes a role that has nothing there, and \
                 `database_owner` the address of the one that has it"
            ),
            Self::Unprepared => f.write_str(
                "database: the schema is not there, not that of this program, shows rows of guardians to others, or \
                 this role has no rights to it; set `database_owner` to the address of the role that has the tables, \
                 or run `trustd init` with it",
            ),
        }
    }
}

impl std::error::Error for RoleFault {}

impl Db {
    /// Opens the database of the settings to serve, with the schema of this program: a file by itself; a server by the
    /// role that has the tables, where one is named, and then as the role that serves.
    ///
    /// # Errors
    /// [`RoleFault`].
    pub async fn to_serve(config: &Config) -> Result<Self, RoleFault> {
        let db = Self::open(&config.database, &config.data, config.connections).await.map_err(RoleFault::Opening)?;
        if db.is_file() {
            db.migrate().await.map_err(RoleFault::Migrating)?;
            return Ok(db);
        }
        db.check_role(db.role().await?).await?;
        match db.prepare_by_owner(config).await {
            // Nothing is to be done by him: a restart is no outage because of him.
            Err(RoleFault::Opening(error)) if db.is_prepared().await? => {
                tracing::error!(%error, "the role of `database_owner` does not open: no backup is made as it");
            }
            prepared => prepared?,
        }
        if db.is_prepared().await? { Ok(db) } else { Err(RoleFault::Unprepared) }
    }

    /// Whether nothing is left to do for who has the tables.
    async fn is_prepared(&self) -> Result<bool, DbError> {
        // Where it may not read which schema there is, it was given no rights either.
        let is_own = matches!(self.schema().await, Ok(Schema::Own));
        Ok(is_own && !guardians::shows_all(self).await? && self.find(LACKS, values![]).await?.is_none())
    }

    /// Opens a database that was restored: who serves it is looked at when it is served.
    ///
    /// # Errors
    /// [`RoleFault`].
    pub async fn restored(config: &Config) -> Result<Self, RoleFault> {
        let db = Self::open(&config.database, &config.data, config.connections).await.map_err(RoleFault::Opening)?;
        if db.is_file() || config.database_owner.is_none() {
            db.migrate().await.map_err(RoleFault::Migrating)?;
        } else {
            db.prepare_by_owner(config).await?;
        }
        Ok(db)
    }

    async fn prepare_by_owner(&self, config: &Config) -> Result<(), RoleFault> {
        let Some(address) = &config.database_owner else { return Ok(()) };
        let owner = Self::open(address, &config.data, 3).await.map_err(RoleFault::Opening)?;
        owner.migrate().await.map_err(RoleFault::Migrating)?;
        owner.let_serve(&self.role().await?).await?;
        if owner.find(COPIES, values![]).await?.is_none() {
            let role = owner.role().await?;
            tracing::error!(role, "the role of `database_owner` has no BYPASSRLS: no backup is made as it");
        }
        owner.close().await;
        Ok(())
    }

    /// As which role it is asked; empty on a file.
    ///
    /// # Errors
    /// What the database says.
    pub async fn role(&self) -> Result<String, DbError> {
        if self.is_file() {
            return Ok(String::new());
        }
        self.find(ROLE, values![]).await?.map_or(Ok(String::new()), |row| row.text("role"))
    }

    /// Whether the role may serve: it passes by nothing, and it has nothing.
    async fn check_role(&self, role: String) -> Result<(), RoleFault> {
        if self.find(IS_ABOVE, values![]).await?.is_some() {
            return Err(RoleFault::Above(role));
        }
        if let Some(row) = self.find(OWNS, values![]).await? {
            return Err(RoleFault::Owns(role, row.text("name")?));
        }
        Ok(())
    }

    /// Gives a role what it serves with: rows, and no table. Of the migrations it reads alone.
    async fn let_serve(&self, role: &str) -> Result<(), RoleFault> {
        if role == self.role().await? {
            return Ok(());
        }
        let row = self.find(NAMES, values![role]).await?.ok_or(DbError::Column("role"))?;
        let (schema, role) = (row.text("schema")?, row.text("role")?);
        let rights = [
            format!("GRANT USAGE ON SCHEMA {schema} TO {role}"),
            format!("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {role}"),
            format!("REVOKE INSERT, UPDATE, DELETE ON _sqlx_migrations FROM {role}"),
        ];
        Ok(guardians::locked(self, &rights).await?)
    }
}
