//! A database on a disk that fails beneath it, by the library that is loaded before the C library beneath the services
//! too (`tests/faults/beneath.c`): at each operation in turn, all of an act is there or nothing, what was acknowledged
//! is there, the error says what failed, and the next one goes on.

use crate::folder::copy_all;
use crate::log::{Fresh, Log, Person, at, fresh, key};
use crate::sql::{Failed, Sql};
use crate::sql_faults::{begun, seen, sign, step};
use dualseal::SystemRng;
use rusqlite::ErrorCode;
use std::os::unix::fs::FileExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

const TEST: &str = "sql_disk::at_each_operation_of_a_disk_that_fails_all_of_an_act_is_there_or_nothing";
const WORKER: &str = "DUALSEAL_FAULTY_WORKER";
/// Whether each act has each fault.
const ALL: &str = "DUALSEAL_SQL_FAULTS";
const EIO: u64 = 5;
const ENOSPC: u64 = 28;

/// What becomes of an operation, as `beneath.c` counts it.
struct Fault {
    name: &'static str,
    kind: u64,
    error: u64,
    /// Of an operation that reads; of one that writes otherwise.
    reads: bool,
}

const fn fault(name: &'static str, kind: u64, error: u64) -> Fault {
    Fault { name, kind, error, reads: false }
}

const FAULTS: [Fault; 8] = [
    fault("fails", 1, EIO),
    fault("is full from there on", 4, ENOSPC),
    fault("fails after it was done", 2, EIO),
    fault("fails after a half", 3, ENOSPC),
    fault("fails from there on", 5, EIO),
    fault("is killed before", 6, 0),
    fault("is killed after", 7, 0),
    Fault { name: "does not read", kind: 1, error: EIO, reads: true },
];
/// As many of them in each run of the tests, of one act.
const QUICK: usize = 2;

/// Entries, records, rows of the caller's, and whether there is a checkpoint.
type Seen = (u64, u64, u64, bool);

/// The acts, each with what is there after it.
const ACTS: [(&str, Seen); 4] =
    [("sign", (3, 2, 3, false)), ("rotate", (3, 1, 3, false)), ("state", (2, 1, 2, true)), ("open", OLD)];
const OLD: Seen = (2, 1, 2, false);

/// `struct control` of `beneath.c`, in a file.
struct Control(PathBuf);

impl Control {
    /// Nothing fails, and nothing was counted.
    fn made(path: PathBuf) -> Self {
        fs::write(&path, [0; 48]).unwrap();
        Self(path)
    }

    fn put(&self, place: u64, number: u64) {
        let file = fs::File::options().write(true).open(&self.0).unwrap();
        file.write_all_at(&number.to_ne_bytes(), 8 * place).unwrap();
    }

    /// The operation of this number from now on, and what becomes of it.
    fn arm(&self, at: u64, fault: &Fault) {
        for (place, number) in [(0, 0), (1, at), (3, fault.error), (5, u64::from(fault.reads)), (2, fault.kind)] {
            self.put(place, number);
        }
    }

    fn failed(&self) -> u64 {
        u64::from_ne_bytes(fs::read(&self.0).unwrap()[32..40].try_into().unwrap())
    }
}

/// Runs this test again as the worker, which does one act: whether it said that it was done, or was killed.
fn worked(library: &Path, folder: &Path, control: &Control, act: &str, at: u64, fault: &Fault) -> Option<bool> {
    let number = FAULTS.iter().position(|other| other.name == fault.name).unwrap();
    let ended = Command::new(env::current_exe().unwrap())
        .args([TEST, "--exact", "--nocapture", "--test-threads=1"])
        .env(WORKER, format!("{act} {number} {at}"))
        // By a name without a blank, which parts what is loaded.
        .current_dir(library.parent().unwrap())
        .env("LD_PRELOAD", Path::new(".").join(library.file_name().unwrap()))
        .env("FAULTS_CONTROL", &control.0)
        .env("FAULTS_BENEATH", folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ended.stdout);
    match (ended.status.signal(), said.contains("told: done"), said.contains("told: failed")) {
        (Some(9), false, false) if control.failed() > 0 => None,
        (None, done, failed) if done != failed && ended.status.success() => Some(done),
        _ => panic!("{act} {} at {at}: {ended:?}", fault.name),
    }
}

/// Where the test runs as the worker of itself, it does nothing else.
fn work_if_asked() -> bool {
    let Ok(worker) = env::var(WORKER) else { return false };
    let [act, number, place] = worker.split(' ').collect::<Vec<_>>().try_into().unwrap();
    let variable = |name| PathBuf::from(env::var_os(name).unwrap());
    let (folder, control) = (variable("FAULTS_BENEATH"), Control(variable("FAULTS_CONTROL")));
    let fault = &FAULTS[number.parse::<usize>().unwrap()];
    let arm = || control.arm(place.parse().unwrap(), fault);
    let log = Log::new();
    let (ana, rotated) = persons(&log);
    let done = if act == "open" {
        arm();
        Sql::open(&folder, &log).map(drop)
    } else {
        let mut sql = Sql::new(&folder, &log);
        arm();
        match act {
            "sign" => sign(&mut sql, &log, &ana),
            "rotate" => {
                step(&mut sql, &log, &rotated, |step| step.rotate(&ana.id, rotated.key().public_key()).map(drop))
            }
            _ => sql.checkpoint(&log, |state, mark| {
                let signer = state.checkpoint_signer(&ana.id, ana.key()).unwrap();
                signer.sign(mark, at(9), &mut SystemRng).unwrap()
            }),
        }
    };
    control.put(2, 0);
    match done {
        Ok(()) => println!("\ntold: done"),
        Err(failed) if is_of_the_disk(&failed) => println!("\ntold: failed, {failed:?}"),
        Err(failed) => panic!("{failed:?}"),
    }
    true
}

/// Whether an error says that it was the disk.
fn is_of_the_disk(failed: &Failed) -> bool {
    match failed {
        Failed::Sql(error) => matches!(
            error.sqlite_error_code(),
            Some(ErrorCode::SystemIoFailure | ErrorCode::DiskFull | ErrorCode::CannotOpen)
        ),
        Failed::Mark(error) => error.raw_os_error().is_some(),
        Failed::Refused(_) | Failed::Step(_) => false,
    }
}

fn persons(log: &Log) -> (Person, Person) {
    let ana = log.person("ana");
    let rotated = Person { id: ana.id, keys: vec![key("ana", 1)] };
    (ana, rotated)
}

/// `beneath.c`, compiled.
fn library(path: &Fresh) -> PathBuf {
    let (library, source) = (path.join("beneath.so"), "../tests/faults/beneath.c");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let cc = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut compiler = Command::new(cc);
    compiler.args(["-std=c11", "-O2", "-fPIC", "-shared", "-o"]).arg(&library).arg(source).arg("-ldl");
    assert!(compiler.status().unwrap().success());
    library
}

/// What is there afterwards, as another process finds it; and it goes on.
fn found(folder: &Path, log: &Log, context: &str) -> Seen {
    let (ana, rotated) = persons(log);
    let mut sql = Sql::open(folder, log).unwrap_or_else(|failed| panic!("{context}: {failed:?}"));
    let found = seen(&mut sql, log);
    let current = sql.opened(log).unwrap().state.ring().info(&ana.id).unwrap().public_key;
    let signer = if current == *rotated.key().public_key() { &rotated } else { &ana };
    sign(&mut sql, log, signer).unwrap_or_else(|failed| panic!("{context}: it does not go on: {failed:?}"));
    assert_eq!(seen(&mut sql, log).0, found.0 + 1, "{context}");
    found
}

#[test]
fn at_each_operation_of_a_disk_that_fails_all_of_an_act_is_there_or_nothing() {
    if work_if_asked() {
        return;
    }
    let (log, _, path) = begun("disk");
    let (library, folder) = (library(&path), fresh("sql beneath"));
    let is_all = env::var_os(ALL).is_some();
    let acts = if is_all { &ACTS[..] } else { &ACTS[..1] };
    let faults = if is_all { &FAULTS[..] } else { &FAULTS[..QUICK] };
    let control = path.join("control");
    for (act, new) in acts {
        for fault in faults {
            let (mut operations, mut unheard) = (0, 0);
            for at in 1.. {
                let context = format!("{act} {} at {at}", fault.name);
                fs::remove_dir_all(&*folder).unwrap();
                copy_all(&path.join("sound"), &folder);
                let control = Control::made(control.clone());
                let told = worked(&library, &folder, &control, act, at, fault);
                let failed = control.failed();
                let found = found(&folder, &log, &context);
                assert!(found == OLD || found == *new, "{context}: {found:?}");
                assert!(told != Some(true) || found == *new, "{context}: done, and not there");
                if failed == 0 {
                    assert_eq!(told, Some(true), "{context}");
                    break;
                }
                operations += 1;
                unheard += u64::from(told != Some(true) && found == *new && *new != OLD);
            }
            println!("{act} {}: {operations} operations, {unheard} of them after it was done", fault.name);
            let least = if fault.name.contains("full") || fault.reads { 1 } else { 4 };
            assert!(operations >= least, "{act} {}: {operations}", fault.name);
        }
    }
}
