//! The nodes of the log's tree: what a proof needs is known from sizes alone, so it is read in a few statements, and
//! the library's own functions make the proof of it.

use crate::db::{Db, DbError, Row, Tx, Value, statements};
use dualseal::tree::{NodeReader, TreeHash, prove_growth, prove_leaf, root_of};
use std::collections::BTreeMap;
use std::convert::Infallible;

statements! {
    /// Those of one level, from a place to before another.
    LEVEL = "SELECT place, hash FROM tree WHERE log = $1 AND place >= $2 AND place < $3";
    COUNT = "SELECT COUNT(*) AS many FROM tree WHERE log = $1";
    /// Up to sixteen nodes.
    SOME = "SELECT place, hash FROM tree WHERE log = $1 AND place IN \
            ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)";
}

const AT_ONCE: usize = 16;

/// The place of a node in one number.
pub(super) fn place(level: u8, index: u64) -> i64 {
    i64::try_from(u64::from(level) << 56 | index).unwrap_or(i64::MAX)
}

/// Nodes that were read.
#[derive(Debug, Default)]
pub(super) struct SizedNodes(BTreeMap<i64, TreeHash>);

/// Notes which nodes are asked for.
#[derive(Default)]
struct Asked(Vec<i64>);

impl NodeReader for Asked {
    type Error = Infallible;

    fn node(&mut self, level: u8, index: u64) -> Result<TreeHash, Infallible> {
        self.0.push(place(level, index));
        Ok(TreeHash::empty())
    }
}

impl NodeReader for SizedNodes {
    type Error = super::LogFault;

    fn node(&mut self, level: u8, index: u64) -> Result<TreeHash, Self::Error> {
        let found = self.0.get(&place(level, index)).copied();
        found.ok_or(super::LogFault::Refused(dualseal_operator::opening::Refused::TreeEdited))
    }
}

impl SizedNodes {
    /// What it takes to show that a tree goes on from its first leaves, and why not.
    ///
    /// # Errors
    /// The database.
    pub(super) async fn of_growth(tx: &mut Tx, log: i64, before: u64, size: u64) -> Result<Self, DbError> {
        let mut nodes = Self::default();
        for values in growth(before, size).chunks(AT_ONCE).map(|places| asked(log, places)) {
            nodes.take(tx.list(SOME, values).await?)?;
        }
        Ok(nodes)
    }

    /// The same without a transaction: nodes never change.
    ///
    /// # Errors
    /// The database.
    pub(super) async fn of_growth_in(db: &Db, log: i64, before: u64, size: u64) -> Result<Self, DbError> {
        Self::read(db, log, &growth(before, size)).await
    }

    /// What it takes to show a leaf.
    ///
    /// # Errors
    /// The database.
    pub(super) async fn of_leaf(tx: &mut Tx, log: i64, size: u64, index: u64) -> Result<Self, DbError> {
        let mut nodes = Self::default();
        for values in leaf(size, index).chunks(AT_ONCE).map(|places| asked(log, places)) {
            nodes.take(tx.list(SOME, values).await?)?;
        }
        Ok(nodes)
    }

    /// The same without a transaction.
    ///
    /// # Errors
    /// The database.
    pub(super) async fn of_leaf_in(db: &Db, log: i64, size: u64, index: u64) -> Result<Self, DbError> {
        Self::read(db, log, &leaf(size, index)).await
    }

    async fn read(db: &Db, log: i64, places: &[i64]) -> Result<Self, DbError> {
        let mut nodes = Self::default();
        for values in places.chunks(AT_ONCE).map(|places| asked(log, places)) {
            nodes.take(db.list(SOME, values).await?)?;
        }
        Ok(nodes)
    }

    /// All that the entries from one place to before another made full.
    ///
    /// # Errors
    /// The database.
    pub(super) async fn made_by(tx: &mut Tx, log: i64, from: u64, to: u64) -> Result<Self, DbError> {
        let mut nodes = Self::default();
        for level in 0..64_u8 {
            let (first, end) = (from >> level, to >> level);
            if end == 0 {
                break;
            }
            if first < end {
                nodes.take(tx.list(LEVEL, crate::values![log, place(level, first), place(level, end)]).await?)?;
            }
        }
        Ok(nodes)
    }

    /// The roots of the full subtrees of a tree of this size, left to right; `None` where some are missing.
    ///
    /// # Errors
    /// The database.
    pub(super) async fn frontier(tx: &mut Tx, log: i64, size: u64) -> Result<Option<Vec<TreeHash>>, DbError> {
        let full: Vec<i64> = (0..64_u8)
            .rev()
            .filter(|level| size >> level & 1 == 1)
            .map(|level| place(level, (size >> level) - 1))
            .collect();
        let mut nodes = Self::default();
        for values in full.chunks(AT_ONCE).map(|places| asked(log, places)) {
            nodes.take(tx.list(SOME, values).await?)?;
        }
        Ok(full.iter().map(|place| nodes.0.get(place).copied()).collect())
    }

    /// The node of a place.
    pub(super) fn at(&self, level: u8, index: u64) -> Option<&TreeHash> {
        self.0.get(&place(level, index))
    }

    fn take(&mut self, rows: Vec<Row>) -> Result<(), DbError> {
        for row in rows {
            let hash = row.bytes("hash")?.try_into().map_err(|_| DbError::Column("hash"))?;
            self.0.insert(row.number("place")?, TreeHash::from_bytes(hash));
        }
        Ok(())
    }
}

fn leaf(size: u64, index: u64) -> Vec<i64> {
    let mut wanted = Asked::default();
    let Ok(_) = prove_leaf(&mut wanted, size, index);
    wanted.0
}

fn growth(before: u64, size: u64) -> Vec<i64> {
    let mut wanted = Asked::default();
    let Ok(_) = prove_growth(&mut wanted, before, size);
    // Where the growth does not hold, the root of the beginning tells whose fault it is.
    let Ok(_) = root_of(&mut wanted, before);
    wanted.0.sort_unstable();
    wanted.0.dedup();
    wanted.0
}

/// No node has a place below 0.
fn asked(log: i64, places: &[i64]) -> Vec<Value> {
    let mut values = vec![Value::from(log)];
    values.extend(places.iter().map(|place| Value::from(*place)));
    values.resize(AT_ONCE + 1, Value::from(-1_i64));
    values
}
