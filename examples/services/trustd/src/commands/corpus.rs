//! `trustd corpus`: how well phrases are told.

use super::Fault;
use crate::messaging::corpus::{APART, CRIES, MENDED, SEEN, STRANGERS, phrases, report};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// Prints precision and recall, and each phrase that is told wrongly: 0 where none is. Of the lists of cries
/// it prints the figures alone, which are below 1 where a calm message is taken for one, and count for no failure.
///
/// # Errors
/// A file that is not read; a line that is no phrase.
pub fn corpus(file: Option<&Path>, out: &mut dyn Write) -> Result<ExitCode, Fault> {
    let texts = match file {
        Some(file) => vec![("", std::fs::read_to_string(file)?)],
        None => vec![
            ("written with the patterns: right by construction\n", SEEN.concat()),
            ("written after them, which were mended by it: right by construction\n", MENDED.to_owned()),
        ],
    };
    let mut is_right = true;
    for (title, text) in texts {
        let found = report(&phrases(&text)?);
        writeln!(out, "{title}{}", found.table())?;
        for wrong in &found.wrong {
            writeln!(out, "{wrong}")?;
        }
        is_right &= found.wrong.is_empty();
    }
    if file.is_none() {
        for (title, text) in [
            ("cries, and what has their words and is none: none is missed, and some are taken for one", CRIES),
            ("written by who wrote the rules, and nothing is mended by it: what strangers' words get, at best", APART),
            ("written by a stranger to the rules, and nothing is mended by it: what strangers' words get", STRANGERS),
        ] {
            let found = report(&phrases(text)?);
            writeln!(out, "{title}\n{}wrong: {}", found.table(), found.wrong.len())?;
        }
    }
    Ok(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
