//! The home folder of an operator, under a lock for as long as the value lives.
//!
//! | file | what it holds |
//! |---|---|
//! | `home.json` | `{"domain", "origin", "version":"1"}` |
//! | `names.json` | short names of identities: `{"ana": {"context", "creator", "identity_id"}}` |
//! | `ring.json` | the ring, decoys included: for the owner alone |
//! | `chain.jsonl`, `head.json` | the chain, one entry a line; where it ends: `{"bytes","frontier","size","top"}` |
//! | `checkpoint.json` | the last checkpoint that was signed here; the first is signed with the first key |
//! | `keys/<identity_id>.pem` | signing keys; a retired one is `keys/<identity_id>.<key hash>.pem` |
//! | `ring.key`, `seal.key` | secrets: the authority over the ring, the master of the seal keys |
//! | `note.key` | a secret: the Ed25519 key of the log's notes |
//! | `records/` | a copy of every record and seal that was made: `<krunica_hash>.json`, `<hash>.seal` |
//! | `vaults/<name>/` | a ledger of vault records, their stored bytes and secrets |

mod actor;
mod checkpoint;
mod names;
mod own_log;
mod ring;
mod secret;
mod step;

pub(crate) use checkpoint::{false_ring, fork};
pub(crate) use names::{could_be_name, drawn_context};
pub(crate) use own_log::{OwnLog, OwnRead};
pub(crate) use ring::key_info;
pub(crate) use secret::{LEDGER, MASTER, VAULTS};
pub(crate) use step::Step;

use crate::domain_file::DomainFile;
use crate::failure::{Failure, HOME};
use crate::input;
use crate::output::{canonical, integer, object, text};
use crate::store::{self, CHAIN, Lock, Readers};
use dualseal::encoding::hex;
use dualseal::encoding::json::Value;
use dualseal::secret::Secret;
use dualseal::{CheckedRing, Head, RingKey, SystemRng};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

const ABOUT: &str = "home.json";
const NAMES: &str = "names.json";
const RING: &str = "ring.json";
const HEAD: &str = "head.json";
const CHECKPOINT: &str = "checkpoint.json";

/// An open home folder.
#[derive(Debug)]
pub(crate) struct Home {
    folder: PathBuf,
    domain: DomainFile,
    origin: String,
    /// The authority over the ring, once it was opened.
    authority: OnceLock<RingKey>,
    lock: Lock,
}

impl Home {
    /// Whether there is one.
    pub(crate) fn exists(folder: &Path) -> bool {
        folder.join(ABOUT).exists() || folder.join("journal").exists()
    }

    /// Opens a home folder.
    pub(crate) fn open(folder: &Path, to_write: bool, wait: Duration) -> Result<Self, Failure> {
        if !Self::exists(folder) {
            let message = format!("{} is no home folder", folder.display());
            return Err(Failure::new(HOME, message, "make one by `dualseal key new NAME`, or name yours with --home"));
        }
        let lock = store::lock(folder, to_write, wait)?;
        let mut members = read_object(&folder.join(ABOUT))?;
        let version = members.remove("version");
        let (Some(domain), Some(Value::String(origin))) = (members.remove("domain"), members.remove("origin")) else {
            return Err(broken(&folder.join(ABOUT)));
        };
        if version != Some(text("1")) {
            let message = format!("{} was made by another version", folder.display());
            return Err(Failure::new(HOME, message, "use the version of dualseal that made it"));
        }
        let domain = DomainFile::from_value(domain)?;
        Ok(Self { folder: folder.to_owned(), domain, origin, authority: OnceLock::new(), lock })
    }

    /// Makes a home folder with an empty ring and chain.
    pub(crate) fn found(
        folder: &Path,
        domain: &DomainFile,
        origin: Option<&str>,
        wait: Duration,
    ) -> Result<(), Failure> {
        let origin = match origin {
            Some(origin) => origin.to_owned(),
            // No two logs may have one name.
            None => format!("log-{}", hex::encode(&Secret::<32>::random(&mut SystemRng)?.expose()[..16])),
        };
        let authority = RingKey::generate(domain.domain(), &mut SystemRng)?;
        let ring = CheckedRing::new(&origin, &authority)?;
        store::disk().make_folder(folder, Readers::Owner)?;
        let lock = store::lock(folder, true, wait)?;
        if Self::exists(folder) {
            return Ok(());
        }
        let members = [("domain", domain.to_value()), ("origin", text(origin)), ("version", text("1"))];
        let mut change = lock.change()?;
        change.append(CHAIN, 0, b"")?;
        change.file(RING, Readers::Owner, ring.to_stored_json(&Head::EMPTY)?.as_bytes())?;
        change.file(HEAD, Readers::All, head_json(&Head::EMPTY, 0).as_bytes())?;
        change.file(ABOUT, Readers::All, canonical(&object(members)).as_bytes())?;
        Ok(change.commit()?)
    }

    /// A file of it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
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

    /// Where the chain ends, and its bytes. The end is kept with each entry, so that a long chain is not read for it; a
    /// chain of another length is not appended to.
    pub(crate) fn head(&self) -> Result<(Head, u64), Failure> {
        let (head, bytes) = self.noted_head()?;
        let chain = self.present(CHAIN)?;
        let found = fs::metadata(&chain).map_err(|error| Failure::reading(&chain, &error))?.len();
        if found != bytes {
            let message = format!("{} has {found} bytes and had {bytes}: somebody else wrote to it", chain.display());
            return Err(Failure::new(HOME, message, "see what is wrong by `dualseal chain check`, and restore a copy"));
        }
        Ok((head, bytes))
    }

    /// Refuses a chain that holds together, and ends elsewhere than this program left it.
    pub(crate) fn wrote(&self, found: &Head) -> Result<(), Failure> {
        let (noted, _) = self.noted_head()?;
        let (size, had) = (found.size(), noted.size());
        let what = match size.cmp(&had) {
            _ if *found == noted => return self.head().map(drop),
            Ordering::Less => format!("entry {size} and those after it are missing: it had {had}"),
            Ordering::Equal => "it is not the one that this program wrote".to_owned(),
            Ordering::Greater => format!("entry {had} and those after it are not by this program"),
        };
        let message = format!("the chain holds together, and {what}");
        let failure =
            Failure::new(HOME, message, "restore the home folder from a copy that is as new as its last entry");
        Err(failure.about(self.path(CHAIN).display()))
    }

    /// The end of the chain as it was noted with its last entry.
    fn noted_head(&self) -> Result<(Head, u64), Failure> {
        let path = self.path(HEAD);
        let mut members = read_object(&path)?;
        let mut number = |name| match members.remove(name) {
            Some(Value::Integer(number)) => u64::try_from(number).map_err(|_| broken(&path)),
            _ => Err(broken(&path)),
        };
        let bytes = number("bytes")?;
        let head = Head::from_json(canonical(&Value::Object(members)).as_bytes()).map_err(|_| broken(&path))?;
        Ok((head, bytes))
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
    let message = format!("{} is missing", path.display());
    Failure::new(HOME, message, "restore it from a copy of the home folder that is as new as this one")
}

/// A file that this program did not write like that.
pub(crate) fn broken(path: &Path) -> Failure {
    let message = format!("{} is not as this program writes it", path.display());
    Failure::new(HOME, message, "restore the folder from a copy; the chain shows whether the copy is an old one")
}

fn head_json(head: &Head, bytes: u64) -> String {
    let frontier = head.frontier().hashes().iter().map(|hash| text(hash.to_hex())).collect();
    canonical(&object([
        ("bytes", integer(bytes)),
        ("frontier", Value::Array(frontier)),
        ("size", integer(head.size())),
        ("top", text(head.top().to_hex())),
    ]))
}
