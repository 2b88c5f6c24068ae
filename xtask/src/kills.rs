//! An operator's process that is killed in the middle of its work, more often than its own tests do it: in parts, each
//! with moments of its own, of which those that passed at a commit are not run again at it.

use std::path::Path;

use crate::context::{Context, make_directory, write};
use crate::process::{self, run};

/// Kills of one part.
const PART: u64 = 250;
/// Each driver with its parts: 5,000 kills of a folder's worker, 1,000 of a database's.
const DRIVERS: [(&str, u64); 2] = [("folder", 20), ("database", 4)];

/// `cargo xtask assure kills`: one part of each driver. With `DUALSEAL_KILLS_SEED` the moments are others.
pub(crate) fn some(context: &Context) -> Result<(), String> {
    DRIVERS.iter().try_for_each(|(driver, _)| part(context, driver, None))
}

/// `cargo xtask assure kills-long`: all parts of each.
pub(crate) fn all(context: &Context) -> Result<(), String> {
    let git = |arguments: &[&str]| process::read(context.command("git").args(arguments));
    // What is not committed is no state that was seen to pass.
    let state = if git(&["status", "--porcelain"])?.is_empty() { Some(git(&["rev-parse", "HEAD"])?) } else { None };
    for (driver, parts) in DRIVERS {
        let done = state.as_ref().map(|commit| context.target.join("kills").join(commit).join(driver));
        each(done.as_deref(), parts, |number| part(context, driver, Some(number)))?;
        println!("{driver}: {} kills", parts * PART);
    }
    Ok(())
}

fn part(context: &Context, driver: &str, seed: Option<u64>) -> Result<(), String> {
    let mut tests = context.cargo();
    tests.args(["test", "--package", "dualseal-operator", "--profile", "checked", "--test", "operator", "--"]);
    tests.args(["--nocapture", "--exact"]);
    tests.arg(format!("kills::a_worker_on_a_{driver}_is_killed_and_nothing_is_lost"));
    tests.env("DUALSEAL_KILLS", PART.to_string());
    if let Some(seed) = seed {
        tests.env("DUALSEAL_KILLS_SEED", seed.to_string());
    }
    run(&mut tests)
}

/// Does the parts from 1 on that have no mark in a folder, and marks each that was done.
fn each(done: Option<&Path>, parts: u64, mut part: impl FnMut(u64) -> Result<(), String>) -> Result<(), String> {
    for number in 1..=parts {
        let mark = done.map(|folder| folder.join(number.to_string()));
        if mark.as_ref().is_some_and(|mark| mark.exists()) {
            println!("part {number} of {parts}: passed before");
            continue;
        }
        part(number)?;
        if let (Some(folder), Some(mark)) = (done, mark) {
            make_directory(folder)?;
            write(&mark, "")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::each;

    #[test]
    fn what_was_done_is_not_done_again() {
        let folder = std::env::temp_dir().join(format!("dualseal-xtask-{}-parts", std::process::id()));
        let mut ran = Vec::new();
        let mut until = |last: u64| {
            each(Some(&folder), 4, |number| {
                ran.push(number);
                if number < last { Ok(()) } else { Err("stopped".to_owned()) }
            })
        };
        assert_eq!(until(3), Err("stopped".to_owned()));
        assert_eq!(until(9), Ok(()));
        assert_eq!(until(9), Ok(()));
        assert_eq!(ran, [1, 2, 3, 3, 4]);
        std::fs::remove_dir_all(&folder).expect("the marks");
        let mut unmarked = 0;
        for _ in 0..2 {
            each(None, 2, |_| {
                unmarked += 1;
                Ok(())
            })
            .expect("done");
        }
        assert_eq!(unmarked, 4);
    }
}
