//! The home folder of an operator, under a lock for as long as the value lives.
//!
//! | file | what it holds |
//! |---|---|
//! | `home.json` | `{"domain", "origin", "version":"2"}` |
//! | `names.json` | short names of identities: `{"": {"default", "mac"}, "ana": {"context", "creator", …}}` |
//! | `state.jsonl`, `ring/`, `decoys.jsonl` | where the chain ends, and the ring: for the owner alone |
//! | `chain.jsonl`, `chain.index`, `chain.tree` | the chain, one entry a line, and what finds its entries and proofs |
//! | `secrets.list` | what secrets at rest there are: none, since those of vaults stand in `vaults/` |
//! | `checkpoint.json` | the last checkpoint that was signed here; the first is signed with the first key |
//! | `records.jsonl` | every signed record and vault record: for the owner alone |
//! | `keys/<identity_id>.pem` | signing keys; a retired one is `keys/<identity_id>.<key hash>.pem` |
//! | `ring.key`, `seal.key` | secrets: the authority over the ring, the master of the seal keys |
//! | `note.key` | a secret: the Ed25519 key of the log's notes |
//! | `records/` | a copy of every record and seal that was made: `<krunica_hash>.json`, `<hash>.seal` |
//! | `waiting.json` | files that a command was ended before it wrote elsewhere: `{"files", "mac"}` |
//! | `vaults/<name>/` | a ledger of vault records, their stored bytes and secrets |
//!
//! The log in it is an operator's [`Folder`]. The signer's mark is a file beside the home folder, not in it.

mod actor;
mod checkpoint;
mod founding;
mod log;
mod names;
mod own_log;
mod refused;
mod secret;
mod step;
mod table;
mod waiting;

pub(crate) use checkpoint::{contradicted, false_ring, fork};
pub(crate) use log::key_info;
pub(crate) use names::{could_be_name, drawn_context};
pub(crate) use own_log::OwnLog;
pub(crate) use secret::{LEDGER, MASTER, VAULTS};
pub(crate) use step::{Ready, Step};
pub(crate) use waiting::{Waiting, of as waiting};

use crate::domain_file::DomainFile;
use crate::failure::{Failure, HOME};
use crate::input;
use crate::output::text;
use crate::store::{self, Lock};
use dualseal::encoding::json::Value;
use dualseal_operator::folder::{Folder, FolderError};
use dualseal_operator::paths::Show;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use table::Table;

const ABOUT: &str = "home.json";
const NAMES: &str = "names.json";
const VERSION: &str = "2";
const CHECKPOINT: &str = "checkpoint.json";

/// Where a home folder is, and the signer's mark beside it.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    pub(crate) folder: PathBuf,
    pub(crate) mark: PathBuf,
    /// How long to wait for others.
    pub(crate) wait: Duration,
}

/// An open home folder.
#[derive(Debug)]
pub(crate) struct Home {
    location: Location,
    domain: DomainFile,
    origin: String,
    /// The log with the authority over its ring, once that was opened.
    opened: OnceLock<Folder>,
    /// The table of names, read once: what is checked is what is used.
    named: Mutex<Option<Arc<Table>>>,
    lock: Arc<Lock>,
}

impl Home {
    /// Whether there is one.
    pub(crate) fn exists(folder: &Path) -> bool {
        folder.join(ABOUT).exists() || folder.join("journal").exists()
    }

    /// Opens a home folder.
    pub(crate) fn open(location: Location, to_write: bool) -> Result<Self, Failure> {
        let folder = &location.folder;
        if !Self::exists(folder) {
            let message = format!("{} is no home folder", folder.shown());
            return Err(Failure::new(HOME, message, "make one by `dualseal key new NAME`, or name yours with --home"));
        }
        // A founding that a crash interrupted is ended by whoever may write.
        let to_write = to_write || folder.join("founding.json").exists();
        let lock = Arc::new(store::lock(folder, to_write, location.wait)?);
        let mut members = read_object(&folder.join(ABOUT))?;
        let version = members.remove("version");
        let (Some(domain), Some(Value::String(origin))) = (members.remove("domain"), members.remove("origin")) else {
            return Err(broken(&folder.join(ABOUT)));
        };
        if version != Some(text(VERSION)) {
            let message = format!("{} was made by another version", folder.shown());
            return Err(Failure::new(HOME, message, "use the version of dualseal that made it"));
        }
        let domain = DomainFile::from_value(domain)?;
        Ok(Self { location, domain, origin, opened: OnceLock::new(), named: Mutex::default(), lock })
    }

    /// A file of it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.location.folder.join(name)
    }

    /// The domain.
    pub(crate) fn domain(&self) -> &DomainFile {
        &self.domain
    }

    /// The name of the log that the chain is.
    pub(crate) fn origin(&self) -> &str {
        &self.origin
    }

    /// A file without which there is no home folder.
    pub(crate) fn present(&self, name: &str) -> Result<PathBuf, Failure> {
        let path = self.path(name);
        if path.exists() { Ok(path) } else { Err(missing(&path)) }
    }
}

/// An object in a file of this program's own.
pub(crate) fn read_object(path: &Path) -> Result<BTreeMap<String, Value>, Failure> {
    if !path.exists() {
        return Err(missing(path));
    }
    match Value::parse(&input::small(path)?) {
        Ok(Value::Object(members)) => Ok(members),
        _ => Err(broken(path)),
    }
}

/// A file that somebody took away.
fn missing(path: &Path) -> Failure {
    let error = FolderError::Missing(path.to_owned());
    let hint = "restore it from a copy of the home folder that is as new as this one";
    Failure::new(HOME, error.to_string(), hint).refusing(error.name())
}

/// A file that this program did not write like that.
pub(crate) fn broken(path: &Path) -> Failure {
    let error = FolderError::Broken(path.to_owned());
    let hint = "restore the folder from a copy; the chain shows whether the copy is an old one";
    Failure::new(HOME, error.to_string(), hint).refusing(error.name())
}
