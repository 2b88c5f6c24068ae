//! A ledger as a folder. Everything that one step adds stands in one folder of its own, which is renamed into place
//! when it is whole: after a crash the ledger is as it was before the step, or after it.
//!
//! ```text
//! operator/            the operator's secrets
//! lock                 held by whoever has the ledger open
//! steps/000000/        entries.jsonl, ring.json, checkpoint.json
//! steps/000001/        the same, and record.json, stored, shard-1.json …
//! ```

use dualseal::Krunica;
use dualseal::checkpoint::Checkpoint;
use dualseal::key::{CheckedRing, RingFile, RingKey};
use dualseal::krunica::{Checker, JsonLines};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::shard::Shard;
use dualseal::vault::{VaultMaster, VaultRecord};
use dualseal_examples::Fallible;
use dualseal_examples::files;
use dualseal_operator::disk::{Disk, Error, Hold, Lock, NewFolder, Readers, Refused};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;
use zeroize::Zeroizing;

/// The names in a step's folder.
pub(crate) const RECORD: &str = "record.json";
pub(crate) const STORED: &str = "stored";
const ENTRIES: &str = "entries.jsonl";
const RING: &str = "ring.json";
const CHECKPOINT: &str = "checkpoint.json";

/// The folder.
pub(crate) struct Store {
    folder: PathBuf,
    pub(crate) disk: Disk,
    /// The number of steps that are there.
    steps: u64,
    /// Whoever else opens the folder would take a step in the making for one that a crash left, and give the same place
    /// in the ledger to another record. The system lets go of it with the process.
    _lock: Lock,
}

/// What all steps come to.
pub(crate) struct State {
    pub(crate) ring: CheckedRing,
    pub(crate) chain: Krunica,
    pub(crate) checkpoint: Checkpoint,
    /// The steps that hold a record, by its place in the ledger.
    pub(crate) records: Vec<u64>,
}

impl Store {
    /// Opens a folder, or makes it. It is refused while somebody else has it open. What a crash left unfinished is
    /// removed.
    pub(crate) fn open(folder: &Path, disk: Disk) -> Fallible<Self> {
        let steps = folder.join("steps");
        disk.make_folder(folder, Readers::All)?;
        let lock = disk.lock(folder, Hold::Exclusive, Duration::ZERO).map_err(|error| busy(folder, error))?;
        disk.make_folder(&steps, Readers::All)?;
        disk.clear_unfinished(folder)?;
        disk.clear_unfinished(&steps)?;
        let mut store = Self { folder: folder.to_path_buf(), disk, steps: 0, _lock: lock };
        while store.step(store.steps).is_dir() {
            store.steps += 1;
        }
        Ok(store)
    }

    /// Begins the next step.
    pub(crate) fn begin(&self) -> Fallible<NewFolder> {
        Ok(self.disk.new_folder(&self.step(self.steps))?)
    }

    /// Writes what every step has, and puts it in place.
    pub(crate) fn commit(
        &mut self,
        mut step: NewFolder,
        entries: &[dualseal::Entry],
        ring: &str,
        checkpoint: &Checkpoint,
    ) -> Fallible<u64> {
        let lines: String = entries.iter().map(dualseal::Entry::to_json_line).collect();
        step.write(ENTRIES, Readers::All, lines.as_bytes())?;
        step.write(RING, Readers::Owner, ring.as_bytes())?;
        step.write(CHECKPOINT, Readers::All, checkpoint.to_json().as_bytes())?;
        step.publish()?;
        self.steps += 1;
        Ok(self.steps - 1)
    }

    /// Reads all steps; `None` where there is none yet. The chain is checked on the way, and the ring against it.
    pub(crate) fn read(&self, authority: &RingKey, master: &VaultMaster) -> Fallible<Option<State>> {
        let Some(last) = self.steps.checked_sub(1) else { return Ok(None) };
        let (mut chain, mut checker, mut records) = (Krunica::new(), Checker::new(), Vec::new());
        for step in 0..self.steps {
            let mut lines = JsonLines::new();
            let text = self.text(step, ENTRIES)?;
            lines.push(text.as_bytes(), |line| Ok(chain.push(checker.push_json(line)?)?))?;
            lines.finish()?;
            if self.path(step, RECORD).is_file() {
                records.push(step);
            }
        }
        let file = RingFile::from_json(self.text(last, RING)?.as_bytes())?;
        let later = usize::try_from(file.size())?;
        // The ring is written with every record: one that came later stands in an older file, without its decoy.
        let mut reader = ChainReader::new(master.domain(), &TrustedHead::ring_file(&file)).up_to(chain.head());
        let watched = reader.ring(file, authority, |entry| master.vouches_for(entry))?;
        chain.entries().iter().skip(later).try_for_each(|entry| reader.push(entry))?;
        let ring = reader.finish()?.take(watched)?.into_ring();
        let checkpoint = Checkpoint::from_json(self.text(last, CHECKPOINT)?.as_bytes())?;
        Ok(Some(State { ring, chain, checkpoint, records }))
    }

    /// The record of a step, as it is kept.
    pub(crate) fn record(&self, step: u64) -> Fallible<VaultRecord> {
        Ok(VaultRecord::from_json(self.text(step, RECORD)?.as_bytes())?)
    }

    /// Its stored bytes.
    pub(crate) fn stored(&self, step: u64) -> Fallible<File> {
        files::open(&self.path(step, STORED))
    }

    /// Those of its shards that are still there.
    pub(crate) fn shards(&self, step: u64) -> Fallible<Vec<Shard>> {
        let mut shards = Vec::new();
        for number in 1..=255 {
            let name = shard_name(number);
            if self.path(step, &name).is_file() {
                shards.push(Shard::from_json(self.text(step, &name)?.as_bytes())?);
            }
        }
        Ok(shards)
    }

    /// Destroys a shard, and says whether it was there.
    pub(crate) fn destroy_shard(&self, step: u64, number: u8) -> Fallible<bool> {
        Ok(self.disk.remove(&self.path(step, &shard_name(number)))?)
    }

    /// The folder of the operator's secrets.
    pub(crate) fn operator(&self) -> PathBuf {
        self.folder.join("operator")
    }

    /// A place for what leaves the vault.
    pub(crate) fn unsealed(&self, step: u64) -> Fallible<PathBuf> {
        let folder = self.folder.join("unsealed");
        self.disk.make_folder(&folder, Readers::All)?;
        Ok(folder.join(format!("{step:06}")))
    }

    fn text(&self, step: u64, name: &str) -> Fallible<Zeroizing<String>> {
        read_text(&self.path(step, name))
    }

    fn step(&self, step: u64) -> PathBuf {
        self.folder.join("steps").join(format!("{step:06}"))
    }

    fn path(&self, step: u64, name: &str) -> PathBuf {
        self.step(step).join(name)
    }
}

fn busy(folder: &Path, error: Error) -> Box<dyn std::error::Error> {
    match error.refused() {
        Some(Refused::Busy) => {
            format!("another program has the ledger {} open; wait until it is done", folder.display()).into()
        }
        _ => error.into(),
    }
}

/// The file of a shard.
pub(crate) fn shard_name(number: u8) -> String {
    format!("shard-{number}.json")
}

/// A text that may hold secrets.
pub(crate) fn read_text(path: &Path) -> Fallible<Zeroizing<String>> {
    let mut file = files::open(path)?;
    let length = usize::try_from(file.metadata()?.len())?;
    // Room for all of it, so that the text never moves and leaves a copy behind.
    let mut text = Zeroizing::new(String::with_capacity(length + 1));
    file.read_to_string(&mut text).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Ok(text)
}
