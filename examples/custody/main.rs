//! Shares a file's secret, a signing key and a vault secret among several, and shows what happens when some of them are
//! lost or lie.
//!
//! `cargo run --release --example custody -- FILE`

mod quorum;
mod sharing;
mod vault;
mod wrapped;

use dualseal::Domain;
use dualseal::field::{Fp521, Gf2_256};
use dualseal_examples::report::Report;
use dualseal_examples::{Fallible, files};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wrapped::Wrapped;

const USAGE: &str = "usage: custody FILE

Encrypts FILE (of any size) under secrets that are shared 3 of 5, over both fields, and shows what comes of bad, old,
lost and too few shares: the file, or an error, never a wrong file. Founds quorums that sign FILE, and a vault that
rebuilds its secret only for people who show that they are there. Nothing is written.

exit status: 0 all as expected, 1 a surprise, 2 a file that cannot be read, or wrong arguments";

fn main() -> ExitCode {
    let file = match parse(std::env::args_os().skip(1)) {
        Ok(Some(file)) => file,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(problem) => {
            eprintln!("custody: {problem}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&file) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(surprises) => {
            eprintln!("custody: {surprises} of the results were not as expected; do not rely on this build");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("custody: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(file: &Path) -> Fallible<usize> {
    // Before anything is made, so that a mistyped name is all that is told.
    files::open(file)?;
    let (mut report, domain) = (Report::default(), Domain::new("DUALSEAL")?);
    let prime = sharing::tell::<Fp521>("2^521-1", &domain, &mut report)?;
    let binary = sharing::tell::<Gf2_256>("2^256", &domain, &mut report)?;
    let message = Wrapped::new(&domain)?.tell(file, &prime, &binary, &mut report)?;
    quorum::tell(&domain, &message, &mut report)?;
    vault::tell(&domain, &mut report)?;
    Ok(report.surprises())
}

/// `None` when help was asked for.
fn parse(words: impl Iterator<Item = std::ffi::OsString>) -> Result<Option<PathBuf>, String> {
    let mut file = None;
    for word in words {
        match word.to_str() {
            Some("-h" | "--help") => return Ok(None),
            Some(option) if option.starts_with("--") => return Err(format!("unknown option {option}")),
            _ if file.is_some() => return Err("give one file".to_owned()),
            _ => file = Some(word.into()),
        }
    }
    file.map(Some).ok_or_else(|| "give the file".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files on both sides of a chunk's end, and one of nothing: all of them tell the same story.
    #[test]
    fn the_story_has_no_surprises() {
        let folder = std::env::temp_dir().join(format!("dualseal-custody-{}", std::process::id()));
        files::new_folder(&folder).unwrap();
        for size in [0, 1, 65_536, 65_537, 300_000] {
            let file = folder.join(size.to_string());
            std::fs::write(&file, vec![7; size]).unwrap();
            assert_eq!(run(&file).unwrap(), 0, "{size} bytes");
        }
        for (path, expected) in [("missing", "cannot read"), ("", "it is a folder")] {
            let error = run(&folder.join(path)).unwrap_err().to_string();
            assert!(error.contains(expected) && error.lines().count() == 1, "{error}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn arguments() {
        let parse = |words: &[&str]| parse(words.iter().map(std::ffi::OsString::from));
        assert_eq!(parse(&["a"]), Ok(Some("a".into())));
        assert_eq!(parse(&["a", "--help"]), Ok(None));
        for bad in [&[][..], &["a", "b"], &["--out"]] {
            assert!(parse(bad).unwrap_err().lines().count() == 1);
        }
    }
}
