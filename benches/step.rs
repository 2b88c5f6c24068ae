//! What the operator's step costs beside the signatures that it is about: over a folder and over SQLite, with durable
//! writes, one by one and 32 at a time; the library alone signs as many in a loop, on one thread and on all.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dualseal::key::CheckedRing;
use dualseal::mldsa::StatementKey;
use dualseal::store::StoredState;
use dualseal::{Domain, HashedContent, Head, IdentityId, RingKey, Signer, SigningKey, SystemRng, Timestamp};
use dualseal_operator::disk::Disk;
use dualseal_operator::folder::{Folder, Place};
use dualseal_operator::step::{Batch, Changes, State, sign_all};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const ORIGIN: &str = "bench/log";
const BATCH: usize = 32;

struct Operator {
    domain: Domain,
    id: IdentityId,
    key: SigningKey,
    content: HashedContent,
}

impl Operator {
    fn new() -> Self {
        let domain = Domain::default();
        let id = domain.identity_id(b"bench", "operator", "").expect("an identity");
        let content = domain.content_hash(&id, &[7; 128]);
        Self { domain, id, key: SigningKey::from_seed(&[5; 32]).expect("a seed"), content }
    }

    fn authority(&self) -> RingKey {
        RingKey::generate(&self.domain, &mut SystemRng).expect("a ring key")
    }

    /// So many signatures at once.
    fn signatures(&self, state: State, number: usize) -> (State, Changes) {
        let mut batch = Batch::new(state);
        for _ in 0..number {
            batch.step(Timestamp::MIN, |step| step.sign(&self.id, &self.content)).expect("a place");
        }
        let (placed, to_sign) = batch.place();
        let signed = sign_all(to_sign, &|_| Some(self.key())).expect("signatures");
        placed.finish(signed).expect("changes")
    }

    fn key(&self) -> &dyn StatementKey {
        &self.key
    }

    fn begun(&self) -> (State, Changes) {
        let ring = CheckedRing::new(ORIGIN, &self.authority()).expect("a ring");
        let empty = State::new(&self.domain, ring, StoredState::new(Head::EMPTY)).expect("a state");
        let mut batch = Batch::new(empty);
        batch.step(Timestamp::MIN, |step| step.add_key(&self.id, self.key.public_key())).expect("a key");
        batch.place().0.finish([]).expect("changes")
    }
}

/// A database as a service has it: it goes on from what it wrote last, once it has seen that this is there.
struct Sql {
    db: Connection,
    state: State,
    text: String,
}

impl Sql {
    fn new(folder: &Path, operator: &Operator) -> Self {
        let mut db = Connection::open(folder.join("log.sqlite")).expect("a database");
        db.pragma_update(None, "journal_mode", "WAL").expect("a journal");
        db.pragma_update(None, "synchronous", "FULL").expect("durable writes");
        let tables = "CREATE TABLE entries (seq INTEGER PRIMARY KEY, json TEXT);
            CREATE TABLE nodes (level INTEGER, number INTEGER, hash BLOB, PRIMARY KEY (level, number));
            CREATE TABLE records (handle BLOB PRIMARY KEY, json TEXT);
            CREATE TABLE texts (name TEXT PRIMARY KEY, text TEXT);";
        db.execute_batch(tables).expect("tables");
        let (state, changes) = operator.begun();
        let begun = db.transaction_with_behavior(TransactionBehavior::Immediate).expect("a transaction");
        write(&begun, &changes).expect("changes");
        begun.commit().expect("a commit");
        Self { db, state, text: changes.state }
    }

    fn sign(&mut self, operator: &Operator, number: usize) {
        let begun = self.db.transaction_with_behavior(TransactionBehavior::Immediate).expect("a transaction");
        let found = begun.query_row("SELECT text FROM texts WHERE name = 'state'", [], |row| row.get(0)).optional();
        assert_eq!(found.expect("a state").as_ref(), Some(&self.text));
        let (state, changes) = operator.signatures(self.state.clone(), number);
        write(&begun, &changes).expect("changes");
        begun.commit().expect("a commit");
        (self.state, self.text) = (state, changes.state);
    }
}

fn write(db: &Transaction<'_>, changes: &Changes) -> rusqlite::Result<()> {
    let number = |number: u64| i64::try_from(number).expect("below 2^53");
    for entry in &changes.entries {
        let mut insert = db.prepare_cached("INSERT INTO entries VALUES (?1, ?2)")?;
        insert.execute(params![number(entry.seq()), entry.to_json()])?;
    }
    for node in &changes.nodes {
        let mut insert = db.prepare_cached("INSERT INTO nodes VALUES (?1, ?2, ?3)")?;
        insert.execute(params![node.level, number(node.index), node.hash.as_bytes()])?;
    }
    for record in &changes.records {
        let mut insert = db.prepare_cached("INSERT INTO records VALUES (?1, ?2)")?;
        insert.execute(params![record.krunica_hash().as_bytes(), record.to_json()])?;
    }
    for (name, text) in [("state", &changes.state), ("ring", &changes.ring.seal)] {
        db.prepare_cached("INSERT OR REPLACE INTO texts VALUES (?1, ?2)")?.execute(params![name, text])?;
    }
    Ok(())
}

fn folder(path: &Path, operator: &Operator) -> Folder {
    let (mark, origin) = (path.join("mark.json"), ORIGIN.to_owned());
    let wait = Duration::from_secs(60);
    let place = Place { path: path.join("log"), mark, domain: operator.domain.clone(), origin, wait };
    let folder = Folder::found(Disk::new(), place, operator.authority()).expect("a folder");
    let add = folder
        .step(Timestamp::MIN, &|_| Some(operator.key()), |step| step.add_key(&operator.id, operator.key.public_key()));
    add.expect("a key");
    folder
}

fn fresh() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench step");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn steps(c: &mut Criterion) {
    let (operator, path) = (Operator::new(), fresh());
    let signer = Signer::new(&operator.domain, &operator.id, &operator.key);
    let sign = |head: &Head| signer.sign(&operator.content, head, Timestamp::MIN, &mut SystemRng).expect("a record");
    let (folder, mut sql) = (folder(&path, &operator), Sql::new(&path, &operator));
    for number in [1, BATCH] {
        let mut group = c.benchmark_group(format!("step/{number}"));
        group.throughput(Throughput::Elements(number as u64)).sample_size(20);
        group.measurement_time(Duration::from_secs(8));
        group.bench_function("library, in a loop", |b| {
            b.iter(|| (0..number).fold(Head::EMPTY, |head, _| sign(&head).head));
        });
        group.bench_function("step alone, on all threads", |b| {
            let (state, _) = operator.begun();
            b.iter(|| operator.signatures(state.clone(), number));
        });
        group.bench_function("folder", |b| {
            b.iter(|| {
                let held = folder.hold().expect("the folder");
                let mut batch = Batch::new(held.state().clone());
                for _ in 0..number {
                    batch.step(Timestamp::MIN, |step| step.sign(&operator.id, &operator.content)).expect("a place");
                }
                held.finish(batch, &|_| Some(operator.key())).expect("changes")
            });
        });
        group.bench_function("sqlite", |b| b.iter(|| sql.sign(&operator, number)));
        group.finish();
    }
    drop(sql);
    let _ = fs::remove_dir_all(path);
}

criterion_group!(benches, steps);
criterion_main!(benches);
