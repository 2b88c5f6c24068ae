//! The file form of a chain: JSON lines, one entry a line, each ended by LF, no blank line.

use crate::error::{Error, Problem};
use alloc::vec::Vec;

/// Cuts a stream of bytes into lines, in memory for one line.
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
/// assert_eq!(checker.head(), *chain.head());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct JsonLines {
    rest: Vec<u8>,
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
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (text, ended) = piece.strip_suffix(b"\n").map_or((piece, false), |text| (text, true));
            if self.rest.len().saturating_add(text.len()) > self.longest {
                return Err(Error::malformed_at("line", self.line, Problem::Range));
            }
            if !ended {
                self.rest.extend_from_slice(text);
                continue;
            }
            if self.rest.is_empty() {
                self.line(text, &mut each)?;
            } else {
                let mut line = core::mem::take(&mut self.rest);
                line.extend_from_slice(text);
                self.line(&line, &mut each)?;
                // Keeps the buffer for the next line that comes in pieces.
                line.clear();
                self.rest = line;
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

    fn line(&mut self, line: &[u8], each: &mut impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        if line.is_empty() {
            return Err(Error::malformed_at("line", self.line, Problem::JsonSyntax));
        }
        each(line)?;
        self.line = self.line.saturating_add(1);
        Ok(())
    }
}

impl Default for JsonLines {
    fn default() -> Self {
        Self::new()
    }
}
