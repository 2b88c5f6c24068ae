//! A split is dealt: put in force at once where the service keeps the secret beside it, or prepared.

use super::lapse::Prepared;
use super::{lapse, own_splits};
use crate::qt::rules::{ShardState, SplitState};
use crate::qt::store::{self, ShardRow, SplitRow};
use crate::qt::types::SplitOut;
use crate::qt::{Known, vaults};
use crate::vault::State as VaultState;
use crate::{App, vault};
use dualseal::Timestamp;
use dualseal::shard::{CoveredSplits, OwnSplits, Shard, ShardId, ShardKey};
use dualseal_operator::step::{Changes, SecretRow, State, Step};
use http::StatusCode;
use platform::db::Tx;
use platform::idempotency::Idempotency;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::secrets::{ErasureKeys, OwnerKey, RowTags};
use std::sync::Arc;

/// A split that was dealt, before anything of it is written.
pub(crate) struct Dealt {
    pub(crate) key: ShardKey,
    pub(crate) split: SplitRow,
    pub(crate) prepared: dualseal::shard::Prepared,
}

struct Deal {
    dealt: Arc<Dealt>,
    /// Of one that is put in force at once: the splits of the vault, as far as a checkpoint covers the log.
    covered: Option<CoveredSplits>,
    shards: Vec<ShardRow>,
    sealed: Vec<SecretRow>,
    owners: ErasureKeys,
    tags: RowTags,
    /// What the shards hang on as long as they wait.
    owner: OwnerKey,
    idempotency: Idempotency,
}

/// Writes down what a dealer made. The shards' values wait for their nodes under the owner's erasure key, so that no
/// backup brings back as many as rebuild what was erased.
pub(crate) async fn deal(
    app: &App,
    known: &Known,
    dealt: Dealt,
    idempotency: &Idempotency,
) -> Result<SplitOut, Problem> {
    let (vault, dealt) = (&*known.vault, Arc::new(dealt));
    let covered = match dealt.split.state {
        SplitState::Force => Some(known.covered.nearly_all(app, &dealt.split.line(), &dealt.key).await?),
        _ => None,
    };
    let mut tries = 0;
    loop {
        let owner = vault.owners.current(&dealt.split.owner()).await?;
        let keys = (vault.owners.clone(), owner, app.authority.tags().clone());
        let deal = Deal::new(Arc::clone(&dealt), keys, idempotency.clone())?;
        let deal = Deal { covered: covered.clone(), ..deal };
        tries += 1;
        match app.log.submit(deal).await {
            Err(problem) if problem.kind() == &kinds::CONFLICT && tries < vault::TRIES => {}
            Err(problem) => return Err(problem),
            Ok((out, gone)) => {
                if gone {
                    app.owners.end(&app.db, &app.log, &dealt.split.owner()).await;
                }
                return Ok(out);
            }
        }
    }
}

impl Deal {
    /// The shards' values are sealed here, each for its place.
    fn new(
        dealt: Arc<Dealt>,
        (owners, owner, tags): (ErasureKeys, OwnerKey, RowTags),
        idempotency: Idempotency,
    ) -> Result<Self, Problem> {
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
        Ok(Self { dealt, covered: None, shards, sealed, owners, tags, owner, idempotency })
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

struct Read {
    own: Option<OwnSplits>,
    /// What it takes the place of, which nobody committed.
    pending: Vec<Prepared>,
    state: VaultState,
}

struct Made {
    seq: Option<u64>,
    pending: Vec<Prepared>,
    state: VaultState,
}

impl Work for Deal {
    type Read = Read;
    type Made = Made;
    /// And whether a key of the owner's is to be destroyed.
    type Answer = (SplitOut, bool);

    async fn read(&self, tx: &mut Tx, state: &State) -> Result<Read, Problem> {
        let Dealt { key, split, .. } = &*self.dealt;
        let line = split.line();
        let state_of_vault = vaults::hold(tx, &line).await?;
        vaults::lasts(state_of_vault)?;
        let in_force = store::in_force(tx, &line).await?.map(|split| split.split_id);
        if in_force != split.previous {
            return Err(Problem::new(&kinds::CONFLICT).detail("another split of the vault is in force"));
        }
        let known = store::nodes(tx, &self.tags).await?;
        if self.shards.iter().any(|shard| !known.contains_key(&shard.node)) {
            return Err(Problem::new(&kinds::CONFLICT).detail("a node was removed meanwhile"));
        }
        let pending = lapse::prepared(tx, &line).await?;
        let own = match &self.covered {
            Some(covered) => Some(own_splits(tx, state, key, covered).await?),
            None => None,
        };
        Ok(Read { own, pending, state: state_of_vault })
    }

    fn step(&self, step: &mut Step<'_>, read: Read) -> Result<Made, Problem> {
        let Read { own, pending, state } = read;
        pending.iter().try_for_each(|prepared| lapse::forget(step, prepared))?;
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
        Ok(Made { seq, pending, state })
    }

    async fn rows(&self, tx: &mut Tx, made: Made, _: &Changes) -> Result<Self::Answer, Problem> {
        let Made { seq, pending, state } = made;
        let mut gone = false;
        for prepared in &pending {
            gone |= lapse::end(tx, &self.owners, prepared, (state, self.dealt.split.created)).await?;
        }
        let split = SplitRow { seq, ..self.dealt.split.clone() };
        split.add(tx).await?;
        for shard in &self.shards {
            shard.add(tx, split.created).await?;
            self.owners.own(tx, &self.owner, &shard.place()?).await?;
        }
        let out = out(&split, &self.shards);
        self.idempotency.store(tx, StatusCode::CREATED, &out).await?;
        Ok((out, gone))
    }

    fn is_alone(&self) -> bool {
        true
    }
}
