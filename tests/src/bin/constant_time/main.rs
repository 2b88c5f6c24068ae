//! Does the library's operations on secrets, each once for valgrind's memcheck to watch or many times by the clock.
//!
//! ```text
//! constant_time list            the operations' names
//! constant_time taint NAME      once, under valgrind, with every secret byte marked as undefined
//! constant_time time NAME N     N times on secrets of two classes; N, and of all of them and of the faster 95, 80 and
//!                               50 in a hundred the difference of the classes' mean times with its variance
//! ```
//!
//! Memcheck tells of each branch and each address that depends on an undefined byte. `NAME-leaky` is the same
//! operation, done once more where a bit of the secret is set: what is told of it shows that a leak would be. The bit
//! is read from where the operation has its secret, so that nothing is told where nothing there was marked.

mod clock;
mod memory;
mod operations;

use dualseal_tests::sharing::Repeatable;
use operations::{FIXED, OPERATIONS, Operation};
use std::hint::black_box;
use std::process::ExitCode;

const LEAKY: &str = "-leaky";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["list"] => {
            for operation in OPERATIONS {
                println!("{} {}", operation.name, if operation.signs { "signs" } else { "-" });
            }
            Ok(())
        }
        ["taint", name] => find(name).and_then(|(operation, leaky)| taint(operation, leaky)),
        ["time", name, count] => find(name).and_then(|(operation, leaky)| {
            let count = count.parse().map_err(|_| format!("{count}: not a number"))?;
            print!("{count}");
            for (difference, variance) in clock::compare(count, prepare(operation, leaky), operation.labelled) {
                print!(" {difference:e} {variance:e}");
            }
            println!();
            Ok(())
        }),
        _ => Err("constant_time list | taint NAME | time NAME N".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("constant_time: {message}");
            ExitCode::from(2)
        }
    }
}

fn find(name: &str) -> Result<(&'static Operation, bool), String> {
    let (plain, leaky) = name.strip_suffix(LEAKY).map_or((name, false), |plain| (plain, true));
    let found = OPERATIONS.iter().find(|operation| operation.name == plain);
    found.map(|operation| (operation, leaky)).ok_or_else(|| format!("no operation {plain}"))
}

/// A generator of cases: of the fixed secret, or of one that the number draws.
fn prepare(operation: &'static Operation, leaky: bool) -> impl FnMut(Option<u64>) -> clock::Timed {
    // An operation whose classes are a bit of the secret leaks that bit; any other, the one that the fixed secret has.
    let wanted = if operation.labelled { 1 } else { (operation.prepare)(&mut Repeatable(FIXED)).bit() };
    move |seed| {
        let mut case = (operation.prepare)(&mut Repeatable(seed.unwrap_or(FIXED)));
        let bit = case.bit();
        let run = Box::new(move || {
            case.run();
            if leaky {
                once_more(bit, wanted, &mut || case.run());
            }
        });
        clock::Timed { run, bit }
    }
}

fn taint(operation: &'static Operation, leaky: bool) -> Result<(), String> {
    if !memory::is_watched() {
        return Err("there is no valgrind around it".to_owned());
    }
    let mut case = (operation.prepare)(&mut Repeatable(FIXED));
    case.poison();
    case.run();
    if leaky {
        once_more(case.bit(), 1, &mut || ());
    }
    Ok(())
}

/// The leak of every leaky twin: by a branch, and by a division for whoever reads machine code.
#[inline(never)]
fn once_more(bit: u8, wanted: u8, again: &mut dyn FnMut()) {
    if divided(black_box(bit).into(), black_box(1)) == u64::from(wanted) {
        again();
    }
}

#[inline(never)]
fn divided(secret: u64, by: u64) -> u64 {
    secret / by
}
