//! A domain in words: its name, or JSON with the constants that were set by hand.

use crate::failure::{Failure, USAGE};
use crate::input;
use crate::output::{canonical, text};
use dualseal::Domain;
use dualseal::domain::{Label, Row};
use dualseal::encoding::json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// A domain with the words that made it: `{"labels":{"signature":{"CONTENT":"BODY"}}, "name":"ACME",
/// "prefixes":{"identifier":"OLD"}, "shared":false, "suffixes":{}}`, all but the name optional.
#[derive(Clone, Debug)]
pub(crate) struct DomainFile {
    words: Value,
    domain: Domain,
}

impl DomainFile {
    /// All constants derived from a name.
    pub(crate) fn named(name: &str) -> Result<Self, Failure> {
        Self::from_value(text(name))
    }

    /// From a file.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let words = Value::parse(&input::small(path)?);
        words.map_err(Failure::from).and_then(Self::from_value).map_err(|failure| failure.about(path.display()))
    }

    /// As the key file and the home folder have it: a name, or an object.
    pub(crate) fn from_words(words: &str) -> Result<Self, Failure> {
        if words.starts_with('{') { Self::from_value(Value::parse(words.as_bytes())?) } else { Self::named(words) }
    }

    pub(crate) fn from_value(words: Value) -> Result<Self, Failure> {
        let domain = match &words {
            Value::String(name) => Domain::new(name)?,
            Value::Object(members) => build(members)?,
            _ => return Err(wrong("is neither a name nor an object")),
        };
        Ok(Self { words, domain })
    }

    /// The domain.
    pub(crate) fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The name, where it says everything.
    pub(crate) fn name(&self) -> Option<&str> {
        if let Value::String(name) = &self.words { Some(name) } else { None }
    }

    /// The words, as JSON.
    pub(crate) fn to_value(&self) -> Value {
        self.words.clone()
    }

    /// The words on one line: the name, where it says everything.
    pub(crate) fn to_words(&self) -> String {
        self.name().map_or_else(|| canonical(&self.words), str::to_owned)
    }
}

impl Default for DomainFile {
    fn default() -> Self {
        Self { words: text("DUALSEAL"), domain: Domain::default() }
    }
}

fn build(members: &BTreeMap<String, Value>) -> Result<Domain, Failure> {
    let Some(Value::String(name)) = members.get("name") else { return Err(wrong("has no `name`")) };
    let mut builder = Domain::builder(name);
    for (member, value) in members {
        builder = match (member.as_str(), value) {
            ("name", _) | ("shared", Value::Bool(false)) => builder,
            ("shared", Value::Bool(true)) => builder.legacy_shared_constants(),
            ("prefixes" | "suffixes", value) => {
                let mut builder = builder;
                for (row, constant) in strings(value)? {
                    let row: Row = row.parse().map_err(|error| Failure::from(error).about(row))?;
                    let prefix = member == "prefixes";
                    builder = if prefix { builder.prefix(row, constant) } else { builder.suffix(row, constant) };
                }
                builder
            }
            ("labels", Value::Object(rows)) => {
                let mut builder = builder;
                for (row, labels) in rows {
                    let of: Row = row.parse().map_err(|error| Failure::from(error).about(row))?;
                    for (label, constant) in strings(labels)? {
                        let found = Label::find(of, label).map_err(|error| Failure::from(error).about(label))?;
                        builder = builder.label(found, constant);
                    }
                }
                builder
            }
            _ => return Err(wrong(&format!("has a member {member:?} that is unknown or of the wrong type"))),
        };
    }
    Ok(builder.build()?)
}

fn strings(value: &Value) -> Result<Vec<(&String, &str)>, Failure> {
    let Value::Object(members) = value else { return Err(wrong("has constants that are not in an object")) };
    let mut strings = Vec::new();
    for (name, value) in members {
        let Value::String(text) = value else {
            return Err(wrong(&format!("has a constant for {name:?} that is not a string")));
        };
        strings.push((name, text.as_str()));
    }
    Ok(strings)
}

fn wrong(what: &str) -> Failure {
    let hint =
        "write {\"name\":\"ACME\"}, with `prefixes`, `suffixes`, `labels` and `shared` where they are set by hand";
    Failure::new(USAGE, format!("the domain {what}"), hint)
}
