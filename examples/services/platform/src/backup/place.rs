//! Putting a backup where a service had nothing. Whether it is taken is judged afterwards
//! ([`judge`](crate::log::judge)); the service does not start before: a file in the data folder says that a restore was
//! begun, from before anything is placed until it was taken.

use super::{BackupFault, FORMAT, MANIFEST, Manifest, OBJECTS, database, objects, write_whole};
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::objects::Objects;
use dualseal_operator::disk::{Disk, Readers};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A backup that was placed.
#[derive(Debug)]
pub struct Placed {
    /// The database.
    pub db: Db,
    /// What the backup says of itself.
    pub manifest: Manifest,
    /// How many objects it has.
    pub objects: u64,
    /// The file that was written, to be taken away again where it is refused; none on a server.
    file: Option<PathBuf>,
    /// Which says that it was not taken yet.
    begun: PathBuf,
}

/// The file that says that a restore was begun.
const BEGUN: &str = "restore-begun";

/// Whether a restore was begun in this data folder and did not end: what stands in the database is not to be served.
///
/// # Errors
/// The disk.
pub fn is_begun(config: &Config) -> Result<bool, BackupFault> {
    Ok(Disk::new().open(&config.data.join(BEGUN))?.is_some())
}

impl Placed {
    /// Takes the file away again: it was refused, and the place is free for another one.
    ///
    /// # Errors
    /// The disk.
    pub async fn take_away(self) -> Result<(), BackupFault> {
        self.db.close().await;
        let Some(path) = self.file else { return Ok(()) };
        remove_database(&path)?;
        remove(&self.begun)
    }

    /// It was taken: the service starts on it from now on.
    ///
    /// # Errors
    /// The disk: nothing starts on it then.
    pub async fn take(self) -> Result<(), BackupFault> {
        self.db.close().await;
        remove(&self.begun)
    }
}

fn remove_database(path: &Path) -> Result<(), BackupFault> {
    for end in ["-wal", "-shm", ""] {
        let mut name = path.to_owned().into_os_string();
        name.push(end);
        remove(Path::new(&name))?;
    }
    Ok(())
}

fn remove(path: &Path) -> Result<(), BackupFault> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(dualseal_operator::disk::Error::writing(path, error).into())
        }
        _ => Ok(()),
    }
}

/// Places the backup of a folder in the database and the store of objects that the settings name, which are empty, or
/// hold what a restore left that broke off.
///
/// # Errors
/// [`BackupFault`]; a file of the database is not there then, and a server's is to be emptied.
pub async fn place(config: &Config, clock: &Clock, folder: &Path) -> Result<Placed, BackupFault> {
    let (manifest, begun) = (read(folder)?, config.data.join(BEGUN));
    let was_begun = is_begun(config)?;
    let file = match config.database.strip_prefix("sqlite:") {
        Some(name) if manifest.database == database::SQLITE => {
            let path = config.data.join(name);
            if was_begun {
                remove_database(&path)?;
            } else if path.exists() {
                return Err(BackupFault::There(path));
            }
            Some(path)
        }
        None if manifest.database == database::POSTGRES => {
            // Who serves sees no table that he has no right to.
            let address = config.database_owner.as_ref().unwrap_or(&config.database);
            let db = Db::open(address, &config.data, config.connections).await?;
            let is_empty = db.is_empty().await?;
            db.close().await;
            if !is_empty {
                return Err(BackupFault::Other("the database has tables already: restore into an empty one"));
            }
            None
        }
        _ => return Err(BackupFault::Other("the backup is of the other kind of database")),
    };
    if !was_begun {
        let id = manifest.id.clone();
        Disk::new().make_folder(&config.data, Readers::Owner)?;
        write_whole(begun.clone(), move |to| to.write_all(id.as_bytes())).await?;
    }
    match fill(config, clock, (folder, &manifest), file.as_deref()).await {
        Ok((db, objects)) => Ok(Placed { db, manifest, objects, file, begun }),
        Err(fault) => {
            if let Some(path) = &file {
                remove_database(path)?;
                remove(&begun)?;
            }
            Err(fault)
        }
    }
}

async fn fill(
    config: &Config,
    clock: &Clock,
    (folder, manifest): (&Path, &Manifest),
    file: Option<&Path>,
) -> Result<(Db, u64), BackupFault> {
    let dump = folder.join(&manifest.database);
    match file {
        Some(path) => {
            write_whole(path.to_owned(), move |to| io::copy(&mut File::open(&dump)?, to).map(drop)).await?;
        }
        None => database::restore(config, &dump).await?,
    }
    let db = Db::restored(config).await?;
    let store = Objects::open(config, db.clone(), clock.clone())?;
    let objects = objects::restore(&store, &folder.join(OBJECTS)).await?;
    Ok((db, objects))
}

fn read(folder: &Path) -> Result<Manifest, BackupFault> {
    let none = BackupFault::Other("this folder is no backup, or one that did not end");
    let Ok(text) = fs::read(folder.join(MANIFEST)) else { return Err(none) };
    let manifest: Manifest = serde_json::from_slice(&text).map_err(|_| none)?;
    let is_known = [database::SQLITE, database::POSTGRES].contains(&manifest.database.as_str());
    if manifest.format != FORMAT || !is_known {
        return Err(BackupFault::Other("this backup is of a later version"));
    }
    Ok(manifest)
}
