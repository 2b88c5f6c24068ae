//! Passwords in settings: whoever reads the file has them, and the database with them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use toml::Value;
use url::Url;

/// Everybody else of this machine.
const OTHERS: u32 = 0o007;

/// A line where a file of settings has a password, among these keys, and others may open it.
pub(super) fn fault(file: &Path, leaves: Vec<(String, Value)>) -> Option<String> {
    let (key, _) = leaves.into_iter().find(|(_, value)| has_password(value))?;
    is_open(file).then(|| format!("{key}: has a password, and everybody may open {}: chmod 0640", file.display()))
}

/// The one line of a file that others may not open.
pub(super) fn line(file: &Path) -> Result<String, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    if is_open(file) {
        return Err(format!("everybody may open {}: chmod 0640", file.display()));
    }
    Ok(text.trim().to_owned())
}

fn is_open(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|found| found.permissions().mode() & OTHERS != 0)
}

fn has_password(value: &Value) -> bool {
    match value {
        Value::String(text) => Url::parse(text).is_ok_and(|url| {
            url.password().is_some_and(|password| !password.is_empty())
                || url.query_pairs().any(|(key, _)| key == "password")
        }),
        Value::Array(all) => all.iter().any(has_password),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ConfigFaults, load};
    use std::collections::BTreeMap;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_password_is_in_no_file_that_everybody_reads() {
        let folder = tempfile::tempdir().unwrap();
        let (file, owner) = (folder.path().join("trustd.toml"), folder.path().join("owner"));
        let allow = |path: &std::path::Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        let told = || load(Some(&file), &BTreeMap::new()).map_err(|ConfigFaults(faults)| faults);
        for text in ["postgres://a:b@db.example/t", "postgres://a@db.example/t?password=b"] {
            fs::write(&file, format!("database = \"{text}\"\n")).unwrap();
            allow(&file, 0o644);
            let faults = told().unwrap_err();
            assert!(faults.len() == 1 && faults[0].starts_with("database: has a password"), "{faults:?}");
            assert!(!faults[0].contains("postgres://"), "it tells it: {faults:?}");
            allow(&file, 0o640);
            assert_eq!(told().unwrap().database, text);
        }
        fs::write(&owner, "postgres://owner:b@db.example/t\n").unwrap();
        let named =
            format!("database_owner_file = \"{}\"\ndatabase = \"postgres://a@db.example/t\"\n", owner.display());
        fs::write(&file, &named).unwrap();
        allow(&file, 0o644);
        allow(&owner, 0o644);
        let faults = told().unwrap_err();
        assert!(faults.len() == 1 && faults[0].starts_with("database_owner_file: everybody"), "{faults:?}");
        allow(&owner, 0o400);
        assert_eq!(told().unwrap().database_owner.as_deref(), Some("postgres://owner:b@db.example/t"));
        fs::write(&file, format!("{named}database_owner = \"postgres://owner@db.example/t\"\n")).unwrap();
        assert!(told().unwrap_err()[0].starts_with("database_owner_file: "), "both are set");
    }
}
