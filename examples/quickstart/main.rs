//! Signs and verifies a file, then shows what each kind of fraud looks like.
//!
//! `cargo run --release --example quickstart -- FILE [--out FOLDER]`

mod evidence;
mod output;
mod report;
mod story;

use dualseal_examples::Fallible;
use report::Report;
use std::path::PathBuf;
use std::process::ExitCode;
use story::Operator;

const USAGE: &str = "usage: quickstart FILE [--out FOLDER]

Makes an identity and a key pair, signs and seals FILE (of any size), appends both to a chain, signs a checkpoint of it
and verifies everything. Then changes one thing at a time and shows how each change is told apart.

  --out FOLDER   also writes the records as JSON: FOLDER/public for anybody, FOLDER/operator for the operator alone

exit status: 0 all as expected, 1 a surprise, 2 a file that cannot be read or written, or wrong arguments";

fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args_os().skip(1)) {
        Ok(Some(arguments)) => arguments,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(problem) => {
            eprintln!("quickstart: {problem}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&arguments) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(surprises) => {
            eprintln!("quickstart: {surprises} of the results were not as expected; do not rely on this build");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("quickstart: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Fallible<usize> {
    let mut report = Report::default();
    let mut operator = Operator::new()?;
    let made = story::tell(&arguments.file, &mut operator, &mut report)?;
    let checkpoint = evidence::tell(&arguments.file, &mut operator, &made, &mut report)?;
    if let Some(folder) = &arguments.out {
        output::write(folder, &operator, &made, &checkpoint, &report.cases)?;
        println!("\nRecords are in {}:", folder.display());
        println!("  public/    for anybody: the record, the seal, the key, the chain, its checkpoint, the results");
        println!("  operator/  for the operator alone: the ring with its decoys, and the secrets");
    }
    Ok(report.told.surprises())
}

struct Arguments {
    file: PathBuf,
    out: Option<PathBuf>,
}

impl Arguments {
    /// `None` when help was asked for.
    fn parse(mut words: impl Iterator<Item = std::ffi::OsString>) -> Result<Option<Self>, String> {
        let (mut file, mut out) = (None, None);
        while let Some(word) = words.next() {
            match word.to_str() {
                Some("-h" | "--help") => return Ok(None),
                Some("--out") if out.is_some() => return Err("--out was given twice".to_owned()),
                Some("--out") => out = Some(words.next().ok_or("--out needs a folder")?.into()),
                Some(option) if option.starts_with("--") => return Err(format!("unknown option {option}")),
                _ if file.is_some() => return Err("give one file".to_owned()),
                _ => file = Some(word.into()),
            }
        }
        Ok(Some(Self { file: file.ok_or("give the file to sign")?, out }))
    }
}
