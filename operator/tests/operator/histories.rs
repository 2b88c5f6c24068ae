//! Random histories of everything that a step can do, over both drivers: the same outcomes, heads, rings, records,
//! ledgers, checkpoints and secrets, and the state that a store is opened with is the one that was left.

use crate::acts::{Act, Draw, Made, Turn, World};
use crate::folder::{authority, place};
use crate::log::{Log, at, fresh};
use crate::sql::{Failed, Sql, text};
use dualseal::checkpoint::{Checkpoint, HighWaterMark};
use dualseal::error::Misuse;
use dualseal::krunica::TreeHead;
use dualseal::vault::LedgerHead;
use dualseal::{CheckedRing, Entry, Head, IdentityId, SignatureRecord, SigningKey, SystemRng};
use dualseal_operator::disk::Disk;
use dualseal_operator::folder::{Folder, FolderError, Place, Reading};
use dualseal_operator::secrets::{self, Vaulted};
use dualseal_operator::step::{Batch, Changes, State, StepError, sign_all};
use std::collections::BTreeMap;
use std::fs;
use std::ops::AddAssign;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// How many histories there are; `cargo xtask assure histories` asks for more.
const HISTORIES: u64 = 40;
const TURNS: u32 = 16;

/// A log by one of the drivers, in which one history happens.
trait Store {
    fn state(&mut self) -> State;

    fn entries(&mut self) -> Vec<Entry>;

    /// One transaction: what `work` makes of what is there is written, or nothing.
    fn change(&mut self, work: &mut Work<'_>) -> Result<(), StepError>;

    fn checkpoint(&mut self, who: &IdentityId, key: &SigningKey, second: u32) -> Result<(), StepError>;

    /// As another process would find it.
    fn reopen(&mut self);

    fn left(&mut self, places: &[secrets::Place]) -> Left;
}

type Work<'w> = dyn FnMut(State) -> Result<(State, Changes), StepError> + 'w;

/// What one history leaves.
struct Left {
    head: Head,
    ring: CheckedRing,
    rows: Vec<String>,
    ledgers: Vec<LedgerHead>,
    entries: Vec<Entry>,
    /// By handle: those of signatures without their signatures, which are drawn anew each time.
    records: BTreeMap<String, String>,
    checkpoint: Option<(TreeHead, Option<u64>)>,
    /// The stored bytes at each place, and how many there are in all.
    secrets: (Vec<Option<Vec<u8>>>, usize),
}

struct InFolder(Folder, Place);

impl Store for InFolder {
    fn state(&mut self) -> State {
        self.0.read().unwrap().state().clone()
    }

    fn entries(&mut self) -> Vec<Entry> {
        self.0.read().unwrap().entries(0).unwrap().map(Result::unwrap).collect()
    }

    fn change(&mut self, work: &mut Work<'_>) -> Result<(), StepError> {
        let held = self.0.hold().unwrap();
        let (state, changes) = work(held.state().clone())?;
        held.commit(state, &changes, |_| Ok(())).map_err(of_step)
    }

    fn checkpoint(&mut self, who: &IdentityId, key: &SigningKey, second: u32) -> Result<(), StepError> {
        self.0.hold().unwrap().checkpoint(who, key, at(second), |signer| signer).map(drop).map_err(of_step)
    }

    fn reopen(&mut self) {
        self.0 = Folder::new(Disk::new(), self.1.clone(), authority());
    }

    fn left(&mut self, places: &[secrets::Place]) -> Left {
        let warm = self.state();
        self.reopen();
        let reading = self.0.read().unwrap();
        let state = reading.state();
        assert_eq!(warm.text(), state.text(), "what the folder's own handle knows is what is there");
        let path = &self.1.path;
        let mut rows: Vec<_> = files(&path.join("ring")).map(|file| fs::read_to_string(file).unwrap()).collect();
        let decoys = fs::read_to_string(path.join("decoys.jsonl")).unwrap();
        rows.extend(decoys.lines().map(str::to_owned));
        let entries: Vec<_> = reading.entries(0).unwrap().map(Result::unwrap).collect();
        let records = entries.iter().filter_map(|entry| {
            let text = reading.record(entry.seq()).unwrap()?;
            Some((entry.krunica_hash().to_hex(), std::str::from_utf8(&text).unwrap().to_owned()))
        });
        let (records, vaulted) = unsigned(records);
        let stored = |reading: &Reading, place| reading.secret(place).unwrap();
        let secrets = places.iter().map(|place| stored(&reading, place)).collect();
        let left = Left {
            secrets: (secrets, files(&path.join("secrets")).count()),
            ..left(state, rows, entries, records, reading.checkpoint().unwrap().as_ref())
        };
        drop(reading);
        let audited = self.0.audit().unwrap();
        assert_eq!((audited.entries, audited.vault_records), (left.head.size(), vaulted));
        assert_eq!(audited.records + vaulted, left.records.len() as u64);
        left
    }
}

/// The regular files of a folder that may not be there.
fn files(folder: &Path) -> impl Iterator<Item = std::path::PathBuf> {
    fs::read_dir(folder).into_iter().flatten().map(|file| file.unwrap().path())
}

fn of_step(error: FolderError) -> StepError {
    match error {
        FolderError::Step(error) => error,
        error => panic!("{error:?}"),
    }
}

struct InSql(Log, Sql, std::path::PathBuf);

impl Store for InSql {
    fn state(&mut self) -> State {
        self.1.opened(&self.0).unwrap().state
    }

    fn entries(&mut self) -> Vec<Entry> {
        self.1.entries()
    }

    fn change(&mut self, work: &mut Work<'_>) -> Result<(), StepError> {
        let done = self.1.transact(&self.0, |opened| Ok(((), work(opened.state)?.1)), |_, ()| Ok(()));
        done.map_err(|error| match error {
            Failed::Step(error) => error,
            error => panic!("{error:?}"),
        })
    }

    fn checkpoint(&mut self, who: &IdentityId, key: &SigningKey, second: u32) -> Result<(), StepError> {
        // Before the mark is written, as a folder does it.
        self.state().checkpoint_signer(who, key)?;
        let sign = |state: &State, mark: &HighWaterMark| {
            state.checkpoint_signer(who, key).unwrap().sign(mark, at(second), &mut SystemRng).unwrap()
        };
        self.1.checkpoint(&self.0, sign).unwrap();
        Ok(())
    }

    fn reopen(&mut self) {
        self.1 = Sql::new(&self.2, &self.0);
    }

    fn left(&mut self, places: &[secrets::Place]) -> Left {
        self.reopen();
        let (state, entries) = (self.state(), self.entries());
        let db = &self.1.db;
        let mut select = db.prepare("SELECT json FROM ring").unwrap();
        let rows = select.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let mut select = db.prepare("SELECT handle, json FROM records").unwrap();
        let records = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap);
        let (records, _) = unsigned(records);
        let checkpoint = text(db, "checkpoint").unwrap().map(|text| Checkpoint::from_json(text.as_bytes()).unwrap());
        let mut select =
            db.prepare("SELECT stored FROM secrets WHERE place = ?1 AND line = ?2 AND purpose = ?3").unwrap();
        let mut secret = |place: &secrets::Place| {
            let of = rusqlite::params![place.table(), place.row(), place.purpose()];
            select.query_map(of, |row| row.get(0)).unwrap().map(Result::unwrap).next()
        };
        let all = db.query_row("SELECT count(*) FROM secrets", [], |row| row.get::<_, i64>(0)).unwrap();
        let secrets = (places.iter().map(&mut secret).collect(), usize::try_from(all).unwrap());
        Left { secrets, ..left(&state, rows, entries, records, checkpoint.as_ref()) }
    }
}

fn left(
    state: &State,
    mut rows: Vec<String>,
    entries: Vec<Entry>,
    records: BTreeMap<String, String>,
    checkpoint: Option<&Checkpoint>,
) -> Left {
    rows.sort();
    let checkpoint = checkpoint.map(|found| (*found.tree_head(), found.ring().map(|ring| ring.revision)));
    assert_eq!(state.last().map(|last| last.size), checkpoint.as_ref().map(|(head, _)| head.size));
    Left {
        head: state.head().clone(),
        ring: state.ring().clone(),
        ledgers: state.stored().ledgers().copied().collect(),
        secrets: (Vec::new(), 0),
        rows,
        entries,
        records,
        checkpoint,
    }
}

/// A signature is drawn anew each time; a vault record is the same, its fragment included. Gives how many of these.
fn unsigned(records: impl Iterator<Item = (String, String)>) -> (BTreeMap<String, String>, u64) {
    let mut vaulted = 0;
    let records = records.map(|(handle, json)| {
        if let Ok(record) = SignatureRecord::from_json(json.as_bytes()) {
            return (handle, json.trim_end().replace(&record.signature().to_hex(), ""));
        }
        assert!(json.contains("\"fragment\":\""), "{json}");
        vaulted += 1;
        (handle, json)
    });
    (records.collect(), vaulted)
}

/// Does all of it, and says what came of each act.
fn run(world: &World, store: &mut dyn Store, number: u64, turns: &[Turn]) -> (Vec<Result<(), StepError>>, Made) {
    let (mut came, mut made) = (Vec::new(), Made::default());
    let sign = |batch: Batch| {
        let (placed, to_sign) = batch.place();
        placed.finish(sign_all(to_sign, &|one| world.key_of(one))?)
    };
    for (second, turn) in (0..).zip(turns) {
        let entries = store.entries();
        match turn {
            Turn::Batch(begun, acts) => {
                let mut each = Vec::new();
                let written = store.change(&mut |state| {
                    let state = match begun {
                        Some(number) => state.with_ledger(&World::ledger(*number)),
                        None => state,
                    };
                    let mut batch = Batch::new(state);
                    for act in acts {
                        let mut now = Made::default();
                        let done = batch.step(at(second), |step| world.act(step, act, &entries, &mut now));
                        if done.is_ok() {
                            made.add(now);
                        }
                        each.push(done);
                    }
                    sign(batch)
                });
                written.unwrap();
                came.extend(each);
            }
            Turn::Erase(which, seed) => {
                let Some(document) = made.documents.get(usize::from(*which) % made.documents.len().max(1)) else {
                    continue;
                };
                let mut erased = false;
                came.push(store.change(&mut |state| {
                    let (key, erasure) = world.erasure(&state, &entries, document, *seed)?;
                    let mut batch = Batch::new(state);
                    batch.step(at(second), |step| step.erase(key.public_key(), erasure).map(drop))?;
                    erased = true;
                    sign(batch)
                }));
                made.erased += usize::from(erased);
            }
            Turn::Checkpoint(who) => came.push(checkpoint(world, store, *who, second)),
            Turn::Stale(who) => {
                let stale = store.state();
                let append = |state: State| {
                    let mut batch = Batch::new(state);
                    batch.step(at(second), |step| step.append(world.id(0), "said"))?;
                    sign(batch)
                };
                match who {
                    Some(who) => came.push(checkpoint(world, store, *who, second)),
                    None => came.push(store.change(&mut |state| append(state))),
                }
                let moved = store.state().text() != stale.text();
                let refused = store.change(&mut |_| append(stale.clone()));
                assert_eq!(refused, if moved { Err(Misuse::StaleHead.into()) } else { Ok(()) }, "history {number}");
                came.push(refused);
            }
            Turn::Reopen => store.reopen(),
        }
    }
    (came, made)
}

fn checkpoint(world: &World, store: &mut dyn Store, who: u8, second: u32) -> Result<(), StepError> {
    let (state, id) = (store.state(), world.id(who));
    store.checkpoint(id, world.current(state.ring(), id), second)
}

/// How much of what there was.
#[derive(Debug, Default)]
struct Counted {
    done: usize,
    refused: usize,
    kept: usize,
    seals: usize,
    splits: usize,
    erased: usize,
    checkpoints: usize,
    stale: usize,
}

impl AddAssign for Counted {
    fn add_assign(&mut self, more: Self) {
        self.done += more.done;
        self.refused += more.refused;
        self.kept += more.kept;
        self.seals += more.seals;
        self.splits += more.splits;
        self.erased += more.erased;
        self.checkpoints += more.checkpoints;
        self.stale += more.stale;
    }
}

fn history(world: &World, number: u64) -> Counted {
    let mut draw = Draw(number);
    // Somebody has a key from the beginning, and a ledger is there, or most of a short history is refused.
    let first = Turn::Batch(Some(0), vec![Act::Add(0), Act::Add(1)]);
    let turns: Vec<_> = [first].into_iter().chain((0..TURNS).map(|_| draw.turn())).collect();
    let folder = fresh(&format!("history {number}"));
    let (log, place) = (Log::new(), place(&folder, &world.log));
    let mut in_folder = InFolder(Folder::found(Disk::new(), place.clone(), authority()).unwrap(), place);
    let sql = folder.join("sql");
    let mut in_sql = InSql(Log::new(), Sql::new(&sql, &log), sql);
    let (came, made) = run(world, &mut in_folder, number, &turns);
    let (came_of_sql, made_in_sql) = run(world, &mut in_sql, number, &turns);
    assert_eq!(came, came_of_sql, "history {number}: {turns:?}");
    let places: Vec<_> = made.kept.iter().map(|(place, _)| place.clone()).collect();
    let (one, other) = (in_folder.left(&places), in_sql.left(&places));
    assert_eq!(one.head, other.head, "history {number}");
    assert_eq!(one.ring, other.ring, "history {number}");
    assert_eq!(one.rows, other.rows, "history {number}");
    assert_eq!(one.ledgers, other.ledgers, "history {number}");
    assert_eq!(one.entries, other.entries, "history {number}");
    assert_eq!(one.records, other.records, "history {number}");
    assert_eq!(one.checkpoint, other.checkpoint, "history {number}");
    assert_eq!(made.kept, made_in_sql.kept, "history {number}");
    for left in [&one, &other] {
        assert_eq!(left.secrets.1, places.len(), "history {number}: no secret of what was refused");
        for ((place, secret), stored) in made.kept.iter().zip(&left.secrets.0) {
            let stored = stored.clone().unwrap_or_else(|| panic!("history {number}: no {place}"));
            let read: Vaulted = Vaulted::read(place.clone(), stored).unwrap();
            assert_eq!(read.open(&world.at_rest).unwrap().as_slice(), secret, "history {number}: {place}");
        }
    }
    let done = came.iter().filter(|came| came.is_ok()).count();
    Counted {
        done,
        refused: came.len() - done,
        kept: made.kept.len(),
        seals: made.seals,
        splits: made.splits,
        erased: made.erased,
        checkpoints: usize::from(one.checkpoint.is_some()),
        stale: came.iter().filter(|came| **came == Err(Misuse::StaleHead.into())).count(),
    }
}

#[test]
fn both_drivers_give_the_same_of_every_act() {
    let histories = std::env::var("DUALSEAL_HISTORIES").map_or(HISTORIES, |number| number.parse().unwrap());
    let (world, next, counted) = (World::new(), AtomicU64::new(0), Mutex::new(Counted::default()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= histories {
                        return;
                    }
                    *counted.lock().unwrap() += history(&world, number);
                }
            });
        }
    });
    let counted = counted.into_inner().unwrap();
    println!("{histories} histories: {counted:?}");
    let Counted { done, refused, kept, seals, splits, erased, checkpoints, stale } = counted;
    let most =
        [done > 200, refused > 100, kept > 40, seals > 10, splits > 10, erased > 10, checkpoints > 10, stale > 20];
    assert!(most.iter().all(|enough| *enough), "{most:?}");
}
