//! Chain files: JSON lines, streamed, or a JSON array; alone, or held against a checkpoint.

use crate::failure::Failure;
use crate::input;
use crate::output::canonical;
use dualseal::checkpoint::{AgreedChain, ChainCheck, Checkpoint};
use dualseal::encoding::json::Value;
use dualseal::error::{Malformed, Problem};
use dualseal::krunica::JsonLines;
use dualseal::{Entry, Error, Verified};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// How much is read at once.
const BLOCK: usize = 64 << 10;

/// Hands each entry of a chain file to `each`, as JSON text without `seq`.
pub(crate) fn entries(path: &Path, each: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Failure> {
    entries_of(path, |part| input::document(path, part).map(drop), each)
}

/// As [`entries`], for the last of them in a file of lines, which is read from its end.
pub(crate) fn last_entries(
    path: &Path,
    count: u64,
    mut each: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Failure> {
    let unread = |error: io::Error| Failure::reading(path, &error);
    let mut file = File::open(path).map_err(unread)?;
    let begin = last_lines(&mut file, count).map_err(unread)?;
    file.seek(SeekFrom::Start(begin)).map_err(unread)?;
    let about = |error: Error| Failure::from(error).about(path.display());
    let mut lines = JsonLines::new();
    let mut part = vec![0; BLOCK];
    loop {
        match file.read(&mut part) {
            Ok(0) => return lines.finish().map_err(about),
            Ok(read) => lines.push(&part[..read], &mut each).map_err(about)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(unread(error)),
        }
    }
}

/// Where the last lines begin; 0 in a file that has no more. Each line ends with a line feed, the last one too.
fn last_lines(file: &mut (impl Read + Seek), count: u64) -> io::Result<u64> {
    let mut at = file.seek(SeekFrom::End(0))?;
    let (mut ends, mut block) = (0, Vec::new());
    while at > 0 {
        let length = at.min(BLOCK as u64);
        at -= length;
        file.seek(SeekFrom::Start(at))?;
        block.clear();
        file.by_ref().take(length).read_to_end(&mut block)?;
        for (place, _) in block.iter().enumerate().rev().filter(|(_, byte)| **byte == b'\n') {
            if ends == count {
                return Ok(at + place as u64 + 1);
            }
            ends += 1;
        }
    }
    Ok(0)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn the_last_lines_are_found_across_blocks() {
        let mut text = Vec::new();
        let begins: Vec<u64> = (0..3000_usize)
            .map(|line| {
                let begin = text.len() as u64;
                text.resize(text.len() + line % 97, b'x');
                text.push(b'\n');
                begin
            })
            .collect();
        assert!(text.len() > 2 * BLOCK);
        for count in [0, 1, 2, 1300, 1301, 1302, 2999, 3000, 3001] {
            let expected = match begins.len().checked_sub(count) {
                Some(first) => begins.get(first).copied().unwrap_or(text.len() as u64),
                None => 0,
            };
            assert_eq!(last_lines(&mut Cursor::new(&text), count as u64).unwrap(), expected, "{count}");
        }
        assert_eq!(last_lines(&mut Cursor::new(&[]), 1).unwrap(), 0);
    }
}
