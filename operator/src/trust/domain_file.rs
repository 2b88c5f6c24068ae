//! A domain in words: its name, or JSON with the constants that were set by hand.

use super::error::TrustError;
use dualseal::Domain;
use dualseal::domain::{Label, Row};
use dualseal::encoding::json::Value;
use std::collections::BTreeMap;

/// A domain with the words that made it: `{"labels":{"signature":{"CONTENT":"BODY"}}, "name":"ACME",
/// "prefixes":{"identifier":"OLD"}, "shared":false, "suffixes":{}}`, all but the name optional.
///
/// ```
/// use dualseal_operator::trust::DomainFile;
///
/// let file = DomainFile::from_words("{\"name\":\"ACME\",\"prefixes\":{\"identifier\":\"OLD\"}}")?;
/// assert_eq!(file.name(), None);
/// assert_eq!(DomainFile::from_words(&file.to_words())?.to_value(), file.to_value());
/// assert!(DomainFile::from_words("{\"prefixes\":{}}").is_err());
/// # Ok::<(), dualseal_operator::trust::TrustError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DomainFile {
    words: Value,
    domain: Domain,
}

impl DomainFile {
    /// All constants derived from a name.
    ///
    /// # Errors
    /// What [`Domain::new`] says.
    pub fn named(name: &str) -> Result<Self, TrustError> {
        Self::from_value(Value::String(name.to_owned()))
    }

    /// On one line, as a public key file has it: a name, or an object as JSON.
    ///
    /// # Errors
    /// As [`from_value`](Self::from_value).
    pub fn from_words(words: &str) -> Result<Self, TrustError> {
        if words.starts_with('{') { Self::from_value(Value::parse(words.as_bytes())?) } else { Self::named(words) }
    }

    /// From JSON: a name, or an object.
    ///
    /// # Errors
    /// As [`named`](Self::named); [`TrustError::Domain`] and [`TrustError::Constant`].
    pub fn from_value(words: Value) -> Result<Self, TrustError> {
        let domain = match &words {
            Value::String(name) => Domain::new(name)?,
            Value::Object(members) => build(members)?,
            _ => return Err(wrong("is neither a name nor an object")),
        };
        Ok(Self { words, domain })
    }

    /// The domain.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The name, where it says everything.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        if let Value::String(name) = &self.words { Some(name) } else { None }
    }

    /// The words, as JSON.
    #[must_use]
    pub fn to_value(&self) -> Value {
        self.words.clone()
    }

    /// The words on one line: the name, where it says everything.
    #[must_use]
    pub fn to_words(&self) -> String {
        self.name().map_or_else(|| self.words.to_canonical().unwrap_or_default(), str::to_owned)
    }
}

impl Default for DomainFile {
    fn default() -> Self {
        Self { words: Value::String("DUALSEAL".to_owned()), domain: Domain::default() }
    }
}

fn build(members: &BTreeMap<String, Value>) -> Result<Domain, TrustError> {
    let Some(Value::String(name)) = members.get("name") else { return Err(wrong("has no `name`")) };
    let mut builder = Domain::builder(name);
    for (member, value) in members {
        builder = match (member.as_str(), value) {
            ("name", _) | ("shared", Value::Bool(false)) => builder,
            ("shared", Value::Bool(true)) => builder.legacy_shared_constants(),
            ("prefixes" | "suffixes", value) => {
                let mut builder = builder;
                for (row, constant) in strings(value)? {
                    let row: Row = row.parse().map_err(|error| unknown(row, error))?;
                    let prefix = member == "prefixes";
                    builder = if prefix { builder.prefix(row, constant) } else { builder.suffix(row, constant) };
                }
                builder
            }
            ("labels", Value::Object(rows)) => {
                let mut builder = builder;
                for (row, labels) in rows {
                    let of: Row = row.parse().map_err(|error| unknown(row, error))?;
                    for (label, constant) in strings(labels)? {
                        let found = Label::find(of, label).map_err(|error| unknown(label, error))?;
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

fn strings(value: &Value) -> Result<Vec<(&String, &str)>, TrustError> {
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

fn wrong(what: &str) -> TrustError {
    TrustError::Domain(what.to_owned())
}

fn unknown(name: &str, error: dualseal::Error) -> TrustError {
    TrustError::Constant { name: name.to_owned(), error }
}
