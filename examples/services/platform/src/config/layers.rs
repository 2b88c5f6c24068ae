//! The file, then the environment; every fault of both is told at once.

use super::environment::{Form, KEYS, OTHERS};
use super::{Config, fleet, integrity, lifecycle, mesh, messaging, models, peers, proof, secrecy};
use crate::web::{hosts, origins::origin};
use dualseal::note::{NoteKey, NoteKind, NoteName};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use toml::{Table, Value};
use url::Url;

const PREFIX: &str = "TRUSTD_";

/// All that is wrong with the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigFaults(pub Vec<String>);

impl fmt::Display for ConfigFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the settings are wrong in {} places", self.0.len())?;
        self.0.iter().try_for_each(|fault| write!(f, "\n  {fault}"))
    }
}

impl std::error::Error for ConfigFaults {}

/// Reads the settings.
///
/// # Errors
/// [`ConfigFaults`], all of them.
pub fn load(file: Option<&Path>, environment: &BTreeMap<String, String>) -> Result<Config, ConfigFaults> {
    let mut faults = Vec::new();
    let mut table = file.map_or_else(Table::new, |file| match fs::read_to_string(file) {
        Ok(text) => text.parse().unwrap_or_else(|error: toml::de::Error| {
            faults.push(format!("{}: {}", file.display(), error.message()));
            Table::new()
        }),
        Err(error) => {
            faults.push(format!("{}: {error}", file.display()));
            Table::new()
        }
    });
    faults.extend(file.and_then(|file| secrecy::fault(file, leaves(&table))));
    let names: BTreeMap<String, (&str, Form)> = KEYS.iter().map(|(key, form)| (variable(key), (*key, *form))).collect();
    for (name, text) in environment.iter().filter(|(name, _)| name.starts_with(PREFIX)) {
        match names.get(name) {
            Some((key, form)) => match form.read(text) {
                Ok(value) => set(&mut table, key, value),
                Err(wrong) => faults.push(format!("{name}: {wrong}")),
            },
            None if OTHERS.contains(&name.as_str()) => {}
            None => faults.push(format!("{name}: there is no such setting")),
        }
    }
    // One by one, so that each that is wrong is named.
    let mut whole = table.clone();
    for (key, value) in leaves(&table) {
        let mut alone = Table::new();
        set(&mut alone, &key, value);
        if let Err(error) = Config::deserialize_table(alone) {
            faults.push(format!("{key}: {error}"));
            unset(&mut whole, &key);
        }
    }
    let mut config = Config::deserialize_table(whole).map_err(|error| ConfigFaults(vec![error]))?;
    faults.extend(name_owner(&mut config).err().map(|fault| format!("database_owner_file: {fault}")));
    faults.extend(secrecy::open_files(&config));
    faults.extend(check(&config));
    if faults.is_empty() { Ok(config) } else { Err(ConfigFaults(faults)) }
}

impl Config {
    fn deserialize_table(table: Table) -> Result<Self, String> {
        let said_base = table.contains_key("base_url");
        let mut config: Self =
            Value::Table(table).try_into().map_err(|error: toml::de::Error| error.message().to_owned())?;
        if !said_base {
            config.base_url = local(config.listen);
        }
        Ok(config)
    }
}

/// Who has the tables, where a file names him.
fn name_owner(config: &mut Config) -> Result<(), String> {
    let Some(file) = &config.database_owner_file else { return Ok(()) };
    let named = config.database_owner.replace(secrecy::line(file)?);
    if named.is_some() { Err("database_owner is set too".to_owned()) } else { Ok(()) }
}

/// The address of a service on this machine. Browsers prove presence to a name, and to no number.
pub(super) fn local(listen: SocketAddr) -> Url {
    let text = format!("http://localhost:{}/", listen.port());
    Url::parse(&text).unwrap_or_else(|_| unreachable!("a port makes an address"))
}

/// What no single setting shows.
fn check(config: &Config) -> Vec<String> {
    let mut faults = Vec::new();
    let mut rule = |holds: bool, fault: &str| {
        if !holds {
            faults.push(fault.to_owned());
        }
    };
    rule(matches!(config.base_url.scheme(), "http" | "https"), "base_url: is neither http nor https");
    rule(
        config.hosts.iter().all(|host| hosts::name(host).is_some()),
        "hosts: one is no name of a host, without a port",
    );
    rule(
        config.origins.iter().all(|url| origin(url).is_some()),
        "origins: one is no https://HOST (on this machine http), without a path",
    );
    rule(dualseal::Domain::new(&config.domain).is_ok(), "domain: is no name of a domain");
    rule(
        ["sqlite:", "postgres:", "postgresql:"].iter().any(|scheme| config.database.starts_with(scheme)),
        "database: is neither sqlite:FILE nor postgres://…",
    );
    let owner = config.database_owner.as_deref();
    rule(
        owner.is_none_or(|owner| owner.starts_with("postgres") && config.database.starts_with("postgres")),
        "database_owner: is the role that has the tables of postgres://…, and a file has none",
    );
    rule(
        config.objects == "folder" || config.objects.starts_with("s3://"),
        "objects: is neither \"folder\" nor s3://BUCKET/PREFIX",
    );
    let is_witness = |text: &String| NoteKey::from_text(text).is_ok_and(|key| key.kind() == NoteKind::Witness);
    rule(config.log.witnesses.iter().all(is_witness), "log.witnesses: one is no key of a witness, NAME+ID+KEY");
    let apart = config.keys.apart.as_deref().unwrap_or_default();
    let uses_bucket = [config.objects.as_str(), apart].iter().any(|address| address.starts_with("s3://"));
    let has_keys = config.s3.access_key_file.is_some() && config.s3.secret_key_file.is_some();
    rule(!uses_bucket || has_keys, "s3: a bucket needs access_key_file and secret_key_file");
    let is_plain = config.s3.endpoint.as_ref().is_some_and(|endpoint| endpoint.scheme() != "https");
    rule(!is_plain || config.s3.allow_http, "s3.allow_http: the endpoint is not https, and this does not allow it");
    rule(NoteName::new(&config.log.origin).is_ok(), "log.origin: is no name of a log: no white space, no plus sign");
    rule(config.log.checkpoint_every.0 > 0, "log.checkpoint_every: is 0");
    rule(config.log.checkpoint_entries > 0, "log.checkpoint_entries: is 0");
    rule((1..=300).contains(&config.trust.share_waits.0), "trust.share_waits: is not between 1s and 300s");
    rule(config.log.batch > 0, "log.batch: is 0");
    rule((1..=3600).contains(&config.tokens.native.0), "tokens.native: is not between 1s and 1h");
    rule((1..=86_400).contains(&config.tokens.noble.0), "tokens.noble: is not between 1s and 24h");
    rule(config.rate.per_second > 0 && config.rate.burst > 0, "rate: per_second and burst are at least 1");
    rule(config.limits.slot <= 1000, "limits.slot: is more than 1000 milliseconds");
    rule((1..=255).contains(&config.trust.proofs), "trust.proofs: is not between 1 and 255");
    rule(
        config.keys.master.is_none() || config.keys.master_credential.is_none(),
        "keys: master and master_credential are both set",
    );
    rule(
        config.listen.ip().is_loopback() || !config.trusted_proxies.is_empty(),
        "listen: others reach this address, so TLS ends at a proxy: name it in trusted_proxies",
    );
    faults.extend(lifecycle::faults(&config.lifecycle).into_iter().map(str::to_owned));
    faults.extend(fleet::faults(&config.fleet).into_iter().map(str::to_owned));
    faults.extend(integrity::faults(&config.integrity).into_iter().map(str::to_owned));
    faults.extend(mesh::faults(&config.mesh).into_iter().map(str::to_owned));
    faults.extend(models::faults(&config.models).into_iter().map(str::to_owned));
    faults.extend(peers::faults(&config.peers).into_iter().map(str::to_owned));
    faults.extend(messaging::faults(&config.messaging).into_iter().map(str::to_owned));
    faults.extend(proof::faults(&config.proof).into_iter().map(str::to_owned));
    faults
}

fn variable(key: &str) -> String {
    format!("{PREFIX}{}", key.replace('.', "_").to_uppercase())
}

fn set(table: &mut Table, key: &str, value: Value) {
    match key.split_once('.') {
        None => drop(table.insert(key.to_owned(), value)),
        Some((outer, inner)) => {
            let entry = table.entry(outer.to_owned()).or_insert_with(|| Value::Table(Table::new()));
            if let Value::Table(within) = entry {
                set(within, inner, value);
            }
        }
    }
}

fn unset(table: &mut Table, key: &str) {
    match key.split_once('.') {
        None => drop(table.remove(key)),
        Some((outer, inner)) => {
            if let Some(Value::Table(within)) = table.get_mut(outer) {
                unset(within, inner);
            }
        }
    }
}

fn leaves(table: &Table) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for (key, value) in table {
        match value {
            Value::Table(within) => {
                found.extend(leaves(within).into_iter().map(|(inner, value)| (format!("{key}.{inner}"), value)));
            }
            value => found.push((key.clone(), value.clone())),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn the_environment_comes_after_the_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, "listen = \"127.0.0.1:9000\"\n[rate]\nper_second = 5\nburst = 6\n").unwrap();
        let set = environment(&[("TRUSTD_RATE_BURST", "7"), ("TRUSTD_LOG_CHECKPOINT_EVERY", "5m"), ("PATH", "x")]);
        let config = load(Some(file.path()), &set).unwrap();
        assert_eq!((config.rate.per_second, config.rate.burst), (5, 7));
        assert_eq!(config.log.checkpoint_every.0, 300);
        assert_eq!(config.base_url.as_str(), "http://localhost:9000/");
    }

    #[test]
    fn every_fault_is_told() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, "listen = \"here\"\nmore = 1\n[rate]\nburst = 0\n[tokens]\nnative = \"2h\"\n").unwrap();
        let set = environment(&[("TRUSTD_RATE_PER_SECOND", "many"), ("TRUSTD_NOTHING", "1")]);
        let ConfigFaults(faults) = load(Some(file.path()), &set).unwrap_err();
        for part in ["listen:", "more:", "rate:", "tokens.native:", "TRUSTD_RATE_PER_SECOND:", "TRUSTD_NOTHING:"] {
            assert!(faults.iter().any(|fault| fault.starts_with(part)), "{part}: {faults:?}");
        }
    }

    #[test]
    fn values_that_would_fail_later_are_refused_first() {
        for (name, text, fault) in [
            ("TRUSTD_HOSTS", "trust.example:443", "hosts:"),
            ("TRUSTD_HOSTS", "trust.example *.example", "hosts:"),
            ("TRUSTD_ORIGINS", "https://office.example/page", "origins:"),
            ("TRUSTD_ORIGINS", "http://office.example", "origins:"),
            ("TRUSTD_ORIGINS", "https://office.example *", "origins:"),
            ("TRUSTD_LOG_ORIGIN", "two words", "log.origin:"),
            ("TRUSTD_LOG_CHECKPOINT_EVERY", "0s", "log.checkpoint_every:"),
            ("TRUSTD_LOG_CHECKPOINT_ENTRIES", "0", "log.checkpoint_entries:"),
            ("TRUSTD_LIMITS_SLOT", "1001", "limits.slot:"),
            ("TRUSTD_FLEET_WEEKS", "6 6 8", "fleet.weeks:"),
            ("TRUSTD_FLEET_WEEKS", "6 7", "fleet.weeks:"),
            ("TRUSTD_LIFECYCLE_ZONE", "Mars/Base", "lifecycle.zone:"),
            ("TRUSTD_LIFECYCLE_THRESHOLDS", "30 4000", "lifecycle.thresholds:"),
            ("TRUSTD_LIFECYCLE_THRESHOLDS", "", "lifecycle.thresholds:"),
            ("TRUSTD_LIFECYCLE_TYPES", "medical", "lifecycle.types:"),
            ("TRUSTD_LIFECYCLE_HOURS", "21:00 07:00", "lifecycle.hours:"),
            ("TRUSTD_LIFECYCLE_EVERY", "2d", "lifecycle.every:"),
            ("TRUSTD_INTEGRITY_FILES", "/etc/a**", "integrity.files:"),
            ("TRUSTD_INTEGRITY_EXCEPT", "here/*", "integrity.except:"),
            ("TRUSTD_INTEGRITY_KEY_FILE", "/etc/key", "integrity.manifest:"),
            ("TRUSTD_MESH_PEERS", "https://a.example http://b.example", "mesh.peers:"),
            ("TRUSTD_MESH_DISK_FREE", "101", "mesh.disk_free:"),
            ("TRUSTD_PROOF_PRINTER", "proof-pdf", "proof.printer:"),
            ("TRUSTD_MODELS_PATIENCE", "10m", "models.patience:"),
            ("TRUSTD_MODELS_WAIT", "31s", "models.wait:"),
            ("TRUSTD_MODELS_AT_ONCE", "0", "models.at_once:"),
            ("TRUSTD_MODELS_BUDGET", "1000000001", "models.budget:"),
            ("TRUSTD_S3_ENDPOINT", "http://s3.example", "s3.allow_http:"),
            ("TRUSTD_OBJECTS", "s3://bucket/prefix", "s3:"),
        ] {
            let ConfigFaults(told) = load(None, &environment(&[(name, text)])).unwrap_err();
            assert!(told.len() == 1 && told[0].starts_with(fault), "{name}: {told:?}");
        }
    }

    #[test]
    fn others_reach_it_only_through_a_proxy() {
        let told = load(None, &environment(&[("TRUSTD_LISTEN", "0.0.0.0:80")])).unwrap_err();
        assert!(told.0[0].starts_with("listen:"), "{told}");
        let set = environment(&[("TRUSTD_LISTEN", "0.0.0.0:80"), ("TRUSTD_TRUSTED_PROXIES", "10.0.0.0/8 ::1/128")]);
        assert_eq!(load(None, &set).unwrap().trusted_proxies.len(), 2);
    }
}
