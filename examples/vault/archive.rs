//! The operator of a ledger: what he holds, and what he does with documents. Each thing that he does is one step.
//!
//! ```text
//! operator/            the operator's secrets, at rest under the master beside them
//! erasure-keys/        one for each record, by its vault
//! mark.json            the signer's high-water mark
//! log/                 what the operator crate keeps: chain, ring, checkpoint, records
//! log/documents/000002 what belongs to the record of entry 2, written in the same change: stored, shard-1 …
//! unsealed/            what leaves the vault
//! ```

use crate::keys::{Keys, ORIGIN};
use crate::layout::{NODES, STORED, beside, shard, shard_place};
use crate::view::{View, walk};
use dualseal::field::Gf2_256;
use dualseal::key::PreparedKeyCache;
use dualseal::presence::EnrolledKeys;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::shamir::DrawnSecret;
use dualseal::shard::{Dealer, OwnSplits, Shard, ShardKey};
use dualseal::vault::{Destination, Encryption, ErasedSplits, Tier, TierKeys, Unplaced, VaultRecord, VaultSealer};
use dualseal::{Domain, Entry, Head, SystemRng, Timestamp, VaultId};
use dualseal_examples::files::{self, Readers};
use dualseal_examples::{Fallible, now};
use dualseal_operator::disk::{self, Change, Disk, Hold, Spool};
use dualseal_operator::folder::{Folder, FolderError, Held, Place};
use dualseal_operator::secrets::RecordSecret;
use dualseal_operator::step::{Batch, Step, Vaulted};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How many of the nodes rebuild a secret.
const M: u8 = 2;
/// How long a program waits for the others.
const WAIT: Duration = Duration::from_mins(1);

/// The operator, and all that it keeps.
pub(crate) struct Archive {
    pub(crate) domain: Domain,
    pub(crate) disk: Disk,
    pub(crate) keys: Keys,
    tiers: TierKeys,
    pub(crate) enrolled: EnrolledKeys,
    prepared: PreparedKeyCache,
    folder: Folder,
    path: PathBuf,
}

impl Archive {
    /// Opens a ledger's folder, or founds it. What a crash left unfinished is finished.
    pub(crate) fn open(path: &Path, disk: Disk) -> Fallible<Self> {
        let domain = Domain::default();
        disk.make_folder(path, Readers::Owner)?;
        // One program founds it; the next finds it founded.
        let _opening = disk.lock(path, Hold::Exclusive, WAIT)?;
        let keys = Keys::open(&domain, path, &disk)?;
        let log = Place {
            path: path.join("log"),
            mark: path.join("mark.json"),
            domain: domain.clone(),
            origin: ORIGIN.to_owned(),
            wait: WAIT,
        };
        let folder = match Folder::found(disk.clone(), log.clone(), keys.ring_key(&domain)?) {
            Err(FolderError::Exists(_)) => Folder::new(disk.clone(), log, keys.ring_key(&domain)?),
            founded => founded?,
        };
        let (mut tiers, mut enrolled) = (TierKeys::new(), EnrolledKeys::new());
        tiers.enrol(&keys.identity_id, Tier::Native, keys.tier.public_key())?;
        for guardian in &keys.guardians {
            enrolled.enrol(&keys.identity_id, guardian.public_key())?;
        }
        let prepared = PreparedKeyCache::new(1 << 20);
        let archive = Self { domain, disk, keys, tiers, enrolled, prepared, folder, path: path.to_owned() };
        archive.begin()?;
        archive.settle()?;
        Ok(archive)
    }

    /// What is there now.
    pub(crate) fn view(&self) -> Fallible<View<'_>> {
        View::new(&self.domain, &self.keys, &self.tiers, &self.prepared, self.folder.read()?)
    }

    /// A place for what leaves the vault.
    pub(crate) fn unsealed(&self, seq: u64) -> Fallible<PathBuf> {
        let folder = self.path.join("unsealed");
        self.disk.make_folder(&folder, Readers::Owner)?;
        Ok(folder.join(format!("{seq:06}")))
    }

    /// Seals a file of any size, splits its secret among the nodes, and keeps all of it or nothing. Until the shards
    /// are at their nodes the operator keeps the secret in memory, and no longer.
    pub(crate) fn seal(&self, file: &Path, kind: &str) -> Fallible<(u64, Option<DrawnSecret<Gf2_256>>)> {
        let mut document = files::open(file)?;
        // A long document holds up nobody: it is read before the folder is held.
        let (mut stored, mut rest) = (self.disk.spool(self.folder.path())?, Vec::new());
        let mut sealing = self.sealer().begin(kind, Encryption::Stream, &mut SystemRng, &mut rest)?;
        sealing.copy(&mut document, &mut stored, &mut rest)?;
        let held = self.folder.hold()?;
        let (mut batch, time) = (self.batch(&held), now()?);
        let end = batch.state().ledger(&self.keys.ledger).ok_or("the batch begins the ledger")?;
        let unplaced = sealing.finish_unplaced(end, "", time, &mut SystemRng, &mut rest)?;
        stored.write_all(&rest)?;
        stored.rewind()?;
        let (vaulted, shards) = batch.step(time, |step| self.split(step, &held, unplaced))?;
        let seq = vaulted.entry.seq();
        let shards = self.under_a_key(&vaulted.record.header().vault_id, &shards)?;
        let (state, changes) = batch.place().0.finish([])?;
        held.commit(state, &changes, |change| {
            copy(change, &beside(seq, STORED), &mut stored)?;
            for (number, row) in (1..).zip(&shards) {
                change.file(&beside(seq, &shard(number)), Readers::Owner, row.stored())?;
            }
            Ok(())
        })?;
        self.settle()?;
        Ok((seq, vaulted.secret))
    }

    /// Erases a record: the ledger says so first, and ends its splits, then its shards are destroyed.
    pub(crate) fn erase(&self, seq: u64) -> Fallible<u64> {
        // What is destroyed is what was sealed: a record that somebody put in its place is refused here. One whose key
        // was revoked since is not.
        let view = self.view()?;
        let report = view.judge(seq, &view.located()?)?;
        drop(view);
        let record = report.erasable().ok_or_else(|| report.to_string())?;
        let held = self.folder.hold()?;
        // Every split that the chain tells of, whoever holds the shards.
        let own = self.own_splits(&held, held.state().head(), None, report.vault_id())?;
        let splits = ErasedSplits::Walked { own: &own, prepared: &[] };
        let mut batch = self.batch(&held);
        let (vaulted, stored) = batch.step(now()?, |step| -> Fallible<_> {
            let ledger = step.ledger(&self.keys.ledger)?;
            let to = Destination { ledger, head: step.head(), note: "", time: step.time() };
            let erasure = self.sealer().erase(record, splits, &to, &mut SystemRng)?;
            Ok(step.erase(self.keys.signing.public_key(), erasure)?)
        })?;
        let (state, changes) = batch.place().0.finish([])?;
        let number = vaulted.entry.seq();
        held.commit(state, &changes, |change| Ok(change.file(&beside(number, STORED), Readers::Owner, &stored)?))?;
        self.settle()?;
        Ok(number)
    }

    /// The first step: the operator's key and the log's own in the ring.
    fn begin(&self) -> Fallible<()> {
        let held = self.folder.hold()?;
        // Nobody else is opening, and nobody writes.
        self.disk.clear_unfinished(&self.path)?;
        self.disk.clear_unfinished(self.keys.erasure_keys())?;
        if held.state().head().size() == 0 {
            let (mut batch, keys) = (self.batch(&held), &self.keys);
            batch.step(now()?, |step| {
                step.add_key(&keys.identity_id, keys.signing.public_key())?;
                step.add_key(keys.log.identity_id(), keys.log.key().public_key())
            })?;
            held.finish(batch, &|_| None)?;
        }
        Ok(())
    }

    /// Does what follows from what stands in the chain, also what a crash kept from being done: a checkpoint over all
    /// of it, and the shards of every record that the ledger says is erased are destroyed.
    fn settle(&self) -> Fallible<()> {
        let held = self.folder.hold()?;
        let (size, last) = (held.state().head().size(), held.state().last());
        if last.is_none_or(|last| last.size < size) {
            let log = &self.keys.log;
            held.checkpoint(log.identity_id(), log.key(), now()?, |signer| signer)?;
        } else {
            drop(held);
        }
        let view = self.view()?;
        let (erasures, mut erased) = (view.erasures()?, Vec::new());
        for (seq, record) in &view.records {
            if erasures.iter().any(|erasure| erasure.covers(record)) {
                erased.push((*seq, record.header().vault_id));
            }
        }
        drop(view);
        for (seq, vault_id) in erased {
            self.keys.destroy_erasure_key(&vault_id)?;
            // What is left of them opens no more.
            let held = self.folder.hold()?;
            for number in 1..=NODES.len() {
                self.disk.remove(&held.lock().folder().join(beside(seq, &shard(number))))?;
            }
        }
        Ok(())
    }

    fn sealer(&self) -> VaultSealer<'_> {
        VaultSealer::new(&self.keys.master, &self.keys.identity_id, &self.keys.signing).native(&self.keys.tier)
    }

    fn batch(&self, held: &Held<'_>) -> Batch {
        Batch::new(held.state().clone().with_ledger(&self.keys.ledger))
    }

    /// Places a record, and the commitment of the split of its secret.
    fn split(&self, step: &mut Step<'_>, held: &Held<'_>, unplaced: Unplaced) -> Fallible<(Vaulted, Vec<Shard>)> {
        let vaulted = step.vault(unplaced)?;
        let secret = vaulted.secret.as_ref().ok_or("an encrypted record has a secret")?;
        let dealer = Dealer::new(&vaulted.record, &self.keys.master, M, &NODES.map(str::to_owned))?;
        let prepared = dealer.prepare(secret, None, &mut SystemRng)?;
        let all: Vec<_> = prepared.shards.iter().map(|shard| *shard.shard_id()).collect();
        let vault_id = &vaulted.record.header().vault_id;
        let own = self.own_splits(held, step.head(), Some(&vaulted.entry), vault_id)?;
        step.take(&prepared.preparation.commit(&all, None, &own, step.time())?.entry)?;
        Ok((vaulted, prepared.shards))
    }

    /// The splits of a vault up to a head, which is the folder's or that of one entry more.
    fn own_splits(
        &self,
        held: &Held<'_>,
        head: &Head,
        more: Option<&Entry>,
        vault_id: &VaultId,
    ) -> Fallible<OwnSplits> {
        let key = ShardKey::derive(&self.domain, self.keys.master.secret(), &self.keys.identity_id);
        let reader = ChainReader::new(&self.domain, &TrustedHead::beginning()).up_to(head);
        let entries = held.entries(0)?.chain(more.cloned().map(Ok));
        walk(reader, entries, |reader| reader.own_splits(&key, vault_id))
    }

    /// The shards as they are stored, under a key that is destroyed when the record is erased.
    fn under_a_key(&self, vault_id: &VaultId, shards: &[Shard]) -> Fallible<Vec<RecordSecret>> {
        let (key, mut stored) = (self.keys.draw_erasure_key(&self.domain, vault_id)?, Vec::new());
        for (number, shard) in (1..).zip(shards) {
            let place = shard_place(vault_id, number)?;
            stored.push(RecordSecret::seal(&key, place, shard.to_json().as_bytes(), &mut SystemRng)?);
        }
        Ok(stored)
    }
}

fn copy(change: &mut Change<'_>, name: &str, from: &mut Spool) -> Result<(), disk::Error> {
    change.streamed(name, Readers::Owner, |to| {
        io::copy(from, to).map(drop).map_err(|error| disk::Error::writing(Path::new(name), error))
    })
}

/// When a challenge of presence is answered at the latest.
pub(crate) fn in_a_minute(time: Timestamp) -> Fallible<Timestamp> {
    Ok(Timestamp::from_millis(time.as_millis() + 60_000)?)
}

/// For people: which record it is.
pub(crate) fn title(record: &VaultRecord) -> String {
    format!("record {} ({:?})", record.header().seq, record.header().kind)
}

#[cfg(test)]
mod tests;
