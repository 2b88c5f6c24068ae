//! Programs from Debian packages: installed when they are missing, by root or through `sudo -n`.

use std::env;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::process;

/// Makes sure that every program is on the PATH (or, for an absolute path, is there). `wanted` pairs each with the
/// Debian packages that bring it.
pub(crate) fn require(wanted: &[(&str, &[&str])]) -> Result<(), String> {
    let missing: Vec<_> = wanted.iter().filter(|(program, _)| !available(program)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let programs: Vec<_> = missing.iter().map(|(program, _)| *program).collect();
    let packages: Vec<_> = missing.iter().flat_map(|(_, packages)| packages.iter().copied()).collect();
    install(&packages).map_err(|error| format!("missing: {}; {error}", programs.join(", ")))?;
    match missing.iter().find(|(program, _)| !available(program)) {
        Some((program, packages)) => Err(format!("missing: {program}, even after installing {}", packages.join(", "))),
        None => Ok(()),
    }
}

/// Installs packages with the package manager of Debian.
pub(crate) fn install(packages: &[&str]) -> Result<(), String> {
    if !available("apt-get") {
        return Err(format!("install {} (there is no apt-get to do it with)", packages.join(" ")));
    }
    let root = process::read(Command::new("id").arg("-u"))? == "0";
    let sudo: &[&str] = if root { &[] } else { &["sudo", "-n"] };
    // What apt says of its locks is read, so it says it in English.
    let apt = Apt {
        words: [sudo, &["env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C", "apt-get"]].concat(),
        pause: Duration::from_secs(5),
        tries: 120,
    };
    let mut out = std::io::stdout();
    apt.run(&["update", "-qq"], &mut out)?;
    // A package that would have others go is for a person to install.
    apt.run(&[&["install", "-y", "-qq", "--no-install-recommends", "--no-remove"], packages].concat(), &mut out)
}

/// apt-get, which somebody else may be using: one process at a time holds each of its locks. Its own option for
/// waiting, `DPkg::Lock::Timeout`, does not cover the lists that `update` writes, so the waiting is done here.
struct Apt<'a> {
    words: Vec<&'a str>,
    /// Between two tries.
    pause: Duration,
    tries: u32,
}

impl Apt<'_> {
    fn run(&self, arguments: &[&str], out: &mut dyn Write) -> Result<(), String> {
        let Some((program, before)) = self.words.split_first() else {
            return Err("no apt-get".to_owned());
        };
        let mut say = |text: String| writeln!(out, "{text}").map_err(|error| error.to_string());
        let line = [self.words.as_slice(), arguments].concat().join(" ");
        say(format!("$ {line}"))?;
        for left in (0..self.tries).rev() {
            let mut command = Command::new(program);
            command.args(before).args(arguments).stdin(Stdio::null()).stdout(Stdio::inherit());
            let output = command.output().map_err(|error| format!("{line}: {error}"))?;
            if output.status.success() {
                return Ok(());
            }
            let said = String::from_utf8_lossy(&output.stderr);
            let Some(lock) = lock_of_another(&said) else {
                return Err(format!("{line}: {}\n{}", output.status, said.trim()));
            };
            if left > 0 {
                let seconds = (self.pause * left).as_secs();
                say(format!("apt is busy, waiting for it (at most {seconds} s more): {lock}"))?;
                thread::sleep(self.pause);
            }
        }
        Err(format!("{line}: apt was busy for {} s", (self.pause * self.tries).as_secs()))
    }
}

/// The line in which apt says that another process holds one of its locks.
fn lock_of_another(said: &str) -> Option<&str> {
    said.lines().find(|line| line.contains("Could not get lock") && !line.contains("Permission denied"))
}

fn available(program: &str) -> bool {
    if program.starts_with('/') {
        return Path::new(program).exists();
    }
    env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|directory| directory.join(program).is_file()))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::{Path, PathBuf};
    use std::time::Duration;

    use super::{Apt, lock_of_another};

    const HELD: &str = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 4711 (apt-get)";

    /// An apt-get that says `what` on its error stream and ends with 100 as often as `times`, and then works.
    fn failing(name: &str, what: &str, times: u32) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("dualseal-xtask-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let (program, count) = (folder.join("apt-get"), folder.join("count"));
        let script = format!(
            "#!/bin/sh\necho \"$@\" >>'{count}'\n\
             [ $(wc -l <'{count}') -gt {times} ] || {{ echo '{what}' >&2; exit 100; }}\n",
            count = count.display()
        );
        fs::write(&program, script).expect("a script");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).expect("a program");
        program
    }

    /// What one run returned and said, and how often the program was started.
    fn run(program: &Path, tries: u32) -> (Result<(), String>, String, usize) {
        let apt = Apt { words: vec!["sh", program.to_str().expect("UTF-8")], pause: Duration::from_millis(1), tries };
        let mut said = Vec::new();
        let result = apt.run(&["install", "valgrind"], &mut said);
        let folder = program.parent().expect("a folder");
        let count = fs::read_to_string(folder.join("count")).expect("it was started");
        fs::remove_dir_all(folder).expect("the folder is removed");
        assert!(count.lines().all(|line| line == "install valgrind"), "{count}");
        (result, String::from_utf8(said).expect("UTF-8"), count.lines().count())
    }

    #[test]
    fn a_busy_apt_is_waited_for_with_a_word() {
        let (result, said, started) = run(&failing("busy", HELD, 2), 10);
        assert_eq!((result, started), (Ok(()), 3));
        assert_eq!(said.matches("apt is busy, waiting for it").count(), 2, "{said}");
        assert!(said.contains("held by process 4711"), "{said}");
    }

    #[test]
    fn waiting_has_an_end() {
        let (result, _, started) = run(&failing("ever", HELD, 100), 4);
        assert_eq!(started, 4);
        assert!(result.expect_err("it stays busy").contains("apt was busy"));
    }

    #[test]
    fn another_failure_is_not_waited_for() {
        let (result, said, started) = run(&failing("absent", "E: Unable to locate package valgrind", 100), 4);
        assert_eq!(started, 1);
        assert!(result.expect_err("it fails").contains("Unable to locate package"));
        assert!(!said.contains("busy"), "{said}");
    }

    #[test]
    fn a_lock_that_may_not_be_opened_is_not_a_busy_apt() {
        assert_eq!(lock_of_another(HELD), Some(HELD));
        assert_eq!(lock_of_another("E: Could not open lock file /x - open (13: Permission denied)"), None);
    }
}
