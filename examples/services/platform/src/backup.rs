//! Backups: the database at one moment, then the objects that it names; collecting spares those meanwhile. What lies
//! apart is in none of them: it is mirrored as it is.
//!
//! | file | what it is |
//! |---|---|
//! | `database` | the database: a file, or what `pg_dump` writes |
//! | `objects` | the objects, each held against its name on its way |
//! | `place` | putting a backup where a service had nothing |
//! | `schema` | a copy of the schema alone |

mod database;
mod objects;
mod place;
mod schema;

pub use place::{Placed, is_begun, place};
pub use schema::{Copied, Scratch};

use crate::clock::Clock;
use crate::config::Config;
use crate::db::{Db, DbError, RoleFault, Statement, statements};
use crate::objects::{ObjectFault, Objects};
use crate::values;
use dualseal::Timestamp;
use dualseal_operator::disk::{self, Disk, FileError, Readers};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use uuid::Uuid;

statements! {
    BEGIN = "INSERT INTO backups (id, made) VALUES ($1, $2)";
    END = "UPDATE backups SET ended = $2 WHERE id = $1";
    FORGET = "DELETE FROM backups WHERE id = $1";
    LIST = "SELECT id, made, ended FROM backups ORDER BY made DESC";
    LAST = "SELECT origin, checkpoint FROM logs WHERE id = (SELECT MAX(id) FROM logs)";
}

/// All statements of backups.
pub const STATEMENTS: &[Statement] = ALL;

const MANIFEST: &str = "backup.json";
const FORMAT: &str = "trustd-backup-1";
const OBJECTS: &str = "objects";

/// What a backup is: written last, so that a folder without it is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    format: String,
    /// Its name: collecting spares what it has until it is [forgotten](forget).
    pub id: String,
    /// When it began.
    pub made: String,
    /// The file of the database in its folder.
    pub database: String,
    /// The log that is written to.
    pub origin: String,
    /// The last checkpoint at that time; one that somebody outside has kept is what a restore is held against.
    pub checkpoint: Option<serde_json::Value>,
    /// The master that it needs.
    pub master: String,
    /// How many objects there are.
    pub objects: u64,
    /// How many bytes they have.
    pub bytes: u64,
}

/// A backup that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its name.
    pub id: String,
    /// When it began.
    pub made: i64,
    /// When it ended; one that did not is none.
    pub ended: Option<i64>,
}

/// Why there is no backup, or it is not placed.
#[derive(Debug)]
pub enum BackupFault {
    /// There is something where it would be.
    There(PathBuf),
    /// It is no backup, or one of another kind of database.
    Other(&'static str),
    /// The disk.
    Disk(disk::Error),
    /// A program of the database's.
    Program {
        /// Its name.
        name: &'static str,
        /// What it said.
        said: String,
    },
    /// The database.
    Db(DbError),
    /// The schema, or who has it.
    Role(RoleFault),
    /// An object.
    Object(ObjectFault),
    /// The store of objects.
    Bucket(crate::bucket::BucketFault),
}

macro_rules! faults {
    ($($from:ty => $variant:ident;)+) => {
        $(impl From<$from> for BackupFault {
            fn from(error: $from) -> Self {
                Self::$variant(error)
            }
        })+
    };
}

faults! {
    disk::Error => Disk;
    DbError => Db;
    RoleFault => Role;
    ObjectFault => Object;
    crate::bucket::BucketFault => Bucket;
}

impl From<sqlx::Error> for BackupFault {
    fn from(error: sqlx::Error) -> Self {
        Self::Db(error.into())
    }
}

impl From<object_store::Error> for BackupFault {
    fn from(error: object_store::Error) -> Self {
        Self::Object(error.into())
    }
}

impl fmt::Display for BackupFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::There(path) => write!(f, "{} is there already, and is not written over", path.display()),
            Self::Other(what) => f.write_str(what),
            Self::Disk(error) => error.fmt(f),
            Self::Program { name, said } => write!(f, "{name}: {}", said.trim()),
            Self::Db(error) => error.fmt(f),
            Self::Role(error) => error.fmt(f),
            Self::Object(fault) => fault.fmt(f),
            Self::Bucket(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for BackupFault {}

/// Makes a backup in a folder that is not there yet.
///
/// # Errors
/// [`BackupFault`]; what was written stands without its manifest then, and is no backup.
pub async fn make(
    config: &Config,
    db: &Db,
    clock: &Clock,
    objects: &Objects,
    master: &str,
    folder: &Path,
) -> Result<Manifest, BackupFault> {
    if folder.exists() {
        return Err(BackupFault::There(folder.to_owned()));
    }
    Disk::new().make_folder(folder, Readers::Owner)?;
    let (id, made) = (Uuid::now_v7().to_string(), clock.now());
    // First, so that nothing is collected that the database will name.
    db.execute(BEGIN, values![&id, made.as_millis()]).await?;
    let source = Source { config, db, objects, master, folder };
    match source.copy(&id, made).await {
        Ok(manifest) => {
            db.execute(END, values![&manifest.id, clock.millis()]).await?;
            Ok(manifest)
        }
        Err(fault) => {
            forget(db, &id).await?;
            Err(fault)
        }
    }
}

struct Source<'a> {
    config: &'a Config,
    db: &'a Db,
    objects: &'a Objects,
    master: &'a str,
    folder: &'a Path,
}

impl Source<'_> {
    async fn copy(&self, id: &str, made: Timestamp) -> Result<Manifest, BackupFault> {
        let last = self.db.find(LAST, values![]).await?.ok_or(BackupFault::Other("no log was founded yet"))?;
        let (origin, checkpoint) = (last.text("origin")?, last.maybe_text("checkpoint")?);
        let database = database::copy(self.config, self.db, self.folder).await?;
        let copied = objects::copy(self.objects, made.as_millis(), &self.folder.join(OBJECTS)).await?;
        let manifest = Manifest {
            format: FORMAT.to_owned(),
            id: id.to_owned(),
            made: made.to_string(),
            database,
            origin,
            checkpoint: checkpoint.and_then(|json| serde_json::from_str(&json).ok()),
            master: self.master.to_owned(),
            objects: copied.0,
            bytes: copied.1,
        };
        let text = serde_json::to_vec_pretty(&manifest).map_err(|_| BackupFault::Other("the manifest is no JSON"))?;
        write_whole(self.folder.join(MANIFEST), move |file| file.write_all(&text)).await?;
        Ok(manifest)
    }
}

/// The backups that collecting spares, newest first.
///
/// # Errors
/// The database.
pub async fn list(db: &Db) -> Result<Vec<Kept>, DbError> {
    let rows = db.list(LIST, values![]).await?;
    let kept = |row: &crate::db::Row| {
        Ok(Kept { id: row.text("id")?, made: row.number("made")?, ended: row.maybe_number("ended")? })
    };
    rows.iter().map(kept).collect()
}

/// What a backup alone has may be collected from now on. Says whether there was one of this name.
///
/// # Errors
/// The database.
pub async fn forget(db: &Db, id: &str) -> Result<bool, DbError> {
    Ok(db.execute(FORGET, values![id]).await? == 1)
}

/// Writes a file whole, on a thread that may wait.
async fn write_whole(
    path: PathBuf,
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()> + Send + 'static,
) -> Result<(), BackupFault> {
    let written = tokio::task::spawn_blocking(move || {
        let made = Disk::new().create_whole(&path, Readers::Owner, |file| {
            write(file).map_err(|error| disk::Error::writing(&path, error))
        });
        made.map_err(|error| match error {
            FileError::Failed(error) if error.refused() == Some(disk::Refused::Exists) => {
                BackupFault::There(path.clone())
            }
            FileError::Failed(error) => error.into(),
            FileError::NotForced { error, .. } => disk::Error::writing(&path, error).into(),
        })
    });
    written.await.map_err(|_| BackupFault::Other("the thread that wrote a file did not end"))?
}
