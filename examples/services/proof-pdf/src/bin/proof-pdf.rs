//! `proof-pdf FOLDER LANGUAGE FILE`: prints a proof anew from what was taken out of it. Where a page says something
//! else than its attachments, the two differ. With `-` for the folder the text and its evidence come from the input, as
//! two strings of a JSON array, and with `-` for the file the page goes to the output. It ends with 3 where the page
//! has a letter that no font has, and with 1 for everything else that fails.

use proof_pdf::text::{EVIDENCE, TEXT};
use proof_pdf::{Language, Page, Proof, Unprinted, pdf};
use std::error::Error;
use std::fs;
use std::io::{Read as _, Write as _, stdin, stdout};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [folder, language, file] = arguments.as_slice() else {
        eprintln!("usage: proof-pdf FOLDER|- hr|en|de FILE|-");
        return ExitCode::from(2);
    };
    match print(folder, language, file) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("proof-pdf: {error}");
            match error.downcast_ref() {
                Some(Unprinted::Letter(_)) => ExitCode::from(3),
                _ => ExitCode::FAILURE,
            }
        }
    }
}

fn print(folder: &str, language: &str, file: &str) -> Result<(), Box<dyn Error>> {
    let language: Language = language.parse()?;
    let (text, evidence) = if folder == "-" { given()? } else { taken_out(Path::new(folder))? };
    let page = pdf(&Page::of(&Proof::read(&text, &evidence)?, language))?;
    if file == "-" {
        stdout().lock().write_all(&page)?;
    } else {
        fs::write(file, page).map_err(|error| format!("{file}: {error}"))?;
    }
    Ok(())
}

fn taken_out(folder: &Path) -> Result<(String, String), Box<dyn Error>> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"));
    Ok((read(TEXT)?, read(EVIDENCE)?))
}

fn given() -> Result<(String, String), Box<dyn Error>> {
    let mut input = Vec::new();
    stdin().lock().read_to_end(&mut input)?;
    Ok(serde_json::from_slice(&input)?)
}
