//! Files: read as a stream, written whole or not at all.

use crate::Fallible;
use dualseal_operator::disk::{Disk, Error, FileError};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

pub use dualseal_operator::disk::Readers;

/// Opens a regular file for reading.
///
/// # Errors
/// One line that names the file and what to do.
pub fn open(path: &Path) -> Fallible<File> {
    let shown = path.display();
    let file = File::open(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
    if file.metadata().map_err(|error| format!("cannot read {shown}: {error}"))?.is_dir() {
        return Err(format!("cannot read {shown}: it is a folder; give a file").into());
    }
    Ok(file)
}

/// Hands a file to `each` in parts and returns its size in bytes.
///
/// # Errors
/// One line that names the file.
pub fn stream(path: &Path, mut each: impl FnMut(&[u8])) -> Fallible<u64> {
    let mut file = open(path)?;
    let mut buffer = vec![0; 256 << 10];
    let mut size = 0;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(size),
            Ok(count) => {
                each(&buffer[..count]);
                size += count as u64;
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(format!("cannot read {}: {error}", path.display()).into()),
        }
    }
}

/// Makes a new folder, whose parent may be missing too.
///
/// # Errors
/// When it exists already: nothing of an earlier run is written over.
pub fn new_folder(path: &Path) -> Fallible<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(|error| format!("cannot make {}: {error}", parent.display()))?;
    }
    fs::create_dir(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            format!("{} exists already and is left as it is; name a new folder", path.display())
        }
        _ => format!("cannot make {}: {error}", path.display()),
    })?;
    Ok(())
}

/// Writes a new file.
///
/// # Errors
/// One line that names the file; also when it exists.
pub fn write_new(path: &Path, text: &str, readers: Readers) -> Fallible<()> {
    whole(Disk::new().create_whole(path, readers, |file| {
        Ok(file.write_all(text.as_bytes()).map_err(|error| Error::writing(path, error))?)
    }))
}

/// What was written, unless anything is wrong with it; that a loss of power may take it back is.
///
/// # Errors
/// One line for a person.
pub fn whole<T>(written: Result<T, FileError<T, Box<dyn std::error::Error>>>) -> Fallible<T> {
    written.map_err(|error| match error {
        FileError::Failed(error) => error,
        FileError::NotForced { error, .. } => format!("what is written may not last: {error}").into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_over() {
        let folder = std::env::temp_dir().join(format!("dualseal-files-{}", std::process::id()));
        new_folder(&folder.join("a/b")).unwrap();
        assert!(new_folder(&folder.join("a/b")).unwrap_err().to_string().contains("exists already"));
        let file = folder.join("a/b/c");
        write_new(&file, "one", Readers::Owner).unwrap();
        write_new(&file, "two", Readers::Owner).unwrap_err();
        let mut seen = Vec::new();
        assert_eq!(stream(&file, |part| seen.extend_from_slice(part)).unwrap(), 3);
        assert_eq!(seen, b"one");
        assert!(open(&folder).unwrap_err().to_string().contains("is a folder"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
