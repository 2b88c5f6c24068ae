//! Module `switch` of the copy of core: which change is on. No part of core itself.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::format;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::string::{String, ToString as _};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The change's number in the environment.
const VARIABLE: &str = "DUALSEAL_MUTANT";
/// A file that is told of what each test comes past, if no change is on.
const TRACE: &str = "DUALSEAL_MUTANT_TRACE";

const NONE: u32 = u32::MAX - 2;
const TRACED: u32 = u32::MAX - 1;
const UNREAD: u32 = u32::MAX;
static ON: AtomicU32 = AtomicU32::new(UNREAD);

std::thread_local! {
    static PASSED: RefCell<BTreeSet<u32>> = const { RefCell::new(BTreeSet::new()) };
}

/// Whether the change with this number is on.
#[inline]
pub fn on(number: u32) -> bool {
    let now = ON.load(Ordering::Relaxed);
    now == number || (now >= TRACED && unusual(number, now))
}

#[cold]
fn unusual(number: u32, now: u32) -> bool {
    if now == UNREAD {
        let asked = std::env::var(VARIABLE).ok().and_then(|number| number.parse().ok());
        let traced = std::env::var_os(TRACE).map_or(NONE, |_| TRACED);
        ON.store(asked.unwrap_or(traced), Ordering::Relaxed);
        return on(number);
    }
    let is_new = PASSED.try_with(|passed| passed.try_borrow_mut().is_ok_and(|mut passed| passed.insert(number)));
    if is_new.unwrap_or(true) {
        // The harness names a test's thread by the test. Nobody knows for which one another thread works.
        let name = if is_new.is_ok() { std::thread::current().name().map(String::from) } else { None };
        tell(&format!("{} {number}\n", name.unwrap_or_else(|| "?".to_string())));
    }
    false
}

fn tell(line: &str) {
    static FILE: OnceLock<File> = OnceLock::new();
    let open = || {
        let name = std::env::var_os(TRACE).unwrap_or_default();
        OpenOptions::new().create(true).append(true).open(name).expect("a file for the trace")
    };
    // One write each: it is not torn.
    FILE.get_or_init(open).write_all(line.as_bytes()).expect("a file for the trace");
}
