//! The operator of a ledger: its keys, its ring and chain, and what it does with documents.

use crate::keys::{Keys, ORIGIN};
use crate::store::{RECORD, STORED, State, Store, shard_name};
use dualseal::checkpoint::Checkpoint;
use dualseal::key::PreparedKeyCache;
use dualseal::presence::EnrolledKeys;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::secret::Secret;
use dualseal::shard::{Dealer, Shard, ShardKey};
use dualseal::vault::{
    Destination, Encryption, ErasedSplits, Erasure, LedgerCheck, LedgerHead, LedgerSummary, LocatedLedger, Operator,
    OperatorRecord, Sealed, SealedErasure, Standing, StoredHash, Tier, TierKeys, TierPolicy, VaultRecord, VaultReport,
    VaultSealer, VaultVerifier,
};
use dualseal::verdict::Verified;
use dualseal::{CheckedRing, Domain, Entry, Head, IdentityId, Krunica, SystemRng, Timestamp};
use dualseal_examples::files;
use dualseal_examples::{Fallible, now};
use dualseal_operator::disk::{Disk, NewFolder, Readers};
use std::path::Path;

/// The nodes that hold the shards: labels that nothing dials.
const NODES: [&str; 3] = ["https://one.example", "https://two.example", "https://three.example"];
/// How many of them rebuild a secret.
const M: u8 = 2;

/// The operator, and all that it keeps.
pub(crate) struct Archive {
    pub(crate) domain: Domain,
    pub(crate) identity_id: IdentityId,
    pub(crate) store: Store,
    pub(crate) state: State,
    pub(crate) ledger: LedgerHead,
    pub(crate) tiers: TierKeys,
    pub(crate) enrolled: EnrolledKeys,
    pub(crate) keys: Keys,
    prepared: PreparedKeyCache,
}

impl Archive {
    /// Opens a ledger's folder, or founds it.
    pub(crate) fn open(folder: &Path, disk: Disk) -> Fallible<Self> {
        let domain = Domain::default();
        let mut store = Store::open(folder, disk)?;
        let keys = Keys::open(&domain, &store)?;
        let identity_id = keys.identity_id;
        let state = match store.read(&keys.ring_key, &keys.master)? {
            Some(state) => state,
            None => found(&keys, &mut store)?,
        };
        let (mut tiers, mut enrolled) = (TierKeys::new(), EnrolledKeys::new());
        tiers.enrol(&identity_id, Tier::Native, keys.tier.public_key())?;
        for guardian in &keys.guardians {
            enrolled.enrol(&identity_id, guardian.public_key())?;
        }
        let ledger = match state.records.last() {
            None => LedgerHead::new(&keys.ledger),
            Some(step) => store.record(*step)?.ledger_head(),
        };
        let prepared = PreparedKeyCache::new(1 << 20);
        let archive = Self { domain, identity_id, store, state, ledger, tiers, enrolled, keys, prepared };
        archive.finish_erasures()?;
        Ok(archive)
    }

    /// Seals a file of any size, splits its secret among the nodes, and keeps all of it or nothing.
    pub(crate) fn seal(&mut self, file: &Path, kind: &str) -> Fallible<(u64, Option<Secret<32>>)> {
        let mut step = self.store.begin()?;
        let to = Destination { ledger: &self.ledger, head: self.state.chain.head(), note: "", time: now()? };
        let mut document = files::open(file)?;
        let vault = VaultSealer::new(&self.keys.master, &self.identity_id, &self.keys.signing).native(&self.keys.tier);
        let sealed = step.streamed(STORED, Readers::Owner, |stored| -> Fallible<_> {
            Ok(vault.seal_from(kind, Encryption::Stream, &to, &mut SystemRng, &mut document, stored)?)
        })?;

        let secret = sealed.secret.as_ref().ok_or("an encrypted record has a secret")?;
        let vault_id = sealed.record.header().vault_id;
        let shard_key = ShardKey::derive(&self.domain, self.keys.master.secret(), &self.identity_id);
        let nodes = NODES.map(str::to_owned);
        let dealer = Dealer::new(&sealed.record, &self.keys.master, M, &nodes)?;
        let prepared = dealer.prepare(secret, None, &mut SystemRng)?;
        let mut held = Vec::new();
        for shard in &prepared.shards {
            step.write(shard_name(shard.index().get()), Readers::Owner, shard.to_json().as_bytes())?;
            held.push(*shard.shard_id());
        }
        let mut reader = ChainReader::new(&self.domain, &TrustedHead::beginning()).up_to(&sealed.head);
        let watched = reader.own_splits(&shard_key, &vault_id)?;
        self.state.chain.entries().iter().chain([&sealed.entry]).try_for_each(|entry| reader.push(entry))?;
        let split = prepared.preparation.commit(&held, None, &reader.finish()?.take(watched)?, to.time)?;
        step.write(RECORD, Readers::Owner, sealed.record.to_stored_json().as_bytes())?;
        // Until the shards are at their nodes the operator keeps the secret in memory, and no longer.
        let kept = Secret::from_slice("secret", secret.to_bytes().as_slice())?;
        let number = self.keep(step, sealed, &[split.entry])?;
        Ok((number, Some(kept)))
    }

    /// Erases a record: the ledger says so first, and ends its splits, then its shards are destroyed.
    pub(crate) fn erase(&mut self, step: u64) -> Fallible<u64> {
        // What is destroyed is what was sealed: a record that somebody put in its place is refused here. One whose key
        // was revoked since is not.
        let report = self.judge(step, &self.located()?)?;
        let record = report.erasable().ok_or_else(|| report.to_string())?;
        // Every split that the chain tells of, whoever holds the shards.
        let shard_key = ShardKey::derive(&self.domain, self.keys.master.secret(), &self.identity_id);
        let vault_id = report.vault_id();
        let mut reader = ChainReader::new(&self.domain, &TrustedHead::beginning()).up_to(self.state.chain.head());
        let watched = reader.own_splits(&shard_key, vault_id)?;
        self.state.chain.entries().iter().try_for_each(|entry| reader.push(entry))?;
        let own = reader.finish()?.take(watched)?;
        let to = Destination { ledger: &self.ledger, head: self.state.chain.head(), note: "", time: now()? };
        let vault = VaultSealer::new(&self.keys.master, &self.identity_id, &self.keys.signing).native(&self.keys.tier);
        let splits = ErasedSplits::Walked { own: &own, prepared: &[] };
        let SealedErasure { sealed, stored, end } = vault.erase(record, splits, &to, &mut SystemRng)?;
        let end: Vec<Entry> = end.into_iter().map(|end| end.entry).collect();
        let mut new = self.store.begin()?;
        new.write(STORED, Readers::All, &stored)?;
        new.write(RECORD, Readers::Owner, sealed.record.to_stored_json().as_bytes())?;
        let number = self.keep(new, sealed, &end)?;
        self.finish_erasures()?;
        Ok(number)
    }

    /// Destroys the shards of every record that the ledger says is erased: also what a crash kept from being destroyed.
    fn finish_erasures(&self) -> Fallible<()> {
        let erasures = self.erasures()?;
        for step in &self.state.records {
            let record = self.store.record(*step)?;
            if erasures.iter().any(|erasure| erasure.covers(&record)) {
                for number in 1..=NODES.len() {
                    self.store.destroy_shard(*step, u8::try_from(number)?)?;
                }
            }
        }
        Ok(())
    }

    /// What the ledger says was erased. Only records that the operator verifies count.
    pub(crate) fn erasures(&self) -> Fallible<Vec<Erasure>> {
        let located = self.located()?;
        let mut erasures = Vec::new();
        for step in &self.state.records {
            if self.store.record(*step)?.header().kind == "ERASURE" {
                let verified = self.verified(*step, &located)?;
                // Under the operator's policy what is Valid has a place.
                let place = located.locate(verified.record().record()).ok_or("an erasure that no checkpoint covers")?;
                let mut stored = Vec::new();
                std::io::Read::read_to_end(&mut self.store.stored(*step)?, &mut stored)?;
                erasures.push(Erasure::read(&verified, &place, &stored)?);
            }
        }
        Ok(erasures)
    }

    /// Checks the whole ledger, record by record, under the last checkpoint.
    pub(crate) fn check(&self) -> Fallible<LedgerSummary> {
        let (located, verifier, policy) = (self.located()?, self.verifier(), self.operator());
        let mut check = LedgerCheck::new(&verifier, self.ledger.ledger(), &policy, Some(&located));
        for step in &self.state.records {
            let stored = StoredHash::read(&self.domain, &mut self.store.stored(*step)?)?;
            // What is said of each is in the summary.
            let _ = check.push(self.store.record(*step)?, &stored)?;
        }
        Ok(check.finish()?)
    }

    /// What the operator says of a record, layer by layer.
    fn judge(&self, step: u64, located: &LocatedLedger) -> Fallible<VaultReport<OperatorRecord>> {
        let record = self.store.record(step)?;
        let stored = StoredHash::read(&self.domain, &mut self.store.stored(step)?)?;
        let at = located.locate(&record);
        let standing = Standing { place: at.as_ref(), after: None };
        Ok(self.verifier().verify(record, &stored, &self.identity_id, &self.operator(), standing))
    }

    /// A record, if every layer of it passes.
    pub(crate) fn verified(&self, step: u64, located: &LocatedLedger) -> Fallible<Verified<OperatorRecord>> {
        let report = self.judge(step, located)?;
        let told = report.to_string();
        report.into_verdict().valid().ok_or_else(|| told.into())
    }

    pub(crate) fn verifier(&self) -> VaultVerifier<'_> {
        VaultVerifier::new(&self.domain, &self.state.ring, &self.prepared)
    }

    pub(crate) fn operator(&self) -> Operator<'_> {
        // With a table of keys every least tier can be asked for.
        let tiers = TierPolicy::new(Some(&self.tiers), Tier::Public).unwrap_or(TierPolicy::any());
        Operator { master: &self.keys.master, tiers }
    }

    /// Where the records stand, under the last checkpoint.
    pub(crate) fn located(&self) -> Fallible<LocatedLedger> {
        let checkpoint = self.checkpoint()?;
        let mut reader = ChainReader::new(&self.domain, &TrustedHead::beginning()).under(&checkpoint)?;
        let watched = reader.ledger(self.ledger.ledger(), Some(&self.keys.master))?;
        self.state.chain.entries().iter().try_for_each(|entry| reader.push(entry))?;
        Ok(reader.finish()?.take(watched)?)
    }

    pub(crate) fn checkpoint(&self) -> Fallible<Verified<Checkpoint>> {
        self.keys.log.verified(self.state.checkpoint.clone())
    }

    pub(crate) fn shards(&self, step: u64) -> Fallible<Vec<Shard>> {
        self.store.shards(step)
    }

    /// Puts a step in place, and takes it into the state.
    fn keep(&mut self, step: NewFolder, sealed: Sealed, more: &[Entry]) -> Fallible<u64> {
        let Sealed { decoy, entry, ledger, .. } = sealed;
        let mut ring = self.state.ring.clone();
        ring.add_decoy(&decoy, &entry)?;
        more.iter().try_for_each(|entry| ring.follow(entry, |_| false))?;
        let mut chain = self.state.chain.clone();
        let entries = [&[entry], more].concat();
        for entry in &entries {
            chain.push(entry.clone())?;
        }
        let checkpoint = self.sign(&chain, &ring)?;
        let number = self.store.commit(step, &entries, &ring.to_stored_json(chain.head())?, &checkpoint)?;
        self.state.records.push(number);
        (self.state.ring, self.state.chain, self.state.checkpoint) = (ring, chain, checkpoint);
        self.ledger = ledger;
        Ok(number)
    }

    /// The next checkpoint: the chain must go on from the last one.
    fn sign(&self, chain: &Krunica, ring: &CheckedRing) -> Fallible<Checkpoint> {
        let last = self.checkpoint()?;
        let mut reader = ChainReader::new(&self.domain, &TrustedHead::beginning()).under(&last)?;
        chain.entries().iter().try_for_each(|entry| reader.push(entry))?;
        let proofs = reader.finish()?;
        Ok(self.keys.log.sign_next(&last, proofs.agreed().ok_or("no checkpoint")?, Some(ring))?.into_record())
    }
}

/// The first step: the identity's key in the ring, and a checkpoint over that.
fn found(keys: &Keys, store: &mut Store) -> Fallible<State> {
    let (mut ring, mut chain, time) = (CheckedRing::new(ORIGIN, &keys.ring_key)?, Krunica::new(), now()?);
    let key = keys.signing.public_key().clone();
    let added = ring.add(&keys.identity_id, key, &Head::EMPTY, time)?;
    chain.push(added.entry.clone())?;
    let checkpoint = keys.log.sign_first(chain.head(), Some(&ring))?.into_record();
    store.commit(store.begin()?, &[added.entry], &ring.to_stored_json(chain.head())?, &checkpoint)?;
    Ok(State { ring, chain, checkpoint, records: Vec::new() })
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
