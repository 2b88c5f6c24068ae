//! `proof-pdf FOLDER LANGUAGE FILE`: prints a proof anew from what was taken out of it. Where a page says something
//! else than its attachments, the two differ.

use proof_pdf::text::{EVIDENCE, TEXT};
use proof_pdf::{Language, Page, Proof, pdf};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [folder, language, file] = arguments.as_slice() else {
        eprintln!("usage: proof-pdf FOLDER hr|en|de FILE");
        return ExitCode::from(2);
    };
    match print(Path::new(folder), language, file) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("proof-pdf: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print(folder: &Path, language: &str, file: &str) -> Result<(), Box<dyn Error>> {
    let language: Language = language.parse()?;
    let read = |name: &str| fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"));
    let proof = Proof::read(&read(TEXT)?, &read(EVIDENCE)?)?;
    fs::write(file, pdf(&Page::of(&proof, language))?).map_err(|error| format!("{file}: {error}"))?;
    Ok(())
}
