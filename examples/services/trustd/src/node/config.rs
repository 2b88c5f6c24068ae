//! A node's settings, and what it pinned of the service.

use super::NodeError;
use dualseal::Domain;
use dualseal::ed25519::Ed25519PublicKey;
use dualseal::note::NoteKey;
use dualseal::shard::Recipient;
use platform::config::Seconds;
use platform::near::is_here;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use url::Url;

/// A node's settings: a file of TOML.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeConfig {
    /// The address of the service: https, or this machine.
    pub service: Url,
    /// The label under which the service knows the node, and which its orders name.
    pub label: String,
    /// The node's own folder.
    pub folder: PathBuf,
    /// The file of its login, by which it asks for its tokens itself: `trustd node enrol` makes it.
    pub login: Option<PathBuf>,
    /// In its place: the file of a token, which is read anew at each turn.
    pub token: Option<PathBuf>,
    /// The name of the deployment in every hash.
    pub domain: String,
    /// The key that is pinned of the service, which alone is given shards, by its SHA3-256 (64 hexadecimal characters,
    /// as `trustd node add` prints it): of https the SubjectPublicKeyInfo of its TLS, on this machine its ML-DSA key.
    pub service_key: String,
    /// The key of the operator's orders, 64 hexadecimal characters.
    pub operator: String,
    /// The key of the log's notes, `NAME+ID+KEY`: an authenticator counts that the log says to be enrolled.
    pub log: String,
    /// The address of the page where people enrol, which their credentials are bound to: the service's unless it is
    /// set.
    pub page: Option<Url>,
    /// How many people must show that they are present.
    #[serde(default = "one")]
    pub proofs: u8,
    /// For how long the node must have known an authenticator before it counts here: a service that was taken over
    /// enrols its own in a moment.
    #[serde(default = "a_day")]
    pub authenticators_count_after: Seconds,
    /// The keeper's program, which is shown each request of a quorum and says whether the node gives its share back;
    /// without one it gives none.
    pub gives_back: Option<PathBuf>,
    /// How often it asks.
    #[serde(default = "ten_seconds")]
    pub poll: Seconds,
}

fn one() -> u8 {
    1
}

fn a_day() -> Seconds {
    Seconds(86_400)
}

fn ten_seconds() -> Seconds {
    Seconds(10)
}

/// What the node goes by, whatever the service says.
#[derive(Clone, Debug)]
pub(super) struct Pinned {
    pub(super) domain: Domain,
    pub(super) recipient: Recipient,
    /// Whether that is the key of its TLS; on this machine there is none.
    pub(super) is_tls: bool,
    pub(super) operator: Ed25519PublicKey,
    pub(super) log: NoteKey,
}

impl NodeConfig {
    /// Reads the settings.
    ///
    /// # Errors
    /// [`NodeError::Config`].
    pub fn load(file: &Path) -> Result<Self, NodeError> {
        let wrong = |error: &dyn std::fmt::Display| NodeError::Config(format!("{}: {error}", file.display()));
        let text = fs::read_to_string(file).map_err(|error| wrong(&error))?;
        toml::from_str(&text).map_err(|error: toml::de::Error| wrong(&error.message()))
    }

    /// Where people enrol.
    pub(super) fn page(&self) -> &Url {
        self.page.as_ref().unwrap_or(&self.service)
    }

    pub(super) fn pinned(&self) -> Result<Pinned, NodeError> {
        let wrong = |name: &str, error: &dyn std::fmt::Display| NodeError::Config(format!("{name}: {error}"));
        let is_tls = match self.service.scheme() {
            "https" => true,
            "http" if is_here(&self.service) => false,
            _ => return Err(wrong("service", &"is neither https nor on this machine")),
        };
        if self.proofs == 0 {
            return Err(wrong("proofs", &"is 0: a shard is let go for nothing then"));
        }
        if self.login.is_some() == self.token.is_some() {
            return Err(wrong("login", &"one of `login` and `token` is to be named, and not both"));
        }
        if self.poll.0 == 0 {
            return Err(wrong("poll", &"is 0"));
        }
        Ok(Pinned {
            domain: Domain::new(&self.domain).map_err(|error| wrong("domain", &error))?,
            recipient: self.service_key.parse().map_err(|error| wrong("service_key", &error))?,
            is_tls,
            operator: self.operator.parse().map_err(|error| wrong("operator", &error))?,
            log: NoteKey::from_text(&self.log).map_err(|error| wrong("log", &error))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dualseal::ed25519::Ed25519SigningKey;
    use dualseal::note::{NoteKind, NoteName};

    fn log() -> String {
        let key = Ed25519SigningKey::from_seed(&[7; 32]).unwrap();
        NoteKey::new(NoteName::new("localhost/trustd").unwrap(), NoteKind::Log, key.public_key()).to_text()
    }

    fn config(service: &str, service_key: &str) -> (tempfile::TempDir, NodeConfig) {
        let folder = tempfile::tempdir().unwrap();
        let operator = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
        let text = format!(
            "service = \"{service}\"\nlabel = \"a\"\nfolder = \"n\"\ntoken = \"t\"\ndomain = \"TRUST\"\n\
             service_key = \"{service_key}\"\noperator = \"{operator}\"\nlog = {:?}\n",
            log()
        );
        let file = folder.path().join("node.toml");
        fs::write(&file, text).unwrap();
        let config = NodeConfig::load(&file).unwrap();
        (folder, config)
    }

    #[test]
    fn a_node_dials_https_or_this_machine() {
        for (service, works) in [
            ("http://127.0.0.1:8470/", true),
            ("http://localhost:8470/", true),
            ("http://[::1]:8470/", true),
            ("http://localhost.example/", false),
            ("http://10.0.0.1/", false),
            ("ftp://127.0.0.1/", false),
        ] {
            let (_folder, config) = config(service, &"07".repeat(32));
            assert_eq!(config.pinned().is_ok(), works, "{service}");
        }
        let (_folder, of_tls) = config("https://trust.example/", &"07".repeat(32));
        assert!(of_tls.pinned().unwrap().is_tls);
        // Neither a file nor a key itself.
        for key in ["", "/etc/key.pem", &"07".repeat(1952)] {
            let (_folder, config) = config("https://trust.example/", key);
            assert!(config.pinned().is_err(), "{key}");
        }
    }

    #[test]
    fn what_lets_shards_go_for_nothing_is_refused() {
        let (_folder, mut config) = config("http://127.0.0.1/", &"07".repeat(32));
        assert_eq!((config.proofs, config.authenticators_count_after), (1, Seconds(86_400)));
        config.proofs = 0;
        assert!(config.pinned().is_err());
    }

    #[test]
    fn a_node_has_a_login_or_a_token() {
        let (_folder, mut config) = config("http://127.0.0.1/", &"07".repeat(32));
        for (login, token, works) in [(true, true, false), (false, false, false), (true, false, true)] {
            (config.login, config.token) = (login.then(|| "l".into()), token.then(|| "t".into()));
            assert_eq!(config.pinned().is_ok(), works, "{login} {token}");
        }
    }
}
