//! A document with every record and seal that lies beside it: its name, that of a signer if there are several, and how
//! records are named.

use super::bench::{Args, Named, RECORDS};
use super::one::one;
use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::input;
use crate::output::{Report, object, path_text, quoted, text};
use crate::trust::{self, Trust};
use dualseal::SignatureRecord;
use dualseal::encoding::json::Value;
use std::path::{Path, PathBuf};

/// The records beside a document, by their names; `None` for what is no document, and for one without any.
pub(super) fn records(document: &Path) -> Result<Option<Vec<PathBuf>>, Failure> {
    let name = document.file_name().unwrap_or_default().as_encoded_bytes().to_vec();
    let is_record = |name: &[u8]| RECORDS.iter().any(|suffix| name.ends_with(suffix.as_bytes()));
    if input::is_standard(document) || name.is_empty() || is_record(&name) {
        return Ok(None);
    }
    let folder = document.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let failed = |error| Failure::reading(folder, &error);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let other = entry.file_name();
        let of_document = |suffix: &&str| {
            let between = other.as_encoded_bytes().strip_prefix(&*name)?.strip_suffix(suffix.as_bytes())?;
            // A signer's name, and no other document's.
            Some(between.is_empty() || between.starts_with(b".") && !folder.join(&other).is_dir())
        };
        if RECORDS.iter().find_map(of_document) == Some(true) && !is_anothers(folder, &other, &name) {
            found.push(document.with_file_name(&other));
        }
    }
    found.sort();
    Ok(Some(found).filter(|found| !found.is_empty()))
}

/// Whether a record is of a document with a longer name, which is here.
fn is_anothers(folder: &Path, record: &std::ffi::OsStr, name: &[u8]) -> bool {
    let mut other = PathBuf::from(record);
    while other.extension().is_some() && other.as_os_str().len() > name.len() {
        if other.as_os_str() != record && folder.join(&other).exists() {
            return true;
        }
        other.set_extension("");
    }
    false
}

/// Verifies all of them. The worst decides.
pub(super) fn verify(args: &Args, records: &[PathBuf], context: &Context) -> Result<Report, Failure> {
    if let [record] = records
        && args.key.len() < 2
    {
        let named = Named { record, document: args.record.clone(), key: args.key.first().map(PathBuf::as_path) };
        return one(args, &named, context);
    }
    if args.evidence.chain().is_some() {
        let hint = "give the record first, and then the document";
        return Err(Failure::new(USAGE, "a chain shows the place of one record, and there are several", hint));
    }
    let keys =
        args.key.iter().map(|key| Ok((key.as_path(), trust::read(key)?))).collect::<Result<Vec<_>, Failure>>()?;
    let mut answers = Vec::new();
    for record in records {
        let of_one = |key: Option<&Path>| one(args, &Named { record, document: args.record.clone(), key }, context);
        answers.push((record, by_any(record, &keys, of_one)?));
    }
    Ok(tell(&args.record, answers))
}

/// The answer by whichever of the keys the record is of; a failure of one record is its answer.
fn by_any(
    record: &Path,
    keys: &[(&Path, Trust)],
    of_one: impl Fn(Option<&Path>) -> Result<Report, Failure>,
) -> Result<Option<Result<Report, Failure>>, Failure> {
    if keys.is_empty() {
        return Ok(Some(of_one(None)));
    }
    let bytes = input::small(record)?;
    if let Ok(carried) = SignatureRecord::from_json(bytes.trim_ascii_end()) {
        let is_of = |trust: &Trust| match trust {
            Trust::Pinned(file) => file
                .identity_id
                .map_or(file.key.hash() == carried.public_key().hash(), |id| id == *carried.identity_id()),
            Trust::Fingerprint(hash) => hash == carried.public_key().hash(),
            _ => true,
        };
        let key = keys.iter().find(|(_, trust)| is_of(trust)).map(|(path, _)| *path);
        return Ok(key.map(|key| of_one(Some(key))));
    }
    // A seal names nobody: whoever made it is one of them, or the last answer counts.
    let mut last = None;
    for (key, _) in keys {
        let answer = of_one(Some(key));
        let is_made = answer.as_ref().is_ok_and(|report| report.status() != 1);
        last = Some(answer);
        if is_made {
            break;
        }
    }
    Ok(last)
}

fn tell(document: &Path, answers: Vec<(&PathBuf, Option<Result<Report, Failure>>)>) -> Report {
    let count = answers.len();
    let (mut rows, mut lines, mut worst, mut holding) = (Vec::new(), Vec::new(), 0, 0);
    for (record, answer) in answers {
        let (status, sentence) = match &answer {
            None => (3, "NOT CHECKED: by a key that was not given.".to_owned()),
            Some(Ok(report)) => (report.status(), report.sentence().to_owned()),
            Some(Err(failure)) => (failure.status(), failure.message().to_owned()),
        };
        holding += usize::from(status == 0);
        worst = if rank(status) > rank(worst) { status } else { worst };
        lines.push(format!("{}: {sentence}", quoted(&path_text(record))));
        let signer = answer.and_then(Result::ok).and_then(|report| report.get("signer").cloned());
        rows.push(object([
            ("path", text(path_text(record))),
            ("sentence", text(sentence)),
            ("signer", signer.unwrap_or(Value::Null)),
            ("status", Value::Integer(status.into())),
        ]));
    }
    let sentence = if worst == 0 {
        format!("Valid: all {count} records beside the document hold.")
    } else {
        format!("NOT all hold: {holding} of the {count} records beside the document.")
    };
    let report = Report::new(sentence)
        .ended(worst)
        .detail("document", "document", path_text(document))
        .member("records", Value::Array(rows));
    lines.into_iter().fold(report, |report, line| report.line("record", line))
}

/// From good to bad.
fn rank(status: u8) -> u8 {
    match status {
        0 => 0,
        3 => 1,
        2 => 3,
        1 => 4,
        4 => 5,
        _ => 2,
    }
}
