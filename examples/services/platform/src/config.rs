//! What an operator sets: a file of TOML, then the environment, checked whole before anything begins.

mod durations;
mod environment;
mod fleet;
mod integrity;
mod layers;
mod lifecycle;
mod limits;
mod mesh;
mod messaging;
mod models;
mod peers;
mod proof;
mod secrecy;

pub use durations::Seconds;
pub use fleet::FleetConfig;
pub use integrity::IntegrityConfig;
pub use layers::{ConfigFaults, load};
pub use lifecycle::LifecycleConfig;
pub use limits::LimitConfig;
pub use mesh::MeshConfig;
pub use messaging::MessagingConfig;
pub use models::{ModelKind, ModelsConfig, ProviderConfig};
pub use peers::PeersConfig;
pub use proof::ProofConfig;
pub use secrecy::opened;

use dualseal::note::NoteKey;
use ipnet::IpNet;
use serde::Deserialize;
use std::net::SocketAddr;
use std::path::PathBuf;
use url::Url;

/// All settings. Each has a key in the file, and a variable in the environment: `TRUSTD_` and the key with `_` for each
/// dot, such as `TRUSTD_RATE_PER_SECOND`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The folder of the database, the objects, the keys and the mark, where they are not named elsewhere.
    pub data: PathBuf,
    /// Where requests come.
    pub listen: SocketAddr,
    /// Where measures are read; nowhere unless it is set.
    pub metrics: Option<SocketAddr>,
    /// The address that others know it by.
    pub base_url: Url,
    /// The name of the deployment in every hash ([`dualseal::Domain`]).
    pub domain: String,
    /// `sqlite:FILE` or `postgres://…`.
    pub database: String,
    /// The address of the same server's database as the role that has the tables: it brings the schema up to date, and
    /// makes and restores backups. What serves is `database`'s role, which has none.
    pub database_owner: Option<String>,
    /// The file that has this address, which others may not open.
    pub database_owner_file: Option<PathBuf>,
    /// Connections to a server.
    pub connections: u32,
    /// `folder` or `s3://BUCKET/PREFIX`.
    pub objects: String,
    /// Whether changes are refused.
    pub read_only: bool,
    /// By which names it is asked for beside `base_url`'s.
    pub hosts: Vec<String>,
    /// Whose pages may call beside the service's own, `https://HOST` each.
    pub origins: Vec<Url>,
    /// Proxies whose word on the client's address counts.
    pub trusted_proxies: Vec<IpNet>,
    /// The log.
    pub log: LogConfig,
    /// Where keys come from.
    pub keys: KeyConfig,
    /// How often the public may ask.
    pub rate: RateConfig,
    /// How much is served at once.
    pub limits: LimitConfig,
    /// Tokens.
    pub tokens: TokenConfig,
    /// The bucket.
    pub s3: Box<S3Config>,
    /// Presence, custody and threshold.
    pub trust: TrustConfig,
    /// Messages.
    pub messaging: MessagingConfig,
    /// Documents with an end.
    pub lifecycle: LifecycleConfig,
    /// Vehicles.
    pub fleet: FleetConfig,
    /// Files that are watched for changes.
    pub integrity: Box<IntegrityConfig>,
    /// The monitor.
    pub mesh: Box<MeshConfig>,
    /// Other services, whose peers are pulled.
    pub peers: Box<PeersConfig>,
    /// Formal proofs.
    pub proof: ProofConfig,
    /// Providers of language models.
    pub models: Box<ModelsConfig>,
}

/// The log.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LogConfig {
    /// Its name when it is founded.
    pub origin: String,
    /// How often a checkpoint is signed.
    pub checkpoint_every: Seconds,
    /// After how many entries.
    pub checkpoint_entries: u64,
    /// How many callers' work goes into one transaction.
    pub batch: usize,
    /// The witnesses whose cosignatures are taken, each as the key of its notes is written: `NAME+ID+KEY`.
    pub witnesses: Vec<String>,
}

impl LogConfig {
    /// The keys of the witnesses; [`load`] has refused what is none.
    #[must_use]
    pub fn witness_keys(&self) -> Vec<NoteKey> {
        self.witnesses.iter().filter_map(|text| NoteKey::from_text(text).ok()).collect()
    }
}

/// Where keys come from.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KeyConfig {
    /// The file of the master; `master.pem` in the data folder unless it is set.
    pub master: Option<PathBuf>,
    /// The systemd credential of the master, in its place.
    pub master_credential: Option<String>,
    /// The file of the master before, while a rotation has not ended; the master's file with `.before` behind its name
    /// unless it is set.
    pub master_before: Option<PathBuf>,
    /// The folder, or `s3://BUCKET/PREFIX`, of the high-water mark and the erasure keys; `apart` in the data folder
    /// unless it is set. No backup reaches it.
    pub apart: Option<String>,
}

/// How often the public may ask.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RateConfig {
    /// Whether it is counted.
    pub enabled: bool,
    /// Requests a second of one client.
    pub per_second: u32,
    /// At once.
    pub burst: u32,
}

/// Tokens.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TokenConfig {
    /// Whom they are for; the base address unless it is set.
    pub audience: Option<String>,
    /// How long one of native tier lives, at most an hour.
    pub native: Seconds,
    /// One of noble tier, at most a day.
    pub noble: Seconds,
    /// Outside issuers.
    pub issuers: Vec<IssuerConfig>,
}

/// An outside issuer of OpenID Connect.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IssuerConfig {
    /// `iss`.
    pub issuer: String,
    /// `aud`.
    pub audience: String,
    /// The file of its keys.
    pub jwks_file: Option<PathBuf>,
    /// Or their address.
    pub jwks_url: Option<Url>,
}

/// The bucket.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct S3Config {
    /// The server's address.
    pub endpoint: Option<Url>,
    /// The region.
    pub region: Option<String>,
    /// The file of the access key's name.
    pub access_key_file: Option<PathBuf>,
    /// The file of the access key.
    pub secret_key_file: Option<PathBuf>,
    /// Whether it may be spoken to without TLS.
    pub allow_http: bool,
}

/// Presence, custody and threshold.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrustConfig {
    /// How many proofs of presence a rebuilding needs.
    pub proofs: usize,
    /// After how long a new authenticator counts.
    pub enrolment_counts_after: Seconds,
    /// How long a share that was given back waits for its request.
    pub share_waits: Seconds,
    /// Whether HMAC sessions are verified with the shares of the body.
    pub hmac_verification: bool,
    /// The file of the public key (SubjectPublicKeyInfo, PEM or DER) of the TLS that nodes see, where a proxy ends it:
    /// shards are released to whoever has it. Without it they are released on this machine alone.
    pub tls_key: Option<PathBuf>,
}

impl Default for Config {
    fn default() -> Self {
        let listen = SocketAddr::from(([127, 0, 0, 1], 8470));
        Self {
            data: "trustd-data".into(),
            listen,
            metrics: None,
            base_url: layers::local(listen),
            domain: "TRUST".into(),
            database: "sqlite:trustd.sqlite".into(),
            database_owner: None,
            database_owner_file: None,
            connections: 16,
            objects: "folder".into(),
            read_only: false,
            hosts: Vec::new(),
            origins: Vec::new(),
            trusted_proxies: Vec::new(),
            log: LogConfig::default(),
            keys: KeyConfig::default(),
            rate: RateConfig::default(),
            limits: LimitConfig::default(),
            tokens: TokenConfig::default(),
            s3: Box::default(),
            trust: TrustConfig::default(),
            messaging: MessagingConfig::default(),
            lifecycle: LifecycleConfig::default(),
            fleet: FleetConfig::default(),
            integrity: Box::default(),
            mesh: Box::default(),
            peers: Box::default(),
            proof: ProofConfig::default(),
            models: Box::default(),
        }
    }
}

impl Default for LogConfig {
    fn default() -> Self {
        let (checkpoint_every, checkpoint_entries) = (Seconds(3600), 10_000);
        Self {
            origin: "localhost/trustd".into(),
            checkpoint_every,
            checkpoint_entries,
            batch: 64,
            witnesses: Vec::new(),
        }
    }
}

impl Default for RateConfig {
    fn default() -> Self {
        Self { enabled: true, per_second: 20, burst: 40 }
    }
}

impl Default for TokenConfig {
    fn default() -> Self {
        Self { audience: None, native: Seconds(3600), noble: Seconds(86_400), issuers: Vec::new() }
    }
}

impl Default for TrustConfig {
    fn default() -> Self {
        let (enrolment_counts_after, share_waits) = (Seconds(86_400), Seconds(300));
        Self { proofs: 1, enrolment_counts_after, share_waits, hmac_verification: true, tls_key: None }
    }
}
