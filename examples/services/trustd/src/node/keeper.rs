//! A node's folder: one file for each vault with its shards, one for each of its numbers in a quorum, one of spent
//! nonces, one of authenticators and when each was first seen. Each is whole, or as it was before, whenever the power
//! goes.
//!
//! | file | what it is |
//! |---|---|
//! | `shares` | files of quorums' shares |

mod shares;

pub(super) use shares::Number;

use super::wiped;
use crate::qt::types::PollAuthenticator;
use dualseal::presence::{NodeShards, Nonce};
use dualseal::shard::{Shard, ShardId};
use dualseal::{Domain, Timestamp, VaultId};
use dualseal_operator::disk::{Disk, Error as DiskError, FileError, Hold, Lock, Readers};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use zeroize::Zeroizing;

const AUTHENTICATORS: &str = "authenticators.json";

/// Why a node's folder is not worked with.
#[derive(Debug)]
pub enum KeeperError {
    /// The disk.
    Disk(String),
    /// A file that is not what this program wrote.
    File(PathBuf),
}

impl fmt::Display for KeeperError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disk(error) => f.write_str(error),
            Self::File(path) => write!(f, "{} is not what a node writes", path.display()),
        }
    }
}

impl std::error::Error for KeeperError {}

impl From<DiskError> for KeeperError {
    fn from(error: DiskError) -> Self {
        Self::Disk(error.to_string())
    }
}

/// The shards of a vault, as they are written.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct VaultFile {
    current: Option<Zeroizing<String>>,
    prepared: Option<(Zeroizing<String>, String)>,
}

/// An authenticator, and when it was seen first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Known {
    pub(super) authenticator: PollAuthenticator,
    pub(super) since: i64,
}

/// The folder.
#[derive(Debug)]
pub(super) struct Keeper {
    disk: Disk,
    folder: PathBuf,
    /// Another process with the same folder would spend each nonce once more.
    _lock: Lock,
    /// Each nonce that was spent, until it is over by itself.
    nonces: BTreeMap<String, i64>,
}

impl Keeper {
    pub(super) fn open(folder: &Path) -> Result<Self, KeeperError> {
        let disk = Disk::new();
        disk.make_folder(&folder.join("vaults"), Readers::Owner)?;
        let lock = disk.lock(folder, Hold::Exclusive, Duration::ZERO)?;
        disk.clear_unfinished(folder)?;
        disk.clear_unfinished(&folder.join("vaults"))?;
        Self::begin_shares(&disk, folder)?;
        let mut keeper = Self { disk, folder: folder.to_owned(), _lock: lock, nonces: BTreeMap::new() };
        keeper.nonces = Self::read(&keeper.nonces_path())?.unwrap_or_default();
        Ok(keeper)
    }

    fn nonces_path(&self) -> PathBuf {
        self.folder.join("nonces.json")
    }

    fn vault_path(&self, vault_id: &VaultId) -> PathBuf {
        self.folder.join("vaults").join(format!("{vault_id}.json"))
    }

    /// A file of the folder; `None` where there is none.
    fn read<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Option<T>, KeeperError> {
        match std::fs::read(path).map(Zeroizing::new) {
            Ok(text) => serde_json::from_slice(&text).map(Some).map_err(|_| KeeperError::File(path.to_owned())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(KeeperError::Disk(error.to_string())),
        }
    }

    /// What stood there is overwritten where the disk writes in place: a shard that was deleted is to be gone.
    fn write<T: Serialize>(&self, path: &Path, value: &T) -> Result<(), KeeperError> {
        let text = wiped::json(value).map_err(|error| KeeperError::Disk(error.to_string()))?;
        let doomed = self.disk.doomed(path)?;
        let written = self.disk.replace(path, Readers::Owner, |file| {
            file.write_all(&text).map_err(|error| KeeperError::Disk(error.to_string()))
        });
        match written {
            Ok(()) => {}
            Err(FileError::Failed(error)) => return Err(error),
            // Until the folder is on the disk it counts for nothing.
            Err(FileError::NotForced { error, .. }) => return Err(KeeperError::Disk(error.to_string())),
        }
        doomed.map_or(Ok(()), dualseal_operator::disk::Doomed::wipe)?;
        Ok(())
    }

    /// The shards of a vault.
    pub(super) fn vault(&self, domain: &Domain, vault_id: &VaultId) -> Result<NodeShards, KeeperError> {
        let path = self.vault_path(vault_id);
        let broken = || KeeperError::File(path.clone());
        let file: VaultFile = Self::read(&path)?.unwrap_or_default();
        let shard = |text: &str| Shard::from_json(text.as_bytes()).map_err(|_| broken());
        let current = file.current.as_ref().map(|text| shard(text)).transpose()?;
        let mut shards = NodeShards::new(current);
        if let Some((text, until)) = &file.prepared {
            let until: Timestamp = until.parse().map_err(|_| broken())?;
            shards.prepare(domain, shard(text)?, until).map_err(|_| broken())?;
        }
        Ok(shards)
    }

    /// Writes the shards of a vault; where there are none, the file goes.
    pub(super) fn keep(&self, vault_id: &VaultId, shards: &NodeShards) -> Result<(), KeeperError> {
        let path = self.vault_path(vault_id);
        let file = VaultFile {
            current: shards.current().map(Shard::to_json),
            prepared: shards.prepared().map(|(shard, until)| (shard.to_json(), until.to_string())),
        };
        self.replace(&path, &file, file.current.is_some() || file.prepared.is_some())
    }

    /// Writes a file, or lets it go where nothing is in it.
    fn replace<T: Serialize>(&self, path: &Path, file: &T, stays: bool) -> Result<(), KeeperError> {
        // Overwritten first, so that its name does not go before its bytes do.
        self.write(path, file)?;
        if stays {
            return Ok(());
        }
        match self.disk.remove(path) {
            Ok(_) => Ok(()),
            Err(FileError::Failed(error)) => Err(error.into()),
            Err(FileError::NotForced { error, .. }) => Err(KeeperError::Disk(error.to_string())),
        }
    }

    /// The files of a folder of its own, by their names without `.json`.
    fn names(&self, folder: &str) -> Result<Vec<String>, KeeperError> {
        let listed = std::fs::read_dir(self.folder.join(folder));
        let mut found = Vec::new();
        for file in listed.map_err(|error| KeeperError::Disk(error.to_string()))? {
            let name = file.map_err(|error| KeeperError::Disk(error.to_string()))?.file_name();
            found.extend(name.to_str().and_then(|name| name.strip_suffix(".json")).map(str::to_owned));
        }
        Ok(found)
    }

    /// The vaults of which there is something here.
    pub(super) fn vaults(&self) -> Result<Vec<VaultId>, KeeperError> {
        Ok(self.names("vaults")?.iter().filter_map(|name| name.parse().ok()).collect())
    }

    /// The shards that are here.
    pub(super) fn held(&self) -> Result<Vec<ShardId>, KeeperError> {
        let mut found = Vec::new();
        for vault_id in self.vaults()? {
            let file: VaultFile = Self::read(&self.vault_path(&vault_id))?.unwrap_or_default();
            for text in file.current.iter().chain(file.prepared.iter().map(|(text, _)| text)) {
                let shard = Shard::from_json(text.as_bytes());
                found.push(*shard.map_err(|_| KeeperError::File(self.vault_path(&vault_id)))?.shard_id());
            }
        }
        Ok(found)
    }

    /// Spends a nonce: true for the first time, and only when that stands on the disk.
    pub(super) fn spend(&mut self, nonce: &Nonce, expiry: Timestamp, now: Timestamp) -> bool {
        // What has expired is refused for that already.
        self.nonces.retain(|_, expiry| *expiry > now.as_millis());
        let name = nonce.to_hex();
        if self.nonces.contains_key(&name) {
            return false;
        }
        self.nonces.insert(name, expiry.as_millis());
        let written = self.write(&self.nonces_path(), &self.nonces);
        if let Err(error) = &written {
            tracing::error!(%error, "a nonce could not be written down: nothing is released for it");
        }
        written.is_ok()
    }

    /// The authenticators that it knows.
    pub(super) fn known(&self) -> Result<Vec<Known>, KeeperError> {
        Ok(Self::read(&self.folder.join(AUTHENTICATORS))?.unwrap_or_default())
    }

    /// Notes authenticators that are new, forgets those that were removed, and gives all with the time that each was
    /// seen first.
    pub(super) fn authenticators(&self, told: &[PollAuthenticator], now: i64) -> Result<Vec<Known>, KeeperError> {
        let before = self.known()?;
        let since = |one: &PollAuthenticator| before.iter().find(|known| known.is(one));
        let known = |one: &PollAuthenticator| Known {
            since: since(one).map_or(now, |known| known.since),
            authenticator: one.clone(),
        };
        let after: Vec<Known> = told.iter().map(known).collect();
        let is_same = after.len() == before.len() && told.iter().all(|one| since(one).is_some());
        for new in told.iter().filter(|one| since(one).is_none()) {
            let (identity, kind, material) = (new.identity_id.0, new.kind.as_str(), &*new.material);
            tracing::warn!(%identity, kind, material, "an authenticator is new here: it counts after its time");
        }
        if !is_same {
            self.write(&self.folder.join(AUTHENTICATORS), &after)?;
        }
        Ok(after)
    }
}

impl Known {
    /// Whether it is this one.
    pub(super) fn is(&self, one: &PollAuthenticator) -> bool {
        let known = &self.authenticator;
        (known.identity_id, known.kind, &known.material) == (one.identity_id, one.kind, &one.material)
    }
}
