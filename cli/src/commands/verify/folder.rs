//! A document that is a folder's manifest: its files are held against it, where the folder lies beside it.

use super::means::Means;
use crate::commands::sign::MANIFEST;
use crate::failure::Failure;
use crate::input::stripped;
use crate::output::{Report, quoted, text};
use dualseal::VerdictKind;
use dualseal::encoding::json::Value;
use dualseal_operator::manifest::{Differences, Manifest, ManifestError};
use dualseal_operator::paths::Show;

/// So many names are told.
const TOLD: usize = 20;

/// Says whether the folder is as it was signed, where the record over its manifest holds.
pub(super) fn tell(report: Report, means: &Means<'_>) -> Result<Report, Failure> {
    let (document, json) = (&means.document, means.manifest.as_ref().filter(|json| Manifest::is_meant(json)));
    let holding = json.filter(|_| report.status() == 0);
    let Some((json, folder)) = holding.zip(stripped(document, MANIFEST.len())) else { return Ok(report) };
    let manifest = Manifest::from_json(json).map_err(|error| failed(error).about(document.shown()))?;
    let count = manifest.len() as u64;
    if !folder.is_dir() {
        let sentence = format!(
            "NOT CHECKED: the manifest holds, and its folder is not beside it: nothing was seen of its {count} files."
        );
        let report = report.coded(VerdictKind::Suspended.code()).saying(sentence);
        let report = report.member("files", Value::Null).member("verdict", text("not checked"));
        return Ok(report.note("Put the folder beside its manifest, under the name that it had, and verify again."));
    }
    compared(report.number("files", "files in it", count), manifest.compare(&folder))
}

/// Says what came of it.
fn compared(report: Report, compared: Result<Option<Differences>, ManifestError>) -> Result<Report, Failure> {
    let found = match compared {
        Ok(Some(found)) => found,
        Ok(None) => return Ok(report.note("Every file of the folder is as it was signed, and none was added.")),
        // Whoever adds so many files is no better than whoever adds one.
        Err(error @ ManifestError::TooMany) => {
            let sentence = format!("NOT VALID: the manifest holds, and the folder is another one: {error}.");
            let report = report.coded(VerdictKind::Invalid.code()).saying(sentence);
            return Ok(report.member("verdict", text("invalid")).note(AS_SIGNED));
        }
        Err(error) => return Err(failed(error)),
    };
    let mut report = report.coded(VerdictKind::Invalid.code()).saying(format!(
        "NOT VALID: the manifest holds, and the folder is another one: {} changed, {} missing, {} added.",
        found.changed.len(),
        found.missing.len(),
        found.added.len()
    ));
    for (label, names) in [("changed", &found.changed), ("missing", &found.missing), ("added", &found.added)] {
        for name in names.iter().take(TOLD) {
            report = report.line(label, quoted(name));
        }
        if names.len() > TOLD {
            report = report.line(label, format!("and {} more", names.len() - TOLD));
        }
        report = report.member(label, Value::Array(names.iter().map(text).collect()));
    }
    Ok(report.member("verdict", text("invalid")).note(AS_SIGNED))
}

const AS_SIGNED: &str = "Ask the sender for the folder as it was signed.";

fn failed(error: ManifestError) -> Failure {
    match error {
        ManifestError::Read(path, error) => Failure::reading(&path, &error),
        ManifestError::Malformed(error) => error.into(),
        error => Failure::defect(&error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More files than are counted are an altered folder, and no defect of the program.
    #[test]
    fn a_flooded_folder_is_not_valid() {
        let report = compared(Report::new("Valid."), Err(ManifestError::TooMany)).unwrap();
        assert_eq!((report.status(), report.get("verdict")), (1, Some(&text("invalid"))));
        assert!(report.sentence().starts_with("NOT VALID: ") && report.sentence().contains("more than"));
    }
}
