//! The strict reader. One pass over the bytes; the depth bound also bounds the stack.
//!
//! A text may hold a secret and be refused all the same, so what was read of it until then is wiped: see [`Wiped`].

use super::{MAX_DEPTH, MAX_INTEGER, Value, Wiped};
use crate::error::{Error, Problem};
use alloc::collections::BTreeMap;
use alloc::collections::btree_map::Entry;
use alloc::string::String;
use alloc::vec::Vec;
use zeroize::Zeroizing;

pub(super) fn read(bytes: &[u8]) -> Result<Value, Error> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(Error::malformed_at("json", 0, Problem::JsonByteOrderMark));
    }
    let text = core::str::from_utf8(bytes).map_err(|error| at(error.valid_up_to(), Problem::Utf8))?;
    let mut reader = Reader { text, position: 0 };
    let mut value = Wiped::new(reader.value(0)?);
    reader.space();
    if reader.position == text.len() { Ok(value.take()) } else { Err(reader.fault(Problem::JsonSyntax)) }
}

fn at(position: usize, problem: Problem) -> Error {
    Error::malformed_at("json", u64::try_from(position).unwrap_or(u64::MAX), problem)
}

/// `position` is at most `text.len()` and on a character boundary.
struct Reader<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Reader<'a> {
    fn value(&mut self, depth: usize) -> Result<Value, Error> {
        self.space();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.integer(),
            _ => self.literal(),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, Error> {
        let depth = self.open(depth)?;
        let mut read = Wiped::new(Value::Object(BTreeMap::new()));
        if self.closes(b'}') {
            return Ok(read.take());
        }
        loop {
            self.space();
            let start = self.position;
            let name = self.string()?;
            self.space();
            self.expect(b':')?;
            let mut value = Wiped::new(self.value(depth)?);
            if let Value::Object(members) = read.get_mut() {
                match members.entry(name) {
                    Entry::Vacant(slot) => slot.insert(value.take()),
                    Entry::Occupied(_) => return Err(at(start, Problem::DuplicateMember)),
                };
            }
            if self.closes(b'}') {
                return Ok(read.take());
            }
            self.expect(b',')?;
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, Error> {
        let depth = self.open(depth)?;
        let mut read = Wiped::new(Value::Array(Vec::new()));
        if self.closes(b']') {
            return Ok(read.take());
        }
        loop {
            let value = self.value(depth)?;
            if let Value::Array(items) = read.get_mut() {
                items.push(value);
            }
            if self.closes(b']') {
                return Ok(read.take());
            }
            self.expect(b',')?;
        }
    }

    fn literal(&mut self) -> Result<Value, Error> {
        for (word, value) in [("null", Value::Null), ("true", Value::Bool(true)), ("false", Value::Bool(false))] {
            if self.rest().starts_with(word) {
                self.advance(word.len());
                return Ok(value);
            }
        }
        Err(self.fault(Problem::JsonSyntax))
    }

    fn integer(&mut self) -> Result<Value, Error> {
        let start = self.position;
        let negative = self.take(b'-');
        let digits = self.rest();
        let digits = digits.split_once(|c: char| !c.is_ascii_digit()).map_or(digits, |(digits, _)| digits);
        self.advance(digits.len());
        if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
            return Err(at(start, Problem::JsonSyntax));
        }
        // -0 would print as 0, and a fraction or an exponent has more than one spelling.
        if (negative && digits == "0") || matches!(self.peek(), Some(b'.' | b'e' | b'E')) {
            return Err(at(start, Problem::JsonNumber));
        }
        let magnitude: i64 = digits.parse().map_err(|_| at(start, Problem::JsonNumber))?;
        if magnitude > MAX_INTEGER {
            return Err(at(start, Problem::JsonNumber));
        }
        Ok(Value::Integer(if negative { magnitude.wrapping_neg() } else { magnitude }))
    }

    fn string(&mut self) -> Result<String, Error> {
        self.expect(b'"')?;
        let plain = self.plain();
        let all_plain = self.rest().as_bytes().get(plain.len()) == Some(&b'"');
        // Room for all of it, since a text that moves as it grows leaves a copy behind; an escape is longer than what
        // it stands for.
        let room = if all_plain { plain.len() } else { self.quoted() };
        let mut text = Zeroizing::new(String::with_capacity(room));
        let mut next = plain;
        loop {
            text.push_str(next);
            self.advance(next.len());
            if self.take(b'"') {
                return Ok(core::mem::take(&mut text));
            }
            self.expect(b'\\')?;
            text.push(self.escape()?);
            next = self.plain();
        }
    }

    /// The characters that stand for themselves, up to the next that ends a string or may not be in one.
    fn plain(&self) -> &'a str {
        let rest = self.rest();
        // These bytes are no part of a longer character.
        let end = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    }

    /// The bytes up to the quotation mark that ends a string, or to the end.
    fn quoted(&self) -> usize {
        let mut escaped = false;
        let ends = |byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        };
        self.rest().bytes().position(ends).unwrap_or(self.rest().len())
    }

    fn escape(&mut self) -> Result<char, Error> {
        let start = self.position;
        let Some(letter) = self.peek() else {
            return Err(self.fault(Problem::JsonSyntax));
        };
        let plain = match letter {
            b'"' | b'\\' | b'/' => char::from(letter),
            b'b' => '\x08',
            b'f' => '\x0c',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                self.advance(1);
                return self.unicode_escape(start);
            }
            _ => return Err(self.fault(Problem::JsonSyntax)),
        };
        self.advance(1);
        Ok(plain)
    }

    fn unicode_escape(&mut self, start: usize) -> Result<char, Error> {
        let first = self.code_unit()?;
        let mut units = [first, 0];
        let mut used = 1;
        // A high surrogate needs the low one that follows it; a lone one of either kind fails to decode below.
        if (0xd800..0xdc00).contains(&first) && self.rest().starts_with("\\u") {
            self.advance(2);
            units = [first, self.code_unit()?];
            used = 2;
        }
        let mut decoded = char::decode_utf16(units.into_iter().take(used));
        match (decoded.next(), decoded.next()) {
            (Some(Ok(c)), None) => Ok(c),
            _ => Err(at(start, Problem::JsonSurrogate)),
        }
    }

    fn code_unit(&mut self) -> Result<u16, Error> {
        let digits = self.rest().get(..4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
        let unit = unit.ok_or_else(|| self.fault(Problem::JsonSyntax))?;
        self.advance(4);
        Ok(unit)
    }

    /// Enters an array or object.
    fn open(&mut self, depth: usize) -> Result<usize, Error> {
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
        let rest = self.rest();
        let more = rest.trim_start_matches([' ', '\t', '\n', '\r']);
        self.advance(rest.len().saturating_sub(more.len()));
    }

    fn peek(&self) -> Option<u8> {
        self.rest().bytes().next()
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.position..).unwrap_or_default()
    }

    fn advance(&mut self, bytes: usize) {
        self.position = self.position.saturating_add(bytes);
    }

    fn fault(&self, problem: Problem) -> Error {
        at(self.position, problem)
    }
}
