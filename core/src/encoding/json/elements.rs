//! The elements of an array, each as it stands in the text.

use crate::error::{Error, Problem};

/// Cuts a JSON array into its elements, for lists of records of which each is read by itself: nothing is copied, and
/// nothing is kept beside the text, however long the list is.
///
/// The array's own brackets and commas are checked, and that something stands between them; what it is, its reader
/// says.
///
/// ```
/// use dualseal::encoding::json::elements;
///
/// let found: Result<Vec<_>, _> = elements(br#" [ {"a":[1,2]}, "],", 3 ] "#).collect();
/// assert_eq!(found?, [&br#"{"a":[1,2]}"#[..], br#""],""#, b"3"]);
/// assert!(elements(b"[1,]").any(|element| element.is_err()));
/// # Ok::<(), dualseal::Error>(())
/// ```
///
/// Each item is an error, after which there are no more, where the array is none: `json` with the byte at which reading
/// stopped.
#[must_use]
pub fn elements(text: &[u8]) -> Elements<'_> {
    Elements { text, position: 0, state: State::Opening }
}

/// The elements of an array: see [`elements`].
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    text: &'a [u8],
    position: usize,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before the bracket that opens the array.
    Opening,
    /// Behind a comma.
    Between,
    Ended,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Result<&'a [u8], Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = match self.state {
            State::Opening => self.open(),
            State::Between => self.element().map(Some),
            State::Ended => return None,
        };
        if !matches!(next, Ok(Some(_))) {
            self.state = State::Ended;
        }
        next.transpose()
    }
}

impl<'a> Elements<'a> {
    fn open(&mut self) -> Result<Option<&'a [u8]>, Error> {
        if self.text.starts_with(b"\xef\xbb\xbf") {
            return Err(self.fault(Problem::JsonByteOrderMark));
        }
        self.space();
        if self.peek() != Some(b'[') {
            return Err(self.fault(Problem::JsonSyntax));
        }
        self.advance();
        self.space();
        if self.peek() == Some(b']') {
            self.close()?;
            return Ok(None);
        }
        self.element().map(Some)
    }

    /// Up to the comma or bracket that ends it, which is passed.
    fn element(&mut self) -> Result<&'a [u8], Error> {
        self.space();
        let start = self.position;
        let mut depth: usize = 0;
        loop {
            match self.peek() {
                None => return Err(self.fault(Problem::JsonSyntax)),
                Some(b'"') => self.string(),
                Some(b'[' | b'{') => depth = depth.saturating_add(1),
                Some(b',' | b']' | b'}') if depth == 0 => break,
                Some(b']' | b'}') => depth = depth.saturating_sub(1),
                Some(_) => {}
            }
            self.advance();
        }
        let element = self.text.get(start..self.position).unwrap_or_default().trim_ascii_end();
        if element.is_empty() {
            return Err(self.fault(Problem::JsonSyntax));
        }
        if self.peek() == Some(b',') {
            self.advance();
            self.state = State::Between;
        } else {
            self.close()?;
            self.state = State::Ended;
        }
        Ok(element)
    }

    /// To the quotation mark that ends a string, or to the end of the text.
    fn string(&mut self) {
        self.advance();
        while let Some(byte) = self.peek().filter(|byte| *byte != b'"') {
            if byte == b'\\' {
                self.advance();
            }
            self.advance();
        }
    }

    /// The bracket that ends the array, and nothing behind it.
    fn close(&mut self) -> Result<(), Error> {
        if self.peek() == Some(b']') {
            self.advance();
            self.space();
            if self.position >= self.text.len() {
                return Ok(());
            }
        }
        Err(self.fault(Problem::JsonSyntax))
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.advance();
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.position).copied()
    }

    fn advance(&mut self) {
        self.position = self.position.saturating_add(1);
    }

    fn fault(&self, problem: Problem) -> Error {
        Error::malformed_at("json", u64::try_from(self.position).unwrap_or(u64::MAX), problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::json::Value;
    use alloc::vec::Vec;

    fn cut(text: &str) -> Result<Vec<&[u8]>, Error> {
        elements(text.as_bytes()).collect()
    }

    #[test]
    fn an_element_is_what_stands_between_the_commas() {
        assert_eq!(cut("[]").unwrap(), [b""; 0]);
        assert_eq!(cut(" [ ] ").unwrap(), [b""; 0]);
        assert_eq!(cut("[1]").unwrap(), [b"1"]);
        assert_eq!(
            cut("\t[ {} ,\n[[],{\"a\":[]}], \"a\\\"],\" ]\r\n").unwrap(),
            [&b"{}"[..], b"[[],{\"a\":[]}]", b"\"a\\\"],\""]
        );
    }

    /// Whatever the whole reader takes as an array, is cut into what the reader takes one by one.
    #[test]
    fn the_elements_read_as_the_whole_does() {
        for text in ["[]", "[1,\"x\",null]", "[ [1,[2]] , {\"a\":{\"b\":\"]\"}} ]", "[\"\\\\\",\"\\\"\"]"] {
            let Value::Array(whole) = Value::parse(text.as_bytes()).unwrap() else { panic!("{text}") };
            let one_by_one: Result<Vec<_>, _> = elements(text.as_bytes()).map(|each| Value::parse(each?)).collect();
            assert_eq!(one_by_one.unwrap(), whole, "{text}");
        }
    }

    #[test]
    fn what_is_no_array_is_refused_once() {
        let bad = [
            "",
            " ",
            "1",
            "{}",
            "[",
            "[1",
            "[1,",
            "[,]",
            "[1,]",
            "[1,,2]",
            "[1]x",
            "[1]]",
            "[]1",
            "[\"",
            "[\"\\",
            "[{]",
            "[}",
            "[1}",
            "\u{feff}[]",
        ];
        for text in bad {
            assert!(cut(text).is_err(), "{text}");
            let mut all = elements(text.as_bytes()).skip_while(Result::is_ok);
            assert!(all.next().is_some_and(|last| last.is_err()) && all.next().is_none(), "{text}");
        }
        assert_eq!(cut("[1,]").unwrap_err(), Error::malformed_at("json", 3, Problem::JsonSyntax));
    }
}
