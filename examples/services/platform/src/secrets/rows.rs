//! The rows of the secrets in order, and putting them under another key. A row that the log's list has is kept by a step
//! again: the list is what tells an old copy of a row from the last one.

use super::{FIND, of};
use crate::db::{Db, DbError, Row, Tx, statements};
use crate::log::{Log, Work};
use crate::problem::Problem;
use crate::values;
use dualseal_operator::secrets::{Place, Rows, Vaulted, WrappingKey};
use dualseal_operator::step::{Changes, SecretRow, State, Step};
use std::marker::PhantomData;
use tokio::runtime::Handle;

// Databases order text each in its own way, and bytes alike: so tables are ordered here, and lines there. $5 is no
// owner's: those rows are under the master.
statements! {
    TABLES = "SELECT DISTINCT tbl FROM secrets";
    LINES = "SELECT s.tbl, s.line, s.purpose, s.stored FROM secrets s LEFT JOIN owned_secrets o \
             ON o.tbl = s.tbl AND o.line = s.line AND o.purpose = s.purpose \
             WHERE s.tbl = $1 AND s.line > $2 AND LENGTH(s.stored) > 0 \
             AND COALESCE(o.owner, $5) = $3 AND COALESCE(o.generation, 0) = $4 ORDER BY s.line LIMIT $6";
    LINE = "SELECT s.tbl, s.line, s.purpose, s.stored FROM secrets s LEFT JOIN owned_secrets o \
            ON o.tbl = s.tbl AND o.line = s.line AND o.purpose = s.purpose \
            WHERE s.tbl = $1 AND s.line = $2 AND LENGTH(s.stored) > 0 \
            AND COALESCE(o.owner, $5) = $3 AND COALESCE(o.generation, 0) = $4";
    EVERY = "SELECT s.tbl, s.line, s.purpose, s.stored FROM secrets s \
             WHERE s.tbl = $1 AND s.line > $2 ORDER BY s.line LIMIT $3";
    EVERY_OF_LINE = "SELECT s.tbl, s.line, s.purpose, s.stored FROM secrets s WHERE s.tbl = $1 AND s.line = $2";
    IS_LISTED = "SELECT 1 AS one FROM secret_list WHERE place = $1 LIMIT 1";
    REPLACE = "UPDATE secrets SET stored = $4 WHERE tbl = $1 AND line = $2 AND purpose = $3 AND stored = $5";
    MOVE = "UPDATE owned_secrets SET generation = $5 WHERE tbl = $1 AND line = $2 AND purpose = $3 AND owner = $4";
}

/// Whose rows: the master's, or those of one of an owner's keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Under {
    /// Empty for the master.
    pub(super) owner: Vec<u8>,
    /// Which of his keys.
    pub(super) generation: i64,
}

/// The rows under one key, as the operator's rotation reads and replaces them, on a thread that may wait.
pub(super) struct StoreRows<'a, K> {
    pub(super) handle: Handle,
    pub(super) db: &'a Db,
    pub(super) log: &'a Log,
    pub(super) under: Under,
    /// The generation that they get.
    pub(super) next: i64,
    tables: Option<Vec<String>>,
    key: PhantomData<fn(&K)>,
}

impl<'a, K> StoreRows<'a, K> {
    pub(super) fn new(db: &'a Db, log: &'a Log, under: Under, next: i64) -> Self {
        Self { handle: Handle::current(), db, log, under, next, tables: None, key: PhantomData }
    }

    async fn lines(&self, tx: &mut Tx, table: &str, after: &[u8], most: usize) -> Result<Vec<Row>, DbError> {
        let Under { owner, generation } = &self.under;
        let (owner, nobody) = (owner.as_slice(), &[][..]);
        let rows = tx.list(LINES, values![table, after, owner, *generation, nobody, most]).await?;
        match whole_lines(rows, most)? {
            Lines::Whole(rows) => Ok(rows),
            Lines::One(line) => tx.list(LINE, values![table, line, owner, *generation, nobody]).await,
        }
    }
}

impl<K: WrappingKey> Rows<K> for StoreRows<'_, K> {
    type Error = Problem;

    fn page(&mut self, after: Option<&Place>, most: usize) -> Result<Vec<(Place, Vec<u8>)>, Problem> {
        let handle = self.handle.clone();
        handle.block_on(async {
            // The tables of a pass are those at its beginning: who writes meanwhile writes under the new key.
            let mut tx = self.db.snapshot().await?;
            if after.is_none() || self.tables.is_none() {
                self.tables = Some(tables(&mut tx).await?);
            }
            for table in self.tables.iter().flatten() {
                let line = match after {
                    Some(after) if after.table() > table.as_str() => continue,
                    Some(after) if after.table() == table.as_str() => after.row(),
                    _ => &[],
                };
                let rows = self.lines(&mut tx, table, line, most).await?;
                if !rows.is_empty() {
                    return placed(&rows);
                }
            }
            Ok(Vec::new())
        })
    }

    fn replace(&mut self, rows: &[(Vec<u8>, Vaulted<K>)]) -> Result<u64, Problem> {
        let rows = rows.iter().map(|(old, new)| (old.clone(), SecretRow::from(new.clone()))).collect();
        let work = Replace { rows, owner: self.under.owner.clone(), next: self.next };
        self.handle.block_on(self.log.submit(work))
    }
}

/// All rows, in order, and those that were forgotten too: `each` is given a page at a time.
///
/// # Errors
/// The database, and what `each` says.
pub(crate) async fn every_row<E: From<Problem>>(
    tx: &mut Tx,
    most: usize,
    mut each: impl FnMut(Vec<(Place, Vec<u8>)>) -> Result<(), E>,
) -> Result<(), E> {
    for table in tables(tx).await.map_err(Problem::from)? {
        let mut after = Vec::new();
        loop {
            let page = page_after(tx, &table, &after, most).await?;
            let Some((last, _)) = page.last() else { break };
            after = last.row().to_vec();
            each(page)?;
        }
    }
    Ok(())
}

async fn page_after(
    tx: &mut Tx,
    table: &str,
    after: &[u8],
    most: usize,
) -> Result<Vec<(Place, Vec<u8>)>, Problem> {
    let rows = tx.list(EVERY, values![table, after, most]).await?;
    match whole_lines(rows, most)? {
        Lines::Whole(rows) => placed(&rows),
        Lines::One(line) => placed(&tx.list(EVERY_OF_LINE, values![table, line]).await?),
    }
}

async fn tables(tx: &mut Tx) -> Result<Vec<String>, DbError> {
    let rows = tx.list(TABLES, values![]).await?;
    let mut tables = rows.iter().map(|row| row.text("tbl")).collect::<Result<Vec<_>, _>>()?;
    tables.sort_unstable();
    Ok(tables)
}

enum Lines {
    /// Rows that end where a line ends.
    Whole(Vec<Row>),
    /// All of them are of one line, which has more.
    One(Vec<u8>),
}

/// Of the last line some may be missing, which the next page would not go back to.
fn whole_lines(mut rows: Vec<Row>, most: usize) -> Result<Lines, DbError> {
    let last = rows.last().filter(|_| rows.len() >= most).map(|row| row.bytes("line")).transpose()?;
    let Some(last) = last else { return Ok(Lines::Whole(rows)) };
    while rows.last().is_some_and(|row| row.bytes("line").is_ok_and(|line| line == last)) {
        rows.pop();
    }
    Ok(if rows.is_empty() { Lines::One(last) } else { Lines::Whole(rows) })
}

fn placed(rows: &[Row]) -> Result<Vec<(Place, Vec<u8>)>, Problem> {
    let mut page = Vec::with_capacity(rows.len());
    for row in rows {
        let place = Place::new(&row.text("tbl")?, &row.bytes("line")?, &row.text("purpose")?)?;
        page.push((place, row.bytes("stored")?));
    }
    page.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(page)
}

/// Rows that get other bytes, each where it has still those that were read.
struct Replace {
    rows: Vec<(Vec<u8>, SecretRow)>,
    owner: Vec<u8>,
    next: i64,
}

/// What becomes of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Somebody wrote it meanwhile.
    Stays,
    /// By the step.
    Kept,
    /// Beside it: the list has it not.
    Put,
}

impl Work for Replace {
    type Read = Vec<Way>;
    type Made = Vec<Way>;
    type Answer = u64;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Self::Read, Problem> {
        let mut ways = Vec::with_capacity(self.rows.len());
        for (old, row) in &self.rows {
            let found = tx.find(FIND, of(row.place())).await?.map(|row| row.bytes("stored")).transpose()?;
            ways.push(if found.as_ref() != Some(old) {
                Way::Stays
            } else if is_listed(tx, row.place()).await? {
                Way::Kept
            } else {
                Way::Put
            });
        }
        Ok(ways)
    }

    fn step(&self, step: &mut Step<'_>, ways: Self::Read) -> Result<Self::Made, Problem> {
        for ((_, row), _) in self.rows.iter().zip(&ways).filter(|(_, way)| **way == Way::Kept) {
            step.keep(row.clone());
        }
        Ok(ways)
    }

    async fn rows(&self, tx: &mut Tx, ways: Self::Made, _: &Changes) -> Result<u64, Problem> {
        let mut replaced = 0;
        for ((old, row), way) in self.rows.iter().zip(ways) {
            let place = row.place();
            replaced += match way {
                Way::Stays => continue,
                Way::Kept => 1,
                Way::Put => {
                    let mut values = of(place);
                    values.extend(values![row.stored(), old.as_slice()]);
                    tx.execute(REPLACE, values).await?
                }
            };
            if !self.owner.is_empty() {
                let mut values = of(place);
                values.extend(values![self.owner.as_slice(), self.next]);
                tx.execute(MOVE, values).await?;
            }
        }
        Ok(replaced)
    }
}

/// Whether the log's list has a secret of this place.
pub(super) async fn is_listed(tx: &mut Tx, place: &Place) -> Result<bool, DbError> {
    Ok(tx.find(IS_LISTED, values![&place.hash()[..]]).await?.is_some())
}
