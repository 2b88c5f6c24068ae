//! The key of an enrolment: written down before anybody is asked, for its owner alone, so that whoever got no answer,
//! or died, asks once more with the same key. A service enrols one key by an invitation, and answers it again.

use super::Fault;
use crate::signing_in::Drawn;
use crate::start::write;
use dualseal_operator::disk::{self, Disk, FileError};
use platform::config::opened;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Some hexadecimal characters.
const LONGEST: u64 = 1 << 10;

/// The file of the key beside that of its login, until there is one.
fn beside(login: &Path) -> PathBuf {
    let mut name = login.as_os_str().to_owned();
    name.push(".drawn");
    PathBuf::from(name)
}

/// The key that was drawn for a login that there is not yet: by an enrolment that was not answered, or now.
///
/// # Errors
/// The login is there already; the disk; a file that others may read, or that is none of a key.
pub(super) fn begin(disk: &Disk, login: &Path) -> Result<Drawn, Fault> {
    if disk.open(login)?.is_some() {
        end(disk, login)?;
        return Err(format!("{} is there already: take it away first", login.display()).into());
    }
    let file = beside(login);
    let Some(text) = disk.read(&file, LONGEST)? else {
        let drawn = Drawn::new()?;
        write(disk, &file, drawn.text().as_bytes())?;
        return Ok(drawn);
    };
    if let Some(fault) = opened(&file) {
        return Err(fault.into());
    }
    let text = Zeroizing::new(String::from_utf8_lossy(&text).into_owned());
    Drawn::of_text(&text).map_err(|_| format!("{} is not what an enrolment left", file.display()).into())
}

/// Takes away the key that the login has by now.
///
/// # Errors
/// The disk.
pub(super) fn end(disk: &Disk, login: &Path) -> Result<(), Fault> {
    let file = beside(login);
    let Some(doomed) = disk.doomed(&file)? else { return Ok(()) };
    disk.remove(&file).map_err(|error| match error {
        FileError::Failed(error) => error,
        FileError::NotForced { error, .. } => disk::Error::writing(&file, error),
    })?;
    Ok(doomed.wipe()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_key_is_on_the_disk_before_it_is_enrolled_and_stays_the_same() {
        let (folder, disk) = (tempfile::tempdir().unwrap(), Disk::new());
        let login = folder.path().join("login");
        let file = beside(&login);
        let drawn = begin(&disk, &login).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), *drawn.text());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(begin(&disk, &login).unwrap().text(), drawn.text());
        fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
        assert!(begin(&disk, &login).is_err_and(|fault| fault.to_string().contains("chmod")));
        fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
        fs::write(&file, "no key").unwrap();
        assert!(begin(&disk, &login).is_err_and(|fault| fault.to_string().contains("an enrolment left")));
        // Whoever died between the login and its end leaves no second copy.
        fs::write(&login, "a login").unwrap();
        assert!(begin(&disk, &login).is_err_and(|fault| fault.to_string().contains("there already")));
        assert!(!file.exists());
        end(&disk, &login).unwrap();
    }
}
