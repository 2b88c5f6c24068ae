//! A log that the project's command line keeps, with three signers and two witnesses.

use dualseal::note::{Note, NoteKey, Witnesses};
use proof_pdf::text::Vidio;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) const ORIGIN: &str = "acme.example/log";
const SIGNERS: [&str; 3] = ["ana", "drivers", "service"];

/// A folder that goes with its owner. Without a crate: its features would have the typesetter compiled once more.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("proof-pdf-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        fs::create_dir(&folder).expect("a folder");
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What the command line concludes.
pub(crate) struct Answer {
    pub(crate) status: Option<i32>,
    pub(crate) said: String,
}

/// The log, and who signs in it.
pub(crate) struct Log {
    folder: Folder,
    fingerprint: String,
    /// Identity and fingerprint of each signer.
    signers: Vec<[String; 2]>,
    count: AtomicU32,
}

impl Log {
    pub(crate) fn new() -> Self {
        let folder = Folder::new();
        let mut log = Self { folder, fingerprint: String::new(), signers: Vec::new(), count: AtomicU32::new(0) };
        for name in SIGNERS {
            let founding = log.signers.is_empty().then_some(["--domain", "ACME", "--origin", ORIGIN]);
            let arguments: Vec<_> =
                ["key", "new", name, "--json"].into_iter().chain(founding.into_iter().flatten()).collect();
            let made = json(&log.done(&arguments));
            log.signers
                .push(["identity_id", "key_hash"].map(|member| made[member].as_str().expect("a hash").to_owned()));
        }
        let checkpoint = json(&log.checkpoint().0);
        checkpoint["log"].as_str().expect("a fingerprint").clone_into(&mut log.fingerprint);
        log
    }

    pub(crate) fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    pub(crate) fn identity(&self, name: &str) -> String {
        let place = SIGNERS.iter().position(|signer| *signer == name).expect("a signer");
        self.signers[place][0].clone()
    }

    /// An empty folder of this log's.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        let folder = self.folder.0.join(format!("{name}-{}", self.count.fetch_add(1, Ordering::Relaxed)));
        fs::create_dir(&folder).expect("a folder");
        folder
    }

    /// A file in a folder of its own.
    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let file = self.folder("of").join(name);
        fs::write(&file, bytes).expect("written");
        file
    }

    pub(crate) fn sign(&self, file: &Path, name: &str) {
        self.done(&["sign".as_ref(), file.as_os_str(), "--as".as_ref(), name.as_ref()]);
    }

    /// The evidence of a file's record, beside it.
    pub(crate) fn evidence(&self, file: &Path) -> PathBuf {
        self.checkpoint();
        let beside = |end: &str| PathBuf::from(format!("{}{end}", file.display()));
        let evidence = beside(".sig.evidence.json");
        if !evidence.exists() {
            self.done(&["evidence".as_ref(), "make".as_ref(), beside(".sig.json").as_os_str()]);
        }
        evidence
    }

    /// A checkpoint, its note that two witnesses saw, and they.
    pub(crate) fn witnessed(&self) -> (PathBuf, String, Vec<Vidio>) {
        let (_, checkpoint) = self.checkpoint();
        let folder = self.folder("witnesses");
        let tiles = folder.join("tiles").display().to_string();
        let exported = json(&self.done(&["chain", "export", "--tiles", &tiles, "--json"]));
        let key = exported["note_key"].as_str().expect("a key").to_owned();
        let (mut whole, mut witnesses) = (String::new(), Vec::new());
        for name in ["ivo.example", "zora.example"] {
            let [own, note] = ["key", "note"].map(|what| folder.join(format!("{name}.{what}")).display().to_string());
            let new = json(&self.done(&["witness", "new", &own, "--name", name, "--json"]));
            let own_key = NoteKey::from_text(new["key"].as_str().expect("a key")).expect("a key");
            self.done(&["witness", "follow", &tiles, "--in", &own, "--log", &key, "-o", &note]);
            let note = fs::read_to_string(note).expect("a note");
            let line = note.lines().last().expect("its line");
            if whole.is_empty() {
                whole.clone_from(&note);
            } else {
                whole.extend([line, "\n"]);
            }
            let judged = Witnesses::new(std::slice::from_ref(&own_key), 1).expect("a witness");
            let seen = judged.judge(&Note::from_text(&note).expect("a note")).expect("it was seen");
            let vrijeme = seen.seen_by(own_key.key()).expect("a time").to_string();
            witnesses.push(Vidio { ime: name.to_owned(), kljuc: own_key.key().to_string(), vrijeme });
        }
        (checkpoint, whole, witnesses)
    }

    /// What somebody concludes who knows the log's fingerprint and its signers, and has no home folder.
    pub(crate) fn audit(&self, folder: &Path) -> Answer {
        self.judged(&["audit".as_ref(), folder.as_os_str()], &SIGNERS)
    }

    /// The same of one document and its evidence, by a signer.
    pub(crate) fn verify(&self, document: &Path, evidence: &Path, signer: &str) -> Answer {
        let asked = ["verify".as_ref(), document.as_os_str(), "--evidence".as_ref(), evidence.as_os_str()];
        self.judged(&asked, &[signer])
    }

    fn judged(&self, arguments: &[&OsStr], signers: &[&str]) -> Answer {
        let mut command = program();
        command.args(arguments).args(["--log", &self.fingerprint]).env("DUALSEAL_HOME", self.folder.0.join("none"));
        for (name, [_, key]) in SIGNERS.iter().zip(&self.signers) {
            if signers.contains(name) {
                command.args(["--key", key]);
            }
        }
        let output = command.output().expect("the command line runs");
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        Answer { status: output.status.code(), said }
    }

    /// Signs a checkpoint over all that stands there; what is said of it, and its file.
    fn checkpoint(&self) -> (String, PathBuf) {
        let file = self.folder("checkpoint").join("checkpoint.json");
        let said = self.done(&["checkpoint", "sign", "--as", SIGNERS[0], "-o", &file.display().to_string(), "--json"]);
        (said, file)
    }

    fn done<A: AsRef<OsStr>>(&self, arguments: &[A]) -> String {
        let output = program().args(arguments).env("DUALSEAL_HOME", self.folder.0.join("home")).output();
        let output = output.expect("the command line runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let shown: Vec<_> = arguments.iter().map(|one| one.as_ref().to_string_lossy()).collect();
        assert!(output.status.success(), "{}: {said}", shown.join(" "));
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}

fn program() -> Command {
    Command::new(std::env::var_os("DUALSEAL").expect("DUALSEAL is the program of the command line"))
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}
