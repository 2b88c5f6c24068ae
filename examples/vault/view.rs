//! What stands in the folder at one moment, as the operator reads it under the last checkpoint.

use crate::keys::Keys;
use crate::layout::{NODES, STORED, beside, shard, shard_place};
use dualseal::checkpoint::Checkpoint;
use dualseal::key::PreparedKeyCache;
use dualseal::reader::{ChainReader, TrustedHead, Watched};
use dualseal::shard::Shard;
use dualseal::vault::{
    Erasure, LedgerCheck, LedgerSummary, LocatedLedger, Operator, OperatorRecord, Standing, StoredHash, Tier, TierKeys,
    TierPolicy, VaultRecord, VaultReport, VaultVerifier,
};
use dualseal::verdict::Verified;
use dualseal::{Domain, Entry, KeyRing};
use dualseal_examples::Fallible;
use dualseal_operator::disk::Readable;
use dualseal_operator::folder::{FolderError, Reading};
use dualseal_operator::secrets::RecordSecret;
use dualseal_operator::step::State;
use std::collections::BTreeMap;
use std::io::Read;

/// As long as it lives nobody writes.
pub(crate) struct View<'a> {
    domain: &'a Domain,
    keys: &'a Keys,
    tiers: &'a TierKeys,
    prepared: &'a PreparedKeyCache,
    reading: Reading,
    checkpoint: Verified<Checkpoint>,
    /// The records that the checkpoint covers, with their fragments, by their places in the chain.
    pub(crate) records: BTreeMap<u64, VaultRecord>,
}

impl<'a> View<'a> {
    pub(crate) fn new(
        domain: &'a Domain,
        keys: &'a Keys,
        tiers: &'a TierKeys,
        prepared: &'a PreparedKeyCache,
        reading: Reading,
    ) -> Fallible<Self> {
        let checkpoint = keys.log.verified(reading.checkpoint()?.ok_or("there is no checkpoint yet")?)?;
        let mut records = BTreeMap::new();
        for seq in 0..checkpoint.record().tree_head().size {
            if let Some(text) = reading.record(seq)? {
                records.insert(seq, VaultRecord::from_json(&text)?);
            }
        }
        Ok(Self { domain, keys, tiers, prepared, reading, checkpoint, records })
    }

    pub(crate) fn state(&self) -> &State {
        self.reading.state()
    }

    pub(crate) fn ring(&self) -> &KeyRing {
        self.state().ring()
    }

    /// The record of this place in the chain, with its fragment.
    pub(crate) fn record(&self, seq: u64) -> Fallible<VaultRecord> {
        Ok(self.records.get(&seq).ok_or_else(|| format!("there is no record at {seq}"))?.duplicate())
    }

    /// Its stored bytes.
    pub(crate) fn stored(&self, seq: u64) -> Fallible<Readable> {
        let name = beside(seq, STORED);
        Ok(self.file(&name)?.ok_or_else(|| format!("{name} is missing"))?)
    }

    pub(crate) fn stored_hash(&self, seq: u64) -> Fallible<StoredHash> {
        Ok(StoredHash::read(self.domain, &mut self.stored(seq)?)?)
    }

    /// Its shards: none once their key was destroyed.
    pub(crate) fn shards(&self, seq: u64) -> Fallible<Vec<Shard>> {
        let vault_id = self.record(seq)?.header().vault_id;
        let Some(key) = self.keys.erasure_key(&vault_id)? else { return Ok(Vec::new()) };
        let mut shards = Vec::new();
        for number in 1..=NODES.len() {
            if let Some(mut file) = self.file(&beside(seq, &shard(number)))? {
                let mut stored = Vec::new();
                file.read_to_end(&mut stored)?;
                let row = RecordSecret::read(shard_place(&vault_id, number)?, stored)?;
                shards.push(Shard::from_json(&row.open(&key)?)?);
            }
        }
        Ok(shards)
    }

    /// Checks the whole ledger, record by record.
    pub(crate) fn check(&self) -> Fallible<LedgerSummary> {
        let (located, verifier, policy) = (self.located()?, self.verifier(), self.operator());
        let mut check = LedgerCheck::new(&verifier, &self.keys.ledger, &policy, Some(&located));
        for (seq, record) in &self.records {
            // What is said of each is in the summary.
            let _ = check.push(record.duplicate(), &self.stored_hash(*seq)?)?;
        }
        Ok(check.finish()?)
    }

    /// What the operator says of a record, layer by layer.
    pub(crate) fn judge(&self, seq: u64, located: &LocatedLedger) -> Fallible<VaultReport<OperatorRecord>> {
        let (record, stored) = (self.record(seq)?, self.stored_hash(seq)?);
        let at = located.locate(&record);
        let standing = Standing { place: at.as_ref(), after: None };
        Ok(self.verifier().verify(record, &stored, &self.keys.identity_id, &self.operator(), standing))
    }

    /// A record, if every layer of it passes.
    pub(crate) fn verified(&self, seq: u64, located: &LocatedLedger) -> Fallible<Verified<OperatorRecord>> {
        let report = self.judge(seq, located)?;
        let told = report.to_string();
        report.into_verdict().valid().ok_or_else(|| told.into())
    }

    /// What the ledger says was erased. Only records that the operator verifies count.
    pub(crate) fn erasures(&self) -> Fallible<Vec<Erasure>> {
        let mut erasures = Vec::new();
        let located = self.located()?;
        for (seq, record) in &self.records {
            if record.header().kind == "ERASURE" {
                let verified = self.verified(*seq, &located)?;
                // Under the operator's policy what is Valid has a place.
                let place = located.locate(verified.record().record()).ok_or("an erasure that no checkpoint covers")?;
                let mut stored = Vec::new();
                self.stored(*seq)?.read_to_end(&mut stored)?;
                erasures.push(Erasure::read(&verified, &place, &stored)?);
            }
        }
        Ok(erasures)
    }

    pub(crate) fn verifier(&self) -> VaultVerifier<'_> {
        VaultVerifier::new(self.domain, self.ring(), self.prepared)
    }

    pub(crate) fn operator(&self) -> Operator<'_> {
        // With a table of keys every least tier can be asked for.
        let tiers = TierPolicy::new(Some(self.tiers), Tier::Public).unwrap_or(TierPolicy::any());
        Operator { master: &self.keys.master, tiers }
    }

    /// Where the records stand.
    pub(crate) fn located(&self) -> Fallible<LocatedLedger> {
        self.walk(|reader| reader.ledger(&self.keys.ledger, Some(&self.keys.master)))
    }

    /// Reads the chain as far as the checkpoint goes.
    pub(crate) fn walk<T: 'static>(
        &self,
        watch: impl FnOnce(&mut ChainReader<'_>) -> Result<Watched<T>, dualseal::Error>,
    ) -> Fallible<T> {
        let reader = ChainReader::new(self.domain, &TrustedHead::beginning()).under(&self.checkpoint)?;
        let covered = usize::try_from(self.checkpoint.record().tree_head().size)?;
        walk(reader, self.reading.entries(0)?.take(covered), watch)
    }

    fn file(&self, name: &str) -> Fallible<Option<Readable>> {
        let lock = self.reading.lock();
        Ok(lock.disk().open(&lock.folder().join(name))?)
    }
}

/// Reads a chain, and takes what was looked for.
pub(crate) fn walk<T: 'static>(
    mut reader: ChainReader<'_>,
    entries: impl Iterator<Item = Result<Entry, FolderError>>,
    watch: impl FnOnce(&mut ChainReader<'_>) -> Result<Watched<T>, dualseal::Error>,
) -> Fallible<T> {
    let watched = watch(&mut reader)?;
    for entry in entries {
        reader.push(&entry?)?;
    }
    Ok(reader.finish()?.take(watched)?)
}
