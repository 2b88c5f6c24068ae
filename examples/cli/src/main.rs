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

#[cfg(test)]
mod docs;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    // A defect has a status of its own: the one that Rust gives to a panic is the library's number for bad hexadecimal.
    std::panic::catch_unwind(run).unwrap_or(ExitCode::from(failure::DEFECT))
}

fn run() -> ExitCode {
    match cli::Cli::try_parse() {
        Ok(cli) => ExitCode::from(cli.run()),
        Err(usage) => {
            // Help that was asked for is an answer; nobody may be left to read it.
            let _ = usage.print();
            ExitCode::from(if usage.use_stderr() { failure::USAGE } else { 0 })
        }
    }
}
