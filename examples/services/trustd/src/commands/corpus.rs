//! `trustd corpus`: how well phrases are told.

use super::Fault;
use crate::messaging::corpus::{APART, MENDED, SEEN, phrases, report};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// Prints precision and recall, and each phrase that is told wrongly: 0 where none is. Of the list that nothing is
/// mended by it prints the figures alone, which are below 1 and count for no failure.
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
        let found = report(&phrases(APART)?);
        writeln!(out, "by somebody else, and nothing is mended by it: what strangers' words get, at best")?;
        writeln!(out, "{}wrong: {}", found.table(), found.wrong.len())?;
    }
    Ok(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
