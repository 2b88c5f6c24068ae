//! The elements of an array, each as it stands in the text.

use super::raw::{Items, Raw};
use crate::error::{Error, Problem};

/// Cuts a JSON array into its elements, for lists of records of which each is read by itself: nothing is copied. The
/// whole text is checked first, in the memory that reading a record may take.
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
/// There is one item, an error, where the text is no array: `json` with the byte at which reading stopped.
#[must_use]
pub fn elements(text: &[u8]) -> Elements<'_> {
    let none = Error::malformed_at("json", 0, Problem::JsonSyntax);
    let (items, fault) = match Raw::parse(text).and_then(|raw| raw.items().ok_or(none)) {
        Ok(items) => (Some(items), None),
        Err(error) => (None, Some(error)),
    };
    Elements { items, fault }
}

/// The elements of an array: see [`elements`].
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    items: Option<Items<'a>>,
    fault: Option<Error>,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Result<&'a [u8], Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let item = self.items.as_mut().and_then(Iterator::next).map(|item| Ok(item.as_bytes()));
        item.or_else(|| self.fault.take().map(Err))
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
