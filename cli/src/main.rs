//! The `dualseal` command line: what the library does, for people and for scripts. It reads arguments, files and the
//! clock, and prints; everything that is computed, the library computes.
//!
//! | module | what it is |
//! |---|---|
//! | [`failure`] | what a command ends with when it cannot go on, and the exit statuses |
//! | [`english`] | the wire's words in English |
//! | [`output`] | what is printed: for people, or as JSON |
//! | [`input`] | what is read: small files whole, documents in parts |
//! | [`store`] | writing that nothing interrupts by half |
//! | [`options`] | the options that every command takes |
//! | [`target`] | where a command writes what it made |
//! | [`domain_file`] | a domain in words |
//! | [`chain_file`] | chains by their paths, alone or held against a checkpoint |
//! | [`log_folder`] | a log as a folder of tiles |
//! | [`secrets`] | secret files, and the passphrase that opens them |
//! | [`trust`] | whose keys a verifier trusts: a public key file, or a ring |
//! | [`home`] | the home folder of an operator |
//! | [`published`] | what a home folder has signed of its log |
//! | [`evidence`] | a log's chain and checkpoint, as options name them |
//! | [`shares`] | shares of a secret as text, pictures and files |
//! | [`context`] | what a command is run in |
//! | [`commands`] | the commands, one module for each group |
//! | [`cli`] | the tree of commands |
//! | [`words`] | the words that the program was called with |
//! | [`usage`] | wrong arguments |
//!
//! A module uses only modules above it in this table; of a group of commands each file is one command, with its
//! arguments, its help and what it does.

mod chain_file;
mod cli;
mod commands;
mod context;
mod domain_file;
mod english;
mod evidence;
mod failure;
mod home;
mod input;
mod log_folder;
mod options;
mod output;
mod published;
mod secrets;
mod shares;
mod store;
mod target;
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
