//! The `dualseal` command line: what the library does, for people and for scripts. It reads arguments, files and the
//! clock, and prints; everything that is computed, the library computes.

mod cli;
mod commands;
mod context;
mod domain_file;
mod failure;
mod home;
mod input;
mod output;
mod secrets;
mod shares;
mod store;
mod trust;
mod usage;
mod words;

#[cfg(test)]
mod docs;

use std::process::ExitCode;

fn main() -> ExitCode {
    // A defect has a status of its own: the one that Rust gives to a panic is the library's number for bad hexadecimal.
    std::panic::catch_unwind(run).unwrap_or(ExitCode::from(failure::DEFECT))
}

fn run() -> ExitCode {
    let words = words::words();
    match words::parse(&words) {
        Ok((cli, data)) => ExitCode::from(cli.run(data)),
        Err(wrong) => ExitCode::from(usage::tell(&wrong, &words)),
    }
}
