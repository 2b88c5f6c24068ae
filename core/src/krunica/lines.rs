//! The file form of a chain: JSON lines, one entry a line, each ended by LF, no blank line.

use crate::error::{Error, Problem};
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// What is kept of an unfinished line is kept in blocks of so many bytes. One buffer that grew would for a while take
/// three times the line.
const BLOCK: usize = 16 << 10;

/// Bytes in which a line feed is looked for at once.
const PIECE: usize = 32;

/// Cuts a stream of bytes into lines, in memory for one line: twice its bytes where it comes in parts.
///
/// ```
/// use dualseal::krunica::{Checker, JsonLines, Krunica};
/// use dualseal::Domain;
///
/// let domain = Domain::default();
/// let ana = domain.identity_id(b"", "ana", "")?;
/// let mut chain = Krunica::new();
/// chain.append(&domain, &ana, "received", "2026-11-21T09:00:00.000Z".parse()?)?;
/// let file: String = chain.entries().iter().map(|entry| entry.to_json_line()).collect();
///
/// let (mut lines, mut checker) = (JsonLines::new(), Checker::new());
/// for part in file.as_bytes().chunks(7) {
///     lines.push(part, |line| Ok(checker.push_json(line).map(drop)?))?;
/// }
/// lines.finish()?;
/// assert_eq!(checker.head(), chain.head());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct JsonLines {
    /// Wiped when they are freed: what somebody has inspected may be a share.
    rest: Vec<Zeroizing<Vec<u8>>>,
    longest: usize,
    line: u64,
}

impl JsonLines {
    /// Lines of at most 16 MiB.
    #[must_use]
    pub fn new() -> Self {
        Self::with_longest(16 << 20)
    }

    /// Lines of at most `longest` bytes, so that a stream without line ends does not fill the memory.
    #[must_use]
    pub fn with_longest(longest: usize) -> Self {
        Self { rest: Vec::new(), longest, line: 0 }
    }

    /// Takes the next bytes, and hands each line that they complete to `each`, without its LF.
    ///
    /// # Errors
    /// What `each` returns; [`Problem::JsonSyntax`] for a blank line and [`Problem::Range`] for one that is too long,
    /// with the number of the line from 0.
    pub fn push(&mut self, bytes: &[u8], mut each: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let (text, ended) = rest.split_at_checked(before_line_feed(rest)).unwrap_or((rest, &[]));
            rest = ended.get(1..).unwrap_or_default();
            let held = self.held().saturating_add(text.len());
            if held > self.longest {
                return Err(Error::malformed_at("line", self.line, Problem::Range));
            }
            if ended.is_empty() {
                self.keep(text);
                continue;
            }
            if self.rest.is_empty() {
                self.line(text, &mut each)?;
            } else {
                let mut line = Zeroizing::new(Vec::with_capacity(held));
                // Each block is freed once it is copied.
                for block in core::mem::take(&mut self.rest) {
                    line.extend_from_slice(&block);
                }
                line.extend_from_slice(text);
                self.line(&line, &mut each)?;
            }
        }
        Ok(())
    }

    /// Ends the stream.
    ///
    /// # Errors
    /// [`Problem::JsonSyntax`] when the last line has no LF, as when a file was cut off.
    pub fn finish(self) -> Result<(), Error> {
        if self.rest.is_empty() { Ok(()) } else { Err(Error::malformed_at("line", self.line, Problem::JsonSyntax)) }
    }

    /// Every block but the last is full.
    fn held(&self) -> usize {
        let count = |(last, full): (&Zeroizing<Vec<u8>>, &[Zeroizing<Vec<u8>>])| {
            full.len().saturating_mul(BLOCK).saturating_add(last.len())
        };
        self.rest.split_last().map_or(0, count)
    }

    fn keep(&mut self, mut text: &[u8]) {
        while !text.is_empty() {
            let room = self.rest.last().map_or(0, |block| BLOCK.saturating_sub(block.len()));
            let (now, later) = text.split_at_checked(room).unwrap_or((text, &[]));
            match self.rest.last_mut() {
                Some(block) if room > 0 => extend(block, now),
                // Most lines do not fill the first.
                _ => self.rest.push(Zeroizing::new(Vec::with_capacity(if self.rest.is_empty() { 0 } else { BLOCK }))),
            }
            text = later;
        }
    }

    fn line(&mut self, line: &[u8], each: &mut impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        if line.is_empty() {
            return Err(Error::malformed_at("line", self.line, Problem::JsonSyntax));
        }
        each(line)?;
        self.line = self.line.saturating_add(1);
        Ok(())
    }
}

/// The number of bytes before the first line feed; all where there is none. All bytes of a piece of fixed length are
/// looked at, which the compiler does in vectors.
fn before_line_feed(bytes: &[u8]) -> usize {
    let has = |piece: &[u8; PIECE]| piece.iter().fold(0, |seen, byte| seen | u8::from(*byte == b'\n')) != 0;
    let pieces = bytes.as_chunks().0;
    let skipped = pieces.iter().position(has).unwrap_or(pieces.len()).saturating_mul(PIECE);
    let rest = bytes.get(skipped..).unwrap_or_default();
    skipped.saturating_add(rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()))
}

/// A block that grows leaves no copy of what it held.
fn extend(block: &mut Zeroizing<Vec<u8>>, bytes: &[u8]) {
    let length = block.len().saturating_add(bytes.len());
    if length > block.capacity() {
        let room = length.max(block.len().saturating_mul(2)).min(BLOCK);
        let mut larger = Zeroizing::new(Vec::with_capacity(room));
        larger.extend_from_slice(block);
        *block = larger;
    }
    block.extend_from_slice(bytes);
}

impl Default for JsonLines {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::{PIECE, before_line_feed, extend};
    use alloc::vec::Vec;
    use zeroize::Zeroizing;

    #[test]
    fn a_block_with_room_stays_where_it_is() {
        let mut block = Zeroizing::new(Vec::with_capacity(10));
        let place = block.as_ptr();
        extend(&mut block, b"12345");
        assert_eq!((block.as_ptr(), block.as_slice()), (place, b"12345".as_slice()));
        let room = block.capacity();
        extend(&mut block, &alloc::vec![b'6'; room]);
        assert_eq!((block.len(), block.capacity()), (room + 5, room + 5));
    }

    #[test]
    fn the_first_line_feed_is_found_wherever_it_stands() {
        for length in 0..3 * PIECE {
            let mut bytes = alloc::vec![b'\r'; length];
            assert_eq!(before_line_feed(&bytes), length);
            for place in (0..length).rev() {
                bytes[place] = b'\n';
                assert_eq!(before_line_feed(&bytes), place);
            }
        }
    }
}
