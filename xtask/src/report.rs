//! Suites, one after another: a heading and the seconds of each, a closing table, and the count as the last line.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::ahead;
use crate::context::Context;
use crate::suite::Suite;

/// What became of a suite.
pub(crate) struct Done {
    pub(crate) name: &'static str,
    pub(crate) elapsed: Duration,
    pub(crate) result: Result<(), String>,
}

/// Runs the suites named, or all of them, in the list's order, and goes on after a failure. `Ok(true)`: all passed.
pub(crate) fn run(context: &Context, suites: &[Suite], names: &[String]) -> Result<bool, String> {
    Ok(close(&each(context, suites, names)?))
}

/// The same without the end of what is printed.
pub(crate) fn each(context: &Context, suites: &[Suite], names: &[String]) -> Result<Vec<Done>, String> {
    if let Some(unknown) = names.iter().find(|name| suites.iter().all(|suite| suite.name != **name)) {
        let known: Vec<_> = suites.iter().map(|suite| suite.name).collect();
        return Err(format!("no suite {unknown:?}; there are: {}", known.join(" ")));
    }
    let chosen: Vec<_> =
        suites.iter().filter(|suite| names.is_empty() || names.iter().any(|name| name == suite.name)).collect();
    Ok(ahead::beside(context, &chosen, |begun| {
        let one = |(place, suite): (usize, &&Suite)| {
            begun.store(place + 1, Ordering::Relaxed);
            let (elapsed, result) = timed(context, suite);
            Done { name: suite.name, elapsed, result }
        };
        chosen.iter().enumerate().map(one).collect::<Vec<_>>()
    }))
}

fn timed(context: &Context, suite: &Suite) -> (Duration, Result<(), String>) {
    println!("\n=== {}: {} ===", suite.name, suite.about);
    let start = Instant::now();
    let result = (suite.run)(context);
    let elapsed = start.elapsed();
    match &result {
        Ok(()) => println!("=== {} passed in {:.1} s ===", suite.name, elapsed.as_secs_f64()),
        Err(why) => println!("{why}\n=== {} FAILED after {:.1} s ===", suite.name, elapsed.as_secs_f64()),
    }
    (elapsed, result)
}

/// The closing table; whether all passed.
pub(crate) fn close(results: &[Done]) -> bool {
    println!("\n{:<13} {:>8}  result", "suite", "seconds");
    for Done { name, elapsed, result } in results {
        let text = match result {
            Ok(()) => "passed",
            Err(why) => &format!("FAILED: {}", why.lines().next().unwrap_or_default()),
        };
        println!("{name:<13} {:>8.1}  {text}", elapsed.as_secs_f64());
    }
    let total: Duration = results.iter().map(|done| done.elapsed).sum();
    let failed = results.iter().filter(|done| done.result.is_err()).count();
    println!("{:<13} {:>8.1}\n", "total", total.as_secs_f64());
    println!("{} passed, {failed} failed", results.len() - failed);
    failed == 0
}
