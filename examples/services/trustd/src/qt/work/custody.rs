//! A node pulls its shard, and says that it holds or deleted it. When all hold theirs, the service's copy of the secret
//! is destroyed, in its backups too; when fewer than m remain of a vault that is erased, it is.

use crate::App;
use crate::qt::rules::{self, COMMIT_LIFE, ShardState, SplitState};
use crate::qt::store::{self, Line, ShardRow, SplitRow};
use crate::qt::types::{AckOut, Said};
use crate::qt::vaults;
use crate::vault::{State as VaultState, Vault, secret};
use dualseal::IdentityId;
use dualseal::shard::ShardId;
use dualseal_operator::step::{Changes, State, Step};
use platform::access::World;
use platform::db::Tx;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::secrets::ErasureKeys;
use platform::values;
use platform::web::Name;
use zeroize::Zeroizing;

/// Destroys the service's copy of a secret, with its entry.
pub(super) fn destroy(step: &mut Step<'_>, split: &SplitRow) -> Result<(), Problem> {
    let SplitRow { vault_id, split_id, identity_id, .. } = split;
    step.append(identity_id, &format!("vault in custody {vault_id} {split_id}"))?;
    // What a thief's nodes have is not the secret.
    if split.world == World::Real {
        step.forget(secret::place(vault_id)?);
    }
    Ok(())
}

/// What the service had of a vault, and has no more: with its owner's key it goes out of every backup as well.
pub(super) async fn erase(
    tx: &mut Tx,
    owners: &ErasureKeys,
    split: &SplitRow,
    shards: &[ShardRow],
) -> Result<(), Problem> {
    let mut places = Vec::new();
    if split.world == World::Real {
        places.push(secret::place(&split.vault_id)?);
    }
    for shard in shards {
        places.push(shard.place()?);
    }
    owners.erase(tx, &split.owner(), &places).await
}

/// A node fetches its shard.
struct Pull {
    node: String,
    line: Line,
    now: i64,
}

/// A shard on its way to its node.
pub(crate) struct Pulled {
    pub(crate) shard: Zeroizing<Vec<u8>>,
    /// Until when the node keeps it where it is not put in force.
    pub(crate) until: i64,
}

/// Gives a node its shard. It is opened after its entry, and not while others wait for the log.
pub(crate) async fn pull(app: &App, vault: &Vault, node: String, line: Line) -> Result<Pulled, Problem> {
    let (shard, split) = app.log.submit(Pull { node, line, now: app.clock.millis() }).await?;
    let found = vault.owners.open(&app.db, &split.owner(), &shard.place()?).await?;
    // What came in between took the copy with it.
    let found = found.ok_or_else(|| Problem::new(&kinds::CONFLICT).detail("the shard waits no more"))?;
    Ok(Pulled { shard: found, until: split.until })
}

impl Work for Pull {
    type Read = (ShardRow, SplitRow);
    type Made = Self::Read;
    type Answer = Self::Read;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Self::Read, Problem> {
        vaults::lasts(vaults::hold(tx, &self.line).await?)?;
        let shards = store::of_node(tx, &self.node, &self.line).await?;
        let mut refused =
            if shards.is_empty() { Problem::new(&kinds::UNKNOWN_ID) } else { Problem::new(&kinds::IN_CUSTODY) };
        for shard in shards.into_iter().filter(|shard| shard.state.waits()) {
            let split = store::split(tx, &shard.split_id).await?;
            let split = split.ok_or_else(|| Problem::internal("qt", &"a shard has no split"))?;
            if split.state == SplitState::Prepared && self.now >= split.created + COMMIT_LIFE {
                refused = Problem::new(&kinds::CONFLICT).detail("the split waits for no commitment any more");
                continue;
            }
            return Ok((shard, split));
        }
        Err(refused)
    }

    fn step(&self, step: &mut Step<'_>, read: Self::Read) -> Result<Self::Made, Problem> {
        let (shard, SplitRow { identity_id, .. }) = &read;
        // The same again, as long as the node has not said that it holds it, leaves nothing.
        if shard.state == ShardState::Dealt {
            let ShardRow { vault_id, split_id, shard_id, .. } = shard;
            step.append(identity_id, &format!("shard pulled {vault_id} {split_id} {shard_id}"))?;
        }
        Ok(read)
    }

    async fn rows(&self, tx: &mut Tx, read: Self::Made, _: &Changes) -> Result<Self::Answer, Problem> {
        let (shard, ..) = &read;
        if shard.state == ShardState::Dealt && !shard.become_(tx, ShardState::Pulled, self.now).await? {
            // Another of the same transaction was first: this one is done again, and writes nothing.
            return Err(Problem::unique());
        }
        Ok(read)
    }
}

/// A node says what it did with its shard.
pub(crate) struct Ack {
    pub(crate) owners: ErasureKeys,
    pub(crate) node: String,
    pub(crate) line: Line,
    pub(crate) shard_id: ShardId,
    pub(crate) said: Said,
    pub(crate) now: i64,
}

/// Takes a node's word about its shard.
pub(crate) async fn acknowledge(app: &App, ack: Ack) -> Result<AckOut, Problem> {
    let (out, gone) = app.log.submit(ack).await?;
    if let Some(owner) = gone {
        app.owners.end(&app.db, &app.log, &owner).await;
    }
    Ok(out)
}

pub(crate) struct AckRead {
    shard: ShardRow,
    split: SplitRow,
    /// The shards of its split.
    others: Vec<ShardRow>,
    /// All splits of the vault with the states of their shards.
    all: Vec<(u8, Vec<(ShardId, ShardState)>)>,
    state: VaultState,
}

/// What an acknowledgement comes to.
pub(crate) struct AckMade {
    shard: ShardRow,
    split: SplitRow,
    others: Vec<ShardRow>,
    next: ShardState,
    custody: bool,
    /// Whether nothing is here any more of a vault that is in custody.
    gone: bool,
    erased: bool,
}

impl Work for Ack {
    type Read = AckRead;
    type Made = AckMade;
    /// And whose key is to be destroyed.
    type Answer = (AckOut, Option<IdentityId>);

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<AckRead, Problem> {
        let unknown = || Problem::new(&kinds::UNKNOWN_ID);
        let state = vaults::hold(tx, &self.line).await?;
        let shards = store::of_node(tx, &self.node, &self.line).await?;
        let shard = shards.into_iter().find(|shard| shard.shard_id == self.shard_id).ok_or_else(unknown)?;
        let split = store::split(tx, &shard.split_id).await?.ok_or_else(unknown)?;
        let others = store::shards(tx, &shard.split_id).await?;
        let mut all = Vec::new();
        for split in store::splits(tx, &self.line).await? {
            let shards = store::shards(tx, &split.split_id).await?;
            all.push((split.m, shards.iter().map(|shard| (shard.shard_id, shard.state)).collect()));
        }
        Ok(AckRead { shard, split, others, all, state })
    }

    fn step(&self, step: &mut Step<'_>, read: AckRead) -> Result<AckMade, Problem> {
        let AckRead { shard, split, others, all, state: of_vault } = read;
        let next = match self.said {
            Said::Held => ShardState::Acknowledged,
            Said::Deleted => ShardState::Deleted,
        };
        let mut made = AckMade { shard, split, others, next, custody: false, gone: false, erased: false };
        // The same again, where the answer was lost; and a node may hold one that is not wanted any more.
        let is_late = made.shard.state == ShardState::Superseded && next == ShardState::Acknowledged;
        if made.shard.state == next || is_late {
            made.next = made.shard.state;
            return Ok(made);
        }
        if !made.shard.state.may_become(next) {
            return Err(Problem::new(&kinds::CONFLICT).detail(format!("the shard is {}", made.shard.state.as_str())));
        }
        let ShardRow { vault_id, split_id, shard_id, state, .. } = &made.shard;
        let what = if next == ShardState::Acknowledged { "acknowledged" } else { "deleted" };
        step.append(&made.split.identity_id, &format!("shard {what} {vault_id} {split_id} {shard_id}"))?;
        let waited = state.waits();
        if waited {
            step.forget(made.shard.place()?);
        }
        let after = |one: &ShardId, state: ShardState| if one == shard_id { next } else { state };
        let states: Vec<_> = made.others.iter().map(|shard| after(&shard.shard_id, shard.state)).collect();
        let is_whole = made.split.state == SplitState::Force && rules::is_in_custody(&states);
        made.custody = is_whole && of_vault == VaultState::Sealed;
        if made.custody {
            destroy(step, &made.split)?;
        }
        let is_in_custody = made.custody || of_vault == VaultState::InCustody;
        made.gone = waited && is_in_custody && !states.iter().any(|state| state.waits());
        let remain =
            |shards: &Vec<(ShardId, ShardState)>| shards.iter().map(|(one, state)| after(one, *state)).collect();
        let all: Vec<(u8, Vec<ShardState>)> = all.iter().map(|(m, shards)| (*m, remain(shards))).collect();
        made.erased = of_vault == VaultState::Erasing && rules::is_erased(&all);
        Ok(made)
    }

    async fn rows(&self, tx: &mut Tx, made: AckMade, _: &Changes) -> Result<Self::Answer, Problem> {
        let AckMade { shard, split, others, next, custody, gone, erased } = made;
        if shard.state != next && !shard.become_(tx, next, self.now).await? {
            return Err(Problem::unique());
        }
        if custody {
            tx.execute(store::CUSTODY, values![split.split_id.to_hex()]).await?;
            vaults::become_(tx, &self.line, VaultState::Sealed, VaultState::InCustody).await?;
        }
        if gone {
            erase(tx, &self.owners, &split, &others).await?;
        }
        if erased {
            vaults::become_(tx, &self.line, VaultState::Erasing, VaultState::Erased).await?;
        }
        let out = AckOut { shard_id: Name(shard.shard_id), state: next, custody: custody || split.custody };
        Ok((out, gone.then_some(split.owner())))
    }

    /// Each counts the others.
    fn is_alone(&self) -> bool {
        true
    }
}
