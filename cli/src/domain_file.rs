//! A domain in words, from a file.

pub(crate) use dualseal_operator::trust::DomainFile;

use crate::failure::Failure;
use crate::input;
use dualseal::encoding::json::Value;
use dualseal_operator::paths::Show;
use std::path::Path;

/// From a file: a name, or an object.
pub(crate) fn read(path: &Path) -> Result<DomainFile, Failure> {
    let words = Value::parse(&input::small(path)?).map_err(Failure::from);
    let file = words.and_then(|words| Ok(DomainFile::from_value(words)?));
    file.map_err(|failure| failure.about(path.shown()))
}
