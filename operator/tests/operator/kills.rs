//! A process that works on a log and is killed, or has a full disk, over and over: what it said is done is there, at
//! most the one act that was under way is there besides, and no checkpoint contradicts an earlier one.

use crate::folder::{authority, place};
use crate::log::{Log, ORIGIN, at, fresh, fresh_on_disk};
use crate::sql::{Failed, Sql, text};
use dualseal::checkpoint::{Checkpoint, CheckpointVerifier, Followed, Follower, Pins};
use dualseal::hash::Sha3_256;
use dualseal::key::Unprepared;
use dualseal::krunica::Checker;
use dualseal::mldsa::StatementKey;
use dualseal::secret::Secret;
use dualseal::signature::claims_signature;
use dualseal::tree::{Frontier, NodeReader, TreeHash, prove_growth};
use dualseal::vault::{Encryption, LedgerId, VaultMaster, VaultSealer, claims_record};
use dualseal::{Entry, IdentityId, SigningKey, SystemRng, Verified};
use dualseal_operator::disk::Disk;
use dualseal_operator::folder::Folder;
use dualseal_operator::secrets::{Master, Place, Vaulted};
use dualseal_operator::step::{Batch, Changes, State, ToSign, sign_all};
use rusqlite::OptionalExtension;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

/// How many times each driver's worker is killed; `cargo xtask assure kills` asks for more.
const KILLS: u64 = 12;
const WORKER: &str = "DUALSEAL_KILLED_WORKER";

/// A log by one of the drivers.
trait Store {
    fn state(&mut self) -> State;

    /// One change, written as a whole.
    fn change(&mut self, work: &mut dyn FnMut(State) -> (State, Changes));

    fn checkpoint(&mut self, who: &IdentityId, key: &SigningKey) -> Checkpoint;

    fn entries(&mut self) -> Vec<Entry>;

    /// The checkpoint that was signed last.
    fn last(&mut self) -> Option<Checkpoint>;

    /// The stored bytes of a secret.
    fn secret(&mut self, place: &Place) -> Option<Vec<u8>>;

    /// Everything in it, held against each other; gives the handles of the records.
    fn check(&mut self) -> BTreeSet<String>;
}

struct InFolder(Folder);

impl Store for InFolder {
    fn state(&mut self) -> State {
        self.0.hold().unwrap().state().clone()
    }

    fn change(&mut self, work: &mut dyn FnMut(State) -> (State, Changes)) {
        let held = self.0.hold().unwrap();
        let (state, changes) = work(held.state().clone());
        held.commit(state, &changes, |_| Ok(())).unwrap();
    }

    fn checkpoint(&mut self, who: &IdentityId, key: &SigningKey) -> Checkpoint {
        self.0.hold().unwrap().checkpoint(who, key, at(9), |signer| signer).unwrap()
    }

    fn entries(&mut self) -> Vec<Entry> {
        self.0.read().unwrap().entries(0).unwrap().map(Result::unwrap).collect()
    }

    fn last(&mut self) -> Option<Checkpoint> {
        self.0.read().unwrap().checkpoint().unwrap()
    }

    fn secret(&mut self, place: &Place) -> Option<Vec<u8>> {
        self.0.read().unwrap().secret(place).unwrap()
    }

    fn check(&mut self) -> BTreeSet<String> {
        self.0.audit().unwrap();
        let reading = self.0.read().unwrap();
        let entries = reading.entries(0).unwrap().map(Result::unwrap);
        let records = entries.filter(|entry| reading.record(entry.seq()).unwrap().is_some());
        records.map(|entry| entry.krunica_hash().to_hex()).collect()
    }
}

struct InSql(Log, Sql);

impl Store for InSql {
    fn state(&mut self) -> State {
        self.1.opened(&self.0).unwrap().state
    }

    /// With a row of the caller's for each record.
    fn change(&mut self, work: &mut dyn FnMut(State) -> (State, Changes)) {
        let rows = |changes: &Changes| -> Vec<(u64, String)> {
            let signed = changes.records.iter().map(|record| *record.krunica_hash());
            let handles: BTreeSet<_> =
                signed.chain(changes.vault_records.iter().map(|record| *record.krunica_hash())).collect();
            let entries = changes.entries.iter().filter(|entry| handles.contains(&entry.krunica_hash()));
            entries.map(|entry| (entry.seq(), entry.krunica_hash().to_hex())).collect()
        };
        let written = self.1.transact(
            &self.0,
            |opened| {
                let (_, changes) = work(opened.state);
                Ok::<_, Failed>((rows(&changes), changes))
            },
            |db, rows| {
                for (seq, handle) in rows {
                    let values = rusqlite::params![i64::try_from(*seq).unwrap(), handle];
                    db.execute("INSERT INTO mine VALUES (?1, ?2)", values)?;
                }
                Ok(())
            },
        );
        written.unwrap();
    }

    fn checkpoint(&mut self, who: &IdentityId, key: &SigningKey) -> Checkpoint {
        let mut signed = None;
        let sign = |state: &State, mark: &_| {
            let signer = state.checkpoint_signer(who, key).unwrap();
            signed.insert(signer.sign(mark, at(9), &mut SystemRng).unwrap()).clone()
        };
        self.1.checkpoint(&self.0, sign).unwrap();
        signed.unwrap()
    }

    fn entries(&mut self) -> Vec<Entry> {
        self.1.entries()
    }

    fn last(&mut self) -> Option<Checkpoint> {
        let found = text(&self.1.db, "checkpoint").unwrap();
        found.map(|json| Checkpoint::from_json(json.as_bytes()).unwrap())
    }

    fn secret(&mut self, place: &Place) -> Option<Vec<u8>> {
        let sql = "SELECT stored FROM secrets WHERE place = ?1 AND line = ?2 AND purpose = ?3";
        let of = rusqlite::params![place.table(), place.row(), place.purpose()];
        self.1.db.query_row(sql, of, |row| row.get(0)).optional().unwrap()
    }

    fn check(&mut self) -> BTreeSet<String> {
        let mut select = self.1.db.prepare("SELECT level, idx, hash FROM nodes").unwrap();
        let node = |row: &rusqlite::Row<'_>| {
            let (level, index, hash): (u8, i64, [u8; 32]) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(((level, u64::try_from(index).unwrap()), TreeHash::from_bytes(hash)))
        };
        let nodes: BTreeMap<_, _> = select.query_map([], node).unwrap().map(Result::unwrap).collect();
        assert_eq!(nodes, Nodes::of(&self.1.entries()).0, "the tree is that of the entries");
        let handles = |table: &str| -> BTreeSet<String> {
            let mut select = self.1.db.prepare(&format!("SELECT handle FROM {table}")).unwrap();
            select.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
        };
        let (records, mine) = (handles("records"), handles("mine"));
        assert_eq!(records, mine, "a record without the caller's row, or a row without its record");
        records
    }
}

/// The log's own key, which is never rotated, so that everybody can follow it.
fn log_key() -> SigningKey {
    SigningKey::from_seed(&[0x6c; 32]).unwrap()
}

/// What is kept with each vault record, under the place of its entry.
const SECRET: [u8; 32] = [7; 32];

fn secret_of(seq: u64) -> Place {
    Place::new("records", &seq.to_be_bytes(), "vault").unwrap()
}

fn at_rest(log: &Log) -> Master {
    Master::new(&log.domain, Secret::from_slice("master", &[5; 32]).unwrap()).unwrap()
}

/// The keys of the worker, each drawn from the public key before it: whoever is begun anew finds the one that counts.
fn key_of(state: &State, who: &IdentityId) -> SigningKey {
    let current = state.ring().info(who).unwrap().public_key;
    let mut key = SigningKey::from_seed(&[0x77; 32]).unwrap();
    while *key.public_key() != current {
        key = next_key(&key);
    }
    key
}

fn next_key(key: &SigningKey) -> SigningKey {
    SigningKey::from_seed(&Sha3_256::digest(key.public_key().as_bytes())).unwrap()
}

fn open(driver: &str, folder: &Path) -> Box<dyn Store> {
    let log = Log::new();
    match driver {
        "folder" => Box::new(InFolder(Folder::new(Disk::new(), place(folder, &log), authority()))),
        _ => Box::new(InSql(Log::new(), Sql::new(folder, &log))),
    }
}

/// One act after the other until somebody kills it; after each it says what is written.
fn work(driver: &str, folder: &Path) -> ! {
    let (log, mut store) = (Log::new(), open(driver, folder));
    let (ana, signer) = (log.person("ana").id, log.person("log").id);
    let ledger = LedgerId::from_bytes([4; 32]);
    let vault = VaultMaster::new(&log.domain, Secret::from_slice("master", &[3; 32]).unwrap()).unwrap();
    let at_rest = at_rest(&log);
    let mut key = key_of(&store.state(), &ana);
    let say = |line: String| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{line}").and_then(|()| out.flush()).unwrap();
    };
    say("begun".to_owned());
    let mut acts = [0, 1, 0, 2, 3, 0, 4, 1, 3].into_iter().cycle();
    loop {
        let act = acts.next().unwrap();
        if act == 3 {
            say(format!("checkpoint {}", store.checkpoint(&signer, &log_key()).to_json()));
            continue;
        }
        let (mut made, next) = (None, next_key(&key));
        store.change(&mut |state| {
            let state = if state.ledger(&ledger).is_some() { state } else { state.with_ledger(&ledger) };
            let size = state.head().size();
            let sealed = (act == 1).then(|| {
                let mut stored = Vec::new();
                let sealer = VaultSealer::new(&vault, &ana, &key);
                let sealing = sealer.begin("CONTRACT", Encryption::None, &mut SystemRng, &mut stored).unwrap();
                let end = state.ledger(&ledger).unwrap();
                sealing.finish_unplaced(end, "", at(5), &mut SystemRng, &mut stored).unwrap()
            });
            let mut batch = Batch::new(state);
            let done = batch.step(at(5), |step| match sealed {
                Some(unplaced) => {
                    step.vault(unplaced)?;
                    step.keep(Vaulted::seal(&at_rest, secret_of(size), &SECRET, &mut SystemRng).unwrap());
                    Ok(())
                }
                None if act == 2 => step.rotate(&ana, next.public_key()).map(drop),
                None if act == 4 => step.append(&ana, "said").map(drop),
                None => step.sign(&ana, &log.domain.content_hash(&ana, &size.to_be_bytes())).map(drop),
            });
            done.unwrap();
            let (placed, to_sign) = batch.place();
            let signed = sign_all(to_sign, &|_: &ToSign| Some(&key as &dyn StatementKey)).unwrap();
            let (state, changes) = placed.finish(signed).unwrap();
            made = changes.entries.last().cloned();
            (state, changes)
        });
        if act == 2 {
            key = next;
        }
        let made = made.unwrap();
        say(format!("entry {} {}", made.seq(), made.hash().to_hex()));
    }
}

/// The nodes of a log's tree.
#[derive(Default)]
struct Nodes(BTreeMap<(u8, u64), TreeHash>);

impl Nodes {
    fn of(entries: &[Entry]) -> Self {
        let (mut frontier, mut nodes) = (Frontier::new(), Self::default());
        for entry in entries {
            frontier.push_noting(entry.leaf_hash(), |level, index, hash| {
                nodes.0.insert((level, index), *hash);
            });
        }
        nodes
    }
}

impl NodeReader for Nodes {
    type Error = std::convert::Infallible;

    fn node(&mut self, level: u8, index: u64) -> Result<TreeHash, Self::Error> {
        Ok(self.0[&(level, index)])
    }
}

/// What the workers have said so far, and what the log was when one was begun.
struct Told {
    entries: BTreeMap<u64, String>,
    follower: Option<Follower>,
    checkpoints: Vec<Verified<Checkpoint>>,
}

impl Told {
    fn line(&mut self, line: &str) -> bool {
        let mut words = line.split(' ');
        match (words.next(), words.next(), words.next()) {
            (Some("entry"), Some(seq), Some(hash)) if hash.len() == 128 => {
                self.entries.insert(seq.parse().unwrap(), hash.to_owned());
                true
            }
            (Some("checkpoint"), Some(json), None) if json.ends_with('}') => {
                let checkpoint = Checkpoint::from_json(json.as_bytes()).unwrap();
                self.checkpoints.push(verified(checkpoint));
                true
            }
            _ => false,
        }
    }

    /// Holds what is there against everything that was said.
    fn check(&mut self, driver: &str, folder: &Path, before: u64, context: &str) {
        let mut store = open(driver, folder);
        let (state, entries) = (store.state(), store.entries());
        let mut checker = Checker::new();
        for entry in &entries {
            checker.push(entry).unwrap();
        }
        assert_eq!(checker.head(), state.head(), "{context}");
        for (seq, hash) in &self.entries {
            let found = entries.get(usize::try_from(*seq).unwrap()).map(|entry| entry.hash().to_hex());
            assert_eq!(found.as_ref(), Some(hash), "{context}: entry {seq} was written");
        }
        let said = self.entries.last_key_value().map_or(0, |(seq, _)| seq + 1).max(before);
        let (records, log) = (store.check(), Log::new());
        let is_vaulted = |entry: &&Entry| claims_record(&log.domain, entry);
        let of_records = entries.iter().filter(|entry| is_vaulted(entry) || claims_signature(&log.domain, entry));
        let handles: BTreeSet<_> = of_records.map(|entry| entry.krunica_hash().to_hex()).collect();
        assert_eq!(records, handles, "{context}: an entry without its record, or a record without its entry");
        for vaulted in entries.iter().filter(is_vaulted) {
            let place = secret_of(vaulted.seq());
            let stored = store.secret(&place).unwrap_or_else(|| panic!("{context}: no {place}"));
            let secret: Vaulted = Vaulted::read(place, stored).unwrap();
            assert_eq!(secret.open(&at_rest(&log)).unwrap().as_slice(), SECRET, "{context}");
        }
        let mut nodes = Nodes::of(&entries);
        // One that nobody heard of is the act that was under way.
        let found = store.last().map(verified);
        let heard = self.checkpoints.last().or(self.follower.as_ref().map(Follower::last));
        let unheard = match (&found, heard) {
            (Some(found), Some(heard)) => found.record() != heard.record(),
            (found, heard) => found.is_some() != heard.is_some(),
        };
        let acts = state.head().size() - said + u64::from(unheard);
        assert!(acts <= 1, "{context}: {acts} acts that nobody heard of");
        self.checkpoints.extend(found);
        for checkpoint in self.checkpoints.drain(..) {
            let Some(follower) = &mut self.follower else {
                self.follower = Some(Follower::new(checkpoint));
                continue;
            };
            let sizes = [follower.last(), &checkpoint].map(|one| one.record().tree_head().size);
            let Ok(path) = prove_growth(&mut nodes, sizes[0], sizes[1]);
            let followed = follower.follow(checkpoint, &path.unwrap()).unwrap();
            assert!(matches!(followed, Followed::Grown | Followed::Same), "{context}: {followed:?}");
        }
    }
}

fn verified(checkpoint: Checkpoint) -> Verified<Checkpoint> {
    let log = Log::new();
    let key_hash = *log_key().public_key().hash();
    let pins = Pins { origin: ORIGIN.to_owned(), identity_id: log.person("log").id, key_hash, least_size: 0 };
    CheckpointVerifier::new(&log.domain, &pins, None, &Unprepared).verify(checkpoint).valid().unwrap()
}

/// Runs this test again as the worker, and kills it while it does something after so many acts. How long an act takes
/// is seen from those before: at `part` hundredths of that time. Gives how many acts it said were done.
fn killed(test: &str, driver: &str, folder: &Path, (acts, part): (u32, u32), told: &mut Told) -> u64 {
    let mut worker = Command::new(env::current_exe().unwrap());
    let mut worker = as_worker(&mut worker, test, driver, folder).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(worker.stdout.take().unwrap()).split(b'\n').map(Result::unwrap);
    let mut lines = lines.map(|line| String::from_utf8_lossy(&line).into_owned());
    assert!(lines.by_ref().any(|line| line.ends_with("begun")), "the worker did not begin");
    let begun = Instant::now();
    for act in 0..acts {
        let line = lines.next().unwrap_or_default();
        assert!(told.line(&line), "act {act}: {line}");
    }
    thread::sleep(begun.elapsed() / acts * part / 100);
    worker.kill().unwrap();
    worker.wait().unwrap();
    u64::from(acts) + lines.filter(|line| told.line(line)).count() as u64
}

fn as_worker<'c>(command: &'c mut Command, test: &str, driver: &str, folder: &Path) -> &'c mut Command {
    command
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(WORKER, format!("{driver} {}", folder.display()))
        .stdin(Stdio::null())
}

/// The worker where no file may grow past so many half KiB: each write past it fails as on a full disk, after a part of
/// it was written, and the worker ends there. Gives how many acts it said were done.
fn filled(test: &str, driver: &str, folder: &Path, most: u64, told: &mut Told) -> u64 {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &format!("trap '' XFSZ; ulimit -f {most}; exec \"$@\""), "sh"]).arg(env::current_exe().unwrap());
    let ended = as_worker(&mut shell, test, driver, folder).output().unwrap();
    assert_eq!(ended.status.code(), Some(101), "{most}: {ended:?}");
    String::from_utf8_lossy(&ended.stdout).lines().filter(|line| told.line(line)).count() as u64
}

/// Where the test runs as the worker of itself, it does nothing else.
fn work_if_asked() {
    if let Ok(worker) = env::var(WORKER) {
        let (driver, folder) = worker.split_once(' ').unwrap();
        work(driver, Path::new(folder));
    }
}

/// A log with the worker's keys.
fn begin(driver: &str, folder: &Path) {
    let log = Log::new();
    if driver == "folder" {
        Folder::found(Disk::new(), place(folder, &log), authority()).unwrap();
    }
    open(driver, folder).change(&mut |state| {
        let mut batch = Batch::new(state);
        let first = SigningKey::from_seed(&[0x77; 32]).unwrap();
        let keys = [(log.person("ana").id, first), (log.person("log").id, log_key())];
        for (id, key) in keys {
            batch.step(at(0), |step| step.add_key(&id, key.public_key())).unwrap();
        }
        batch.place().0.finish([]).unwrap()
    });
}

fn kills(test: &str, driver: &str) {
    work_if_asked();
    let kills = env::var("DUALSEAL_KILLS").map_or(KILLS, |number| number.parse().unwrap());
    let seed = env::var("DUALSEAL_KILLS_SEED").map_or(1, |number| number.parse().unwrap());
    println!("seed {seed}");
    let folder = fresh_on_disk(&format!("kills {driver}"));
    begin(driver, &folder);
    let (mut told, mut said, mut draw) = (Told::new(), 0, crate::acts::Draw(seed));
    for kill in 0..kills {
        let before = open(driver, &folder).state().head().size();
        let moment = (1 + u32::from(draw.below(6)), u32::from(draw.below(200)));
        said += killed(test, driver, &folder, moment, &mut told);
        told.check(driver, &folder, before, &format!("seed {seed}, kill {kill} at {moment:?}"));
    }
    assert!(said >= kills, "{said}");
    println!("{driver}: {kills} kills, {said} acts, {} entries", told.entries.len());
}

impl Told {
    fn new() -> Self {
        Self { entries: BTreeMap::new(), follower: None, checkpoints: Vec::new() }
    }
}

#[test]
fn a_worker_on_a_folder_is_killed_and_nothing_is_lost() {
    kills("kills::a_worker_on_a_folder_is_killed_and_nothing_is_lost", "folder");
}

#[test]
fn a_worker_on_a_database_is_killed_and_nothing_is_lost() {
    kills("kills::a_worker_on_a_database_is_killed_and_nothing_is_lost", "database");
}

/// The limit grows by so much each time, and the same log goes on: what is written first fails first.
fn fill(test: &str, driver: &str, (by, times): (u64, u64)) {
    work_if_asked();
    let folder = fresh(&format!("full {driver}"));
    begin(driver, &folder);
    let (mut told, mut in_vain, mut said) = (Told::new(), 0, 0);
    for most in (1..=times).map(|time| time * by) {
        let before = open(driver, &folder).state().head().size();
        let acts = filled(test, driver, &folder, most, &mut told);
        told.check(driver, &folder, before, &format!("{most} half KiB"));
        said += acts;
        in_vain += u64::from(acts == 0);
    }
    assert!(in_vain > 3 && said > 3, "{in_vain} {said}");
    println!("{driver}: full {times} times, {said} acts before it");
    // There is room again.
    let before = open(driver, &folder).state().head().size();
    assert!(killed(test, driver, &folder, (3, 0), &mut told) >= 3);
    told.check(driver, &folder, before, "at last");
}

/// What was journalled before is finished by whoever comes next, so that the records grow each time as well.
#[test]
fn a_full_disk_under_a_folder_loses_nothing() {
    fill("kills::a_full_disk_under_a_folder_loses_nothing", "folder", (26, 24));
}

#[test]
fn a_full_disk_under_a_database_loses_nothing() {
    fill("kills::a_full_disk_under_a_database_loses_nothing", "database", (20, 24));
}
