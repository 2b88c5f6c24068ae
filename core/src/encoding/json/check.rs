//! The strict check of a text, in one pass. It keeps nothing of the text but where the names of the objects that are
//! open begin, four bytes each; the depth bound also bounds the stack.

use super::scan::before;
use super::text::Unescape;
use super::{MAX_DEPTH, MAX_INTEGER};
use crate::error::{Error, Problem};
use alloc::vec::Vec;

/// The text, when it is one JSON value with nothing but space around it.
pub(super) fn check(bytes: &[u8]) -> Result<&str, Error> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(Error::malformed_at("json", 0, Problem::JsonByteOrderMark));
    }
    let text = core::str::from_utf8(bytes).map_err(|error| at(error.valid_up_to(), Problem::Utf8))?;
    if u32::try_from(text.len()).is_err() {
        return Err(Error::malformed("json", Problem::Range));
    }
    let mut check = Check { text, position: 0, names: Vec::new(), open: Vec::new() };
    // A name that is there twice stands before whatever else stopped the reading.
    check.text().map_err(|error| check.repeated().map_or(error, |start| at(start, Problem::DuplicateMember)))?;
    Ok(text)
}

fn at(position: usize, problem: Problem) -> Error {
    Error::malformed_at("json", u64::try_from(position).unwrap_or(u64::MAX), problem)
}

/// `position` is at most `text.len()`.
struct Check<'a> {
    text: &'a str,
    position: usize,
    /// Where the name of each member begins that was read to its end, of every object that is open.
    names: Vec<u32>,
    /// Where in `names` those of each open object begin.
    open: Vec<usize>,
}

impl Check<'_> {
    fn text(&mut self) -> Result<(), Error> {
        self.value(0)?;
        self.space();
        if self.position == self.text.len() { Ok(()) } else { Err(self.fault(Problem::JsonSyntax)) }
    }

    fn value(&mut self, depth: usize) -> Result<(), Error> {
        self.space();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string(),
            Some(b'-' | b'0'..=b'9') => self.integer(),
            _ => self.literal(),
        }
    }

    fn object(&mut self, depth: usize) -> Result<(), Error> {
        let depth = self.enter(depth)?;
        if self.closes(b'}') {
            return Ok(());
        }
        self.open.push(self.names.len());
        loop {
            self.space();
            let start = self.position;
            self.string()?;
            self.space();
            self.expect(b':')?;
            self.value(depth)?;
            self.remember(start);
            if self.closes(b'}') {
                if let Some(start) = self.repeated_since(self.open.last().copied().unwrap_or(0)) {
                    return Err(at(start, Problem::DuplicateMember));
                }
                self.names.truncate(self.open.pop().unwrap_or(0));
                return Ok(());
            }
            self.expect(b',')?;
        }
    }

    /// Growing by a quarter: old and new room together are nine bytes for each name, of which a text has one in five
    /// bytes (`"":0,`). Doubling would take twelve.
    fn remember(&mut self, start: usize) {
        if self.names.len() == self.names.capacity() {
            self.names.reserve_exact((self.names.len() >> 2).saturating_add(16));
        }
        // Within the 4 GiB that a text may have.
        self.names.push(u32::try_from(start).unwrap_or(u32::MAX));
    }

    fn array(&mut self, depth: usize) -> Result<(), Error> {
        let depth = self.enter(depth)?;
        if self.closes(b']') {
            return Ok(());
        }
        loop {
            self.value(depth)?;
            if self.closes(b']') {
                return Ok(());
            }
            self.expect(b',')?;
        }
    }

    fn literal(&mut self) -> Result<(), Error> {
        let found = ["null", "true", "false"].into_iter().find(|word| self.rest().starts_with(word.as_bytes()));
        self.advance(found.ok_or_else(|| self.fault(Problem::JsonSyntax))?.len());
        Ok(())
    }

    fn integer(&mut self) -> Result<(), Error> {
        let start = self.position;
        let negative = self.take(b'-');
        let digits = self.text.get(self.position..).unwrap_or_default();
        let digits = digits.split_once(|c: char| !c.is_ascii_digit()).map_or(digits, |(digits, _)| digits);
        self.advance(digits.len());
        if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
            return Err(at(start, Problem::JsonSyntax));
        }
        // -0 would print as 0, and a fraction or an exponent has more than one spelling.
        let other = (negative && digits == "0") || matches!(self.peek(), Some(b'.' | b'e' | b'E'));
        match digits.parse::<i64>() {
            Ok(..=MAX_INTEGER) if !other => Ok(()),
            _ => Err(at(start, Problem::JsonNumber)),
        }
    }

    fn string(&mut self) -> Result<(), Error> {
        self.expect(b'"')?;
        loop {
            // What stands for itself. These bytes are no part of a longer character.
            let plain = before(self.rest(), *b"\"\\", 0x20);
            self.advance(plain);
            if self.take(b'"') {
                return Ok(());
            }
            self.expect(b'\\')?;
            self.escape()?;
        }
    }

    fn escape(&mut self) -> Result<(), Error> {
        let start = self.position;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.advance(1);
                return Ok(());
            }
            Some(b'u') => self.advance(1),
            _ => return Err(self.fault(Problem::JsonSyntax)),
        }
        match self.code_unit()? {
            // A high surrogate needs the low one that follows it.
            0xd800..0xdc00 if self.rest().starts_with(b"\\u") => {
                self.advance(2);
                match self.code_unit()? {
                    0xdc00..0xe000 => Ok(()),
                    _ => Err(at(start, Problem::JsonSurrogate)),
                }
            }
            0xd800..0xe000 => Err(at(start, Problem::JsonSurrogate)),
            _ => Ok(()),
        }
    }

    fn code_unit(&mut self) -> Result<u16, Error> {
        let digits = self.text.get(self.position..self.position.saturating_add(4));
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
        let unit = unit.ok_or_else(|| self.fault(Problem::JsonSyntax))?;
        self.advance(4);
        Ok(unit)
    }

    /// The first name, of any object that is open, that was read before.
    fn repeated(&mut self) -> Option<usize> {
        let mut first = None;
        while let Some(since) = self.open.pop() {
            first = first.into_iter().chain(self.repeated_since(since)).min();
            self.names.truncate(since);
        }
        first
    }

    /// The first of these names that is one of those before it.
    fn repeated_since(&mut self, since: usize) -> Option<usize> {
        let text = self.text;
        let names = self.names.get_mut(since..).unwrap_or_default();
        let name = |start: u32| {
            let start = usize::try_from(start).unwrap_or(usize::MAX);
            Unescape::new(text.get(start.saturating_add(1)..).unwrap_or_default())
        };
        names.sort_unstable_by(|one, other| name(*one).cmp(name(*other)).then(one.cmp(other)));
        let pairs = names.windows(2).filter_map(|pair| pair.first().zip(pair.last()));
        let repeated = pairs.filter(|(one, other)| name(**one).eq(name(**other))).map(|(_, other)| *other).min();
        repeated.and_then(|start| usize::try_from(start).ok())
    }

    /// Enters an array or object.
    fn enter(&mut self, depth: usize) -> Result<usize, Error> {
        if depth >= MAX_DEPTH {
            return Err(self.fault(Problem::JsonDepth));
        }
        self.advance(1);
        Ok(depth.saturating_add(1))
    }

    fn closes(&mut self, close: u8) -> bool {
        self.space();
        self.take(close)
    }

    fn expect(&mut self, byte: u8) -> Result<(), Error> {
        if self.take(byte) { Ok(()) } else { Err(self.fault(Problem::JsonSyntax)) }
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        if there {
            self.advance(1);
        }
        there
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.advance(1);
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn rest(&self) -> &[u8] {
        self.text.as_bytes().get(self.position..).unwrap_or_default()
    }

    fn advance(&mut self, bytes: usize) {
        self.position = self.position.saturating_add(bytes);
    }

    fn fault(&self, problem: Problem) -> Error {
        at(self.position, problem)
    }
}
