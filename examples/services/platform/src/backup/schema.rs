//! A copy of the schema, with the list of migrations that made it and without any row else: what the migrations of a
//! next release are tried on. Who serves a server makes none: where nobody else is named an empty file stands in.

use super::BackupFault;
use super::database::{address, run};
use crate::config::Config;
use crate::db::{Db, Schema};
use rusqlite::{Connection, OpenFlags};
use sqlx::{AssertSqlSafe, Executor as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::process::Command;
use url::Url;
use uuid::Uuid;

/// How often a database is tried to be taken away, while connections to it end.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(200);
const FILE: &str = "scratch.sqlite";
/// How those on a server begin.
const NAMED: &str = "trustd_gate_";
/// Nobody tries a release for longer.
const LONGEST: Duration = Duration::from_hours(24);

const NO_OWNER: BackupFault = BackupFault::Other(
    "the schema is not there, or not that of this program, and no `database_owner` is named that could change it: the \
     gate wants it, and one start",
);

/// What was copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copied {
    /// A schema, beside that of this program.
    Schema(Schema),
    /// There is none yet.
    None,
    /// Nothing: the server has that of this program, and who could copy it is not named.
    Instead,
}

/// A database of its own that has the schema of another.
#[derive(Debug)]
pub struct Scratch {
    /// What it has.
    pub copied: Copied,
    /// Its address, as the role that serves.
    pub address: String,
    /// The same as the role that has its tables, where the settings name one.
    pub owner: Option<String>,
    /// Where it stands on a server, and its name there.
    server: Option<(Db, String)>,
}

impl Scratch {
    /// Copies the schema of the database that the settings name: beside it on a server, else into a folder. One that is
    /// not there yet has none.
    ///
    /// # Errors
    /// What the database says; `pg_dump` and `pg_restore`, which must be there for a server.
    pub async fn copy(config: &Config, folder: &Path) -> Result<Self, BackupFault> {
        if let Some(file) = config.database.strip_prefix("sqlite:") {
            let (from, to) = (config.data.join(file), folder.join(FILE));
            let (address, mut found) = (file_in(folder), Copied::None);
            if from.exists() {
                let copied = tokio::task::spawn_blocking(move || copied(&from, &to)).await;
                let said =
                    |error: &dyn std::fmt::Display| BackupFault::Program { name: "SQLite", said: error.to_string() };
                copied.map_err(|error| said(&error))?.map_err(|error| said(&error))?;
                found = of(&address, folder).await?;
            }
            return Ok(Self { copied: found, address, owner: None, server: None });
        }
        let Some(named) = &config.database_owner else {
            return match of(&config.database, folder).await? {
                Copied::Schema(Schema::Own) => {
                    Ok(Self { copied: Copied::Instead, address: file_in(folder), owner: None, server: None })
                }
                _ => Err(NO_OWNER),
            };
        };
        let name = format!("{NAMED}{}", Uuid::now_v7().simple());
        let server = Db::open(named, folder, 3).await.map_err(crate::db::DbError::from)?;
        sweep(&server).await?;
        on(&server, format!("CREATE DATABASE {name}")).await?;
        let beside = |address: &String| {
            let mut url = Url::parse(address).map_err(|_| BackupFault::Other("the address of the database is none"))?;
            url.set_path(&name);
            Ok::<String, BackupFault>(url.into())
        };
        let (address, owner) = (beside(&config.database)?, beside(named)?);
        let scratch = Self { copied: Copied::None, address, owner: Some(owner.clone()), server: Some((server, name)) };
        let restored = scratch.restored(config, folder).await;
        match restored.and(of(&owner, folder).await) {
            Ok(copied) => Ok(Self { copied, ..scratch }),
            Err(fault) => {
                // Whatever becomes of it: what went wrong first is told.
                drop(scratch.end().await);
                Err(fault)
            }
        }
    }

    async fn restored(&self, config: &Config, folder: &Path) -> Result<(), BackupFault> {
        let ((from, password), dump) = (address(config)?, folder.join("scratch.dump"));
        let mut program = Command::new("pg_dump");
        // The list of migrations is the one table whose name begins otherwise.
        program.args(["--format=custom", "--no-owner", "--no-privileges", "--exclude-table-data=[a-z]*", "--file"]);
        program.arg(&dump).arg("--dbname").arg(from);
        run(program, "pg_dump", password).await?;
        let (database, database_owner) = (self.address.clone(), self.owner.clone());
        super::database::restore(&Config { database, database_owner, ..config.clone() }, &dump).await
    }

    /// Takes it away again, as soon as nobody is connected to it any more: whoever has the tables ends no connection of
    /// who serves.
    ///
    /// # Errors
    /// What the server says.
    pub async fn end(self) -> Result<(), BackupFault> {
        if let Some((server, name)) = self.server {
            let mut tries = 0;
            while let Err(fault) = on(&server, format!("DROP DATABASE IF EXISTS {name}")).await {
                tries += 1;
                if tries == TRIES {
                    return Err(fault);
                }
                tokio::time::sleep(PAUSE).await;
            }
            server.close().await;
        }
        Ok(())
    }
}

/// Which schema the database of an address has.
async fn of(address: &str, folder: &Path) -> Result<Copied, BackupFault> {
    let db = Db::open(address, folder, 3).await.map_err(crate::db::DbError::from)?;
    let found = match db.schema().await {
        Ok(schema) => Ok(Copied::Schema(schema)),
        // Without a list of migrations there is none. One that does not read is one.
        Err(error) if error.is_of_no_table() => Ok(Copied::None),
        Err(error) => Err(error.into()),
    };
    db.close().await;
    found
}

fn file_in(folder: &Path) -> String {
    format!("sqlite:{}", folder.join(FILE).display())
}

/// Takes away what those left that were killed. Whose it is not, or who is connected to it, keeps it.
async fn sweep(server: &Db) -> Result<(), BackupFault> {
    let Db::Postgres { pool, .. } = server else { return Ok(()) };
    let all: Vec<String> = sqlx::query_scalar("SELECT datname::TEXT FROM pg_database WHERE starts_with(datname, $1)")
        .bind(NAMED)
        .fetch_all(pool)
        .await
        .map_err(crate::db::DbError::from)?;
    for name in all.iter().filter(|name| is_left(name, SystemTime::now())) {
        if let Err(error) = on(server, format!("DROP DATABASE IF EXISTS {name}")).await {
            tracing::warn!(name, %error, "a copy of the schema was left, and stays");
        }
    }
    Ok(())
}

/// Whether a database is one that was made here, long ago: its name is exactly of that form, and says when.
fn is_left(name: &str, now: SystemTime) -> bool {
    let drawn = name.strip_prefix(NAMED).and_then(|drawn| Uuid::try_parse(drawn).ok());
    let Some(drawn) = drawn.filter(|drawn| name == format!("{NAMED}{}", drawn.simple())) else { return false };
    let made = drawn.get_timestamp().and_then(|time| {
        let (seconds, nanos) = time.to_unix();
        UNIX_EPOCH.checked_add(Duration::new(seconds, nanos))
    });
    made.is_some_and(|made| now.duration_since(made).is_ok_and(|age| age > LONGEST))
}

/// A statement that no transaction is around, with a name that was drawn here.
async fn on(server: &Db, text: String) -> Result<(), BackupFault> {
    if let Db::Postgres { pool, .. } = server {
        pool.execute(sqlx::query(AssertSqlSafe(text))).await.map_err(crate::db::DbError::from)?;
    }
    Ok(())
}

fn copied(from: &PathBuf, to: &PathBuf) -> rusqlite::Result<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let (live, scratch) = (Connection::open_with_flags(from, flags)?, Connection::open(to)?);
    live.execute_batch("BEGIN")?;
    let mut made = live.prepare(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
    )?;
    for text in made.query_map([], |row| row.get::<_, String>(0))? {
        scratch.execute_batch(&text?)?;
    }
    let list = "SELECT version, description, installed_on, success, checksum, execution_time FROM _sqlx_migrations";
    // A database that nothing was migrated in has none.
    let Ok(mut list) = live.prepare(list) else { return Ok(()) };
    let mut rows = list.query([])?;
    while let Some(row) = rows.next()? {
        let values =
            (0..6).map(|column| row.get::<_, rusqlite::types::Value>(column)).collect::<rusqlite::Result<Vec<_>>>()?;
        scratch.execute(
            "INSERT INTO _sqlx_migrations VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            rusqlite::params_from_iter(values),
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_list_that_does_not_read_is_not_none() {
        let folder = tempfile::tempdir().unwrap();
        let config = Config { data: folder.path().to_owned(), ..Config::default() };
        let scratch = folder.path().join("scratch");
        std::fs::create_dir(&scratch).unwrap();
        let file = Connection::open(folder.path().join("trustd.sqlite")).unwrap();
        file.execute_batch("CREATE TABLE other (id TEXT)").unwrap();
        assert_eq!(Scratch::copy(&config, &scratch).await.unwrap().copied, Copied::None);
        std::fs::remove_file(scratch.join(FILE)).unwrap();
        file.execute_batch("CREATE TABLE _sqlx_migrations (version TEXT)").unwrap();
        assert!(Scratch::copy(&config, &scratch).await.is_err());
    }

    #[test]
    fn what_is_left_says_so_by_its_name() {
        let made = UNIX_EPOCH + Duration::from_millis(0x019a_9f3c_5a7e);
        let (soon, late) = (made + LONGEST, made + LONGEST + Duration::from_secs(1));
        let name = "trustd_gate_019a9f3c5a7e7d1b8a5e1c2d3e4f5a6b";
        assert!(is_left(name, late) && !is_left(name, soon) && !is_left(name, UNIX_EPOCH));
        for other in [
            "trustd_gate_",
            "trustd_gate_019a9f3c5a7e4d1b8a5e1c2d3e4f5a6b",
            "trustd_gate_019A9F3C5A7E7D1B8A5E1C2D3E4F5A6B",
            "trustd_gate_019a9f3c-5a7e-7d1b-8a5e-1c2d3e4f5a6b",
            "trustd_gate_{019a9f3c-5a7e-7d1b-8a5e-1c2d3e4f5a6b}",
            "trustd",
        ] {
            assert!(!is_left(other, late), "{other}");
        }
    }
}
