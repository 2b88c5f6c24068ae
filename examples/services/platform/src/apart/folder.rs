//! In a folder. The operator's disk forces everything it writes, and takes no link for a file.

use super::{ApartError, Bytes, LONGEST};
use dualseal_operator::disk::{Disk, Error, FileError, Readers, Refused, is_unfinished};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(10);
const LOCK: &str = "lock";

pub(super) async fn read(path: PathBuf) -> Result<Option<Bytes>, ApartError> {
    on_a_thread(move || Ok(Disk::new().read(&path, LONGEST)?)).await
}

pub(super) async fn put(path: PathBuf, last: Option<&[u8]>, next: &[u8]) -> Result<(), ApartError> {
    let (last, next) = (last.map(|last| Bytes::new(last.to_vec())), Bytes::new(next.to_vec()));
    on_a_thread(move || {
        let disk = Disk::new();
        if let Some(folder) = path.parent() {
            disk.make_folder(folder, Readers::Owner)?;
        }
        match &last {
            None => written(disk.create_whole(&path, Readers::Owner, |file| write(file, &path, &next)), &path),
            Some(last) => {
                let _lock = disk.lock_beside(&path, PATIENCE)?;
                if disk.read(&path, LONGEST)?.is_none_or(|found| found != *last) {
                    return Err(ApartError::Moved);
                }
                written(disk.replace(&path, Readers::Owner, |file| write(file, &path, &next)), &path)
            }
        }
    })
    .await
}

pub(super) async fn destroy(path: PathBuf) -> Result<bool, ApartError> {
    on_a_thread(move || {
        if !path.parent().is_some_and(Path::is_dir) {
            return Ok(false);
        }
        let disk = Disk::new();
        let Some(doomed) = disk.doomed(&path)? else { return Ok(false) };
        // The name first: whoever looks meanwhile finds it whole, or not at all.
        written(disk.remove(&path), &path)?;
        doomed.wipe()?;
        Ok(true)
    })
    .await
}

pub(super) async fn names(path: PathBuf) -> Result<Vec<String>, ApartError> {
    on_a_thread(move || {
        let failed = |error| ApartError::Disk(Error::reading(&path, error));
        let entries = match path.read_dir() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(failed)?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let name = entry.map_err(failed)?.file_name();
            let is_other = is_unfinished(&name) || Path::new(&name).extension().is_some_and(|end| end == LOCK);
            names.extend(name.into_string().ok().filter(|_| !is_other));
        }
        Ok(names)
    })
    .await
}

fn write(file: &mut dyn io::Write, path: &Path, bytes: &[u8]) -> Result<(), Error> {
    file.write_all(bytes).map_err(|error| Error::writing(path, error))
}

fn written<T>(written: Result<T, FileError<T>>, path: &Path) -> Result<(), ApartError> {
    match written {
        Ok(_) => Ok(()),
        Err(FileError::Failed(error)) if error.refused() == Some(Refused::Exists) => Err(ApartError::Moved),
        Err(FileError::Failed(error)) => Err(error.into()),
        Err(FileError::NotForced { error, .. }) => Err(Error::writing(path, error).into()),
    }
}

async fn on_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApartError> + Send + 'static,
) -> Result<T, ApartError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| ApartError::Stopped)?
}
