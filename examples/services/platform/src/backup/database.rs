//! The database: one consistent file of SQLite's, or what PostgreSQL's own programs write and read.

use super::BackupFault;
use crate::config::Config;
use crate::db::Db;
use dualseal_operator::disk;
use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tokio::process::Command;
use url::Url;
use url::form_urlencoded::parse;

pub(super) const SQLITE: &str = "trustd.sqlite";
pub(super) const POSTGRES: &str = "trustd.dump";
/// Where the address's query may have it.
const PASSWORD: &str = "password";

/// Writes it into a folder, and says under which name.
pub(super) async fn copy(config: &Config, db: &Db, folder: &Path) -> Result<String, BackupFault> {
    let path = folder.join(SQLITE);
    if db.copy_into(&path).await? {
        let forced = tokio::task::spawn_blocking(move || {
            let file = File::open(&path).map_err(|error| disk::Error::reading(&path, error))?;
            let forced = file.set_permissions(Permissions::from_mode(0o600)).and_then(|()| file.sync_all());
            forced.map_err(|error| disk::Error::writing(&path, error))
        });
        forced.await.map_err(|_| BackupFault::Other("the thread that wrote the database did not end"))??;
        return Ok(SQLITE.to_owned());
    }
    let (address, password) = address(config)?;
    let words = ["--format=custom", "--no-owner", "--no-privileges", "--file"];
    let mut dump = Command::new("pg_dump");
    dump.args(words).arg(folder.join(POSTGRES)).arg("--dbname").arg(address);
    run(dump, "pg_dump", password).await?;
    Ok(POSTGRES.to_owned())
}

/// Puts a dump into an empty database, all of it or nothing.
pub(super) async fn restore(config: &Config, dump: &Path) -> Result<(), BackupFault> {
    let (address, password) = address(config)?;
    let mut restore = Command::new("pg_restore");
    restore.args(["--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges", "--dbname"]);
    restore.arg(address).arg(dump);
    run(restore, "pg_restore", password).await
}

/// The address of who has the tables: all rows are his to copy.
/// The list of processes shows arguments to everybody, so the password is none of them.
pub(super) fn address(config: &Config) -> Result<(String, Option<String>), BackupFault> {
    let wrong = || BackupFault::Other("the address of the database is none");
    let named = config.database_owner.as_ref().unwrap_or(&config.database);
    let mut url = Url::parse(named).map_err(|_| wrong())?;
    let mut password = url.password().map(decoded);
    url.set_password(None).map_err(|()| wrong())?;
    // The service takes one there, too, and before the other. What is left stays as it is written.
    let query = url.query().unwrap_or_default().to_owned();
    let given = url.query_pairs().filter(|(key, _)| key == PASSWORD).last().map(|(_, given)| given.into_owned());
    if given.is_some() {
        password = given;
        let is_other = |pair: &&str| parse(pair.as_bytes()).all(|(key, _)| key != PASSWORD);
        let others = query.split('&').filter(is_other).collect::<Vec<_>>().join("&");
        url.set_query(Some(others.as_str()).filter(|others| !others.is_empty()));
    }
    Ok((url.into(), password))
}

pub(super) async fn run(mut command: Command, name: &'static str, password: Option<String>) -> Result<(), BackupFault> {
    if let Some(password) = password {
        command.env("PGPASSWORD", password);
    }
    let failed = |said: String| BackupFault::Program { name, said };
    let done = command.kill_on_drop(true).output().await.map_err(|error| failed(error.to_string()))?;
    if done.status.success() { Ok(()) } else { Err(failed(String::from_utf8_lossy(&done.stderr).into_owned())) }
}

/// RFC 3986, section 2.1.
fn decoded(text: &str) -> String {
    let (bytes, mut decoded, mut at) = (text.as_bytes(), Vec::new(), 0);
    while let Some(byte) = bytes.get(at) {
        let hex = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        let escaped = hex.filter(|_| *byte == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        decoded.push(escaped.unwrap_or(*byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{address, decoded};
    use crate::config::Config;

    #[test]
    fn a_password_is_no_argument() {
        let config = Config { database: "postgres://ana:p%40ss%25@db.example/trust".into(), ..Config::default() };
        let (text, password) = address(&config).unwrap();
        assert_eq!((text.as_str(), password.as_deref()), ("postgres://ana@db.example/trust", Some("p@ss%")));
        let config = Config { database: "postgres://postgres@%2Ftmp%2Fsocket/db".into(), ..Config::default() };
        assert_eq!(address(&config).unwrap(), ("postgres://postgres@%2Ftmp%2Fsocket/db".to_owned(), None));
        assert_eq!(decoded("%zz%4"), "%zz%4");
        for (given, left) in [
            ("?password=p%40ss+%25", ""),
            ("?sslmode=require&password=p%40ss+%25&options=-c%20a", "?sslmode=require&options=-c%20a"),
            ("?pass%77ord=x&host=%2Ftmp&password=p%40ss+%25", "?host=%2Ftmp"),
        ] {
            let config = Config { database: format!("postgres://ana:y@db.example/t{given}"), ..Config::default() };
            let (text, password) = address(&config).unwrap();
            assert_eq!((text, password.as_deref()), (format!("postgres://ana@db.example/t{left}"), Some("p@ss %")));
        }
    }
}
