//! The changes that there are, as `cargo mutants --list --json` tells them.

use serde_json::Value;

/// One change of one file.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// Its place in the list: what switches it on.
    pub(crate) number: u32,
    /// As the tool names it, with line and column.
    pub(crate) name: String,
    pub(crate) file: String,
    pub(crate) genre: String,
    /// Of what is replaced, both counted from 1.
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) replacement: String,
}

/// Reads the tool's list.
pub(crate) fn read(json: &str) -> Result<Vec<Change>, String> {
    let list: Vec<Value> = serde_json::from_str(json).map_err(|error| format!("the list of changes: {error}"))?;
    list.iter()
        .enumerate()
        .map(|(number, value)| one(number, value).ok_or_else(|| format!("no change as it is known: {value}")))
        .collect()
}

fn one(number: usize, value: &Value) -> Option<Change> {
    let text = |name: &str| Some(value.get(name)?.as_str()?.to_owned());
    let start = value.get("span")?.get("start")?;
    let count = |name: &str| usize::try_from(start.get(name)?.as_u64()?).ok();
    Some(Change {
        number: u32::try_from(number).ok()?,
        name: text("name")?,
        file: text("file")?,
        genre: text("genre")?,
        line: count("line")?,
        column: count("column")?,
        replacement: text("replacement")?,
    })
}
