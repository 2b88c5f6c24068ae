//! Beginning: the data folder, the master, the database and the log, each made on a fresh machine and held against what
//! is there on any other.

use dualseal::{Domain, SystemRng};
use dualseal_operator::disk::{self, Disk, Readers};
use dualseal_operator::secrets::{Master, MasterFault, MasterSource, credentials_directory};
use platform::Platform;
use platform::clock::Clock;
use platform::config::Config;
use platform::db::{Db, DbError};
use platform::log::{Log, LogFault, LogSettings, MarkPlace, found};
use platform::secrets::{MasterCheck, Secrets};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why the service does not begin.
#[derive(Debug)]
pub enum StartFault {
    /// A file or folder.
    Disk(disk::Error),
    /// The master.
    Master(MasterFault),
    /// The master is gone, and the database is there.
    MasterMissing(PathBuf),
    /// The master is another one.
    OtherMaster(MasterCheck),
    /// The database.
    Database(String),
    /// The log.
    Log(LogFault),
    /// The library.
    Library(dualseal::Error),
}

macro_rules! faults {
    ($($from:ty => $variant:ident;)+) => {
        $(impl From<$from> for StartFault {
            fn from(error: $from) -> Self {
                Self::$variant(error)
            }
        })+
    };
}

faults! {
    disk::Error => Disk;
    MasterFault => Master;
    MasterCheck => OtherMaster;
    LogFault => Log;
    dualseal::Error => Library;
}

impl From<DbError> for StartFault {
    fn from(error: DbError) -> Self {
        Self::Database(error.to_string())
    }
}

impl fmt::Display for StartFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disk(error) => error.fmt(f),
            Self::Master(fault) => write!(f, "{fault}: {}", fault.hint()),
            Self::MasterMissing(path) => write!(
                f,
                "the database is there, and its master is not at {}: restore it; no other opens the secrets",
                path.display()
            ),
            Self::OtherMaster(fault) => fault.fmt(f),
            Self::Database(text) => write!(f, "the database: {text}"),
            Self::Log(fault) => write!(f, "the log: {fault}"),
            Self::Library(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StartFault {}

/// What was opened, and whether the log was founded just now.
#[derive(Debug)]
pub struct Started {
    /// The service.
    pub platform: Arc<Platform>,
    /// Whether this is the first time.
    pub is_new: bool,
}

/// Opens everything, and makes what a fresh machine has not.
///
/// # Errors
/// [`StartFault`].
pub async fn start(config: Config, clock: Clock) -> Result<Started, StartFault> {
    let disk = Disk::new();
    disk.make_folder(&config.data, Readers::Owner)?;
    let domain = Domain::new(&config.domain)?;
    let db = Db::open(&config.database, &config.data, config.connections).await;
    let db = db.map_err(|error| StartFault::Database(error.to_string()))?;
    db.migrate().await.map_err(|error| StartFault::Database(error.to_string()))?;
    let has_log = platform::log::is_founded(&db).await?;
    let secrets = Secrets::new(master(&disk, &config, &domain, has_log)?);
    let mark = MarkPlace::File(apart(&config)?.join("mark.json"));
    let mut tx = db.begin().await?;
    secrets.check(&mut tx, clock.millis()).await?;
    let is_new = !has_log;
    if is_new {
        found(&mut tx, &clock, &secrets, &mark, 1, &config.log.origin).await?;
    }
    tx.commit().await?;
    let settings = LogSettings {
        checkpoint_every: config.log.checkpoint_every.0,
        checkpoint_entries: config.log.checkpoint_entries,
        batch: config.log.batch,
    };
    let log = Log::open(db.clone(), clock.clone(), secrets.clone(), mark, settings).await?;
    let platform = Arc::new(Platform { config: Arc::new(config), clock, db, log, secrets });
    if is_new {
        platform.log.checkpoint().await.map_err(|problem| StartFault::Database(problem.to_string()))?;
    }
    Ok(Started { platform, is_new })
}

/// The folder that no backup reaches.
fn apart(config: &Config) -> Result<PathBuf, StartFault> {
    let folder = config.keys.apart.as_ref().map_or_else(|| config.data.join("apart"), PathBuf::from);
    Disk::new().make_folder(&folder, Readers::Owner)?;
    Ok(folder)
}

/// The master of the secrets. Drawn on a fresh machine alone: over a database that is there, another would open nothing.
fn master(disk: &Disk, config: &Config, domain: &Domain, has_log: bool) -> Result<Master, StartFault> {
    if let Some(name) = &config.keys.master_credential {
        return Ok(MasterSource::credential(credentials_directory()?, name).open(domain)?);
    }
    let path = config.keys.master.clone().unwrap_or_else(|| config.data.join("master.pem"));
    if disk.open(&path)?.is_none() {
        if has_log || config.keys.master.is_some() {
            return Err(StartFault::MasterMissing(path));
        }
        draw(disk, &path, domain)?;
    }
    Ok(MasterSource::file(path).open(domain)?)
}

fn draw(disk: &Disk, path: &Path, domain: &Domain) -> Result<(), StartFault> {
    let master = Master::draw(domain, &mut SystemRng)?;
    let text = master.to_pem(None, &mut SystemRng).map_err(|_| dualseal::Error::Randomness)?;
    let written = disk.create_whole(path, Readers::Owner, |file| {
        file.write_all(text.as_bytes()).map_err(|error| disk::Error::writing(path, error))
    });
    written.map_err(|error| match error {
        disk::FileError::Failed(error) => error,
        disk::FileError::NotForced { error, .. } => disk::Error::writing(path, error),
    })?;
    Ok(())
}
