//! Entries that are handed over several at a time, for whoever hashes them together.

use dualseal::Error;

/// As many as one reader hashes at once.
const ENTRIES: usize = 64;
/// Bytes with which a portion ends, since an entry may have as many as it likes.
const BYTES: usize = 64 << 10;

/// Entries as JSON texts that wait for more. One that is longer than all that wait is not kept with them.
///
/// ```
/// use dualseal_operator::chain::Portions;
///
/// let (mut portions, mut sizes) = (Portions::new(), Vec::new());
/// let mut each = |texts: &[&[u8]]| Ok(sizes.push(texts.len()));
/// for number in 0..100 {
///     portions.push(format!("{{\"a\":{number}}}").as_bytes(), &mut each)?;
/// }
/// portions.end(&mut each)?;
/// assert_eq!(sizes, [64, 36]);
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Portions {
    text: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Portions {
    /// Nothing waits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next entry, and hands those over that wait where they are enough.
    ///
    /// # Errors
    /// What `each` says; nothing waits then.
    pub fn push(&mut self, json: &[u8], mut each: impl FnMut(&[&[u8]]) -> Result<(), Error>) -> Result<(), Error> {
        if json.len() > BYTES {
            self.end(&mut each)?;
            return each(&[json]);
        }
        self.text.extend_from_slice(json);
        self.ends.push(self.text.len());
        if self.ends.len() == ENTRIES || self.text.len() >= BYTES { self.end(each) } else { Ok(()) }
    }

    /// Hands over what waits.
    ///
    /// # Errors
    /// What `each` says; nothing waits then.
    pub fn end(&mut self, mut each: impl FnMut(&[&[u8]]) -> Result<(), Error>) -> Result<(), Error> {
        let (text, mut begin) = (std::mem::take(&mut self.text), 0);
        let cut = |end| &text[std::mem::replace(&mut begin, end)..end];
        let texts: Vec<&[u8]> = self.ends.drain(..).map(cut).collect();
        let told = if texts.is_empty() { Ok(()) } else { each(&texts) };
        self.text = text;
        self.text.clear();
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::{ChainError, entries, portions};
    use dualseal::error::Misuse;
    use std::io::{self, Read};

    /// The lengths of what was handed over, portion by portion.
    fn lengths(entries: &[usize]) -> Vec<Vec<usize>> {
        let (mut portions, mut found) = (Portions::new(), Vec::new());
        let mut each = |texts: &[&[u8]]| {
            found.push(texts.iter().map(|text| text.len()).collect());
            Ok(())
        };
        for length in entries {
            portions.push(&vec![b'x'; *length], &mut each).unwrap();
        }
        portions.end(&mut each).unwrap();
        found
    }

    #[test]
    fn a_portion_ends_by_number_or_by_bytes() {
        assert_eq!(lengths(&[]), [[0; 0]; 0]);
        assert_eq!(lengths(&[1; 130]), [vec![1; 64], vec![1; 64], vec![1; 2]]);
        assert_eq!(lengths(&[BYTES / 2 - 1; 4]), [vec![BYTES / 2 - 1; 3], vec![BYTES / 2 - 1]]);
        assert_eq!(lengths(&[1, BYTES, 2]), [vec![1, BYTES], vec![2]]);
        // What is longer is alone, and after those before it.
        assert_eq!(
            lengths(&[1, 2, BYTES + 1, 16 * BYTES, 3]),
            [vec![1, 2], vec![BYTES + 1], vec![16 * BYTES], vec![3]]
        );
    }

    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("no more"))
        }
    }

    /// What is wrong with an entry is said before what is wrong with the text behind it, as where each is handed over
    /// by itself; and up to the latter all are.
    #[test]
    fn the_first_fault_is_that_of_entries_one_by_one() {
        let refused = |json: &[u8]| if json == b"bad" { Err(Misuse::NoEnd.into()) } else { Ok(()) };
        for text in [
            "",
            "\n",
            "a\n",
            "a\nbad\n",
            "a\nbad\n\n",
            "a\n\nbad\n",
            "a\nbad",
            "bad\na\n",
            "[a,bad]x",
            "[a]x",
            "[a,,bad]",
        ] {
            for is_broken in [false, true] {
                let file = || -> Box<dyn Read + '_> {
                    if is_broken { Box::new(text.as_bytes().chain(Broken)) } else { Box::new(text.as_bytes()) }
                };
                let told = |error: ChainError| error.to_string();
                let (mut one_by_one, mut together) = (Vec::new(), Vec::new());
                let expected = entries(file(), |json| {
                    one_by_one.push(json.to_vec());
                    refused(json)
                });
                let found = portions(file(), |texts| {
                    texts.iter().try_for_each(|json| {
                        together.push(json.to_vec());
                        refused(json)
                    })
                });
                assert_eq!(
                    (found.map_err(told), &together),
                    (expected.map_err(told), &one_by_one),
                    "{text:?} {is_broken}"
                );
            }
        }
    }
}
