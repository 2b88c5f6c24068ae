//! A folder for one test, and the program run in it.

use dualseal::checkpoint::Checkpoint;
use dualseal::key::{CheckedRing, RingFile};
use dualseal::krunica::Appended;
use dualseal::store::StoredState;
use dualseal::{Domain, Entry, Head, IdentityId, RingKey};
use dualseal_operator::opening::{Stored, open_without_mark};
use dualseal_operator::secrets::SecretFile;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program.
pub(crate) const DUALSEAL: &str = env!("CARGO_BIN_EXE_dualseal");

/// The time that tests write down.
pub(crate) const TIME: &str = "2026-11-21T09:00:00.000Z";

/// A folder that is removed with the value.
#[derive(Debug)]
pub(crate) struct Place(PathBuf);

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    pub(crate) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("dualseal-cli-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        Self(folder)
    }

    /// A folder with a home in which `ana` has a key, and a document.
    pub(crate) fn with_ana(name: &str) -> Self {
        let place = Self::new(name);
        place.write("contract.pdf", "one contract");
        place.good(&["key", "new", "ana", "--origin", "acme.example/log"]);
        place
    }

    /// As [`with_ana`](Self::with_ana), with a record, a seal, the public key, a checkpoint and the chain.
    pub(crate) fn with_records(name: &str) -> Self {
        let place = Self::with_ana(name);
        place.good(&["sign", "contract.pdf"]);
        place.good(&["seal", "contract.pdf"]);
        place.good(&["key", "export", "-o", "ana.pem"]);
        place.good(&["key", "export", "--ring", "-o", "ring.json"]);
        place.good(&["checkpoint", "sign", "-o", "checkpoint.json"]);
        fs::copy(place.path("home/chain.jsonl"), place.path("chain.jsonl")).unwrap();
        place
    }

    /// Messages of ana that the library appends, in any domain: the command line takes one at a time, of its own.
    pub(crate) fn append(&self, domain: &Domain, messages: impl IntoIterator<Item = String>) {
        let (ana, time) = (self.identity("ana"), TIME.parse().unwrap());
        self.append_each(messages, |head, message| head.append(domain, &ana, &message, time).unwrap());
    }

    /// Entries that the library makes: of messages, or of anything else.
    pub(crate) fn append_each<T>(&self, each: impl IntoIterator<Item = T>, make: impl Fn(&Head, T) -> Appended) {
        let mut log = Kept::open(self);
        each.into_iter().for_each(|next| log.push(make(log.head(), next)));
        log.write(self);
    }

    /// A second copy of a home folder that goes on, with a mark of its own: whoever has everything takes both.
    pub(crate) fn copy_home(&self, from: &str, to: &str) {
        let line = format!("rm -rf {to} {to}.mark && cp -R {from} {to} && cp {from}.mark {to}.mark");
        assert_eq!(self.shell(&line).status, 0, "{line}");
    }

    /// Their row of the ring.
    pub(crate) fn row(&self, name: &str) -> String {
        format!("home/ring/{}.json", self.identity(name))
    }

    /// What is in these files.
    pub(crate) fn kept<const N: usize>(&self, names: [&'static str; N]) -> [(&'static str, Vec<u8>); N] {
        names.map(|name| (name, fs::read(self.path(name)).unwrap()))
    }

    /// Puts it back.
    pub(crate) fn put_back(&self, kept: &[(&'static str, Vec<u8>)]) {
        for (name, content) in kept {
            self.write(name, content);
        }
    }

    /// Whoever has this name in the home folder.
    pub(crate) fn identity(&self, name: &str) -> IdentityId {
        self.json(&["key", "show", name])["info"]["identity_id"].as_str().unwrap().parse().unwrap()
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The program, with the home folder `home` here and nothing on standard input.
    pub(crate) fn command(&self, args: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(DUALSEAL);
        self.surround(&mut command).args(args);
        command
    }

    /// A line of shell, with the program in its path.
    pub(crate) fn shell(&self, line: &str) -> Ran {
        Ran::from(self.shell_command(line).output().unwrap())
    }

    /// As [`shell`](Self::shell), for somebody who has set nothing: their default home folder would be made here.
    pub(crate) fn shell_without_home(&self, line: &str) -> Ran {
        Ran::from(self.shell_command(line).env_remove("DUALSEAL_HOME").env("HOME", &self.0).output().unwrap())
    }

    pub(crate) fn run(&self, args: &[impl AsRef<OsStr>]) -> Ran {
        Ran::from(self.command(args).output().unwrap())
    }

    /// Runs with something on standard input.
    pub(crate) fn fed(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut command = self.command(args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The program may end before it has read all.
        let _ = child.stdin.take().unwrap().write_all(input);
        Ran::from(child.wait_with_output().unwrap())
    }

    /// Runs what must be done.
    pub(crate) fn good(&self, args: &[&str]) -> Ran {
        let ran = self.run(args);
        assert_eq!(ran.status, 0, "{args:?}: {ran:?}");
        ran
    }

    /// Runs what must be refused with this status, in these words, saying what to do next.
    pub(crate) fn refused(&self, args: &[&str], status: i32, words: &str) -> Ran {
        let ran = self.run(args);
        assert_eq!(ran.status, status, "{args:?}: {ran:?}");
        let told = format!("{}{}", ran.out, ran.err);
        assert!(told.contains(words), "{args:?}: {told}");
        assert!(ran.out.lines().count() > 1 || ran.err.contains(" next: "), "{args:?}: {told}");
        ran
    }

    /// The JSON answer.
    pub(crate) fn json(&self, args: &[&str]) -> serde_json::Value {
        let mut args = args.to_vec();
        args.push("--json");
        let ran = self.run(&args);
        let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{args:?}: {ran:?}"));
        assert_eq!(answer["status"], ran.status, "{args:?}");
        answer
    }

    fn shell_command(&self, line: &str) -> Command {
        let mut command = Command::new("sh");
        self.surround(&mut command).args(["-c", line]);
        let mut path = Path::new(DUALSEAL).parent().unwrap().as_os_str().to_owned();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        command.env("PATH", path);
        command
    }

    fn surround<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        let command = command.current_dir(&self.0).stdin(Stdio::null());
        command.env("DUALSEAL_HOME", self.path("home")).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            // A signal has no status; the shells say 128 and its number.
            status: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// What a change of the chain writes, but for the ring's rows and what is outside of the folder.
pub(crate) const CHAIN: [&str; 4] = ["home/chain.jsonl", "home/chain.index", "home/chain.tree", "home/state.jsonl"];

/// A row of a ring in which somebody edited every key that was called back to one that never was.
pub(crate) fn revived(row: &str) -> String {
    let mut file: serde_json::Value = serde_json::from_str(row).unwrap();
    let called_back = file.as_array_mut().unwrap().iter_mut().filter(|key| key["bela_stanje"] == "laz");
    for key in called_back {
        key["bela_stanje"] = "istina".into();
        key["opozvan_od"] = serde_json::Value::Null;
        for change in key["povijest"].as_array_mut().unwrap().iter_mut().filter(|change| change[1] == "laz") {
            change[1] = "istina".into();
        }
    }
    assert_ne!(file.to_string(), row);
    file.to_string()
}

/// The log of a home folder, as whoever has its ring key writes it by hand: entries that no command makes.
pub(crate) struct Kept {
    ring: CheckedRing,
    stored: StoredState,
    chain: String,
    index: Vec<u8>,
    tree: Vec<u8>,
}

impl Kept {
    pub(crate) fn open(place: &Place) -> Self {
        let about: serde_json::Value = serde_json::from_str(&place.read("home/home.json")).unwrap();
        let domain = about["domain"].as_str().map_or_else(Domain::default, |name| Domain::new(name).unwrap());
        let origin = about["origin"].as_str().unwrap();
        let secret = SecretFile::parse(place.read("home/ring.key").as_bytes()).unwrap().seed(None).unwrap();
        let authority = RingKey::new(&domain, secret);
        let (chain, state) = (place.read("home/chain.jsonl"), place.read("home/state.jsonl"));
        let (state, seal) = state.trim_end().split_once('\n').unwrap();
        let rows = fs::read_dir(place.path("home/ring")).into_iter().flatten();
        let mut rows: Vec<String> = rows.map(|row| fs::read_to_string(row.unwrap().path()).unwrap()).collect();
        rows.extend(place.read("home/decoys.jsonl").lines().map(str::to_owned));
        let ring = RingFile::from_rows(seal.as_bytes(), rows).unwrap();
        let seq = chain.lines().count() as u64;
        let end = chain.lines().last().map(|line| Entry::from_json_line(line.as_bytes(), seq - 1).unwrap());
        let checkpoint = fs::read(place.path("home/checkpoint.json")).ok();
        let checkpoint = checkpoint.map(|json| Checkpoint::from_json(json.trim_ascii_end()).unwrap());
        let stored = Stored { state: state.as_bytes(), ring, end, checkpoint, mark: None };
        let state = open_without_mark(&domain, origin, &authority, stored).unwrap();
        let [index, tree] = ["index", "tree"].map(|name| fs::read(place.path(format!("home/chain.{name}"))).unwrap());
        Self { ring: state.ring().clone(), stored: state.stored().clone(), chain, index, tree }
    }

    pub(crate) fn head(&self) -> &Head {
        self.stored.head()
    }

    pub(crate) fn push(&mut self, Appended { entry, head }: Appended) {
        self.index.extend_from_slice(&(self.chain.len() as u64).to_be_bytes());
        self.index.extend_from_slice(&u64::MAX.to_be_bytes());
        self.chain.push_str(&entry.to_json_line());
        let mut frontier = self.head().frontier().clone();
        frontier.push_noting(entry.leaf_hash(), |_, _, hash| self.tree.extend_from_slice(hash.as_bytes()));
        self.ring.follow(&entry, |_| false).unwrap();
        self.stored = self.stored.clone().at(head);
    }

    pub(crate) fn write(self, place: &Place) {
        let seal = self.ring.seal_rows(self.head()).unwrap();
        place.write("home/state.jsonl", format!("{}\n{seal}\n", self.stored.to_json(&self.ring).unwrap()));
        place.write("home/chain.jsonl", self.chain);
        place.write("home/chain.index", self.index);
        place.write("home/chain.tree", self.tree);
    }
}
