//! One program of tests, run with a change or without, and heard line by line: it is stopped at the first failure.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::compile::Tests;

/// What a program may have of memory, in KiB: a change may have it ask for more and more.
const MEMORY: u32 = 6 << 20;
/// What the switch in the copy reads.
const SWITCH: &str = "DUALSEAL_MUTANT";
pub(crate) const TRACE: &str = "DUALSEAL_MUTANT_TRACE";
/// Every run draws the same cases as the one that was traced, and writes none down. A failing one is not made smaller.
const DRAWN: &[(&str, &str)] = &[
    ("PROPTEST_RNG_SEED", "1"),
    ("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1"),
    ("PROPTEST_MAX_SHRINK_ITERS", "0"),
    ("INSTA_UPDATE", "no"),
];

/// Tests that are not run: long ones of hashes, trees and ML-DSA, of which nothing is changed, and those that read
/// core's sources, which are others here.
const FOREIGN: &[&str] = &[
    "accumulated",
    "acvp_",
    "circles::",
    "constant_time::every_mac",
    "differential::",
    "hash_oracles::",
    "merkle",
    "module_order::",
    "rfc9881::",
    "wycheproof_",
];

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Passed,
    Failed,
    /// Not in the time.
    Late,
}

/// What one run is of.
pub(crate) struct Run<'a> {
    pub(crate) tests: &'a Tests,
    /// Whole names, or none for all.
    pub(crate) names: &'a [&'a str],
    pub(crate) change: Option<u32>,
    pub(crate) limit: Duration,
}

impl Run<'_> {
    fn command(&self) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")]).arg(&self.tests.program);
        if self.names.is_empty() {
            command.args(FOREIGN.iter().flat_map(|name| ["--skip", name]));
        } else {
            command.arg("--exact").args(self.names);
        }
        command
            .current_dir(&self.tests.folder)
            .env("CARGO_MANIFEST_DIR", &self.tests.folder)
            .envs(DRAWN.iter().copied());
        if let Some(root) = self.tests.folder.parent() {
            command.env("INSTA_WORKSPACE_ROOT", root);
        }
        match self.change {
            Some(number) => command.env(SWITCH, number.to_string()),
            None => command.env_remove(SWITCH),
        };
        command.env_remove(TRACE).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }

    /// Runs one test after the other; `heard` is told each name that passed and how long it took. A program that does
    /// not run as many as it was asked for is an error: it would notice nothing.
    pub(crate) fn run(&self, mut heard: impl FnMut(&str, Duration)) -> Result<End, String> {
        let fault = |error| format!("{}: {error}", self.tests.name);
        let mut child = self.command().arg("--test-threads=1").spawn().map_err(fault)?;
        let output = child.stdout.take().ok_or("no output")?;
        let (tell, told) = mpsc::channel();
        let reader = thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                if tell.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    return;
                }
            }
        });
        let end = self.hear(&told, &mut heard);
        if end != Ok(None) {
            stop(&mut child);
        }
        let status = child.wait().map_err(fault)?;
        drop(told);
        // A grandchild that was left may keep the pipe: nobody waits for it.
        drop(reader);
        Ok(end?.unwrap_or(if status.success() { End::Passed } else { End::Failed }))
    }

    /// The end that was heard, if not the program's own.
    fn hear(
        &self,
        told: &mpsc::Receiver<String>,
        heard: &mut impl FnMut(&str, Duration),
    ) -> Result<Option<End>, String> {
        let begin = Instant::now();
        let mut last = begin;
        loop {
            let left = self.limit.saturating_sub(begin.elapsed());
            let line = match told.recv_timeout(left) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return Ok(Some(End::Late)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            };
            if let Some(count) =
                line.strip_prefix("running ").and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok())
            {
                let asked = self.names.len();
                if asked != 0 && asked != count {
                    return Err(format!("{}: {count} of {asked} tests ran", self.tests.name));
                }
            }
            if line.starts_with("test ") && line.ends_with("FAILED") {
                return Ok(Some(End::Failed));
            }
            if let Some((name, _)) = line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... ")) {
                if line.ends_with(" ok") {
                    heard(name.trim_end_matches(" - should panic"), last.elapsed());
                }
                last = Instant::now();
            }
        }
    }

    /// Runs all with names of their own for their threads, and a file that is told what each comes past.
    pub(crate) fn trace(&self, file: &std::path::Path) -> Result<(), String> {
        let mut command = self.command();
        let status = command.arg("--test-threads=2").env(TRACE, file).stdout(Stdio::null()).status();
        let status = status.map_err(|error| format!("{}: {error}", self.tests.name))?;
        if status.success() { Ok(()) } else { Err(format!("{} fails although no change is on", self.tests.name)) }
    }
}

fn stop(child: &mut Child) {
    // One that ended by itself cannot be stopped.
    let _ = child.kill();
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::time::Duration;

    use super::{End, Run, Tests};

    /// What stands in for a program of tests.
    const PROGRAM: &str = "#!/bin/sh
case \"$DUALSEAL_MUTANT\" in
'') printf 'running 2 tests\\ntest a::b ... ok\\ntest c - should panic ... ok\\n' ;;
1) printf 'running 2 tests\\ntest a::b ... FAILED\\n'; exec sleep 60 ;;
2) printf 'running 2 tests\\ntest a::b ... '; exit 101 ;;
3) printf 'running 2 tests\\n'; exec sleep 60 ;;
4) printf 'running 1 test\\ntest c ... ok\\n' ;;
esac
";

    #[test]
    fn a_run_ends_with_the_first_failure() {
        let folder = std::env::temp_dir().join(format!("dualseal-mutants-{}-run", std::process::id()));
        fs::create_dir(&folder).expect("a folder that nobody else made");
        let program = folder.join("program");
        fs::write(&program, PROGRAM).expect("a file");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).expect("a program");
        let tests = Tests { name: "program".to_owned(), is_core: true, program, folder: folder.clone() };
        let mut heard = Vec::new();
        let mut run = |change, names: &[&str]| {
            let limit = Duration::from_secs(if change == Some(3) { 1 } else { 30 });
            Run { tests: &tests, names, change, limit }.run(|name, _| heard.push(name.to_owned()))
        };
        assert_eq!(run(None, &[]), Ok(End::Passed));
        assert_eq!(run(None, &["a::b", "c"]), Ok(End::Passed));
        assert_eq!(run(Some(1), &["a::b", "c"]), Ok(End::Failed));
        assert_eq!(run(Some(2), &[]), Ok(End::Failed));
        assert_eq!(run(Some(3), &[]), Ok(End::Late));
        // It ran less than it was asked for.
        assert!(run(Some(4), &["a::b", "c"]).is_err());
        assert_eq!(heard[..3], ["a::b", "c", "a::b"]);
        fs::remove_dir_all(&folder).expect("the folder");
    }
}
