//! Objects: documents, photos and files beside the database, by the SHA3-256 of their bytes. An object is stored before
//! any row names it, and is collected a day after no row does, unless a backup that is kept may name it.
//!
//! | file | what it is |
//! |---|---|
//! | `put` | storing what comes as a stream |
//! | `get` | reading it, held against its name |
//! | `names` | which rows name it |
//! | `collect` | removing what nobody names |

mod collect;
mod get;
mod names;
mod put;

pub use collect::Collected;

use crate::bucket::{self, BucketFault};
use crate::clock::Clock;
use crate::config::Config;
use crate::db::{Db, DbError, Statement, statements};
use crate::problem::Problem;
use object_store::path::Path as Location;
use object_store::{ObjectStore, ObjectStoreExt};
use std::fmt;
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// All statements of the objects.
pub const STATEMENTS: &[&[Statement]] = &[ALL, collect::ALL, names::ALL, put::ALL];

statements! {
    /// All that are named, or were when a backup began.
    SINCE = "SELECT o.hash, o.bytes FROM objects o WHERE o.hash > $1 AND (o.bare >= $2 OR \
             EXISTS (SELECT 1 FROM object_names n WHERE n.hash = o.hash)) ORDER BY o.hash LIMIT $3";
}

/// The objects of the service.
#[derive(Clone, Debug)]
pub struct Objects {
    store: Arc<dyn ObjectStore>,
    db: Db,
    clock: Clock,
    /// Where a stream waits for its name, in a file that has none.
    spool: PathBuf,
    /// Of a store that is a folder.
    folder: Option<PathBuf>,
}

/// An object that is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its name: the SHA3-256 of its bytes.
    pub hash: [u8; 32],
    /// How many bytes it has.
    pub bytes: u64,
}

/// Why an object is not stored or read.
#[derive(Debug)]
pub enum ObjectFault {
    /// There is none of this name.
    Missing,
    /// Its bytes are not those of its name.
    Edited,
    /// It has more bytes than the caller takes.
    Long,
    /// What it is made of could not be read.
    Source(Problem),
    /// The store.
    Store(object_store::Error),
    /// The database.
    Db(DbError),
    /// The file where it waits.
    Spool(io::Error),
}

macro_rules! faults {
    ($($from:ty => $variant:ident;)+) => {
        $(impl From<$from> for ObjectFault {
            fn from(error: $from) -> Self {
                Self::$variant(error)
            }
        })+
    };
}

faults! {
    object_store::Error => Store;
    DbError => Db;
    io::Error => Spool;
    Problem => Source;
}

impl fmt::Display for ObjectFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("there is no such object"),
            Self::Edited => f.write_str("the bytes of an object are not those of its name"),
            Self::Long => f.write_str("the object is longer than it may be"),
            Self::Source(problem) => problem.fmt(f),
            Self::Store(error) => error.fmt(f),
            Self::Db(error) => error.fmt(f),
            Self::Spool(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ObjectFault {}

/// What is the sender's fault goes back to him.
impl From<ObjectFault> for Problem {
    fn from(fault: ObjectFault) -> Self {
        match fault {
            ObjectFault::Source(problem) => problem,
            ObjectFault::Long => Self::new(&crate::problem::kinds::TOO_LARGE),
            fault => Self::internal("objects", &fault),
        }
    }
}

impl Objects {
    /// Where the settings say: `objects` in the data folder, or a bucket.
    ///
    /// # Errors
    /// [`BucketFault`].
    pub fn open(config: &Config, db: Db, clock: Clock) -> Result<Self, BucketFault> {
        let spool = private(&config.data.join("spool"))?;
        if config.objects != "folder" {
            return Ok(Self::with(bucket::bucket(&config.objects, &config.s3)?, db, clock, spool));
        }
        let folder = private(&config.data.join("objects"))?;
        let store = bucket::folder(&folder)?;
        Ok(Self { folder: Some(folder), ..Self::with(store, db, clock, spool) })
    }

    /// In a store of any kind, with a folder in which streams wait.
    #[must_use]
    pub fn with(store: Arc<dyn ObjectStore>, db: Db, clock: Clock, spool: PathBuf) -> Self {
        Self { store, db, clock, spool, folder: None }
    }

    /// What a backup that began at this time copies: at most so many, after one of them, in order.
    ///
    /// # Errors
    /// The database.
    pub async fn page(&self, since: i64, after: Option<&[u8; 32]>, most: usize) -> Result<Vec<Object>, DbError> {
        let after = after.map_or(&[][..], |after| &after[..]);
        let rows = self.db.list(SINCE, crate::values![after, since, most]).await?;
        rows.iter().map(Object::of).collect()
    }

    /// Whether the store answers.
    ///
    /// # Errors
    /// What it says.
    pub async fn health(&self) -> Result<(), ObjectFault> {
        // In a folder that is gone there is no such object, either.
        if let Some(folder) = &self.folder {
            drop(tokio::fs::read_dir(folder).await?);
        }
        match self.store.head(&location(&[0; 32])).await {
            Ok(_) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

impl Object {
    fn of(row: &crate::db::Row) -> Result<Self, DbError> {
        let hash = row.bytes("hash")?.try_into().map_err(|_| DbError::Column("hash"))?;
        Ok(Self { hash, bytes: row.size("bytes")? })
    }
}

/// Where an object stands in a store: in one of 256 folders, so that none is too full.
pub(crate) fn location(hash: &[u8; 32]) -> Location {
    let name = dualseal::encoding::hex::encode(hash);
    Location::from(format!("{}/{name}", name.get(..2).unwrap_or_default()))
}

/// A folder that its owner alone reads, made where there is none.
fn private(path: &Path) -> Result<PathBuf, BucketFault> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
    made.map_err(|error| BucketFault::File { path: path.to_owned(), error })?;
    Ok(path.to_owned())
}
