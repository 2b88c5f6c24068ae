//! Chain files: JSON lines, streamed, or a JSON array; alone, or held against a checkpoint.

use crate::failure::Failure;
use crate::input;
use crate::output::canonical;
use dualseal::checkpoint::{AgreedChain, ChainCheck, Checkpoint};
use dualseal::encoding::json::Value;
use dualseal::error::{Malformed, Problem};
use dualseal::krunica::JsonLines;
use dualseal::{Entry, Error, Verified};
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

/// A chain held against a checkpoint; keeps the places of the entries that are asked for.
pub(crate) fn agree(
    chain: &Path,
    checkpoint: &Verified<Checkpoint>,
    keep: &(dyn Fn(&Entry) -> bool + Sync),
) -> Result<AgreedChain, Failure> {
    agree_read(chain, |each| entries(chain, each), checkpoint, keep)
}

/// As [`agree`], of a chain whose entries `read` hands over.
pub(crate) fn agree_read(
    chain: &Path,
    read: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Failure>,
    checkpoint: &Verified<Checkpoint>,
    keep: &(dyn Fn(&Entry) -> bool + Sync),
) -> Result<AgreedChain, Failure> {
    let mut check = ChainCheck::new(checkpoint).keeping(keep);
    read(&mut |json| check.push_json(json).map(drop))?;
    check.finish().map_err(|error| Failure::from(error).about(chain.display()))
}
