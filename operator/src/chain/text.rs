//! A chain as text, streamed: JSON lines, or a JSON array.

use super::elements::Elements;
use super::error::ChainError;
use super::portions::Portions;
use dualseal::Error;
use dualseal::krunica::JsonLines;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

/// How much is read at once, in bytes.
const BLOCK: usize = 64 << 10;
/// The most bytes of an element of an array, as of a line.
const LONGEST: usize = 16 << 20;

/// A chain whose text comes in parts, of which one entry is held at a time: JSON lines, or an array.
///
/// ```
/// use dualseal_operator::chain::ChainText;
///
/// let mut found = Vec::new();
/// let mut text = ChainText::new();
/// for part in ["[{\"a\":1}, {", "\"b\": 2} ]"] {
///     text.push(part.as_bytes(), |json| Ok(found.push(json.to_vec())))?;
/// }
/// text.finish()?;
/// assert_eq!(found, [&b"{\"a\":1}"[..], b"{\"b\": 2}"]);
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct ChainText {
    form: Form,
}

#[derive(Debug, Default)]
enum Form {
    #[default]
    Unknown,
    Lines(JsonLines),
    Array(Elements),
}

impl ChainText {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The next part of the text. Each entry that ends in it is handed to `each`, as JSON without `seq`, which stands
    /// as it stood there.
    ///
    /// # Errors
    /// What [`JsonLines::push`] says, of an array's elements too, and `each`.
    pub fn push(&mut self, part: &[u8], each: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        if let (Form::Unknown, Some(first)) = (&self.form, part.first()) {
            self.form =
                if *first == b'[' { Form::Array(Elements::new(LONGEST)) } else { Form::Lines(JsonLines::new()) };
        }
        match &mut self.form {
            Form::Unknown => Ok(()),
            Form::Lines(lines) => lines.push(part, each),
            Form::Array(elements) => elements.push(part, each),
        }
    }

    /// There is no more.
    ///
    /// # Errors
    /// [`Malformed`](dualseal::error::Malformed) for what has not ended.
    pub fn finish(self) -> Result<(), Error> {
        match self.form {
            Form::Unknown => Ok(()),
            Form::Lines(lines) => lines.finish(),
            Form::Array(elements) => elements.finish(),
        }
    }
}

/// Hands each entry of a chain to `each`, as JSON text without `seq`.
///
/// # Errors
/// [`ChainError::Read`]; [`ChainError::Chain`] for what is no chain and for what `each` says.
pub fn entries(mut from: impl Read, mut each: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), ChainError> {
    let mut text = ChainText::new();
    parts(&mut from, |part| text.push(part, &mut each))?;
    text.finish().map_err(ChainError::Chain)
}

/// As [`entries`], several at a time. What `each` says of an entry comes before whatever is wrong with the text behind
/// it.
///
/// # Errors
/// As [`entries`].
pub fn portions(from: impl Read, mut each: impl FnMut(&[&[u8]]) -> Result<(), Error>) -> Result<(), ChainError> {
    let mut portions = Portions::new();
    let read = entries(from, |json| portions.push(json, &mut each));
    portions.end(each).map_err(ChainError::Chain).and(read)
}

/// As [`entries`], in the first bytes of a file of lines, whatever is appended to it meanwhile: of all of them, or of
/// the last ones, which are looked for from the end.
///
/// ```
/// use dualseal_operator::chain::entries_within;
/// use std::io::Cursor;
///
/// let (file, mut found) = (Cursor::new(b"{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n"), Vec::new());
/// entries_within(file, 16, Some(1), |json| Ok(found.push(json.to_vec())))?;
/// assert_eq!(found, [b"{\"b\":2}"]);
/// # Ok::<(), dualseal_operator::chain::ChainError>(())
/// ```
///
/// # Errors
/// As [`entries`].
pub fn entries_within(
    mut file: impl Read + Seek,
    bytes: u64,
    last: Option<u64>,
    mut each: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), ChainError> {
    let begin = last.map_or(Ok(0), |count| last_lines(&mut file, bytes, count))?;
    file.seek(SeekFrom::Start(begin))?;
    let mut lines = JsonLines::new();
    parts(&mut file.take(bytes.saturating_sub(begin)), |part| lines.push(part, &mut each))?;
    lines.finish().map_err(ChainError::Chain)
}

/// As [`entries_within`], several at a time, as [`portions`] does.
///
/// # Errors
/// As [`entries`].
pub fn portions_within(
    file: impl Read + Seek,
    bytes: u64,
    last: Option<u64>,
    mut each: impl FnMut(&[&[u8]]) -> Result<(), Error>,
) -> Result<(), ChainError> {
    let mut portions = Portions::new();
    let read = entries_within(file, bytes, last, |json| portions.push(json, &mut each));
    portions.end(each).map_err(ChainError::Chain).and(read)
}

fn parts(from: &mut impl Read, mut each: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), ChainError> {
    let mut part = vec![0; BLOCK];
    loop {
        match from.read(&mut part) {
            Ok(0) => return Ok(()),
            Ok(read) => each(&part[..read]).map_err(ChainError::Chain)?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
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
