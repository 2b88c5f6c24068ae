//! A prepared split is put in force: from its entry on the new shards rebuild, and the old ones do not count.

use super::deal::out;
use super::own_splits;
use crate::App;
use crate::qt::rules::{self, COMMIT_LIFE, ShardState, SplitState};
use crate::qt::store::{self, Line, ShardRow, SplitRow};
use crate::qt::types::SplitOut;
use crate::qt::vaults;
use crate::vault::State as VaultState;
use dualseal::error::{Rejected, ShardFault};
use dualseal::shamir::SplitId;
use dualseal::shard::{CoveredSplits, Dealer, OwnSplits, Preparation, ShardId, ShardKey};
use dualseal::{Error, IdentityId};
use dualseal_operator::step::{Changes, State, Step};
use http::StatusCode;
use platform::db::{DbError, Tx};
use platform::idempotency::Idempotency;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::secrets::ErasureKeys;
use platform::values;

/// A split that is to be put in force.
pub(crate) struct Commit {
    pub(crate) owners: ErasureKeys,
    pub(crate) key: ShardKey,
    pub(crate) line: Line,
    pub(crate) split_id: SplitId,
    /// The splits of the vault, as far as a checkpoint covers the log.
    pub(crate) covered: CoveredSplits,
    /// How many nodes must hold theirs.
    pub(crate) least: Option<u8>,
    pub(crate) now: i64,
    pub(crate) idempotency: Idempotency,
}

pub(crate) struct Read {
    own: OwnSplits,
    preparation: Preparation,
    split: SplitRow,
    shards: Vec<ShardRow>,
    before: Option<(SplitRow, Vec<ShardRow>)>,
    state: VaultState,
}

pub(crate) struct Made {
    split: SplitRow,
    shards: Vec<ShardRow>,
    before: Option<(SplitRow, Vec<ShardRow>)>,
    seq: u64,
    custody: bool,
    /// Whether the service's copy goes with it.
    destroyed: bool,
}

/// Puts a prepared split in force.
pub(crate) async fn commit(app: &App, commit: Commit) -> Result<SplitOut, Problem> {
    let (out, gone) = app.log.submit(commit).await?;
    if let Some(owner) = gone {
        app.owners.end(&app.db, &app.log, &owner).await;
    }
    Ok(out)
}

impl Commit {
    fn acknowledged(shards: &[ShardRow]) -> Vec<ShardId> {
        let held = shards.iter().filter(|shard| shard.state == ShardState::Acknowledged);
        held.map(|shard| shard.shard_id).collect()
    }

    /// What was prepared, by whichever process.
    fn preparation(
        &self,
        state: &State,
        (split, shards): (&SplitRow, &[ShardRow]),
        begins: bool,
    ) -> Result<Preparation, Problem> {
        let labels: Vec<String> = shards.iter().map(|shard| shard.node.clone()).collect();
        let (owner, shard_ids) = (&split.identity_id, shards.iter().map(|shard| shard.shard_id).collect::<Vec<_>>());
        let dealer = Dealer::without_record(state.domain(), &self.key, &self.line.0, owner, split.m, &labels);
        // A log that began after a loss tells nothing of the split that the one before it had in force: this is its
        // first, and the nodes go by the newest log that tells of any.
        let previous = split.previous.as_ref().filter(|_| !begins);
        Ok(dealer.dealt(&self.split_id, previous, &shard_ids)?)
    }
}

impl Work for Commit {
    type Read = Read;
    type Made = Made;
    /// And whose key is to be destroyed.
    type Answer = (SplitOut, Option<IdentityId>);

    async fn read(&self, tx: &mut Tx, state: &State) -> Result<Read, Problem> {
        let split = store::split(tx, &self.split_id).await?.filter(|split| split.line() == self.line);
        let split = split.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
        if split.state != SplitState::Prepared || self.now >= split.created + COMMIT_LIFE {
            return Err(Problem::new(&kinds::CONFLICT).detail("the split waits for no commitment any more"));
        }
        let shards = store::shards(tx, &self.split_id).await?;
        let before = match store::in_force(tx, &self.line).await? {
            Some(before) => {
                let shards = store::shards(tx, &before.split_id).await?;
                Some((before, shards))
            }
            None => None,
        };
        let state_of_vault = vaults::hold(tx, &self.line).await?;
        let own = own_splits(tx, state, &self.key, &self.covered).await?;
        let begins = own.splits().last().is_none() && store::is_later_log(tx).await?;
        let preparation = self.preparation(state, (&split, &shards), begins)?;
        Ok(Read { own, preparation, split, shards, before, state: state_of_vault })
    }

    fn step(&self, step: &mut Step<'_>, read: Read) -> Result<Made, Problem> {
        let Read { own, preparation, split, shards, before, state } = read;
        let held = Self::acknowledged(&shards);
        let committed = preparation.commit(&held, self.least, &own, step.time());
        let appended = committed.map_err(|error| match error {
            Error::Rejected(Rejected::Shard(
                ShardFault::Unconfirmed { .. } | ShardFault::StaleSplit | ShardFault::ErasedVault,
            )) => Problem::new(&kinds::CONFLICT).detail(error.to_string()),
            error => error.into(),
        })?;
        step.take(&appended.entry)?;
        // Nobody fetches a shard of the split before any more.
        for shard in before.iter().flat_map(|(_, shards)| shards).filter(|shard| shard.state.waits()) {
            step.forget(shard.place()?);
        }
        let states: Vec<_> = shards.iter().map(|shard| shard.state).collect();
        let destroyed = state == VaultState::Sealed && rules::is_in_custody(&states);
        if destroyed {
            super::custody::destroy(step, &split)?;
        }
        let custody = destroyed || state == VaultState::InCustody;
        Ok(Made { split, shards, before, seq: appended.entry.seq(), custody, destroyed })
    }

    async fn rows(&self, tx: &mut Tx, made: Made, _: &Changes) -> Result<Self::Answer, Problem> {
        let Made { split, shards, before, seq, custody, destroyed } = made;
        let mut gone = destroyed;
        let mut places = shards.clone();
        if let Some((before, of_before)) = before {
            gone |= custody && of_before.iter().any(|shard| shard.state.waits());
            places.extend(of_before);
            let values = values![before.split_id.to_hex(), "force", "superseded", Option::<i64>::None];
            moved(tx.execute(store::MOVE_SPLIT, values).await?)?;
            tx.execute(store::SUPERSEDE_SHARDS, values![before.split_id.to_hex(), self.now]).await?;
        }
        debug_assert!(split.state.may_become(SplitState::Force));
        let values = values![split.split_id.to_hex(), "prepared", "force", seq];
        moved(tx.execute(store::MOVE_SPLIT, values).await?)?;
        if custody {
            tx.execute(store::CUSTODY, values![split.split_id.to_hex()]).await?;
        }
        if destroyed {
            vaults::become_(tx, &self.line, VaultState::Sealed, VaultState::InCustody).await?;
        }
        if gone {
            // What stays of these shards is not disowned.
            places.retain(|shard| shard.split_id != split.split_id || !shard.state.waits());
            super::custody::erase(tx, &self.owners, &split, &places).await?;
        }
        let split = SplitRow { state: SplitState::Force, seq: Some(seq), custody, ..split };
        let out = out(&split, &shards);
        self.idempotency.store(tx, StatusCode::OK, &out).await?;
        Ok((out, gone.then_some(split.owner())))
    }

    fn is_alone(&self) -> bool {
        true
    }
}

fn moved(rows: u64) -> Result<(), Problem> {
    if rows == 1 { Ok(()) } else { Err(DbError::Column("state").into()) }
}
