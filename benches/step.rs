//! What the operator's step costs beside the signatures that it is about: over a folder and over SQLite, with durable
//! writes, one by one and 32 at a time; the library alone signs as many in a loop, on one thread and on all.

use dualseal::key::CheckedRing;
use dualseal::mldsa::StatementKey;
use dualseal::store::StoredState;
use dualseal::vault::LedgerId;
use dualseal::{Domain, HashedContent, Head, IdentityId, RingKey, Signer, SigningKey, SystemRng, Timestamp};
use dualseal_operator::disk::Disk;
use dualseal_operator::folder::{Folder, Place};
use dualseal_operator::step::{Batch, Changes, State, sign_all};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const ORIGIN: &str = "bench/log";
const BATCH: u32 = 32;
/// How many ledgers a log has in one of the rows, beside which nothing is stored.
const LEDGERS: u32 = 10_000;
/// A busy machine does fewer rounds.
const LONGEST: Duration = Duration::from_secs(30);

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
    fn signatures(&self, state: State, number: u32) -> (State, Changes) {
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

    fn sign(&mut self, operator: &Operator, number: u32) {
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
    let wait = Duration::from_mins(1);
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

/// What is timed, beside each other and in turn.
type Row<'a> = (&'static str, Box<dyn FnMut() + 'a>);

/// Measures them in turn, so that a busy machine slows all of them, and hands over their medians.
fn in_turn(rows: &mut [Row<'_>], rounds: usize) -> Vec<Duration> {
    let mut times = vec![Vec::with_capacity(rounds); rows.len()];
    let begun = Instant::now();
    for _ in 0..rounds {
        if begun.elapsed() > LONGEST {
            break;
        }
        for ((_, work), times) in rows.iter_mut().zip(&mut times) {
            let start = Instant::now();
            work();
            times.push(start.elapsed());
        }
    }
    times.into_iter().map(median).collect()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The library alone: a chain for each thread, and whoever is free signs the next.
fn library(sign: &(dyn Fn(&Head) -> Head + Sync), number: u32, threads: usize) {
    let next = AtomicU32::new(0);
    let work = || {
        let mut head = Head::EMPTY;
        while next.fetch_add(1, Ordering::Relaxed) < number {
            head = sign(&head);
        }
    };
    let threads = threads.min(number.try_into().unwrap_or(usize::MAX));
    thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(work)));
        work();
    });
}

fn with_rows(number: u32, each: impl FnOnce(&mut [Row<'_>])) {
    let (operator, path) = (Operator::new(), fresh());
    let signer = Signer::new(&operator.domain, &operator.id, &operator.key);
    let sign =
        |head: &Head| signer.sign(&operator.content, head, Timestamp::MIN, &mut SystemRng).expect("a record").head;
    let (folder, mut sql) = (folder(&path, &operator), Sql::new(&path, &operator));
    let (state, _) = operator.begun();
    let ledgers = (0..LEDGERS).fold(state.clone(), |state, number| {
        let mut id = [0; 32];
        id[..4].copy_from_slice(&number.to_be_bytes());
        state.with_ledger(&LedgerId::from_bytes(id))
    });
    let all = thread::available_parallelism().map_or(1, usize::from);
    let folder = || {
        let held = folder.hold().expect("the folder");
        let mut batch = Batch::new(held.state().clone());
        for _ in 0..number {
            batch.step(Timestamp::MIN, |step| step.sign(&operator.id, &operator.content)).expect("a place");
        }
        held.finish(batch, &|_| Some(operator.key())).expect("changes");
    };
    let mut rows: Vec<Row<'_>> = vec![
        ("library, one thread", Box::new(|| library(&sign, number, 1))),
        ("library, all threads", Box::new(|| library(&sign, number, all))),
        ("step, nothing stored", Box::new(|| drop(operator.signatures(state.clone(), number)))),
        ("step, 10^4 ledgers", Box::new(|| drop(operator.signatures(ledgers.clone(), number)))),
        ("step, SQLite", Box::new(|| sql.sign(&operator, number))),
        ("step, folder", Box::new(folder)),
    ];
    // An argument that is no flag names the rows to be run.
    let wanted: Vec<_> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    rows.retain(|(name, _)| wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())));
    each(&mut rows);
    drop(rows);
    let _ = fs::remove_dir_all(path);
}

fn main() {
    // `--test` runs everything once, without measuring.
    let is_test = std::env::args().any(|word| word == "--test");
    println!("medians of rounds, measured in turn");
    for (number, rounds) in [(1, 1001), (BATCH, 201)] {
        with_rows(number, |rows| {
            let times = in_turn(rows, if is_test { 1 } else { rounds });
            for ((name, _), time) in rows.iter().zip(times) {
                let each = f64::from(number) / time.as_secs_f64();
                println!("{number:>2} at once, {name:<20} {time:>9.2?} {each:>6.0} a second");
            }
        });
    }
}
