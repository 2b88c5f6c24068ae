//! Chain files: JSON lines, streamed, or a JSON array; alone, or held against a checkpoint.

use crate::failure::Failure;
use crate::input;
use crate::output::canonical;
use dualseal::checkpoint::{AgreedChain, Checkpoint};
use dualseal::encoding::json::Value;
use dualseal::error::{Malformed, Problem};
use dualseal::krunica::{Ignored, IgnoredReason, JsonLines};
use dualseal::reader::{ChainReader, Proofs, StatedRing, TrustedHead, Watched};
use dualseal::{Domain, Error, Verified};
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
    each: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Failure> {
    entries_within(path, u64::MAX, Some(count), each)
}

/// As [`entries`], in the first bytes of a file of lines, whatever is appended to it: all of them, or the last ones.
pub(crate) fn entries_within(
    path: &Path,
    bytes: u64,
    last: Option<u64>,
    mut each: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Failure> {
    let unread = |error: io::Error| Failure::reading(path, &error);
    let mut file = File::open(path).map_err(unread)?;
    let begin = last.map_or(Ok(0), |count| last_lines(&mut file, bytes, count)).map_err(unread)?;
    file.seek(SeekFrom::Start(begin)).map_err(unread)?;
    let mut file = file.take(bytes.saturating_sub(begin));
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

/// Where the last lines of so many bytes begin; 0 where there are no more. Each line ends with a line feed, the last
/// one too.
fn last_lines(file: &mut (impl Read + Seek), bytes: u64, count: u64) -> io::Result<u64> {
    let mut at = file.seek(SeekFrom::End(0))?.min(bytes);
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

/// A reader of a whole chain under a checkpoint.
pub(crate) fn under<'a>(domain: &Domain, checkpoint: &Verified<Checkpoint>) -> Result<ChainReader<'a>, Error> {
    ChainReader::new(domain, &TrustedHead::beginning()).under(checkpoint)
}

/// Reads a chain to its end, past whatever is watched for.
pub(crate) fn read(chain: &Path, mut reader: ChainReader<'_>) -> Result<Proofs, Failure> {
    entries(chain, |json| reader.push_json(json).map(drop))?;
    reader.finish().map_err(|error| Failure::from(error).about(chain.display()))
}

/// The same for one proof.
pub(crate) fn read_for<'a, T: 'static>(
    chain: &Path,
    mut reader: ChainReader<'a>,
    watch: impl FnOnce(&mut ChainReader<'a>) -> Result<Watched<T>, Error>,
) -> Result<T, Failure> {
    let watched = watch(&mut reader)?;
    read(chain, reader)?.take(watched).map_err(|error| Failure::from(error).about(chain.display()))
}

/// A chain that agrees with a checkpoint.
pub(crate) fn agree(domain: &Domain, chain: &Path, checkpoint: &Verified<Checkpoint>) -> Result<AgreedChain, Failure> {
    agreed(&read(chain, under(domain, checkpoint)?)?)
}

/// What was read under a checkpoint.
pub(crate) fn agreed(proofs: &Proofs) -> Result<AgreedChain, Failure> {
    proofs.agreed().cloned().ok_or_else(|| Failure::defect("a chain was read under no checkpoint"))
}

/// The same for a stranger, who has no ring key: some entry states the ring that the checkpoint states.
pub(crate) fn agree_stating(
    domain: &Domain,
    chain: &Path,
    checkpoint: &Verified<Checkpoint>,
) -> Result<(AgreedChain, StatedRing), Failure> {
    let mut reader = under(domain, checkpoint)?;
    let watched = reader.stated_ring()?;
    let mut proofs = read(chain, reader)?;
    let stated = stated(&mut proofs, watched)?;
    Ok((agreed(&proofs)?, stated))
}

/// The ring that a checkpoint states, where its chain has it.
pub(crate) fn stated(proofs: &mut Proofs, watched: Watched<StatedRing>) -> Result<StatedRing, Failure> {
    proofs.take(watched).map_err(|error| {
        let hint = "keep it, for it is evidence against the log: its signer, or a thief of his key, made up a ring; \
                    ask the log's operator over another channel";
        Failure::from(error).about("FALSE RING").hint(hint)
    })
}

/// What a stranger is told of entries that may be later changes of a ring.
pub(crate) fn unverified_changes(entries: &Ignored) -> Option<String> {
    let mut changes = entries.entries().iter().filter(|entry| entry.reason == IgnoredReason::Unverified);
    let first = changes.next()?.seq;
    let which = match changes.count() as u64 + entries.more() {
        0 => format!("entry {first} has"),
        more => format!("entry {first} and {more} more have"),
    };
    Some(format!(
        "unverified changes after the ring that the checkpoint states: {which} the form of one, and only the log's \
         operator can tell whether keys were changed there"
    ))
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
            assert_eq!(last_lines(&mut Cursor::new(&text), u64::MAX, count as u64).unwrap(), expected, "{count}");
        }
        assert_eq!(last_lines(&mut Cursor::new(&[]), u64::MAX, 1).unwrap(), 0);
        // What is appended meanwhile is behind the bytes that are asked for.
        let bytes = begins[2000];
        for (count, first) in [(0, 2000), (1, 1999), (1400, 600), (2000, 0), (2001, 0)] {
            assert_eq!(last_lines(&mut Cursor::new(&text), bytes, count).unwrap(), begins[first], "{count}");
        }
    }
}
