//! Beginning: the data folder, the master, the database and the log, each made on a fresh machine and held against what
//! is there on any other.

use crate::commands::Fault;
use dualseal::{Domain, SystemRng};
use dualseal_operator::disk::{self, Disk, FileError, Readers};
use dualseal_operator::secrets::Master;
use platform::Platform;
use platform::apart::Apart;
use platform::backup::is_begun;
use platform::clock::Clock;
use platform::config::Config;
use platform::db::Db;
use platform::log::{Log, LogSettings, MarkPlace, found, is_founded};
use platform::objects::Objects;
use platform::secrets::{self, ErasureKeys, Secrets};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How long two processes that begin at once wait for each other.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(200);

/// What was opened.
#[derive(Debug)]
pub struct Started {
    /// The service.
    pub platform: Arc<Platform>,
    /// Documents and files beside the database.
    pub objects: Objects,
    /// Where the signer's mark lies.
    pub mark: MarkPlace,
    /// Whether the log was founded just now.
    pub is_new: bool,
}

/// Opens everything, and makes what a fresh machine has not.
///
/// # Errors
/// What does not open or does not belong together, in words.
pub async fn start(config: Config, clock: Clock) -> Result<Started, Fault> {
    let disk = Disk::new();
    disk.make_folder(&config.data, Readers::Owner)?;
    unbegun(&config)?;
    let db = Db::to_serve(&config).await?;
    let domain = Domain::new(&config.domain)?;
    let path = config.keys.master.clone().unwrap_or_else(|| config.data.join("master.pem"));
    let is_drawn_here = config.keys.master.is_none() && config.keys.master_credential.is_none();
    if is_drawn_here && disk.open(&path)?.is_none() {
        if is_founded(&db).await? {
            let text = "the database is there, and its master is not: restore it; no other opens the secrets";
            return Err(format!("{}: {text}", path.display()).into());
        }
        draw(&disk, &path, &domain)?;
    }
    let secrets = secrets::open(&config)?;
    let apart = Apart::open(&config)?;
    let mark = MarkPlace::Apart(apart.clone());
    let is_new = begin(&db, &clock, &secrets, &mark, &config.log.origin).await?;
    let log = Log::open(db.clone(), clock.clone(), secrets.clone(), mark.clone(), LogSettings::of(&config.log)).await?;
    let (objects, owners) = (Objects::open(&config, db.clone(), clock.clone())?, ErasureKeys::new(apart, secrets));
    if is_new {
        log.checkpoint().await?;
    }
    let platform = Platform::open(config, clock, db, log, owners).await?;
    Ok(Started { platform, objects, mark, is_new })
}

/// What a restore placed that did not end was judged by nobody, and whatever was revoked since then counts in it.
///
/// # Errors
/// There is such.
pub(crate) fn unbegun(config: &Config) -> Result<(), Fault> {
    if is_begun(config)? {
        return Err("a restore was begun here and did not end: call it again".into());
    }
    Ok(())
}

/// Founds the log where there is none. Of two processes that begin at once one does, and the other waits for it.
async fn begin(db: &Db, clock: &Clock, secrets: &Secrets, mark: &MarkPlace, origin: &str) -> Result<bool, Fault> {
    let mut fault = None;
    for _ in 0..TRIES {
        let mut tx = db.begin().await?;
        if is_founded(db).await? {
            secrets.check(&mut tx, clock.millis()).await?;
            tx.commit().await?;
            return Ok(false);
        }
        secrets.check(&mut tx, clock.millis()).await?;
        let founded = found(&mut tx, clock, secrets, mark, 1, origin).await;
        match founded {
            Ok(_) => {
                tx.commit().await?;
                return Ok(true);
            }
            Err(found) => fault = Some(found),
        }
        tx.roll_back().await?;
        tokio::time::sleep(PAUSE).await;
    }
    Err(fault.map_or_else(|| "no log was founded".into(), Into::into))
}

/// The master of the secrets, on a fresh machine alone: over a database that is there, another would open nothing.
fn draw(disk: &Disk, path: &Path, domain: &Domain) -> Result<(), Fault> {
    let text = Master::draw(domain, &mut SystemRng)?.to_pem(None, &mut SystemRng)?;
    write(disk, path, text.as_bytes())
}

/// Writes a file that its owner alone reads, where there is none.
pub(crate) fn write(disk: &Disk, path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let written = disk.create_whole(path, Readers::Owner, |file| {
        file.write_all(bytes).map_err(|error| disk::Error::writing(path, error))
    });
    Ok(written.map_err(|error| match error {
        FileError::Failed(error) => error,
        FileError::NotForced { error, .. } => disk::Error::writing(path, error),
    })?)
}
