//! A document with every record and seal that lies beside it: its name, that of a signer if there are several, and how
//! records are named.

use super::args::Args;
use super::means::{Keys, Named};
use super::names::RECORDS;
use super::one::one;
use crate::context::Context;
use crate::failure::{Failure, USAGE, status_of};
use crate::input;
use crate::output::{Report, object, path_text, quoted_path, text};
use crate::trust::{Given, Trust};
use dualseal::encoding::json::Value;
use dualseal::mldsa::KeyHash;
use dualseal::verdict::InvalidReason;
use dualseal::{SignatureRecord, VerdictKind};
use std::collections::BTreeSet;
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
            Some(between.is_empty() || between.starts_with(b"."))
        };
        // Whoever opens a pipe that somebody put there waits for ever.
        if folder.join(&other).is_file()
            && RECORDS.iter().find_map(of_document) == Some(true)
            && !is_of_another(folder, &other, &name)
        {
            found.push(document.with_file_name(&other));
        }
    }
    found.sort();
    Ok(Some(found).filter(|found| !found.is_empty()))
}

/// Whether a record is of a document with a longer name, which is here.
fn is_of_another(folder: &Path, record: &std::ffi::OsStr, name: &[u8]) -> bool {
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
pub(super) fn verify(args: &Args, given: &Keys, records: &[PathBuf], context: &Context) -> Result<Report, Failure> {
    if let [record] = records
        && given.keys.len() < 2
    {
        let (key, ring) = (given.keys.first(), given.ring.as_ref());
        return one(args, &Named { record, document: args.record.clone(), key, ring }, context);
    }
    if args.evidence.chain().is_some() {
        let hint = "give the record first, and then the document";
        return Err(Failure::new(USAGE, "a chain shows the place of one record, and there are several", hint));
    }
    let keys = given.keys.iter().map(|key| Ok((key, key.trust()?))).collect::<Result<Vec<_>, Failure>>()?;
    let mut answers = Vec::new();
    let mut holding = BTreeSet::new();
    for record in records {
        let of_one = |key: Option<&Given>| {
            let named = Named { record, document: args.record.clone(), key, ring: given.ring.as_ref() };
            one(args, &named, context)
        };
        let answer = by_any(record, args.signer.is_said(), &keys, of_one)?;
        if let Some((Some(place), Ok(report))) = &answer
            && report.status() == 0
        {
            holding.extend(keys.get(*place).and_then(|(_, trust)| hash_of(trust)));
        }
        answers.push((record, answer.map(|(_, answer)| answer)));
    }
    // Whoever names several keys asks whether each of them signed.
    let is_missing = |trust: &Trust| hash_of(trust).is_some_and(|hash| !holding.contains(&hash));
    let missing = keys.iter().filter(|(_, trust)| is_missing(trust)).map(|(key, _)| key.path()).collect();
    Ok(tell(&args.record, answers, missing))
}

/// The key that a file or a fingerprint names.
fn hash_of(trust: &Trust) -> Option<KeyHash> {
    match trust {
        Trust::Pinned(file) => Some(*file.key.hash()),
        Trust::Fingerprint(hash) => Some(*hash),
        _ => None,
    }
}

/// An answer, and by which of the keys.
type Answer = (Option<usize>, Result<Report, Failure>);

/// The answer by whichever of the keys the record is of; a failure of one record is its answer. `None` where it is by
/// none of them, as far as anybody can tell.
fn by_any(
    record: &Path,
    is_asked: bool,
    keys: &[(&Given, Trust)],
    of_one: impl Fn(Option<&Given>) -> Result<Report, Failure>,
) -> Result<Option<Answer>, Failure> {
    if keys.is_empty() {
        // Nobody asked for one of the signers: a stranger beside them is no forger.
        let answer = of_one(None);
        return Ok(Some((None, answer)).filter(|(_, answer)| is_asked || !answer.as_ref().is_ok_and(is_strangers)));
    }
    let bytes = input::small(record)?;
    if let Ok(carried) = SignatureRecord::from_json(bytes.trim_ascii_end()) {
        let is_key = |trust: &Trust| hash_of(trust) == Some(*carried.public_key().hash());
        let is_of = |trust: &Trust| match trust {
            Trust::Pinned(file) => file.identity_id == Some(*carried.identity_id()),
            Trust::Fingerprint(_) => false,
            _ => true,
        };
        let found = |is_it: &dyn Fn(&Trust) -> bool| keys.iter().position(|(_, trust)| is_it(trust));
        let place = found(&is_key).or_else(|| found(&is_of));
        return Ok(place.and_then(|place| Some((Some(place), of_one(Some(keys.get(place)?.0))))));
    }
    // A seal names nobody: where it holds under none of the keys, it is by another one, or was changed with its
    // document, and nothing tells which.
    let mut failed = None;
    for (place, (key, _)) in keys.iter().enumerate() {
        match of_one(Some(key)) {
            Ok(report) if is_anothers(&report) => {}
            Err(failure) if failure.status() == status_of(VerdictKind::Invalid.code()) => {}
            Err(failure) => failed = Some((Some(place), Err(failure))),
            answer => return Ok(Some((Some(place), answer))),
        }
    }
    Ok(failed)
}

/// Whether a record was refused because nobody here knows whose it is.
fn is_strangers(report: &Report) -> bool {
    let strangers = [InvalidReason::OtherSigner, InvalidReason::UnknownIdentity];
    strangers.iter().any(|reason| report.get("reason") == Some(&text(reason.as_str())))
}

/// Whether a seal that does not hold may be somebody else's, or of another domain.
fn is_anothers(report: &Report) -> bool {
    let is = |name: &str, word: &str| report.get(name) == Some(&text(word));
    let is_refused = is("reason", InvalidReason::Signature.as_str());
    // Outsiders are not told why.
    let is_untold = is("verdict", VerdictKind::Invalid.as_str()) && report.get("reason") == Some(&Value::Null);
    is("verdict", "not checked") || is_refused || is_untold
}

fn tell(document: &Path, answers: Vec<(&PathBuf, Option<Result<Report, Failure>>)>, missing: Vec<&Path>) -> Report {
    let count = answers.len();
    let (mut rows, mut lines, mut worst, mut holding) = (Vec::new(), Vec::new(), 0, 0);
    for (record, answer) in answers {
        let (status, sentence) = match &answer {
            None => (unknown(), UNKNOWN.to_owned()),
            Some(Ok(report)) => (report.status(), report.sentence().to_owned()),
            Some(Err(failure)) => (failure.status(), failure.message().to_owned()),
        };
        holding += usize::from(status == 0);
        worst = if rank(status) > rank(worst) { status } else { worst };
        let more = answer.as_ref().and_then(|answer| answer.as_ref().ok()).and_then(more).unwrap_or_default();
        lines.push(format!("{}: {sentence}{more}", quoted_path(record)));
        let answer = answer.and_then(Result::ok);
        let member = |name| answer.as_ref().and_then(|report| report.get(name).cloned()).unwrap_or(Value::Null);
        rows.push(object([
            ("path", text(path_text(record))),
            ("sentence", text(sentence)),
            ("signer", member("signer")),
            ("state", member("state")),
            ("status", Value::Integer(status.into())),
            ("time", member("time")),
        ]));
    }
    let sentence = match worst {
        0 if missing.is_empty() => format!("Valid: all {count} records beside the document hold."),
        0 => {
            worst = unknown();
            let keys = missing.iter().map(|key| quoted_path(key)).collect::<Vec<_>>().join(", ");
            let records = if count == 1 { "the record" } else { "each record" };
            format!("NOT CHECKED: {records} beside the document holds, and none is by {keys}.")
        }
        _ => format!("NOT all hold: {holding} of the {count} records beside the document."),
    };
    let report = Report::new(sentence)
        .ended(worst)
        .detail("document", "document", path_text(document))
        .member("missing", Value::Array(missing.iter().map(|key| text(path_text(key))).collect()))
        .member("records", Value::Array(rows));
    let report = lines.into_iter().fold(report, |report, line| report.line("record", line));
    missing.into_iter().fold(report, |report, key| {
        report.line("missing", format!("{}: nothing beside the document that holds is by this key", quoted_path(key)))
    })
}

/// By which key, in which state, and when by the signer's word.
fn more(report: &Report) -> Option<String> {
    let word = |value: Option<&Value>| if let Some(Value::String(word)) = value { Some(word.clone()) } else { None };
    let Some(Value::Object(signer)) = report.get("signer") else { return None };
    let (key, state) = (word(signer.get("key_hash"))?, word(report.get("state"))?);
    let time = word(report.get("time")).map_or_else(String::new, |time| format!(", {time} by the signer's word"));
    Some(format!(" Key {key}, state {state}{time}."))
}

/// What is said of a record by none of the keys that were given.
const UNKNOWN: &str = "NOT CHECKED: by none of the keys that were given, or are known here, as far as it shows.";

/// The status of what nobody here can tell.
fn unknown() -> u8 {
    status_of(VerdictKind::Suspended.code())
}

/// From good to bad; what could not be asked at all is worse than what nobody can tell.
fn rank(status: u8) -> usize {
    use VerdictKind::{Decoy, Invalid, Revoked, Suspended, Valid};
    let order = [Some(Valid), Some(Suspended), None, Some(Revoked), Some(Invalid), Some(Decoy)];
    let is_of = |kind: &Option<VerdictKind>| kind.is_some_and(|kind| status_of(kind.code()) == status);
    let failed = order.iter().position(Option::is_none);
    order.iter().position(is_of).or(failed).unwrap_or_default()
}
