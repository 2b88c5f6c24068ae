//! Reading through a buffer that is wiped.

use std::io::{self, BufRead, ErrorKind, Read};
use zeroize::Zeroizing;

const BYTES: usize = 65_536;

/// As [`BufReader`](io::BufReader), for what may be a secret: what was read stands in one place, and is wiped there.
pub(super) struct Wiped<R> {
    inner: R,
    buffer: Zeroizing<Vec<u8>>,
    start: usize,
    end: usize,
}

impl<R> Wiped<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, buffer: Zeroizing::new(vec![0; BYTES]), start: 0, end: 0 }
    }
}

impl<R: Read> BufRead for Wiped<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.start >= self.end {
            match self.inner.read(&mut self.buffer) {
                Ok(read) => (self.start, self.end) = (0, read),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            break;
        }
        Ok(self.buffer.get(self.start..self.end).unwrap_or_default())
    }

    fn consume(&mut self, bytes: usize) {
        self.start = self.start.saturating_add(bytes).min(self.end);
    }
}

impl<R: Read> Read for Wiped<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}
