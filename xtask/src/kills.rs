//! An operator's process that is killed in the middle of its work, more often than its own tests do it: in parts, each
//! with moments of its own.

use crate::context::Context;
use crate::parts;
use crate::process::run;

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
    for (driver, parts) in DRIVERS {
        let (name, compiled) = (format!("kills-{driver}"), ["operator", "xtask/src/kills.rs"]);
        parts::each(context, &name, &compiled, parts, |number| part(context, driver, Some(number)))?;
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
