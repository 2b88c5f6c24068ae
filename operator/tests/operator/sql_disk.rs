//! A database on a disk that fails beneath it, by the library that is loaded before the C library beneath the services
//! too (`tests/faults/beneath.c`): at each operation in turn, all of an act is there or nothing, what was acknowledged
//! is there, the error says what failed, and the next one goes on. So it is where the power is lost at that operation,
//! and what was not forced to the disk with it: the contents of files, or their names too.

use crate::folder::copy_all;
use crate::log::{Fresh, Log, Person, at, fresh, key};
use crate::sql::{Failed, Sql};
use crate::sql_faults::{begun, seen, sign, step};
use dualseal::SystemRng;
use rusqlite::ErrorCode;
use std::os::unix::fs::{DirEntryExt, FileExt};
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
    /// Whether the machine is off then, and not the process alone.
    power: bool,
    /// How many operations each act has that can fail so, of [`ACTS`].
    operations: [u64; 4],
}

const fn fault(name: &'static str, kind: u64, error: u64, operations: [u64; 4]) -> Fault {
    Fault { name, kind, error, reads: false, power: false, operations }
}

/// A tenth less than there were.
const WRITES: [u64; 4] = [50, 53, 36, 20];

const FAULTS: [Fault; 10] = [
    fault("fails", 1, EIO, WRITES),
    Fault { power: true, ..fault("loses its power before", 6, 0, WRITES) },
    Fault { power: true, ..fault("loses its power after", 7, 0, WRITES) },
    fault("is full from there on", 4, ENOSPC, [40, 40, 28, 15]),
    fault("fails after it was done", 2, EIO, WRITES),
    fault("fails after a half", 3, ENOSPC, WRITES),
    fault("fails from there on", 5, EIO, WRITES),
    fault("is killed before", 6, 0, WRITES),
    fault("is killed after", 7, 0, WRITES),
    Fault { reads: true, ..fault("does not read", 1, EIO, [40, 40, 20, 10]) },
];
/// As many of them in each run of the tests, of one act.
const QUICK: usize = 3;

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

/// What a loss of power leaves of a folder in which files lie side by side, as `beneath.c` keeps it.
struct Forced {
    to: PathBuf,
    /// What is replaced is not freed meanwhile: nothing new has its inode.
    _held: Vec<fs::File>,
}

impl Forced {
    /// All that is there is on the disk.
    fn made(to: PathBuf, folder: &Path) -> Self {
        let _ = fs::remove_dir_all(&to);
        fs::create_dir(&to).unwrap();
        let (mut names, mut held) = (Vec::new(), Vec::new());
        for (name, inode) in named(folder) {
            fs::copy(folder.join(&name), to.join(&inode)).unwrap();
            held.push(fs::File::open(folder.join(&name)).unwrap());
            names.push(format!("{inode} {name}\n"));
        }
        fs::write(to.join("names"), names.concat()).unwrap();
        Self { to, _held: held }
    }

    /// What was forced of each file, under these names.
    fn left(&self, names: &[(String, String)], folder: &Path) {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir(folder).unwrap();
        for (name, inode) in names {
            fs::write(folder.join(name), fs::read(self.to.join(inode)).unwrap_or_default()).unwrap();
        }
    }

    fn names(&self) -> Vec<(String, String)> {
        let names = fs::read_to_string(self.to.join("names")).unwrap();
        let parts = names.lines().map(|line| line.split_once(' ').unwrap());
        parts.map(|(inode, name)| (name.to_owned(), inode.to_owned())).collect()
    }
}

/// The names of a folder's files and the numbers of their inodes.
fn named(folder: &Path) -> Vec<(String, String)> {
    let files = fs::read_dir(folder).unwrap().map(Result::unwrap);
    files.map(|file| (file.file_name().into_string().unwrap(), file.ino().to_string())).collect()
}

/// Runs this test again as the worker, which does one act: whether it said that it was done, or was killed.
fn worked(places: &Places<'_>, act: &str, at: u64, fault: &Fault) -> Option<bool> {
    let Places { library, folder, control, forced } = places;
    let number = FAULTS.iter().position(|other| other.name == fault.name).unwrap();
    let ended = Command::new(env::current_exe().unwrap())
        .args([TEST, "--exact", "--nocapture", "--test-threads=1"])
        .env(WORKER, format!("{act} {number} {at}"))
        // By a name without a blank, which parts what is loaded.
        .current_dir(library.parent().unwrap())
        .env("LD_PRELOAD", Path::new(".").join(library.file_name().unwrap()))
        .env("FAULTS_CONTROL", &control.0)
        .env("FAULTS_BENEATH", folder)
        .env("FAULTS_FORCED", &forced.to)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ended.stdout);
    match (ended.status.signal(), said.contains("told: done"), said.contains("told: failed")) {
        (Some(9), false, false) if control.failed() > 0 => None,
        // While it closed what it had done.
        (Some(9), true, false) if fault.power && control.failed() > 0 => Some(true),
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
    let mut open = None;
    let done = if act == "open" {
        arm();
        Sql::open(&folder, &log).map(|sql| open = Some(sql))
    } else {
        let sql = open.insert(Sql::new(&folder, &log));
        arm();
        match act {
            "sign" => sign(sql, &log, &ana),
            "rotate" => step(sql, &log, &rotated, |step| step.rotate(&ana.id, rotated.key().public_key()).map(drop)),
            _ => sql.checkpoint(&log, |state, mark| {
                let signer = state.checkpoint_signer(&ana.id, ana.key()).unwrap();
                signer.sign(mark, at(9), &mut SystemRng).unwrap()
            }),
        }
    };
    if fault.power && done.is_ok() {
        println!("\ntold: done");
    }
    drop(open);
    control.put(2, 0);
    match done {
        Ok(()) if fault.power => {}
        Ok(()) => println!("\ntold: done"),
        Err(failed) if is_of_the_disk(&failed, fault) => println!("\ntold: failed, {failed:?}"),
        Err(failed) => panic!("{failed:?}"),
    }
    true
}

/// Whether an error says that it was the disk. What does not read SQLite may take for what is damaged.
fn is_of_the_disk(failed: &Failed, fault: &Fault) -> bool {
    match failed {
        Failed::Sql(error) => match error.sqlite_error_code() {
            // What it cannot open for writing it opens for reading.
            Some(ErrorCode::SystemIoFailure | ErrorCode::DiskFull | ErrorCode::CannotOpen | ErrorCode::ReadOnly) => {
                true
            }
            Some(ErrorCode::DatabaseCorrupt) => fault.reads,
            _ => false,
        },
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

/// Where the worker works.
struct Places<'a> {
    library: &'a Path,
    folder: &'a Path,
    control: Control,
    forced: Forced,
}

impl Places<'_> {
    /// The folders in which what is there is found, each with its name.
    fn afterwards(&self, fault: &Fault, lost: &Path) -> Vec<(&'static str, PathBuf)> {
        if !fault.power {
            return vec![("", self.folder.to_owned())];
        }
        let (contents, everything) = (lost.join("contents"), lost.join("everything"));
        self.forced.left(&named(self.folder), &contents);
        self.forced.left(&self.forced.names(), &everything);
        vec![("contents lost", contents), ("everything lost", everything)]
    }
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
    let lost = path.join("lost");
    fs::create_dir(&lost).unwrap();
    for (place, (act, new)) in acts.iter().enumerate() {
        for fault in faults {
            let (mut operations, mut unheard) = (0, 0);
            for at in 1.. {
                fs::remove_dir_all(&*folder).unwrap();
                copy_all(&path.join("sound"), &folder);
                let places = Places {
                    library: &library,
                    folder: &folder,
                    control: Control::made(path.join("control")),
                    forced: Forced::made(path.join("forced"), &folder),
                };
                let told = worked(&places, act, at, fault);
                let failed = places.control.failed();
                for (what, folder) in places.afterwards(fault, &lost) {
                    let context = format!("{act} {} at {at} {what}", fault.name);
                    if told == Some(true) {
                        let mark = |folder: &Path| fs::read(folder.join("mark.json")).unwrap();
                        assert_eq!(mark(&folder), mark(places.folder), "{context}: the mark");
                    }
                    let found = found(&folder, &log, &context);
                    assert!(found == OLD || found == *new, "{context}: {found:?}");
                    assert!(told != Some(true) || found == *new, "{context}: done, and not there");
                    unheard += u64::from(told != Some(true) && found == *new && *new != OLD);
                }
                if failed == 0 {
                    assert_eq!(told, Some(true), "{act} {} at {at}", fault.name);
                    break;
                }
                operations += 1;
            }
            println!("{act} {}: {operations} operations, {unheard} times it was done and not heard of", fault.name);
            assert!(operations >= fault.operations[place], "{act} {}: {operations}", fault.name);
        }
    }
}
