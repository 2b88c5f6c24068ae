//! Rows of splits and shards.

mod ending;
pub(crate) mod requests;
pub(crate) mod waiting;

pub use ending::{Ending, end_of_splits, ending};

use super::rules::{ShardState, SplitState};
use super::vaults;
use dualseal::shamir::SplitId;
use dualseal::shard::ShardId;
use dualseal::{IdentityId, VaultId};
use dualseal_operator::secrets::Place;
use platform::access::World;
use platform::authority::list_nodes;
use platform::db::{Db, DbError, Row, Tx, statements};
use platform::problem::Problem;
use platform::secrets::RowTags;
use platform::values;
use std::collections::BTreeMap;
use std::str::FromStr;

statements! {
    TOUCH = "SELECT COUNT(*) AS found FROM qt_splits WHERE split_id = ''";
    LATER_LOG = "SELECT 1 AS one FROM logs WHERE id > 1 LIMIT 1";
    ADD_SPLIT = "INSERT INTO qt_splits (split_id, vault_id, identity_id, m, n, previous, state, custody, seq, until, \
                 created, world) VALUES ($1, $2, $3, $4, $5, CAST($6 AS TEXT), $7, $8, CAST($9 AS BIGINT), $10, \
                 $11, $12)";
    ADD_SHARD = "INSERT INTO qt_shards (shard_id, split_id, vault_id, indeks, node, state, changed) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7)";
    SPLITS = "SELECT * FROM qt_splits WHERE vault_id = $1 AND world = $2 ORDER BY created, split_id";
    SPLIT = "SELECT * FROM qt_splits WHERE split_id = $1";
    PAGE = "SELECT * FROM qt_splits WHERE world = $1 AND (identity_id = $2 OR $3) \
            AND (created < $4 OR (created = $4 AND split_id < $5)) ORDER BY created DESC, split_id DESC LIMIT $6";
    SHARDS = "SELECT * FROM qt_shards WHERE split_id = $1 ORDER BY indeks";
    /// The split in force first: a node has room for one that is prepared.
    OF_NODE = "SELECT s.* FROM qt_shards s JOIN qt_splits p ON p.split_id = s.split_id \
               WHERE s.node = $1 AND s.vault_id = $2 AND p.world = $3 ORDER BY p.seq IS NULL, p.created, p.split_id";
    HELD_BY = "SELECT s.*, p.identity_id AS identity_id \
               FROM qt_shards s JOIN qt_splits p ON p.split_id = s.split_id \
               WHERE s.node = $1 AND p.world = $2 AND s.state <> 'deleted' ORDER BY s.vault_id, s.shard_id";
    /// From one state to the next: no row where another was faster.
    MOVE_SHARD = "UPDATE qt_shards SET state = $3, changed = $4 WHERE shard_id = $1 AND state = $2";
    MOVE_SPLIT = "UPDATE qt_splits SET state = $3, seq = COALESCE(CAST($4 AS BIGINT), seq) \
                  WHERE split_id = $1 AND state = $2";
    CUSTODY = "UPDATE qt_splits SET custody = TRUE WHERE split_id = $1";
    /// What no node fetched nobody holds, and no node says that it deleted it.
    SUPERSEDE_SHARDS = "UPDATE qt_shards SET state = CASE state WHEN 'dealt' THEN 'deleted' ELSE 'superseded' END, \
                        changed = $2 \
                        WHERE split_id = $1 AND state IN ('dealt', 'pulled', 'acknowledged')";
    HELD_BY_NODE = "SELECT COUNT(*) AS held FROM qt_shards s JOIN qt_splits p ON p.split_id = s.split_id \
                    WHERE s.node = $1 AND p.world = 0 AND p.state IN ('prepared', 'force') \
                    AND s.state IN ('dealt', 'pulled', 'acknowledged')";
    END_SHARDS = "UPDATE qt_shards SET state = 'deleted', changed = $2 WHERE vault_id = $1 AND state = 'dealt' \
                  AND split_id IN (SELECT split_id FROM qt_splits WHERE vault_id = $1 AND world = $3)";
    END_SPLITS = "UPDATE qt_splits SET state = 'erased' WHERE vault_id = $1 AND world = $2 AND state <> 'erased'";
}

/// A split.
#[derive(Clone, Debug)]
pub(crate) struct SplitRow {
    pub(crate) split_id: SplitId,
    pub(crate) vault_id: VaultId,
    pub(crate) identity_id: IdentityId,
    pub(crate) m: u8,
    pub(crate) n: u8,
    pub(crate) previous: Option<SplitId>,
    pub(crate) state: SplitState,
    /// Whether the service's copy of the secret is destroyed.
    pub(crate) custody: bool,
    pub(crate) seq: Option<u64>,
    /// Until when nodes keep its shards where it is not in force.
    pub(crate) until: i64,
    pub(crate) created: i64,
    pub(crate) world: World,
}

/// A shard, without its value.
#[derive(Clone, Debug)]
pub(crate) struct ShardRow {
    pub(crate) shard_id: ShardId,
    pub(crate) split_id: SplitId,
    pub(crate) vault_id: VaultId,
    pub(crate) index: u8,
    pub(crate) node: String,
    pub(crate) state: ShardState,
}

/// A shard of a node, and whose it is.
#[derive(Clone, Debug)]
pub(crate) struct HeldRow {
    pub(crate) shard: ShardRow,
    pub(crate) identity_id: IdentityId,
}

/// A name of the library's in a row.
pub(crate) fn name<T: FromStr>(row: &Row, column: &'static str) -> Result<T, Problem> {
    Ok(row.text(column)?.parse().map_err(|_| DbError::Column(column))?)
}

fn byte(row: &Row, column: &'static str) -> Result<u8, DbError> {
    u8::try_from(row.number(column)?).map_err(|_| DbError::Column(column))
}

impl SplitRow {
    fn read(row: &Row) -> Result<Self, Problem> {
        let previous = row.maybe_text("previous")?.map(|text| text.parse().map_err(|_| DbError::Column("previous")));
        Ok(Self {
            split_id: name(row, "split_id")?,
            vault_id: name(row, "vault_id")?,
            identity_id: name(row, "identity_id")?,
            m: byte(row, "m")?,
            n: byte(row, "n")?,
            previous: previous.transpose()?,
            state: SplitState::of_row(&row.text("state")?)?,
            custody: row.truth("custody")?,
            seq: row.maybe_number("seq")?.and_then(|seq| u64::try_from(seq).ok()),
            until: row.number("until")?,
            created: row.number("created")?,
            world: World::of_number(row.number("world")?),
        })
    }

    /// The vault, as its world has it.
    pub(crate) fn line(&self) -> Line {
        (self.vault_id, self.world)
    }

    /// What its shards hang on as long as they wait.
    pub(crate) fn owner(&self) -> IdentityId {
        vaults::owner(self.world, &self.identity_id)
    }

    /// Writes it down.
    pub(crate) async fn add(&self, tx: &mut Tx) -> Result<(), DbError> {
        let (split_id, vault_id, identity_id) =
            (self.split_id.to_hex(), self.vault_id.to_hex(), self.identity_id.to_hex());
        let previous = self.previous.map(|previous| previous.to_hex());
        let state = self.state.as_str();
        let (custody, until, created) = (self.custody, self.until, self.created);
        let values = values![
            split_id,
            vault_id,
            identity_id,
            self.m,
            self.n,
            previous,
            state,
            custody,
            self.seq,
            until,
            created,
            self.world.number()
        ];
        tx.execute(ADD_SPLIT, values).await.map(drop)
    }
}

impl ShardRow {
    fn read(row: &Row) -> Result<Self, Problem> {
        Ok(Self {
            shard_id: name(row, "shard_id")?,
            split_id: name(row, "split_id")?,
            vault_id: name(row, "vault_id")?,
            index: byte(row, "indeks")?,
            node: row.text("node")?,
            state: ShardState::of_row(&row.text("state")?)?,
        })
    }

    /// Writes it down.
    pub(crate) async fn add(&self, tx: &mut Tx, now: i64) -> Result<(), DbError> {
        let (shard_id, split_id, vault_id) = (self.shard_id.to_hex(), self.split_id.to_hex(), self.vault_id.to_hex());
        let values = values![shard_id, split_id, vault_id, self.index, &self.node, self.state.as_str(), now];
        tx.execute(ADD_SHARD, values).await.map(drop)
    }

    /// Brings it into another state, and says whether it was in this one.
    pub(crate) async fn become_(&self, tx: &mut Tx, next: ShardState, now: i64) -> Result<bool, DbError> {
        debug_assert!(self.state.may_become(next), "{:?} to {next:?}", self.state);
        let values = values![self.shard_id.to_hex(), self.state.as_str(), next.as_str(), now];
        Ok(tx.execute(MOVE_SHARD, values).await? == 1)
    }

    /// Where its value waits for its node.
    pub(crate) fn place(&self) -> Result<Place, dualseal::Error> {
        shard_place(&self.shard_id)
    }
}

/// Where the value of a shard waits for its node.
pub(crate) fn shard_place(shard_id: &ShardId) -> Result<Place, dualseal::Error> {
    Place::new("qt_shards", shard_id.as_bytes(), "shard")
}

/// The labels of all nodes, and whose each is.
pub(crate) async fn nodes(tx: &mut Tx, tags: &RowTags) -> Result<BTreeMap<String, String>, Problem> {
    let nodes = list_nodes(tx, tags).await?.into_iter();
    Ok(nodes.map(|node| (node.label, node.identity_id.to_hex())).collect())
}

/// A vault as a world has it.
pub(crate) type Line = (VaultId, World);

/// The splits of a vault, in the order of their making.
pub(crate) async fn splits(tx: &mut Tx, (vault_id, world): &Line) -> Result<Vec<SplitRow>, Problem> {
    tx.list(SPLITS, values![vault_id.to_hex(), world.number()]).await?.iter().map(SplitRow::read).collect()
}

/// A split.
pub(crate) async fn split(tx: &mut Tx, split_id: &SplitId) -> Result<Option<SplitRow>, Problem> {
    tx.find(SPLIT, values![split_id.to_hex()]).await?.as_ref().map(SplitRow::read).transpose()
}

/// The split of a vault that is in force, by the rows.
pub(crate) async fn in_force(tx: &mut Tx, line: &Line) -> Result<Option<SplitRow>, Problem> {
    Ok(splits(tx, line).await?.into_iter().find(|split| split.state == SplitState::Force))
}

/// A page of splits, newest first, behind a place in that order.
pub(crate) async fn page(
    db: &Db,
    world: World,
    owner: Option<&IdentityId>,
    after: (i64, &str),
    limit: u32,
) -> Result<Vec<SplitRow>, Problem> {
    let whose = owner.map(IdentityId::to_hex).unwrap_or_default();
    let values = values![world.number(), whose, owner.is_none(), after.0, after.1, limit];
    db.list(PAGE, values).await?.iter().map(SplitRow::read).collect()
}

/// The shards of a split, by their numbers.
pub(crate) async fn shards(tx: &mut Tx, split_id: &SplitId) -> Result<Vec<ShardRow>, Problem> {
    tx.list(SHARDS, values![split_id.to_hex()]).await?.iter().map(ShardRow::read).collect()
}

/// The same outside of a transaction.
pub(crate) async fn shards_in(db: &Db, split_id: &SplitId) -> Result<Vec<ShardRow>, Problem> {
    db.list(SHARDS, values![split_id.to_hex()]).await?.iter().map(ShardRow::read).collect()
}

/// The shards of a vault that a node has or is to have.
pub(crate) async fn of_node(tx: &mut Tx, node: &str, line: &Line) -> Result<Vec<ShardRow>, Problem> {
    let (vault_id, world) = line;
    tx.list(OF_NODE, values![node, vault_id.to_hex(), world.number()]).await?.iter().map(ShardRow::read).collect()
}

/// All shards that a node has or is to have.
pub(crate) async fn held_by(db: &Db, node: &str, world: World) -> Result<Vec<HeldRow>, Problem> {
    let rows = db.list(HELD_BY, values![node, world.number()]).await?;
    let read = |row: &Row| Ok(HeldRow { shard: ShardRow::read(row)?, identity_id: name(row, "identity_id")? });
    rows.iter().map(read).collect()
}

/// Whether the log that is written to began after another.
pub(crate) async fn is_later_log(tx: &mut Tx) -> Result<bool, Problem> {
    Ok(tx.find(LATER_LOG, values![]).await?.is_some())
}
