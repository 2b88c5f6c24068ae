//! The end of what was prepared and is not committed: its time is over, or a later preparation takes its place. As long
//! as its shards wait here for nodes that may never ask, the service has the whole secret of a vault in custody.

use super::custody;
use crate::App;
use crate::qt::rules::{COMMIT_LIFE, SplitState};
use crate::qt::store::{self, Line, ShardRow, SplitRow};
use crate::qt::vaults;
use crate::vault::{State as VaultState, Vault};
use dualseal::IdentityId;
use dualseal::shamir::SplitId;
use dualseal_operator::step::{Changes, State, Step};
use platform::access::World;
use platform::db::{DbError, Tx, statements};
use platform::log::Work;
use platform::problem::Problem;
use platform::secrets::ErasureKeys;
use platform::values;

statements! {
    LAPSED = "SELECT split_id, vault_id, world FROM qt_splits WHERE state = 'prepared' AND created <= $1 \
              ORDER BY created";
}

/// Ends what was prepared and not committed in its time, and says how many splits that were.
pub(crate) async fn sweep(app: &App, vault: &Vault) -> Result<usize, Problem> {
    let now = app.clock.millis();
    let mut ended = 0;
    for row in app.db.list(LAPSED, values![now.saturating_sub(COMMIT_LIFE)]).await? {
        let split_id = store::name(&row, "split_id")?;
        let line = (store::name(&row, "vault_id")?, World::of_number(row.number("world")?));
        let lapse = Lapse { owners: vault.owners.clone(), split_id, line, now };
        let Some(Ended { owner, gone }) = app.log.submit(lapse).await? else { continue };
        ended += 1;
        if gone {
            app.owners.end(&app.db, &app.log, &owner).await;
        }
    }
    Ok(ended)
}

/// A split that was prepared, with its shards.
pub(super) type Prepared = (SplitRow, Vec<ShardRow>);

/// The splits of a vault that are prepared.
pub(super) async fn prepared(tx: &mut Tx, line: &Line) -> Result<Vec<Prepared>, Problem> {
    let mut prepared = Vec::new();
    for split in store::splits(tx, line).await?.into_iter().filter(|split| split.state == SplitState::Prepared) {
        let shards = store::shards(tx, &split.split_id).await?;
        prepared.push((split, shards));
    }
    Ok(prepared)
}

/// Forgets the shards that wait for their nodes.
pub(super) fn forget(step: &mut Step<'_>, (_, shards): &Prepared) -> Result<(), Problem> {
    for shard in shards.iter().filter(|shard| shard.state.waits()) {
        step.forget(shard.place()?);
    }
    Ok(())
}

/// Writes that it counts for nothing any more. Says whether it was all that the service still had of a vault in
/// custody, whose erasure is begun then.
pub(super) async fn end(
    tx: &mut Tx,
    owners: &ErasureKeys,
    (split, shards): &Prepared,
    (state, now): (VaultState, i64),
) -> Result<bool, Problem> {
    debug_assert!(split.state.may_become(SplitState::Superseded));
    let values = values![split.split_id.to_hex(), "prepared", "superseded", Option::<i64>::None];
    if tx.execute(store::MOVE_SPLIT, values).await? != 1 {
        return Err(DbError::Column("state").into());
    }
    tx.execute(store::SUPERSEDE_SHARDS, values![split.split_id.to_hex(), now]).await?;
    let gone = state == VaultState::InCustody && shards.iter().any(|shard| shard.state.waits());
    if gone {
        custody::erase(tx, owners, split, shards).await?;
    }
    Ok(gone)
}

struct Lapse {
    owners: ErasureKeys,
    split_id: SplitId,
    line: Line,
    now: i64,
}

struct Ended {
    owner: IdentityId,
    gone: bool,
}

impl Work for Lapse {
    type Read = (VaultState, Option<Prepared>);
    type Made = Self::Read;
    type Answer = Option<Ended>;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Self::Read, Problem> {
        let state = vaults::hold(tx, &self.line).await?;
        let prepared = prepared(tx, &self.line).await?;
        // It may have been committed, replaced or erased meanwhile.
        Ok((state, prepared.into_iter().find(|(split, _)| split.split_id == self.split_id)))
    }

    fn step(&self, step: &mut Step<'_>, read: Self::Read) -> Result<Self::Made, Problem> {
        read.1.iter().try_for_each(|prepared| forget(step, prepared))?;
        Ok(read)
    }

    async fn rows(&self, tx: &mut Tx, (state, prepared): Self::Made, _: &Changes) -> Result<Option<Ended>, Problem> {
        let Some(prepared) = prepared else { return Ok(None) };
        let gone = end(tx, &self.owners, &prepared, (state, self.now)).await?;
        Ok(Some(Ended { owner: prepared.0.owner(), gone }))
    }

    fn is_alone(&self) -> bool {
        true
    }
}
