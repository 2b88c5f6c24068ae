//! The files of a home folder that are no records: where its chain ends, what it is called, whose names are whose.

use super::finding::Inspected;
use crate::domain_file::DomainFile;
use crate::failure::Failure;
use crate::output::canonical;
use dualseal::encoding::json::Value;
use dualseal::error::{Malformed, Problem};
use dualseal::{CheckedRing, Domain, Error, Head, IdentityId, RingKey, SystemRng};
use std::collections::BTreeMap;

/// Such a file, by its members.
pub(super) fn look(bytes: &[u8]) -> Option<Inspected> {
    let Ok(Value::Object(members)) = Value::parse(bytes) else { return None };
    let kind = kind_of(&members)?;
    let read = match kind {
        ABOUT => about(&members),
        HEAD => head(&members),
        _ => names(&members),
    };
    let findings = read.err().map(|failure| (failure.code(), failure.message().to_owned())).into_iter().collect();
    Some(Inspected { findings, ..Inspected::new(kind) })
}

/// What such a file is, if it is one.
pub(crate) fn home_file(bytes: &[u8]) -> Option<&'static str> {
    match Value::parse(bytes) {
        Ok(Value::Object(members)) => kind_of(&members),
        _ => None,
    }
}

const ABOUT: &str = "home folder file (home.json)";
const HEAD: &str = "home folder file (head.json)";
const NAMES: &str = "home folder file (names.json)";

fn kind_of(members: &BTreeMap<String, Value>) -> Option<&'static str> {
    let has = |members: &BTreeMap<String, Value>, names: &[&str]| members.keys().eq(names.iter());
    if has(members, &["domain", "origin", "version"]) {
        return Some(ABOUT);
    }
    if has(members, &["bytes", "frontier", "size", "top"]) {
        return Some(HEAD);
    }
    let named = |value: &Value| matches!(value, Value::Object(of) if has(of, &["context", "creator", "identity_id"]));
    (!members.is_empty() && members.values().all(named)).then_some(NAMES)
}

fn about(members: &BTreeMap<String, Value>) -> Result<(), Failure> {
    DomainFile::from_value(members.get("domain").cloned().unwrap_or(Value::Null))?;
    let authority = RingKey::generate(&Domain::default(), &mut SystemRng)?;
    CheckedRing::new(text(members, "origin"), &authority)?;
    Ok(())
}

fn head(members: &BTreeMap<String, Value>) -> Result<(), Failure> {
    let mut members = members.clone();
    if !matches!(members.remove("bytes"), Some(Value::Integer(0..))) {
        return Err(Error::from(Malformed::new("bytes", None, Problem::Range)).into());
    }
    Head::from_json(canonical(&Value::Object(members)).as_bytes())?;
    Ok(())
}

fn names(members: &BTreeMap<String, Value>) -> Result<(), Failure> {
    for value in members.values() {
        if let Value::Object(of) = value {
            text(of, "identity_id").parse::<IdentityId>()?;
        }
    }
    Ok(())
}

/// A member that is a string. What is none has not the form of any.
fn text<'a>(members: &'a BTreeMap<String, Value>, name: &str) -> &'a str {
    match members.get(name) {
        Some(Value::String(text)) => text,
        _ => "",
    }
}
