//! The vectors under `tests/vectors`; `PROVENANCE.tsv` there says where each comes from.

pub use crate::files::text;

use crate::prelude::*;
use serde_json::Value;

/// A file as JSON.
pub fn json(name: &str) -> Value {
    serde_json::from_str(&text(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The items of a member that is a list, at least one.
pub fn items<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    let items = value[name].as_array().unwrap_or_else(|| panic!("{name} is a list"));
    assert!(!items.is_empty(), "{name} has no items");
    items
}

/// A member that is text.
pub fn string<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("{name} is a string in {value}"))
}

/// A member that is hexadecimal.
pub fn bytes(value: &Value, name: &str) -> Vec<u8> {
    hex::decode(string(value, name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}
