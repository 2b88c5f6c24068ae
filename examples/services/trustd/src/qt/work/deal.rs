//! A split is dealt: put in force at once where the service keeps the secret beside it, or prepared.

use super::own_splits;
use crate::qt::rules::{ShardState, SplitState};
use crate::qt::store::{self, ShardRow, SplitRow};
use crate::qt::types::SplitOut;
use crate::qt::vaults;
use crate::vault::Vault;
use crate::{App, vault};
use dualseal::Timestamp;
use dualseal::shard::{OwnSplits, Prepared, Shard, ShardId, ShardKey};
use dualseal_operator::step::{Changes, SecretRow, State, Step};
use http::StatusCode;
use platform::db::Tx;
use platform::idempotency::Idempotency;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::secrets::{ErasureKeys, OwnerKey};
use std::sync::Arc;

/// A split that was dealt, before anything of it is written.
pub(crate) struct Dealt {
    pub(crate) key: ShardKey,
    pub(crate) split: SplitRow,
    pub(crate) prepared: Prepared,
}

struct Deal {
    dealt: Arc<Dealt>,
    shards: Vec<ShardRow>,
    sealed: Vec<SecretRow>,
    owners: ErasureKeys,
    /// What the shards hang on as long as they wait.
    owner: OwnerKey,
    idempotency: Idempotency,
}

/// Writes down what a dealer made. The shards' values wait for their nodes under the owner's erasure key, so that no
/// backup brings back as many as rebuild what was erased.
pub(crate) async fn deal(
    app: &App,
    vault: &Vault,
    dealt: Dealt,
    idempotency: &Idempotency,
) -> Result<SplitOut, Problem> {
    let dealt = Arc::new(dealt);
    let mut tries = 0;
    loop {
        let owner = vault.owners.current(&dealt.split.identity_id).await?;
        let deal = Deal::new(Arc::clone(&dealt), vault.owners.clone(), owner, idempotency.clone())?;
        tries += 1;
        match app.log.submit(deal).await {
            Err(problem) if problem.kind() == &kinds::CONFLICT && tries < vault::TRIES => {}
            done => return done,
        }
    }
}

impl Deal {
    /// The shards' values are sealed here, each for its place.
    fn new(dealt: Arc<Dealt>, owners: ErasureKeys, owner: OwnerKey, idempotency: Idempotency) -> Result<Self, Problem> {
        let row = |shard: &Shard| ShardRow {
            shard_id: *shard.shard_id(),
            split_id: *shard.split_id(),
            vault_id: *shard.vault_id(),
            index: shard.index().get(),
            node: shard.node_url().to_owned(),
            state: ShardState::Dealt,
        };
        let seal = |shard: &Shard| {
            let place = store::shard_place(shard.shard_id())?;
            Ok::<_, Problem>(owner.wrap(place, shard.to_json().as_bytes())?.into())
        };
        let shards = &dealt.prepared.shards;
        let sealed = shards.iter().map(seal).collect::<Result<Vec<_>, _>>()?;
        let shards = shards.iter().map(row).collect();
        Ok(Self { dealt, shards, sealed, owners, owner, idempotency })
    }

    fn commits(&self) -> bool {
        self.dealt.split.state == SplitState::Force
    }
}

/// What a split looks like outside.
pub(crate) fn out(split: &SplitRow, shards: &[ShardRow]) -> SplitOut {
    use crate::qt::types::ShardOut;
    use platform::web::Name;
    let shard = |shard: &ShardRow| ShardOut {
        shard_id: Name(shard.shard_id),
        indeks: shard.index,
        node_url: shard.node.clone(),
        state: shard.state,
    };
    SplitOut {
        vault_id: Name(split.vault_id),
        identity_id: Name(split.identity_id),
        split_id: Name(split.split_id),
        previous: split.previous.map(Name),
        m: split.m,
        n: split.n,
        state: split.state,
        custody: split.custody,
        seq: split.seq,
        until: Name(Timestamp::from_millis(split.until).unwrap_or(Timestamp::MAX)),
        created: split.created,
        shards: shards.iter().map(shard).collect(),
    }
}

impl Work for Deal {
    type Read = Option<OwnSplits>;
    type Made = Option<u64>;
    type Answer = SplitOut;

    async fn read(&self, tx: &mut Tx, state: &State) -> Result<Option<OwnSplits>, Problem> {
        let Dealt { key, split, .. } = &*self.dealt;
        let vault_id = &split.vault_id;
        vaults::lasts(vaults::hold(tx, vault_id).await?)?;
        let in_force = store::in_force(tx, vault_id).await?.map(|split| split.split_id);
        if in_force != split.previous {
            return Err(Problem::new(&kinds::CONFLICT).detail("another split of the vault is in force"));
        }
        let known = store::nodes(tx).await?;
        if self.shards.iter().any(|shard| !known.contains_key(&shard.node)) {
            return Err(Problem::new(&kinds::CONFLICT).detail("a node was removed meanwhile"));
        }
        if !self.commits() {
            return Ok(None);
        }
        own_splits(tx, state, key, vault_id).await.map(Some)
    }

    fn step(&self, step: &mut Step<'_>, own: Option<OwnSplits>) -> Result<Option<u64>, Problem> {
        let mut seq = None;
        if let Some(own) = own {
            // The service holds all of them for their nodes, and the secret as well, until each node has its own.
            let held: Vec<ShardId> = self.shards.iter().map(|shard| shard.shard_id).collect();
            let appended = self.dealt.prepared.preparation.commit(&held, None, &own, step.time())?;
            step.take(&appended.entry)?;
            seq = Some(appended.entry.seq());
        }
        for sealed in &self.sealed {
            step.keep(sealed.clone());
        }
        Ok(seq)
    }

    async fn rows(&self, tx: &mut Tx, seq: Option<u64>, _: &Changes) -> Result<SplitOut, Problem> {
        let split = SplitRow { seq, ..self.dealt.split.clone() };
        split.add(tx).await?;
        for shard in &self.shards {
            shard.add(tx, split.created).await?;
            self.owners.own(tx, &self.owner, &shard.place()?).await?;
        }
        let out = out(&split, &self.shards);
        self.idempotency.store(tx, StatusCode::CREATED, &out).await?;
        Ok(out)
    }

    fn is_alone(&self) -> bool {
        true
    }
}
