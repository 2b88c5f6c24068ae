//! A driver over SQLite, as somebody would write it who adopts the step over a database of his own: one transaction
//! holds the changes and a row of the caller's.

use crate::log::{Log, ORIGIN};
use dualseal::Entry;
use dualseal::checkpoint::{Checkpoint, HighWaterMark};
use dualseal::error::Misuse;
use dualseal::key::RingFile;
use dualseal::tree::{NodeReader, TreeHash};
use dualseal_operator::opening::{Opened, Refused, Stored, check_growth, open};
use dualseal_operator::step::{Changes, Commit, RingRow, State, StepError};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS entries (seq INTEGER PRIMARY KEY, json TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS nodes (level INTEGER, idx INTEGER, hash BLOB NOT NULL, PRIMARY KEY (level, idx));
    CREATE TABLE IF NOT EXISTS ring (name TEXT PRIMARY KEY, json TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS texts (name TEXT PRIMARY KEY, text TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS records (handle TEXT PRIMARY KEY, json TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS secrets (place TEXT, line BLOB, purpose TEXT, stored BLOB NOT NULL,
                                        PRIMARY KEY (place, line, purpose));
    CREATE TABLE IF NOT EXISTS mine (number INTEGER PRIMARY KEY, handle TEXT NOT NULL);
";

/// The database, and the signer's mark in a place of its own.
pub(crate) struct Sql {
    pub(crate) db: Connection,
    mark: PathBuf,
}

/// Why nothing was written.
#[derive(Debug)]
#[allow(dead_code, reason = "a test that fails shows it")]
pub(crate) enum Failed {
    Refused(Refused),
    Step(StepError),
    Sql(rusqlite::Error),
    /// The file of the mark, or the folder.
    Mark(io::Error),
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::Mark(error)
    }
}

impl From<rusqlite::Error> for Failed {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<StepError> for Failed {
    fn from(error: StepError) -> Self {
        Self::Step(error)
    }
}

impl From<Refused> for Failed {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl Sql {
    /// Opens or makes the database in a folder.
    pub(crate) fn new(folder: &Path, log: &Log) -> Self {
        Self::open(folder, log).unwrap()
    }

    /// As [`new`](Self::new), on a disk that may fail.
    pub(crate) fn open(folder: &Path, log: &Log) -> Result<Self, Failed> {
        fs::create_dir_all(folder)?;
        let db = Connection::open(folder.join("log.sqlite"))?;
        db.busy_timeout(Duration::from_secs(60))?;
        db.pragma_update(None, "journal_mode", "WAL")?;
        db.pragma_update(None, "synchronous", "FULL")?;
        let mut sql = Self { db, mark: folder.join("mark.json") };
        let begun = sql.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        begun.execute_batch(TABLES)?;
        if text(&begun, "state")?.is_none() {
            // The mark first: no store opens without it, and that of an empty log is always the same.
            replace(&sql.mark, log.empty().first_mark()?.1.as_bytes())?;
            write(&begun, &log.empty().begin()?)?;
        }
        begun.commit()?;
        Ok(sql)
    }

    pub(crate) fn mark(&self) -> &Path {
        &self.mark
    }

    /// One transaction: what is there is loaded and held against itself, `work` makes changes of it, and both they and
    /// the caller's own rows are written, or nothing.
    pub(crate) fn transact<T>(
        &mut self,
        log: &Log,
        work: impl FnOnce(Opened) -> Result<(T, Changes), Failed>,
        rows: impl FnOnce(&Transaction<'_>, &T) -> rusqlite::Result<()>,
    ) -> Result<T, Failed> {
        self.run(log, |_, opened| work(opened), rows)
    }

    /// As [`transact`](Self::transact), for work that reads the database too. A change of the ring raises the mark.
    fn run<T>(
        &mut self,
        log: &Log,
        work: impl FnOnce(&Transaction<'_>, Opened) -> Result<(T, Changes), Failed>,
        rows: impl FnOnce(&Transaction<'_>, &T) -> rusqlite::Result<()>,
    ) -> Result<T, Failed> {
        let begun = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Nobody writes it but within a transaction.
        let mark = read(&self.mark)?;
        let opened = load(&begun, log, mark.as_deref())?;
        let (made, changes) = work(&begun, opened)?;
        if write(&begun, &changes)? != Commit::Done {
            return Err(Failed::Step(Misuse::StaleHead.into()));
        }
        rows(&begun, &made)?;
        begun.commit()?;
        if changes.ring.rows.iter().any(|row| matches!(row, RingRow::Identity(..))) {
            let begun = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mark = read(&self.mark)?;
            let Opened { state, mark } = load(&begun, log, mark.as_deref())?;
            replace(&self.mark, next_mark(&begun, &state, &mark)?.1.as_bytes())?;
        }
        Ok(made)
    }

    /// Opens alone.
    pub(crate) fn opened(&mut self, log: &Log) -> Result<Opened, Refused> {
        let mark = fs::read(&self.mark).ok();
        let begun = self.db.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
        match load(&begun, log, mark.as_deref()) {
            Ok(opened) => Ok(opened),
            Err(Failed::Refused(refused)) => Err(refused),
            Err(failed) => panic!("{failed:?}"),
        }
    }

    /// Signs a checkpoint over what is there: the mark is written before, and forced to the disk.
    pub(crate) fn checkpoint(
        &mut self,
        log: &Log,
        sign: impl FnOnce(&State, &HighWaterMark) -> Checkpoint,
    ) -> Result<(), Failed> {
        let mark = self.mark.clone();
        self.run(
            log,
            |db, opened| {
                let (next, text) = next_mark(db, &opened.state, &opened.mark)?;
                replace(&mark, text.as_bytes())?;
                let checkpoint = sign(&opened.state, &next);
                Ok(((), opened.state.take(checkpoint)?.1))
            },
            |_, ()| Ok(()),
        )
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        let mut select = self.db.prepare("SELECT json FROM entries ORDER BY seq").unwrap();
        let texts = select.query_map([], |row| row.get::<_, String>(0)).unwrap();
        texts.map(|text| Entry::from_json(text.unwrap().as_bytes()).unwrap()).collect()
    }
}

fn load(db: &Transaction<'_>, log: &Log, mark: Option<&[u8]>) -> Result<Opened, Failed> {
    let mut select = db.prepare("SELECT json FROM ring")?;
    let rows = select.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    let seal = text(db, "ring seal")?.unwrap_or_default();
    let ring = RingFile::from_rows(seal.as_bytes(), rows).map_err(Refused::RingUnreadable)?;
    let end = db.query_row("SELECT json FROM entries ORDER BY seq DESC LIMIT 1", [], |row| row.get::<_, String>(0));
    let end = end.optional()?.map(|json| Entry::from_json(json.as_bytes()).unwrap());
    let checkpoint = text(db, "checkpoint")?.map(|text| Checkpoint::from_json(text.as_bytes()).unwrap());
    let state = text(db, "state")?.unwrap_or_default();
    let stored = Stored { state: state.as_bytes(), ring, end, checkpoint, mark };
    let opened = open(&log.domain, ORIGIN, &log.authority, stored)?;
    check_growth::<_, Failed>(&opened.state, opened.mark.tree_head(), &mut Nodes(db))?;
    Ok(opened)
}

/// Writes all of the changes, if nobody appended in between.
fn write(db: &Transaction<'_>, changes: &Changes) -> rusqlite::Result<Commit> {
    // The first state of all goes on from none.
    if text(db, "state")?.is_some_and(|found| found != changes.before) {
        return Ok(Commit::Not);
    }
    for entry in &changes.entries {
        db.execute("INSERT INTO entries VALUES (?1, ?2)", params![number(entry.seq()), entry.to_json()])?;
    }
    for node in &changes.nodes {
        let values = params![node.level, number(node.index), node.hash.as_bytes()];
        db.execute("INSERT INTO nodes VALUES (?1, ?2, ?3)", values)?;
    }
    for row in &changes.ring.rows {
        let (RingRow::Identity(_, json) | RingRow::Decoy(_, json)) = row;
        db.execute("INSERT OR REPLACE INTO ring VALUES (?1, ?2)", params![row.name(), json])?;
    }
    for record in &changes.records {
        let values = params![record.krunica_hash().to_hex(), record.to_json()];
        db.execute("INSERT INTO records VALUES (?1, ?2)", values)?;
    }
    for record in &changes.vault_records {
        let json = record.to_stored_json();
        let values = params![record.krunica_hash().to_hex(), json.as_str()];
        db.execute("INSERT INTO records VALUES (?1, ?2)", values)?;
    }
    for secret in &changes.secrets {
        let place = secret.place();
        let values = params![place.table(), place.row(), place.purpose(), secret.stored()];
        db.execute("INSERT OR REPLACE INTO secrets VALUES (?1, ?2, ?3, ?4)", values)?;
    }
    put(db, "state", &changes.state)?;
    put(db, "ring seal", &changes.ring.seal)?;
    if let Some(checkpoint) = &changes.checkpoint {
        put(db, "checkpoint", &checkpoint.to_json())?;
    }
    Ok(Commit::Done)
}

pub(crate) fn put(db: &Connection, name: &str, text: &str) -> rusqlite::Result<()> {
    db.execute("INSERT OR REPLACE INTO texts VALUES (?1, ?2)", params![name, text]).map(drop)
}

pub(crate) fn text(db: &Connection, name: &str) -> rusqlite::Result<Option<String>> {
    db.query_row("SELECT text FROM texts WHERE name = ?1", [name], |row| row.get(0)).optional()
}

/// The nodes of the log's tree.
struct Nodes<'a>(&'a Connection);

impl NodeReader for Nodes<'_> {
    type Error = rusqlite::Error;

    fn node(&mut self, level: u8, index: u64) -> Result<TreeHash, rusqlite::Error> {
        let select = "SELECT hash FROM nodes WHERE level = ?1 AND idx = ?2";
        self.0.query_row(select, params![level, number(index)], |row| row.get(0)).map(TreeHash::from_bytes)
    }
}

/// The mark of a state, which goes on from the last one by the log's tree.
fn next_mark(db: &Connection, state: &State, last: &HighWaterMark) -> Result<(HighWaterMark, String), Failed> {
    let growth = check_growth::<_, Failed>(state, last.tree_head(), &mut Nodes(db))?;
    Ok(state.next_mark(last, &growth)?)
}

fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap()
}

/// A file, if it is there.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        other => other.map(Some),
    }
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let unfinished = path.with_extension("unfinished");
    fs::write(&unfinished, bytes)?;
    fs::File::open(&unfinished)?.sync_all()?;
    fs::rename(unfinished, path)?;
    fs::File::open(path.parent().unwrap_or(path))?.sync_all()
}
