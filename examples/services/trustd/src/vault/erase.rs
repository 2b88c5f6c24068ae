//! Destroying a record's secret. The log says so, with every split of it that was ever made, and ends their chain; what
//! is stored stays, so that the ledger still verifies.

use super::enclose::Signer;
use super::rules::{Event, State as RecordState};
use super::seal::{ledger, signer};
use super::store::{self, Content};
use super::types::EraseAnswer;
use super::{Vault, secret};
use crate::{App, alarms, qt};
use dualseal::shamir::SplitId;
use dualseal::shard::{CoveredSplits, OwnSplits, ShardKey};
use dualseal::vault::{Destination, Erasable, ErasedSplits, Fragment, LedgerId, VaultSealer};
use dualseal::{IdentityId, SystemRng, VaultId};
use dualseal_operator::step::{Changes, State, Step};
use platform::access::World;
use platform::db::{Row, Tx, statements};
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::values;
use platform::web::Name;
use std::sync::Arc;

statements! {
    BEGIN = "INSERT INTO vault_erasures (vault_id, identity_id) VALUES ($1, $2)";
    BEGUN = "SELECT vault_id, identity_id FROM vault_erasures ORDER BY identity_id, vault_id";
    ENDED = "DELETE FROM vault_erasures WHERE vault_id = $1";
}

/// A record that the operator's policy let pass, and is to be erased.
pub(crate) struct Erase {
    vault: Arc<Vault>,
    app: App,
    erasable: Erasable,
    key: ShardKey,
    /// Splits of the vault, as far as a checkpoint covers the log.
    covered: CoveredSplits,
    /// Splits that were prepared and never committed.
    prepared: Vec<SplitId>,
}

/// What the erasure is made of.
pub(crate) struct Read {
    signer: Signer,
    ledger: LedgerId,
    before: RecordState,
    own: OwnSplits,
    splits: qt::Ending,
}

/// What it came to.
pub(crate) struct Made {
    index: usize,
    stored: Vec<u8>,
    before: RecordState,
    after: RecordState,
}

impl Erase {
    /// Reads the log before anybody has to wait for it.
    ///
    /// # Errors
    /// What the log says.
    pub(crate) async fn begin(
        vault: &Arc<Vault>,
        app: &App,
        erasable: Erasable,
        prepared: Vec<SplitId>,
    ) -> Result<Self, Problem> {
        let header = erasable.header();
        let key = ShardKey::derive(app.log.domain(), vault.keys.master.secret(), &header.identity_id);
        let covered = qt::splits(app, &header.vault_id, &key).await?;
        Ok(Self { vault: Arc::clone(vault), app: Arc::clone(app), erasable, key, covered, prepared })
    }

    fn vault_id(&self) -> &VaultId {
        &self.erasable.header().vault_id
    }
}

/// Destroys the keys on which the secrets of erased records hang, so that no backup opens them: after each erasure, and
/// as a job, since a crash or a place apart that does not answer may come between. Says how many records that were.
///
/// # Errors
/// The database, the place apart, the log: the last one, when all were tried.
pub async fn end_erasures(app: &App, vault: &Vault) -> Result<u64, Problem> {
    let (mut ended, mut failed) = (0, None);
    for row in &app.db.list(BEGUN, values![]).await? {
        // One whose key does not open keeps no other from being ended.
        match end_erasure(app, vault, row).await {
            Ok(is_ended) => ended += u64::from(is_ended),
            Err(problem) => failed = Some(problem),
        }
    }
    failed.map_or(Ok(ended), Err)
}

async fn end_erasure(app: &App, vault: &Vault, row: &Row) -> Result<bool, Problem> {
    let (vault_id, owner): (VaultId, IdentityId) =
        (store::parsed(row, "vault_id")?, store::parsed(row, "identity_id")?);
    let destroyed = vault.owners.destroy(&app.db, &app.log, &owner, vec![secret::place(&vault_id)?]).await?;
    for place in &destroyed.refused {
        // The old key is kept as long as something hangs on it that did not come under the next one.
        let detail = format!("{place} does not open under its owner's key, which is kept");
        alarms::write(app, alarms::Alarm::Secret.as_str(), &owner.to_hex(), &detail).await?;
    }
    if destroyed.refused.is_empty() {
        app.db.execute(ENDED, values![vault_id.to_hex()]).await?;
    }
    Ok(destroyed.refused.is_empty())
}

/// A split that the caller names, and nobody dealt.
pub(crate) fn unknown_split(position: usize) -> Problem {
    Problem::invalid(format!("/splits/{position}"), "unknown-value", "no such split of this vault was dealt")
}

fn missing() -> Problem {
    Problem::internal("vault", &"an entry of the log is missing")
}

impl Work for Erase {
    type Read = Read;
    type Made = Made;
    type Answer = EraseAnswer;

    async fn read(&self, tx: &mut Tx, state: &State) -> Result<Read, Problem> {
        let before = store::hold(tx, self.vault_id()).await?;
        before.erases()?;
        let identity_id = &self.erasable.header().identity_id;
        let signer = signer(&self.app, tx, state.ring(), identity_id).await?;
        let own = qt::own_splits(tx, state, &self.key, &self.covered).await?;
        let splits = qt::ending(tx, &(*self.vault_id(), World::Real)).await?;
        Ok(Read { signer, ledger: ledger(state)?, before, own, splits })
    }

    fn step(&self, step: &mut Step<'_>, read: Read) -> Result<Made, Problem> {
        let Read { signer, ledger, before, own, splits: ending } = read;
        let identity_id = &self.erasable.header().identity_id;
        let keys = &self.vault.keys;
        let sealer = VaultSealer::current(&keys.master, step.ring(), identity_id, &*signer)?.native(&keys.native);
        let end = *step.ledger(&ledger)?;
        let destination = Destination { ledger: &end, head: step.head(), note: "", time: step.time() };
        let is_foreign = |split: &SplitId| !ending.known.contains(split);
        let has_others = own.splits().found().iter().any(|found| is_foreign(&found.split_id));
        // Of one that nobody dealt no node would ever say that its shards are gone.
        let is_found = |split: &SplitId| own.splits().found().iter().any(|found| found.split_id == *split);
        if let Some(position) = self.prepared.iter().position(|split| is_foreign(split) && !is_found(split)) {
            return Err(unknown_split(position));
        }
        let prepared = [self.prepared.as_slice(), &ending.prepared].concat();
        let splits = ErasedSplits::Walked { own: &own, prepared: &prepared };
        let erasure = sealer.erase(&self.erasable, splits, &destination, &mut SystemRng)?;
        let (vaulted, stored) = step.erase(signer.public_key(), erasure)?;
        step.forget(secret::place(self.vault_id())?);
        for shard in ending.waiting {
            step.forget(shard);
        }
        let has_shards = ending.rebuilds || has_others;
        let event = if has_shards { Event::ErasedWithShards } else { Event::ErasedWithout };
        let after = before.after(event).ok_or_else(|| Problem::new(&kinds::CONFLICT))?;
        Ok(Made { index: vaulted.index, stored, before, after })
    }

    async fn rows(&self, tx: &mut Tx, made: Made, changes: &Changes) -> Result<EraseAnswer, Problem> {
        let Made { index, stored, before, after } = made;
        let record = changes.vault_records.get(index).ok_or_else(missing)?;
        let decoy = record.fragment().map(Fragment::decoy_key).transpose()?.ok_or_else(missing)?;
        store::add(tx, record, decoy.hash(), &Content::Inline(stored)).await?;
        store::set_state(tx, self.vault_id(), before, after).await?;
        qt::end_of_splits(tx, &(*self.vault_id(), World::Real), record.header().created_at.as_millis()).await?;
        let owner = self.erasable.header().identity_id.to_hex();
        tx.execute(BEGIN, values![self.vault_id().to_hex(), owner]).await?;
        let (vault_id, erasure) = (Name(*self.vault_id()), Name(record.header().vault_id));
        Ok(EraseAnswer { vault_id, state: after, erasure })
    }

    /// The entries of anybody else's step would not be among those that are read.
    fn is_alone(&self) -> bool {
        true
    }

    /// Nodes delete by what a checkpoint covers.
    fn is_sealed(&self) -> bool {
        true
    }
}
