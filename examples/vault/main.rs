//! Keeps files in a vault of nine layers, then shows which layer catches which fraud.
//!
//! `cargo run --release --example vault -- FILE... [--ledger FOLDER]`

mod archive;
mod keys;
mod layout;
mod story;
mod tamper;
mod view;

use archive::Archive;
use dualseal_examples::Fallible;
use dualseal_operator::disk::Disk;
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "usage: vault FILE... [--ledger FOLDER]

Seals the FILEs (of any size) into a ledger, splits the secret of each among three nodes, checks the whole ledger,
tampers with each layer in turn and shows which layer catches it, takes the documents out again, rebuilds a secret from
two shards with proofs of presence, and erases the first document. The same folder can be given again: the ledger goes
on, and programs that run at once take turns.

  --ledger FOLDER   the ledger (default: vault-ledger). It holds the operator's secrets: keep it to yourself

exit status: 0 all as expected, 1 a surprise, 2 a file that cannot be read or written, or wrong arguments";

fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args_os().skip(1)) {
        Ok(Some(arguments)) => arguments,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(problem) => {
            eprintln!("vault: {problem}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&arguments) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(surprises) => {
            eprintln!("vault: {surprises} of the results were not as expected; do not rely on this build");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("vault: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Fallible<usize> {
    // Before anything is made, so that a mistyped name leaves nothing behind.
    for file in &arguments.files {
        dualseal_examples::files::open(file)?;
    }
    let archive = Archive::open(&arguments.ledger, Disk::new())?;
    story::tell(&archive, &arguments.files)
}

struct Arguments {
    files: Vec<PathBuf>,
    ledger: PathBuf,
}

impl Arguments {
    /// `None` when help was asked for.
    fn parse(mut words: impl Iterator<Item = std::ffi::OsString>) -> Result<Option<Self>, String> {
        let (mut files, mut ledger) = (Vec::new(), None);
        while let Some(word) = words.next() {
            match word.to_str() {
                Some("-h" | "--help") => return Ok(None),
                Some("--ledger") if ledger.is_some() => return Err("--ledger was given twice".to_owned()),
                Some("--ledger") => ledger = Some(words.next().ok_or("--ledger needs a folder")?.into()),
                Some(option) if option.starts_with("--") => return Err(format!("unknown option {option}")),
                _ => files.push(word.into()),
            }
        }
        if files.is_empty() {
            return Err("give the files to seal".to_owned());
        }
        Ok(Some(Self { files, ledger: ledger.unwrap_or_else(|| PathBuf::from("vault-ledger")) }))
    }
}
