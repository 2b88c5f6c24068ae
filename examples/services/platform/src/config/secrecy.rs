//! Passwords in settings, and secrets in files that settings name: whoever reads the file has them, and what they open.

use super::Config;

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
    opened(file).map_or_else(|| Ok(text.trim().to_owned()), Err)
}

/// Lines of the files of other secrets that others may open. One that is not there is told of by whoever reads it.
pub(super) fn open_files(config: &Config) -> Vec<String> {
    let (s3, messaging) = (&config.s3, &config.messaging);
    let named = [
        ("s3.access_key_file", &s3.access_key_file),
        ("s3.secret_key_file", &s3.secret_key_file),
        ("messaging.webhook_key_file", &messaging.webhook_key_file),
        ("messaging.sms_token_file", &messaging.sms_token_file),
        ("messaging.smtp_password_file", &messaging.smtp_password_file),
        ("messaging.relay_token_file", &messaging.relay_token_file),
    ];
    let of_models = config.models.providers.iter().map(|one| ("models.providers.key_file", one.key_file.as_path()));
    let all = named.into_iter().filter_map(|(key, file)| Some((key, file.as_deref()?))).chain(of_models);
    all.filter_map(|(key, file)| Some(format!("{key}: {}", opened(file)?))).collect()
}

/// A line where a file of a secret is one that others may open.
#[must_use]
pub fn opened(file: &Path) -> Option<String> {
    is_open(file).then(|| format!("everybody may open {}: chmod 0640", file.display()))
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
    use std::fmt::Write as _;
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

    #[test]
    fn no_file_of_a_secret_is_everybodys() {
        let folder = tempfile::tempdir().unwrap();
        let (file, secret) = (folder.path().join("trustd.toml"), folder.path().join("secret"));
        fs::write(&secret, "a secret\n").unwrap();
        let is = secret.display();
        let settings = [
            ("s3", vec!["access_key_file", "secret_key_file"], ""),
            (
                "messaging",
                vec!["webhook_key_file", "sms_token_file", "smtp_password_file", "relay_token_file"],
                "sms_account = \"a\"\nsms_from = \"+385911234567\"\nsmtp_user = \"a\"\nsmtp_host = \"mail.example\"\n\
                 mail_from = \"a@trust.example\"\nrelay_url = \"https://relay.example/\"\n",
            ),
            (
                "[models.providers]",
                vec!["key_file"],
                "kind = \"mistral\"\nurl = \"https://api.example/\"\nmodel = \"m\"\ninput_price = 1\n\
                 output_price = 1\n",
            ),
        ];
        let (mut text, mut all) = (String::new(), Vec::new());
        for (table, keys, more) in settings {
            write!(text, "[{table}]\n{more}").unwrap();
            for key in keys {
                writeln!(text, "{key} = \"{is}\"").unwrap();
                all.push(format!("{}.{key}: everybody may open {is}: chmod 0640", table.trim_matches(['[', ']'])));
            }
        }
        fs::write(&file, text).unwrap();
        let told = |mode| {
            fs::set_permissions(&secret, Permissions::from_mode(mode)).unwrap();
            load(Some(&file), &BTreeMap::new()).err().map_or_else(Vec::new, |ConfigFaults(faults)| faults)
        };
        assert_eq!(told(0o644), all);
        assert_eq!(told(0o640), Vec::<String>::new());
    }
}
