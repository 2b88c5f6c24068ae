//! The strings of a text that was checked.

use alloc::string::String;
use core::ops::Deref;
use zeroize::Zeroizing;

/// A string that was read: from its place in the text, or where it has escapes from a copy that is wiped.
pub(crate) enum Text<'a> {
    Plain(&'a str),
    Copy(Zeroizing<String>),
}

impl<'a> Text<'a> {
    /// From what stands between the quotation marks, and whether that has an escape.
    pub(super) fn new(raw: &'a str, escapes: bool) -> Self {
        if !escapes {
            return Self::Plain(raw);
        }
        // Room for all of it, since a text that moves as it grows leaves a copy behind.
        let mut copy = Zeroizing::new(String::with_capacity(Unescape::new(raw).map(char::len_utf8).sum()));
        copy.extend(Unescape::new(raw));
        Self::Copy(copy)
    }

    /// The text, which is the caller's to wipe from here on.
    pub(crate) fn into_string(self) -> String {
        match self {
            Self::Plain(text) => String::from(text),
            Self::Copy(mut text) => core::mem::take(&mut text),
        }
    }
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Plain(text) => text,
            Self::Copy(text) => text,
        }
    }
}

/// The characters of a checked string, up to the quotation mark that ends it.
#[derive(Clone)]
pub(crate) struct Unescape<'a>(core::str::Chars<'a>);

impl<'a> Unescape<'a> {
    pub(super) fn new(raw: &'a str) -> Self {
        Self(raw.chars())
    }

    fn code_unit(&mut self) -> u32 {
        let digits = self.0.by_ref().take(4).filter_map(|digit| digit.to_digit(16));
        digits.fold(0, |unit, digit| unit.wrapping_mul(16).wrapping_add(digit))
    }
}

impl Iterator for Unescape<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        match self.0.next()? {
            '"' => None,
            '\\' => match self.0.next()? {
                'b' => Some('\x08'),
                'f' => Some('\x0c'),
                'n' => Some('\n'),
                'r' => Some('\r'),
                't' => Some('\t'),
                'u' => {
                    let unit = self.code_unit();
                    if !(0xd800..0xdc00).contains(&unit) {
                        return char::from_u32(unit);
                    }
                    // The low surrogate of a pair, behind its `\u`.
                    let low = self.0.nth(1).map_or(0, |_| self.code_unit());
                    let code = (unit & 0x3ff).wrapping_shl(10) | (low & 0x3ff);
                    char::from_u32(code.wrapping_add(0x1_0000))
                }
                plain => Some(plain),
            },
            plain => Some(plain),
        }
    }
}
