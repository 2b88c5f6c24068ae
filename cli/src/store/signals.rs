//! The signals that end the program: what is unfinished goes away first.

use dualseal_operator::disk::abandon;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::fs;
use std::sync::{Mutex, MutexGuard, Once, PoisonError, TryLockError, mpsc};
use std::thread;
use std::time::Duration;

static WATCHED: Once = Once::new();
/// Held for as long as what was begun must be ended: whoever has an entry in a log gets the file to it.
static WHOLE: Mutex<()> = Mutex::new(());
/// How often it is asked whether that is over.
const ASKED: Duration = Duration::from_millis(5);

/// From here on, what ends the program waits until nothing unfinished is left.
pub(super) fn watch() {
    WATCHED.call_once(|| {
        let (ready, watching) = mpsc::channel();
        let watch = move || {
            let ignored = ignored();
            let asked = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
            let signals = Signals::new(asked);
            let _ = ready.send(());
            if let Ok(mut signals) = signals
                && let Some(signal) = signals.forever().next()
            {
                end(signal, &mut signals);
            }
        };
        // Without the thread signals end the program as ever.
        if thread::Builder::new().spawn(watch).is_ok() {
            let _ = watching.recv();
        }
    });
}

/// Until the value is dropped, a signal ends the program only after that. A second one ends it at once.
pub(super) fn whole() -> MutexGuard<'static, ()> {
    watch();
    WHOLE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn end(signal: i32, signals: &mut Signals) {
    let _over = loop {
        match WHOLE.try_lock() {
            Ok(over) => break Some(over),
            Err(TryLockError::Poisoned(over)) => break Some(over.into_inner()),
            Err(TryLockError::WouldBlock) if signals.pending().next().is_some() => break None,
            Err(TryLockError::WouldBlock) => thread::sleep(ASKED),
        }
    };
    // Kept to the end: nothing gets its name any more.
    let _abandoned = abandon();
    // Whoever waits for the program sees the signal.
    let _ = emulate_default_handler(signal);
    std::process::exit(128 + signal);
}

/// The signals that whoever started the program had it ignore, as `nohup` does: they stay ignored.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}
