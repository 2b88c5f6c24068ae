//! `trustd corpus`: how well phrases are told.

use super::Fault;
use crate::messaging::corpus::{HELD_OUT, SEEN, phrases, report};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// Prints precision and recall, and each phrase that is told wrongly: 0 where none is.
///
/// # Errors
/// A file that is not read; a line that is no phrase.
pub fn corpus(file: Option<&Path>, out: &mut dyn Write) -> Result<ExitCode, Fault> {
    let texts = match file {
        Some(file) => vec![("", std::fs::read_to_string(file)?)],
        None => vec![("written with the patterns\n", SEEN.concat()), ("written after them\n", HELD_OUT.to_owned())],
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
    Ok(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
