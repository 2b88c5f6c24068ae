//! The elements of a JSON array that comes in parts: one of them is held at a time.

use dualseal::Error;
use dualseal::error::{Malformed, Problem};

/// Cuts an array into its elements. Whether one is JSON by itself its reader says.
#[derive(Debug)]
pub(super) struct Elements {
    at: At,
    /// What there is of the element that has not ended.
    element: Vec<u8>,
    /// How many objects and arrays are open in it.
    depth: u32,
    string: InString,
    count: u64,
    longest: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Begin,
    Element,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InString {
    No,
    Yes,
    /// Behind a backslash.
    Escaped,
}

impl Elements {
    /// Of elements of at most so many bytes.
    pub(super) fn new(longest: usize) -> Self {
        Self { at: At::Begin, element: Vec::new(), depth: 0, string: InString::No, count: 0, longest }
    }

    /// The next part: each element that ends in it is handed over, without the white space around it.
    pub(super) fn push(
        &mut self,
        mut part: &[u8],
        mut each: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        while let Some((first, rest)) = part.split_first() {
            match self.at {
                At::Begin if *first == b'[' => {
                    (self.at, part) = (At::Element, rest);
                    continue;
                }
                At::End if trimmed(&[*first]).is_empty() => {
                    part = rest;
                    continue;
                }
                At::Begin | At::End => return Err(self.fault(Problem::JsonSyntax)),
                At::Element => {}
            }
            let end = part.iter().position(|byte| self.ends(*byte));
            let (text, rest) = part.split_at(end.unwrap_or(part.len()));
            if self.element.len().saturating_add(text.len()) > self.longest {
                return Err(self.fault(Problem::Range));
            }
            self.element.extend_from_slice(text);
            part = rest;
            if let Some((end, rest)) = rest.split_first() {
                self.end(*end == b']', &mut each)?;
                part = rest;
            }
        }
        Ok(())
    }

    /// There is no more.
    pub(super) fn finish(self) -> Result<(), Error> {
        if self.at == At::End { Ok(()) } else { Err(self.fault(Problem::JsonSyntax)) }
    }

    /// Whether the element ends before this byte.
    fn ends(&mut self, byte: u8) -> bool {
        match (self.string, byte) {
            (InString::Escaped, _) | (InString::No, b'"') => self.string = InString::Yes,
            (InString::Yes, b'\\') => self.string = InString::Escaped,
            (InString::Yes, b'"') => self.string = InString::No,
            (InString::No, b',' | b']') if self.depth == 0 => return true,
            (InString::No, b'[' | b'{') => self.depth = self.depth.saturating_add(1),
            (InString::No, b']' | b'}') => self.depth = self.depth.saturating_sub(1),
            (InString::Yes | InString::No, _) => {}
        }
        false
    }

    fn end(&mut self, is_last: bool, each: &mut impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        let element = trimmed(&self.element);
        match (element.is_empty(), is_last && self.count == 0) {
            (true, true) => {}
            (true, false) => return Err(self.fault(Problem::JsonSyntax)),
            (false, _) => each(element)?,
        }
        self.element.clear();
        self.count = self.count.saturating_add(1);
        if is_last {
            self.at = At::End;
        }
        Ok(())
    }

    fn fault(&self, problem: Problem) -> Error {
        Malformed::new("krunica", Some(self.count), problem).into()
    }
}

/// Without the white space of JSON around it, which is less than that of ASCII.
fn trimmed(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t' | b'\n' | b'\r', rest @ ..] | [rest @ .., b' ' | b'\t' | b'\n' | b'\r'] = text {
        text = rest;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In parts of every length the same.
    fn read(text: &str, longest: usize) -> Result<Vec<String>, Problem> {
        let read = |length| {
            let (mut elements, mut found) = (Elements::new(longest), Vec::new());
            text.as_bytes().chunks(length).try_for_each(|part| {
                elements.push(part, |element| {
                    found.push(String::from_utf8(element.to_vec()).unwrap());
                    Ok(())
                })
            })?;
            elements.finish()?;
            Ok(found)
        };
        let whole = read(text.len().max(1));
        for length in 1..text.len() {
            assert_eq!(read(length), whole, "{length}");
        }
        whole.map_err(|error| match error {
            Error::Malformed(malformed) => malformed.problem,
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn an_array_is_cut_where_its_elements_end() {
        for (text, expected) in [
            ("[]", &[][..]),
            ("[ \n]\n", &[]),
            ("[\r{}\t,\x0c{}\x0c]\r\n", &["{}", "\x0c{}\x0c"]),
            ("[{}]", &["{}"]),
            ("[{} , {\"a\":[1,{\"b\":2}]}]", &["{}", "{\"a\":[1,{\"b\":2}]}"]),
            (r#"["],[", "\\", "\",", {"a\"}":"{"}] "#, &[r#""],[""#, r#""\\""#, r#""\",""#, r#"{"a\"}":"{"}"#]),
        ] {
            assert_eq!(read(text, 100).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_array_is_malformed() {
        for text in
            ["", "[", "[{}", "[{},", "[{},]", "[,]", "[,{}]", "[{}]]", "[{}]x", "[{}]\x0c", "[\"]", "[[]", "x[]"]
        {
            assert_eq!(read(text, 100), Err(Problem::JsonSyntax), "{text}");
        }
    }

    /// However long the array is.
    #[test]
    fn an_element_has_an_end() {
        let text = format!("[{}{{}}]", "{\"a\":1},".repeat(20));
        assert_eq!(read(&text, 7).unwrap().len(), 21);
        assert_eq!(read(&text, 6), Err(Problem::Range));
    }
}
