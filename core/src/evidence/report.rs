//! What evidence shows, once it was verified.

use super::EvidenceFile;
use super::record::{EvidenceKind, EvidenceRecord};
use crate::checkpoint::{Checkpoint, LogFingerprint, contradict};
use crate::encoding::record::{self, record};
use crate::encoding::time::Timestamp;
use crate::error::{Error, EvidenceFault};
use crate::id::{IdentityId, VaultId};
use crate::key::{KeyLeaf, KeyState};
use crate::mldsa::KeyHash;
use crate::note::Witnessed;
use crate::verdict::{AsOf, AsOfTold};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Who made the record, by which key and in which state, since when and before which time, seen by which witnesses, as
/// of which size. What it says of the key is what the log's signer says; witnesses bound when he can have said it.
#[derive(Debug)]
#[must_use = "a report that nobody looks at protects nobody"]
pub struct EvidenceReport {
    /// The verdict on the record with its dates, as of the checkpoint's size: Valid, Revoked or Suspended.
    pub as_of: AsOf<EvidenceRecord>,
    /// What kind of record it is.
    pub kind: EvidenceKind,
    /// The fingerprint that it was verified by.
    pub log: LogFingerprint,
    /// Whose record it is.
    pub identity_id: IdentityId,
    /// SHA3-256 over the key that made it.
    pub key: KeyHash,
    /// The state of the key as of the size.
    pub state: KeyState,
    /// The position of the entry since which the key is in that state.
    pub since: u64,
    /// The erased record, of an erasure.
    pub vault_id: Option<VaultId>,
    /// Who of the verifier's witnesses saw the log, and when.
    pub witnessed: Witnessed,
    leaf: KeyLeaf,
    checkpoint: Checkpoint,
}

impl EvidenceReport {
    pub(super) fn new(
        file: &EvidenceFile,
        log: LogFingerprint,
        as_of: AsOf<EvidenceRecord>,
        vault_id: Option<VaultId>,
        witnessed: Witnessed,
    ) -> Self {
        let leaf = file.key.leaf().clone();
        Self {
            as_of,
            kind: file.kind(),
            log,
            identity_id: leaf.identity_id,
            key: leaf.key,
            state: leaf.state,
            since: leaf.history.changes.last().map_or(0, |change| change.seq),
            vault_id,
            witnessed,
            leaf,
            checkpoint: file.checkpoint.clone(),
        }
    }

    /// The name of the log.
    #[must_use]
    pub fn origin(&self) -> &str {
        self.checkpoint.origin()
    }

    /// The checkpoint that all of this stands under.
    #[must_use]
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// The time before which all of this was in the log: by then as many witnesses as were asked for had seen it.
    /// `None` where none was asked for.
    #[must_use]
    pub fn before(&self) -> Option<Timestamp> {
        self.witnessed.time()
    }

    /// Compares it with what evidence of the same key said as of an earlier size, or a later one: a history only grows,
    /// by changes at or beyond the earlier size, and the place of a compromise only falls.
    ///
    /// # Errors
    /// [`EvidenceFault::Retold`] where the log's signer took something back, dated a change back, or signed two
    /// checkpoints that no log has, whatever keys the files are about; keep both files.
    /// [`EvidenceFault::OtherLog`] and [`EvidenceFault::OtherKey`] for evidence that cannot be compared.
    pub fn compare(&self, other: &Self) -> Result<(), Error> {
        self.said().compare(&other.said())
    }

    fn said(&self) -> Said<'_> {
        Said { log: &self.log, leaf: &self.leaf, checkpoint: &self.checkpoint }
    }

    /// Canonical JSON: `{as_of, before, identity_id, key, log, not_shown, origin, since, state, vault_id, vrsta,
    /// witnesses}`, the witnesses by their keys, each with the earliest time that it gave.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Told>(&Told {
            as_of: self.as_of.told(),
            before: self.before(),
            identity_id: self.identity_id,
            key: self.key,
            log: self.log,
            not_shown: self.kind.not_shown().map(ToString::to_string),
            origin: self.origin().to_string(),
            since: self.since,
            state: self.state,
            vault_id: self.vault_id,
            kind: self.kind,
            witnesses: self.witnessed.all().map(|(key, time)| Seen { key: *key, time }).collect(),
        })
    }
}

/// What a log's signer says of a key under a checkpoint.
pub(super) struct Said<'a> {
    pub(super) log: &'a LogFingerprint,
    pub(super) leaf: &'a KeyLeaf,
    pub(super) checkpoint: &'a Checkpoint,
}

impl Said<'_> {
    pub(super) fn compare(&self, other: &Self) -> Result<(), Error> {
        if self.log != other.log {
            return Err(EvidenceFault::OtherLog.into());
        }
        // Whatever keys they are about, no log has both.
        if contradict(self.checkpoint, other.checkpoint) {
            return Err(EvidenceFault::Retold.into());
        }
        if self.leaf.key != other.leaf.key {
            return Err(EvidenceFault::OtherKey.into());
        }
        let size = |said: &Self| said.checkpoint.tree_head().size;
        let (earlier, later) = if size(other) <= size(self) { (other, self) } else { (self, other) };
        // Of one size nothing can be new.
        if later.leaf.goes_on_from(earlier.leaf, size(earlier)) { Ok(()) } else { Err(EvidenceFault::Retold.into()) }
    }
}

struct Told {
    as_of: AsOfTold,
    before: Option<Timestamp>,
    identity_id: IdentityId,
    key: KeyHash,
    log: LogFingerprint,
    not_shown: Option<String>,
    origin: String,
    since: u64,
    state: KeyState,
    vault_id: Option<VaultId>,
    kind: EvidenceKind,
    witnesses: Vec<Seen>,
}

record! {
    |told: Told| "evidence report" {
        "as_of" as_of: AsOfTold,
        "before" before: Option<Timestamp>,
        "identity_id" identity_id: IdentityId,
        "key" key: KeyHash,
        "log" log: LogFingerprint,
        "not_shown" not_shown: Option<String>,
        "origin" origin: String,
        "since" since: u64,
        "state" state: KeyState,
        "vault_id" vault_id: Option<VaultId>,
        "vrsta" kind: EvidenceKind,
        "witnesses" witnesses: Vec<Seen>,
    }
}

struct Seen {
    key: [u8; 32],
    time: Timestamp,
}

record! {
    |seen: Seen| "witness" {
        "key" key: [u8; 32],
        "time" time: Timestamp,
    }
}
