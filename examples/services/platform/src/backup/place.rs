//! Putting a backup where a service had nothing. Whether it is taken is judged afterwards
//! ([`judge`](crate::log::judge)); the service does not start before.

use super::{BackupFault, FORMAT, MANIFEST, Manifest, OBJECTS, database, objects, write_whole};
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::objects::Objects;
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
}

impl Placed {
    /// Takes the file away again: it was refused, and the place is free for another one.
    ///
    /// # Errors
    /// The disk.
    pub async fn take_away(self) -> Result<(), BackupFault> {
        self.db.close().await;
        let Some(path) = self.file else { return Ok(()) };
        for end in ["-wal", "-shm", ""] {
            let mut name = path.clone().into_os_string();
            name.push(end);
            let name = PathBuf::from(name);
            match fs::remove_file(&name) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(dualseal_operator::disk::Error::writing(&name, error).into());
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Places the backup of a folder in the database and the store of objects that the settings name, which are empty.
///
/// # Errors
/// [`BackupFault`].
pub async fn place(config: &Config, clock: &Clock, folder: &Path) -> Result<Placed, BackupFault> {
    let manifest = read(folder)?;
    let dump = folder.join(&manifest.database);
    let file = match config.database.strip_prefix("sqlite:") {
        Some(name) if manifest.database == database::SQLITE => {
            let path = config.data.join(name);
            let into = path.clone();
            write_whole(into, move |file| io::copy(&mut File::open(&dump)?, file).map(drop)).await?;
            Some(path)
        }
        None if manifest.database == database::POSTGRES => {
            let db = Db::open(&config.database, &config.data, config.connections).await?;
            let is_empty = db.is_empty().await?;
            db.close().await;
            if !is_empty {
                return Err(BackupFault::Other("the database has tables already: restore into an empty one"));
            }
            database::restore(config, &dump).await?;
            None
        }
        _ => return Err(BackupFault::Other("the backup is of the other kind of database")),
    };
    let db = Db::open(&config.database, &config.data, config.connections).await?;
    db.migrate().await?;
    let store = Objects::open(config, db.clone(), clock.clone())?;
    let objects = objects::restore(&store, &folder.join(OBJECTS)).await?;
    Ok(Placed { db, manifest, objects, file })
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
