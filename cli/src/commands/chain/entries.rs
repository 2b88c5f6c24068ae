//! Reading chains: JSON lines, streamed, or a JSON array.

use crate::failure::Failure;
use crate::input;
use crate::output::canonical;
use dualseal::Error;
use dualseal::encoding::json::Value;
use dualseal::error::{Malformed, Problem};
use dualseal::krunica::JsonLines;
use std::path::Path;

/// Hands each entry of a chain file to `each`, as JSON text without `seq`.
pub(crate) fn entries(path: &Path, each: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Failure> {
    entries_of(path, |part| input::document(path, part).map(drop), each)
}

/// As [`entries`], of a file that `read` hands over in parts.
pub(crate) fn entries_of(
    path: &Path,
    read: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<(), Failure>) -> Result<(), Failure>,
    mut each: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Failure> {
    let about = |error: Error| Failure::from(error).about(path.display());
    let mut lines = JsonLines::new();
    let mut array: Option<Vec<u8>> = None;
    let mut begun = false;
    read(&mut |part| {
        if !begun && part.starts_with(b"[") {
            array = Some(Vec::new());
        }
        begun = true;
        match &mut array {
            Some(bytes) => {
                bytes.extend_from_slice(part);
                Ok(())
            }
            None => lines.push(part, &mut each).map_err(about),
        }
    })?;
    let Some(bytes) = array else { return lines.finish().map_err(about) };
    let Value::Array(items) = Value::parse(&bytes).map_err(about)? else {
        return Err(about(Malformed::new("krunica", None, Problem::WrongType).into()));
    };
    items.into_iter().try_for_each(|item| each(canonical(&item).as_bytes())).map_err(about)
}
