//! Reading what lies in memory in parts, as one.

use std::io::{self, BufRead, Read};

/// Parts that follow each other. None of them is copied.
pub(super) struct Parts<'a, I> {
    rest: I,
    part: &'a [u8],
}

impl<'a, I: Iterator<Item = &'a [u8]>> Parts<'a, I> {
    pub(super) fn new(parts: I) -> Self {
        Self { rest: parts, part: &[] }
    }
}

impl<'a, I: Iterator<Item = &'a [u8]>> BufRead for Parts<'a, I> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.part.is_empty() {
            match self.rest.next() {
                Some(part) => self.part = part,
                None => break,
            }
        }
        Ok(self.part)
    }

    fn consume(&mut self, bytes: usize) {
        self.part = self.part.get(bytes..).unwrap_or_default();
    }
}

impl<'a, I: Iterator<Item = &'a [u8]>> Read for Parts<'a, I> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_as_one() {
        let parts: [&[u8]; 5] = [b"", b"one", b"", b"two", b""];
        let mut read = Vec::new();
        Parts::new(parts.into_iter()).read_to_end(&mut read).unwrap();
        assert_eq!(read, b"onetwo");
        let mut parts = Parts::new(parts.into_iter());
        assert_eq!(parts.fill_buf().unwrap(), b"one");
        parts.consume(2);
        assert_eq!(parts.fill_buf().unwrap(), b"e");
        parts.consume(1);
        assert_eq!(parts.fill_buf().unwrap(), b"two");
    }
}
