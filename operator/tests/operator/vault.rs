//! A vault's records in a folder: sealed, read again with their fragments, erased.

use crate::folder::place;
use crate::log::{Fresh, Log, ORIGIN, Person, at, fresh, key};
use dualseal::checkpoint::{CheckpointVerifier, Pins};
use dualseal::error::Misuse;
use dualseal::key::Unprepared;
use dualseal::mldsa::StatementKey;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::secret::Secret;
use dualseal::shard::{Dealer, OwnSplits, ShardKey};
use dualseal::vault::{
    Destination, Encryption, Erasable, ErasedSplits, LedgerId, Operator, SealedErasure, Standing, StoredHasher,
    TierPolicy, VaultMaster, VaultRecord, VaultSealer, VaultVerifier,
};
use dualseal::{Entry, Head, SystemRng, VaultId};
use dualseal_operator::disk::{Disk, Readers};
use dualseal_operator::folder::{Folder, FolderError, Held};
use dualseal_operator::opening::Refused;
use dualseal_operator::step::{Batch, State, StepError};
use std::fs;

struct Vault {
    log: Log,
    ana: Person,
    master: VaultMaster,
    ledger: LedgerId,
    folder: Folder,
    path: Fresh,
}

impl Vault {
    fn begun(name: &str) -> Self {
        let (path, log) = (fresh(&format!("vault {name}")), Log::new());
        let ana = log.person("ana");
        let folder = Folder::found(Disk::new(), place(&path, &log), Log::new().authority).unwrap();
        folder.step(at(0), &|_| None, |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
        let master = VaultMaster::new(&log.domain, Secret::from_slice("master", &[3; 32]).unwrap()).unwrap();
        Self { log, ana, master, ledger: LedgerId::from_bytes([4; 32]), folder, path }
    }

    fn sealer(&self) -> VaultSealer<'_> {
        VaultSealer::new(&self.master, &self.ana.id, self.ana.key())
    }

    fn batch(&self, held: &Held<'_>) -> Batch {
        Batch::new(held.state().clone().with_ledger(&self.ledger))
    }

    /// Seals a document, with the commitment of a split of its secret, and its stored bytes beside the log.
    fn seal(&self) -> (VaultRecord, Vec<u8>) {
        let (held, mut stored) = (self.folder.hold().unwrap(), Vec::new());
        let mut sealing = self.sealer().begin("CONTRACT", Encryption::Stream, &mut SystemRng, &mut stored).unwrap();
        sealing.update(b"one contract", &mut stored).unwrap();
        let mut batch = self.batch(&held);
        let end = batch.state().ledger(&self.ledger).unwrap();
        let unplaced = sealing.finish_unplaced(end, "", at(5), &mut SystemRng, &mut stored).unwrap();
        let made: Result<_, StepError> = batch.step(at(5), |step| {
            let vaulted = step.vault(unplaced)?;
            let nodes = ["one", "two"].map(str::to_owned);
            let dealer = Dealer::new(&vaulted.record, &self.master, 2, &nodes)?;
            let prepared = dealer.prepare(vaulted.secret.as_ref().unwrap(), None, &mut SystemRng)?;
            let shards: Vec<_> = prepared.shards.iter().map(|shard| *shard.shard_id()).collect();
            let vault_id = &vaulted.record.header().vault_id;
            let own = self.own_splits(&held, step.head(), Some(&vaulted.entry), vault_id);
            step.take(&prepared.preparation.commit(&shards, None, &own, step.time())?.entry)?;
            Ok(vaulted.record)
        });
        let record = made.unwrap();
        let (state, changes) = batch.place().0.finish([]).unwrap();
        let name = format!("stored/{}", record.entry().seq());
        held.commit(state, &changes, |change| Ok(change.file(&name, Readers::Owner, &stored)?)).unwrap();
        (record, stored)
    }

    fn own_splits(&self, held: &Held<'_>, head: &Head, more: Option<&Entry>, vault_id: &VaultId) -> OwnSplits {
        let key = ShardKey::derive(&self.log.domain, self.master.secret(), &self.ana.id);
        let mut reader = ChainReader::new(&self.log.domain, &TrustedHead::beginning()).up_to(head);
        let watched = reader.own_splits(&key, vault_id).unwrap();
        held.entries(0).unwrap().try_for_each(|entry| reader.push(&entry.unwrap())).unwrap();
        more.into_iter().try_for_each(|entry| reader.push(entry)).unwrap();
        reader.finish().unwrap().take(watched).unwrap()
    }

    /// What the operator's own check of a record lets erase.
    fn erasable(&self, seq: u64, stored: &[u8]) -> Erasable {
        let (id, key) = (&self.ana.id, self.ana.key());
        let checkpoint = self.folder.hold().unwrap().checkpoint(id, key, at(5), |signer| signer).unwrap();
        let pins =
            Pins { origin: ORIGIN.to_owned(), identity_id: *id, key_hash: *key.public_key().hash(), least_size: 0 };
        let verifier = CheckpointVerifier::new(&self.log.domain, &pins, None, &Unprepared);
        let checkpoint = verifier.verify(checkpoint).valid().unwrap();
        let reading = self.folder.read().unwrap();
        let mut reader = ChainReader::new(&self.log.domain, &TrustedHead::beginning()).under(&checkpoint).unwrap();
        let watched = reader.ledger(&self.ledger, Some(&self.master)).unwrap();
        reading.entries(0).unwrap().try_for_each(|entry| reader.push(&entry.unwrap())).unwrap();
        let located = reader.finish().unwrap().take(watched).unwrap();
        let record = VaultRecord::from_json(&reading.record(seq).unwrap().unwrap()).unwrap();
        let at = located.locate(&record);
        let mut hasher = StoredHasher::new(&self.log.domain);
        hasher.update(stored);
        let policy = Operator { master: &self.master, tiers: TierPolicy::any() };
        let standing = Standing { place: at.as_ref(), after: None };
        let verifier = VaultVerifier::new(&self.log.domain, reading.state().ring(), &Unprepared);
        let report = verifier.verify(record, &hasher.finish(), &self.ana.id, &policy, standing);
        report.erasable().unwrap_or_else(|| panic!("{report}")).clone()
    }

    fn erasure(&self, erasable: &Erasable, own: &OwnSplits, state: &State) -> SealedErasure {
        let ledger = state.ledger(&self.ledger).unwrap();
        let to = Destination { ledger, head: state.head(), note: "", time: at(6) };
        self.sealer().erase(erasable, ErasedSplits::Walked { own, prepared: &[] }, &to, &mut SystemRng).unwrap()
    }
}

/// What the trap is made of is nowhere but in the store: what a step gives of a record may leave it.
#[test]
fn a_step_gives_a_record_without_its_fragment() {
    let vault = Vault::begun("fragment");
    let (record, stored) = vault.seal();
    assert!(record.fragment().is_none());
    let reading = vault.folder.read().unwrap();
    let seq = record.entry().seq();
    let kept = VaultRecord::from_json(&reading.record(seq).unwrap().unwrap()).unwrap();
    assert!(kept.fragment().is_some());
    assert_eq!(kept.redacted().to_json(), record.to_json());
    assert_eq!(fs::read(vault.folder.path().join(format!("stored/{seq}"))).unwrap(), stored);
}

#[test]
fn an_erasure_is_placed_as_a_whole() {
    let vault = Vault::begun("erasure");
    let (record, stored) = vault.seal();
    let erasable = vault.erasable(record.entry().seq(), &stored);
    let vault_id = &record.header().vault_id;
    let held = vault.folder.hold().unwrap();
    let state = held.state();
    let own = vault.own_splits(&held, state.head(), None, vault_id);
    let erasure = || vault.erasure(&erasable, &own, state);
    let public_key = vault.ana.key().public_key();
    // An entry stands between, or a record; the key is no longer current.
    for far in [erasure(), SealedErasure { end: None, ..erasure() }] {
        let far = vault.batch(&held).step(at(6), |step| {
            step.append(&vault.ana.id, "between")?;
            step.erase(public_key, far)
        });
        assert!(matches!(far, Err(StepError::Dualseal(dualseal::Error::Rejected(_)))), "{far:?}");
    }
    let rotated = vault.batch(&held).step(at(6), |step| {
        step.rotate(&vault.ana.id, key("ana", 1).public_key())?;
        step.erase(public_key, erasure())
    });
    assert_eq!(rotated.map(drop), Err(Misuse::NotCurrent.into()));
    let mut batch = vault.batch(&held);
    let (vaulted, beside) = batch.step(at(6), |step| step.erase(public_key, erasure())).unwrap();
    let again = batch.step(at(7), |step| step.erase(public_key, erasure()));
    assert_eq!(again.map(drop), Err(StepError::StaleLedger(vault.ledger)));
    let (next, changes) = batch.place().0.finish([]).unwrap();
    assert_eq!((changes.entries.len(), changes.vault_records.len(), changes.ring.rows.len()), (2, 1, 1));
    assert_eq!(changes.entries[0], vaulted.entry);
    held.commit(next, &changes, |change| Ok(change.file("erasure", Readers::Owner, &beside)?)).unwrap();
    let held = vault.folder.hold().unwrap();
    let own = vault.own_splits(&held, held.state().head(), None, vault_id);
    assert_eq!(own.splits().erased_at(), Some(changes.entries[1].seq()));
    assert_eq!(held.state().ledger(&vault.ledger), Some(&vaulted.ledger));
    assert_eq!(held.state().ring().decoy_count(), 2);
}

#[test]
fn a_reading_gives_the_last_checkpoint_and_no_other() {
    let vault = Vault::begun("checkpoint");
    assert!(vault.folder.read().unwrap().checkpoint().unwrap().is_none());
    let sign = |second| {
        let (id, key) = (&vault.ana.id, vault.ana.key() as &dyn StatementKey);
        vault.folder.hold().unwrap().checkpoint(id, key, at(second), |signer| signer).unwrap()
    };
    let first = sign(1);
    let reading = vault.folder.read().unwrap();
    assert_eq!(reading.checkpoint().unwrap().unwrap().to_json(), first.to_json());
    let path = vault.path.join("log/checkpoint.json");
    let old = fs::read(&path).unwrap();
    drop(reading);
    vault.seal();
    sign(2);
    let reading = vault.folder.read().unwrap();
    fs::write(&path, old).unwrap();
    let refused = reading.checkpoint();
    assert!(matches!(refused, Err(FolderError::Refused(Refused::CheckpointOther))), "{refused:?}");
    fs::remove_file(&path).unwrap();
    let refused = reading.checkpoint();
    assert!(matches!(refused, Err(FolderError::Refused(Refused::CheckpointMissing { .. }))), "{refused:?}");
}
