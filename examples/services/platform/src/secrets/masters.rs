//! Where the master comes from, and which one the rows are under: a service that is given another one does not start.

use super::Secrets;
use crate::config::Config;
use crate::db::{DbError, Tx, statements};
use crate::values;
use dualseal::{Domain, SystemRng};
use dualseal_operator::disk::{self, Disk, FileError, Readers};
use dualseal_operator::secrets::{Master, MasterFault, MasterSource, PemFault, credentials_directory};
use std::fmt;
use std::path::{Path, PathBuf};

statements! {
    MASTERS = "SELECT key_id FROM masters ORDER BY since DESC, key_id";
    NAME = "INSERT INTO masters (key_id, since) VALUES ($1, $2)";
    FORGET = "DELETE FROM masters WHERE key_id <> $1";
}

const FILE: &str = "master.pem";
/// Behind the name of the master's file: that of the master before.
const BEFORE: &str = "before";

/// Why there are no masters.
#[derive(Debug)]
pub enum MastersFault {
    /// A file of one does not open.
    Master(MasterFault),
    /// The disk.
    Disk(disk::Error),
    /// A new master could not be made.
    New(PemFault),
    /// The generator failed.
    Drawn(dualseal::Error),
    /// The master is a credential: whoever gives it draws the next one.
    Credential,
    /// A master before is there still, of a rotation that has ended.
    Left(PathBuf),
}

impl From<MasterFault> for MastersFault {
    fn from(fault: MasterFault) -> Self {
        Self::Master(fault)
    }
}

impl From<disk::Error> for MastersFault {
    fn from(error: disk::Error) -> Self {
        Self::Disk(error)
    }
}

impl fmt::Display for MastersFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Master(fault) => write!(f, "{fault}: {}", fault.hint()),
            Self::Disk(error) => error.fmt(f),
            Self::New(fault) => fault.fmt(f),
            Self::Drawn(error) => error.fmt(f),
            Self::Credential => f.write_str(
                "the master is a credential: give the next one as the credential, and the one before as \
                 keys.master_before",
            ),
            Self::Left(path) => write!(
                f,
                "{} is there from an earlier rotation: move it to where the backups of its time are kept",
                path.display()
            ),
        }
    }
}

impl std::error::Error for MastersFault {}

/// Opens the master that the settings name, and the one before it where a rotation has not ended.
///
/// # Errors
/// [`MastersFault`].
pub fn open(config: &Config) -> Result<Secrets, MastersFault> {
    let domain = Domain::new(&config.domain).map_err(MastersFault::Drawn)?;
    let secrets = match &config.keys.master_credential {
        Some(name) => Secrets::new(MasterSource::credential(credentials_directory()?, name).open(&domain)?),
        None => Secrets::new(MasterSource::file(file(config)).open(&domain)?),
    };
    let before = before(config);
    if Disk::new().open(&before)?.is_none() {
        return Ok(secrets);
    }
    Ok(secrets.with_before(MasterSource::file(before).open(&domain)?))
}

/// Draws the next master into the place of the one that is there, which is kept beside it. After a crash it is begun
/// again. All processes of the service are started anew then, with both, before anything is put under the new one.
///
/// # Errors
/// [`MastersFault`].
pub fn begin_rotation(config: &Config) -> Result<Secrets, MastersFault> {
    if config.keys.master_credential.is_some() {
        return Err(MastersFault::Credential);
    }
    let domain = Domain::new(&config.domain).map_err(MastersFault::Drawn)?;
    let (path, before, disk) = (file(config), before(config), Disk::new());
    let current = MasterSource::file(&path).open(&domain)?;
    if disk.open(&before)?.is_some() {
        let kept = MasterSource::file(&before).open(&domain)?;
        if kept.key_id() != current.key_id() {
            return Err(MastersFault::Left(before));
        }
    } else {
        let pem = current.to_pem(None, &mut SystemRng).map_err(MastersFault::New)?;
        written(disk.create_whole(&before, Readers::Owner, |file| write(file, &before, &pem)), &before)?;
    }
    let next = Master::draw(&domain, &mut SystemRng).map_err(MastersFault::Drawn)?;
    let pem = next.to_pem(None, &mut SystemRng).map_err(MastersFault::New)?;
    written(disk.replace(&path, Readers::Owner, |file| write(file, &path, &pem)), &path)?;
    Ok(Secrets::new(next).with_before(current))
}

fn file(config: &Config) -> PathBuf {
    config.keys.master.clone().unwrap_or_else(|| config.data.join(FILE))
}

fn before(config: &Config) -> PathBuf {
    config.keys.master_before.clone().unwrap_or_else(|| file(config).with_added_extension(BEFORE))
}

fn write(file: &mut dyn std::io::Write, path: &Path, pem: &str) -> Result<(), disk::Error> {
    file.write_all(pem.as_bytes()).map_err(|error| disk::Error::writing(path, error))
}

fn written(written: Result<(), FileError<()>>, path: &Path) -> Result<(), disk::Error> {
    written.map_err(|error| match error {
        FileError::Failed(error) => error,
        FileError::NotForced { error, .. } => disk::Error::writing(path, error),
    })
}

/// Why the master is not the one of the store.
#[derive(Debug)]
pub enum MasterCheck {
    /// The rows are under another.
    Other {
        /// Its name.
        kept: String,
    },
    /// A rotation has not ended, and the master before it was not given.
    Unended {
        /// Its name.
        before: String,
    },
    /// The database.
    Db(DbError),
}

impl From<DbError> for MasterCheck {
    fn from(error: DbError) -> Self {
        Self::Db(error)
    }
}

impl fmt::Display for MasterCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Other { kept } => write!(f, "the secrets are under the master {kept}, and another was given"),
            Self::Unended { before } => write!(
                f,
                "a rotation of the master has not ended: give the one before, {before}, as keys.master_before, and run \
                 `trustd init --rotate-master` again"
            ),
            Self::Db(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MasterCheck {}

impl Secrets {
    /// Compares the master with the names of those that the rows are under; the first one is written down, and the next
    /// one where the one before it is given too.
    ///
    /// # Errors
    /// [`MasterCheck`].
    pub async fn check(&self, tx: &mut Tx, now: i64) -> Result<(), MasterCheck> {
        let names = tx.list(MASTERS, values![]).await?;
        let names = names.iter().map(|row| row.text("key_id")).collect::<Result<Vec<_>, _>>()?;
        let given = self.master.key_id().to_hex();
        let before = self.before.as_ref().map(|before| before.key_id().to_hex());
        if names.is_empty() {
            tx.execute(NAME, values![given, now]).await?;
            return Ok(());
        }
        if let Some(missing) = names.iter().find(|name| **name != given && before.as_ref() != Some(*name)) {
            let missing = missing.clone();
            let is_under_way = names.contains(&given);
            return Err(if is_under_way {
                MasterCheck::Unended { before: missing }
            } else {
                MasterCheck::Other { kept: missing }
            });
        }
        if !names.contains(&given) {
            tx.execute(NAME, values![given, now]).await?;
        }
        Ok(())
    }

    /// A rotation has ended: no row is under any other master.
    pub(super) async fn forget_others(&self, tx: &mut Tx) -> Result<(), DbError> {
        tx.execute(FORGET, values![self.master.key_id().to_hex()]).await.map(drop)
    }
}
