//! Random histories of steps, over both drivers: the same heads, rings and records, and the state that a store is
//! opened with is the one that was left.

use crate::folder::place;
use crate::log::{Log, at, fresh, key};
use crate::sql::{Failed, Sql};
use dualseal::error::Misuse;
use dualseal::key::SetState;
use dualseal::mldsa::StatementKey;
use dualseal::{KeyState, SystemRng};
use dualseal_operator::disk::Disk;
use dualseal_operator::folder::Folder;
use dualseal_operator::step::{Batch, State, Step, StepError, ToSign};

/// How many histories there are; `cargo xtask assure histories` asks for more.
const HISTORIES: u64 = 40;
const STEPS: u32 = 12;

/// What one step does, for whom.
#[derive(Clone, Copy, Debug)]
enum Act {
    Add(u8),
    Rotate(u8, u8),
    State(u8, KeyState),
    Sign(u8, u8),
    Append(u8),
    /// All of it, and then something that is refused.
    Fail(u8, u8),
}

/// Numbers from a seed.
pub(crate) struct Draw(pub(crate) u64);

impl Draw {
    pub(crate) fn below(&mut self, end: u8) -> u8 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u8::try_from((z ^ (z >> 31)) % u64::from(end)).unwrap()
    }

    fn act(&mut self) -> Act {
        let (who, number) = (self.below(3), self.below(200));
        match self.below(9) {
            0 => Act::Add(who),
            1 => Act::Rotate(who, number),
            2 => Act::State(who, [KeyState::Valid, KeyState::Suspended, KeyState::Revoked][usize::from(self.below(3))]),
            3..=5 => Act::Sign(who, number),
            6 => Act::Fail(who, number),
            _ => Act::Append(who),
        }
    }
}

fn name(who: u8) -> &'static str {
    ["ana", "bo", "cy"][usize::from(who)]
}

/// Does it, and says what came of it.
fn act(log: &Log, step: &mut Step<'_>, what: Act) -> Result<(), StepError> {
    let id = |who| log.person(name(who)).id;
    match what {
        Act::Add(who) => step.add_key(&id(who), key(name(who), 0).public_key()).map(drop),
        Act::Rotate(who, number) => step.rotate(&id(who), key(name(who), number).public_key()).map(drop),
        Act::State(who, KeyState::Revoked) => step.set_state(&id(who), None, SetState::compromised_from(1)).map(drop),
        Act::State(who, state) => step.set_state(&id(who), None, state).map(drop),
        Act::Sign(who, number) => {
            let content = log.domain.content_hash(&id(who), &[number]);
            step.sign(&id(who), &content).map(drop)
        }
        Act::Append(who) => step.append(&id(who), "said").map(drop),
        Act::Fail(who, number) => {
            step.append(&id(who), "said")?;
            let _ = step.rotate(&id(who), key(name(who), number).public_key());
            Err(Misuse::ReservedMessage.into())
        }
    }
}

/// Every key that anybody may have.
struct Keys(Vec<dualseal::SigningKey>);

impl Keys {
    fn new() -> Self {
        Self((0..3).flat_map(|who| (0..200).map(move |number| key(name(who), number))).collect())
    }

    fn of(&self, one: &ToSign) -> Option<&dyn StatementKey> {
        let found = self.0.iter().find(|key| key.public_key() == one.public_key());
        found.map(|key| key as &dyn StatementKey)
    }
}

/// What one history leaves: where the chain ends, the ring, and each record without its signature.
type Left = (State, Vec<(String, String)>);

fn over_sql(log: &Log, keys: &Keys, sql: &mut Sql, acts: &[(u32, Vec<Act>)]) -> Vec<Result<(), StepError>> {
    let mut came = Vec::new();
    for (second, batch_of) in acts {
        let outcome = sql.transact(
            log,
            |opened| {
                let mut batch = Batch::new(opened.state);
                let each: Vec<_> =
                    batch_of.iter().map(|what| batch.step(at(*second), |step| act(log, step, *what))).collect();
                let (placed, to_sign) = batch.place();
                let signed = to_sign.into_iter().map(|one| {
                    let key = keys.of(&one).ok_or(StepError::Unsigned)?;
                    one.sign(key, &mut SystemRng)
                });
                let (_, changes) = placed.finish(signed.collect::<Result<Vec<_>, _>>()?)?;
                Ok::<_, Failed>((each, changes))
            },
            |_, _| Ok(()),
        );
        came.extend(outcome.unwrap());
    }
    came
}

fn over_folder(log: &Log, keys: &Keys, folder: &Folder, acts: &[(u32, Vec<Act>)]) -> Vec<Result<(), StepError>> {
    let mut came = Vec::new();
    for (second, batch_of) in acts {
        let held = folder.hold().unwrap();
        let mut batch = Batch::new(held.state().clone());
        came.extend(batch_of.iter().map(|what| batch.step(at(*second), |step| act(log, step, *what))));
        held.finish(batch, &|one| keys.of(one)).unwrap();
    }
    came
}

#[test]
fn both_drivers_give_the_same_heads_rings_and_records() {
    let histories = std::env::var("DUALSEAL_HISTORIES").map_or(HISTORIES, |number| number.parse().unwrap());
    let (log, keys) = (Log::new(), Keys::new());
    let (mut done, mut refused) = (0, 0);
    for history in 0..histories {
        let mut draw = Draw(history);
        let acts: Vec<(u32, Vec<Act>)> =
            (0..STEPS).map(|step| (step, (0..=draw.below(3)).map(|_| draw.act()).collect())).collect();
        let folder = fresh(&format!("history {history}"));
        let mut sql = Sql::new(&folder.join("sql"), &log);
        let place = place(&folder, &log);
        let one = Folder::found(Disk::new(), place.clone(), Log::new().authority).unwrap();
        let came = over_sql(&log, &keys, &mut sql, &acts);
        assert_eq!(came, over_folder(&log, &keys, &one, &acts), "history {history}");
        done += came.iter().filter(|came| came.is_ok()).count();
        refused += came.iter().filter(|came| came.is_err()).count();
        let (from_sql, from_folder) = (left_in_sql(&log, &mut sql), left_in_folder(&place));
        assert_eq!(from_sql.0.head(), from_folder.0.head(), "history {history}");
        assert_eq!(from_sql.0.ring(), from_folder.0.ring(), "history {history}");
        assert_eq!(from_sql.1, from_folder.1, "history {history}");
        // What the folder's own handle knows is what is there.
        assert_eq!(one.hold().unwrap().state().head(), from_folder.0.head());
    }
    assert!(done > 200 && refused > 50, "{done} {refused}");
}

fn left_in_sql(log: &Log, sql: &mut Sql) -> Left {
    let state = sql.opened(log).unwrap().state;
    let mut select = sql.db.prepare("SELECT handle, json FROM records").unwrap();
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?))).unwrap();
    let mut records: Vec<_> = rows.map(Result::unwrap).map(|(handle, json)| (handle, unsigned(&json))).collect();
    records.sort();
    (state, records)
}

fn left_in_folder(place: &dualseal_operator::folder::Place) -> Left {
    let folder = Folder::new(Disk::new(), place.clone(), Log::new().authority);
    let reading = folder.read().unwrap();
    let state = reading.state().clone();
    let mut records = Vec::new();
    for entry in reading.entries(0).unwrap().map(Result::unwrap) {
        if let Some(json) = reading.record(entry.seq()).unwrap() {
            records.push((entry.krunica_hash().to_hex(), unsigned(std::str::from_utf8(&json).unwrap())));
        }
    }
    records.sort();
    (state, records)
}

/// A signature is drawn anew each time.
fn unsigned(json: &str) -> String {
    let record = dualseal::SignatureRecord::from_json(json.as_bytes()).unwrap();
    json.trim_end().replace(&record.signature().to_hex(), "")
}

/// Twenty writers on one folder, each with a handle of its own.
#[test]
fn twenty_writers_make_one_chain() {
    let log = Log::new();
    let (ana, folder) = (log.person("ana"), fresh("twenty"));
    let first = Folder::found(Disk::new(), place(&folder, &log), Log::new().authority).unwrap();
    let keys = |_: &ToSign| Some(ana.key() as &dyn StatementKey);
    first.step(at(0), &keys, |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
    std::thread::scope(|scope| {
        for writer in 0..20_u8 {
            let (place, keys, ana, log) = (place(&folder, &log), &keys, &ana, &log);
            scope.spawn(move || {
                let folder = Folder::new(Disk::new(), place, Log::new().authority);
                for number in 0..5_u8 {
                    let content = log.domain.content_hash(&ana.id, &[writer, number]);
                    folder.step(at(1), keys, |step| step.sign(&ana.id, &content)).unwrap();
                }
            });
        }
    });
    let reading = first.read().unwrap();
    assert_eq!(reading.state().head().size(), 101);
    let mut checker = dualseal::krunica::Checker::new();
    for entry in reading.entries(0).unwrap() {
        checker.push(&entry.unwrap()).unwrap();
    }
    assert_eq!(checker.head(), reading.state().head());
}

/// Two handles on one database, which a process each would have.
#[test]
fn writers_of_one_database_make_one_chain() {
    let log = Log::new();
    let (ana, folder) = (log.person("ana"), fresh("two on sql"));
    Sql::new(&folder, &log);
    std::thread::scope(|scope| {
        for writer in 0..4_u8 {
            let (folder, ana) = (&folder, &ana);
            scope.spawn(move || {
                let log = Log::new();
                let mut sql = Sql::new(folder, &log);
                for number in 0..10_u32 {
                    let row = i64::from(writer) * 100 + i64::from(number);
                    let work = |opened: dualseal_operator::opening::Opened| {
                        let mut batch = Batch::new(opened.state);
                        let entry = batch.step(at(number), |step| step.append(&ana.id, &format!("{row}")))?;
                        Ok((entry, batch.place().0.finish([])?.1))
                    };
                    let mine = |db: &rusqlite::Transaction<'_>, entry: &dualseal::Entry| {
                        db.execute("INSERT INTO mine VALUES (?1, ?2)", rusqlite::params![row, entry.message()])?;
                        Ok(())
                    };
                    sql.transact(&log, work, mine).unwrap();
                }
            });
        }
    });
    let mut sql = Sql::new(&folder, &log);
    assert_eq!(sql.opened(&log).unwrap().state.head().size(), 40);
    // The caller's row and its entry are there together.
    let mut said: Vec<_> = sql.entries().iter().map(|entry| entry.message().to_owned()).collect();
    said.sort();
    let mut select = sql.db.prepare("SELECT handle FROM mine").unwrap();
    let mut mine: Vec<String> = select.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    mine.sort();
    assert_eq!(said, mine);
}
