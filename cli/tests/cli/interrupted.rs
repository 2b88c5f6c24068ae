//! A program that is told to end leaves nothing unfinished behind, and least of all what it decrypted.

use crate::run::{DUALSEAL, Place};
use crate::sharing::split_in;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SIGNALS: [(&str, i32); 3] = [("-HUP", 1), ("-INT", 2), ("-TERM", 15)];

fn names(folder: &Path) -> BTreeSet<OsString> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

/// With the signals as a shell in the foreground leaves them: whoever starts the tests in the background may have had
/// them ignored.
fn heeding(command: &Command) -> Command {
    let mut heeding = Command::new("env");
    heeding.arg("--default-signal=HUP,INT,TERM").arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => heeding.env(name, value),
            None => heeding.env_remove(name),
        };
    }
    heeding.current_dir(command.get_current_dir().unwrap()).stdin(Stdio::null());
    heeding
}

fn begun(mut command: Command, input: &[u8]) -> Child {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(input).unwrap();
    std::thread::sleep(Duration::from_millis(500));
    child
}

/// Ends by the signal itself, of which the shells make 128 and its number, and leaves the folder as it was.
fn leaves_nothing(place: &Place, args: &[&str], input: &[u8]) {
    let before = names(&place.path(""));
    for (name, number) in SIGNALS {
        let mut child = begun(heeding(&place.command(args)), input);
        // To wait would close it, and a program that has all of its input may be done before it hears the signal.
        let input = child.stdin.take();
        signal(&child, name);
        let ended = child.wait().unwrap();
        drop(input);
        assert_eq!(ended.signal(), Some(number), "{args:?} {name}: {ended:?}");
        assert_eq!(names(&place.path("")), before, "{args:?} {name}");
    }
}

fn large() -> Vec<u8> {
    b"the last will ".repeat(100_000)
}

#[test]
fn nothing_is_left_of_what_came_back() {
    let place = Place::new("interrupted-combine");
    place.write("will.pdf", large());
    split_in(&place, &[]);
    let shares = ["combine", "share-1.txt", "share-2.txt", "share-3.txt", "--dealing=dealing.json", "--wrapped=-"];
    let wrapped = fs::read(place.path("will.pdf.wrapped")).unwrap();
    let half = &wrapped[..wrapped.len() / 2];
    leaves_nothing(&place, &[&shares[..], &["-o", "back.pdf"]].concat(), half);
    // What is there stays when it was to be replaced.
    place.write("back.pdf", "another");
    leaves_nothing(&place, &[&shares[..], &["-o", "back.pdf", "--force"]].concat(), half);
    assert_eq!(place.read("back.pdf"), "another");
    // Not even a program that is killed leaves it, where files need no name.
    if cfg!(target_os = "linux") {
        let before = names(&place.path(""));
        let mut child = begun(place.command(&[&shares[..], &["-o", "killed.pdf"]].concat()), half);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(names(&place.path("")), before);
    }
    let ran = place.fed(&[&shares[..], &["-o", "back.pdf", "--force"]].concat(), &wrapped);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(fs::read(place.path("back.pdf")).unwrap() == large());
}

#[test]
fn nothing_is_left_of_shares() {
    let place = Place::new("interrupted-split");
    let args = ["split", "-", "--threshold=2", "--shares=3", "-o", "made"];
    leaves_nothing(&place, &args, &large());
    // While it works its folder has a name that nobody foresees.
    let mut child = begun(place.command(&args), b"the last");
    let unfinished = |name: OsString| name.into_string().ok().filter(|name| name.ends_with(".unfinished"));
    let start = Instant::now();
    let name = loop {
        if let Some(name) = names(&place.path("")).into_iter().find_map(unfinished) {
            break name;
        }
        assert!(start.elapsed() < Duration::from_mins(1));
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(name.len() > ".made.".len() + 16 + ".unfinished".len() - 1 && !name.contains(&child.id().to_string()));
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    assert!(place.path("made/dealing.json").exists());
}

#[test]
fn nothing_stays_staged() {
    let place = Place::with_vault("interrupted-vault");
    fs::File::create(place.path("large")).unwrap().set_len(1 << 30).unwrap();
    let chain = place.read("home/chain.jsonl");
    for (name, number) in SIGNALS {
        let mut command = heeding(&place.command(&["vault", "seal", "large"]));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while !place.path("home/staged/0").exists() && start.elapsed() < Duration::from_mins(1) {
            std::thread::sleep(Duration::from_millis(5));
        }
        signal(&child, name);
        assert_eq!(child.wait().unwrap().signal(), Some(number), "{name}");
        assert!(!place.path("home/staged").exists(), "{name}");
    }
    assert_eq!(place.read("home/chain.jsonl"), chain);
    place.good(&["vault", "verify"]);
}

/// As under `nohup`.
#[test]
fn an_ignored_signal_stays_ignored() {
    let place = Place::new("interrupted-ignored");
    let mut command = Command::new("sh");
    let line = format!("trap '' HUP; exec {DUALSEAL} split - --threshold=2 --shares=3 -o made --home none");
    command.args(["-c", &line]).current_dir(place.path(""));
    let mut child = begun(command, b"the last");
    signal(&child, "-HUP");
    std::thread::sleep(Duration::from_millis(100));
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    assert!(place.path("made/dealing.json").exists());
}
