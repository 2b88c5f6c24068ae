//! The strict check of a text, in one pass. It keeps nothing of the text but where the names of the objects that are
//! open begin, four bytes each, and the outline of the outermost one; the depth bound also bounds the stack.

use super::names::Names;
use super::raw::{Name, Outline, Raw};
use super::scan::{before, short};
use super::text::Unescape;
use super::{MAX_DEPTH, MAX_INTEGER};
use crate::error::{Error, Problem};

impl<'a> Raw<'a> {
    /// Checks a text. The memory that this takes stays below twice the text.
    ///
    /// # Errors
    /// As [`Value::parse`](super::Value::parse).
    pub(crate) fn parse(text: &'a [u8]) -> Result<Self, Error> {
        check(text, &mut Outline::new())
    }

    /// As [`parse`](Self::parse), for a record: its members are not looked for once more when they are read.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub(crate) fn parse_with(text: &'a [u8], outline: &'a mut Outline<'a>) -> Result<Self, Error> {
        check(text, outline).map(|raw| raw.outlined(outline))
    }
}

/// The value in a text, when there is one with nothing but space around it. The members of an object are put into the
/// outline.
fn check<'a>(bytes: &'a [u8], outline: &mut Outline<'a>) -> Result<Raw<'a>, Error> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(at(0, Problem::JsonByteOrderMark));
    }
    let text = core::str::from_utf8(bytes).map_err(|error| at(error.valid_up_to(), Problem::Utf8))?;
    if u32::try_from(text.len()).is_err() {
        return Err(Error::malformed("json", Problem::Range));
    }
    let mut check = Check { text, position: 0, names: Names::NONE, outline, repeated: None, fault: None };
    check.text().map_err(|Stopped| {
        // A name that is there twice stands before whatever else stopped the reading.
        let repeated = check.repeated.map(|start| at(start, Problem::DuplicateMember));
        repeated.or(check.fault).unwrap_or_else(|| at(check.position, Problem::JsonSyntax))
    })
}

fn at(position: usize, problem: Problem) -> Error {
    Error::malformed_at("json", u64::try_from(position).unwrap_or(u64::MAX), problem)
}

/// `position` is at most `text.len()`.
struct Check<'a, 'o> {
    text: &'a str,
    position: usize,
    /// Where the name of each member begins that was read to its end, of every object that is open.
    names: Names,
    outline: &'o mut Outline<'a>,
    /// The first name, of any object that is open, that was read before.
    repeated: Option<usize>,
    fault: Option<Error>,
}

/// The reading stopped. What it stopped at is kept elsewhere: an error is large, and in the way where there is none.
struct Stopped;

impl<'a> Check<'a, '_> {
    fn text(&mut self) -> Result<Raw<'a>, Stopped> {
        self.space();
        let value = self.read(|check| check.value(0))?;
        self.space();
        if self.position == self.text.len() { Ok(value) } else { Err(self.stop(Problem::JsonSyntax)) }
    }

    /// What is read from here on.
    fn read(&mut self, read: impl FnOnce(&mut Self) -> Result<bool, Stopped>) -> Result<Raw<'a>, Stopped> {
        let start = self.position;
        let escapes = read(self)?;
        Ok(Raw::checked(self.text.get(start..self.position).unwrap_or_default(), escapes))
    }

    /// Whether it is a string that has an escape. No space is before it.
    fn value(&mut self, depth: usize) -> Result<bool, Stopped> {
        match self.peek() {
            Some(b'"') => return self.string(),
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'-' | b'0'..=b'9') => self.integer()?,
            _ => self.literal()?,
        }
        Ok(false)
    }

    fn object(&mut self, depth: usize) -> Result<(), Stopped> {
        let since = self.names.len();
        let ascend = self.members(depth);
        // Names that ascend are not sorted to see that none is there twice.
        let repeated = if matches!(ascend, Ok(true)) { None } else { self.repeated_since(since) };
        self.names.truncate(since);
        if repeated.is_none() {
            return ascend.map(drop);
        }
        self.repeated = repeated.into_iter().chain(self.repeated).min();
        Err(Stopped)
    }

    /// Whether the names have no escapes and ascend.
    fn members(&mut self, depth: usize) -> Result<bool, Stopped> {
        let (mut last, mut ascend, outermost) = (None::<Name<'_>>, true, depth == 0);
        let depth = self.enter(depth)?;
        if self.closes(b'}') {
            return Ok(true);
        }
        loop {
            self.space();
            let start = self.position;
            let name = Name::of(self.read(Self::short)?);
            self.space();
            self.expect(b':')?;
            self.space();
            let value = self.read(|check| check.value(depth))?;
            self.names.push(start);
            if outermost {
                self.outline.push(name, value);
            }
            ascend &= last.is_none_or(|last| name.is_after(&last));
            last = Some(name);
            if self.closes(b'}') {
                return Ok(ascend);
            }
            self.expect(b',')?;
        }
    }

    fn array(&mut self, depth: usize) -> Result<(), Stopped> {
        let depth = self.enter(depth)?;
        if self.closes(b']') {
            return Ok(());
        }
        loop {
            self.space();
            self.value(depth)?;
            if self.closes(b']') {
                return Ok(());
            }
            self.expect(b',')?;
        }
    }

    fn literal(&mut self) -> Result<(), Stopped> {
        let found = ["null", "true", "false"].into_iter().find(|word| self.rest().starts_with(word.as_bytes()));
        let Some(word) = found else { return Err(self.stop(Problem::JsonSyntax)) };
        self.advance(word.len());
        Ok(())
    }

    fn integer(&mut self) -> Result<(), Stopped> {
        let start = self.position;
        let negative = self.take(b'-');
        let digits = self.text.get(self.position..).unwrap_or_default();
        let digits = digits.split_once(|c: char| !c.is_ascii_digit()).map_or(digits, |(digits, _)| digits);
        self.advance(digits.len());
        if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
            return Err(self.stop_at(start, Problem::JsonSyntax));
        }
        // -0 would print as 0, and a fraction or an exponent has more than one spelling.
        let other = (negative && digits == "0") || matches!(self.peek(), Some(b'.' | b'e' | b'E'));
        match digits.parse::<i64>() {
            Ok(..=MAX_INTEGER) if !other => Ok(()),
            _ => Err(self.stop_at(start, Problem::JsonNumber)),
        }
    }

    /// As [`string`](Self::string), which names seldom take.
    fn short(&mut self) -> Result<bool, Stopped> {
        if let [b'"', rest @ ..] = self.rest()
            && let Some(end) = short::<0x20>(rest)
            && rest.get(end) == Some(&b'"')
        {
            // With both quotation marks.
            self.advance(end.saturating_add(2));
            return Ok(false);
        }
        self.string()
    }

    /// Whether it has an escape.
    fn string(&mut self) -> Result<bool, Stopped> {
        self.expect(b'"')?;
        let mut escapes = false;
        loop {
            // What stands for itself. These bytes are no part of a longer character.
            let plain = before::<0x20>(self.rest());
            self.advance(plain);
            if self.take(b'"') {
                return Ok(escapes);
            }
            self.expect(b'\\')?;
            self.escape()?;
            escapes = true;
        }
    }

    fn escape(&mut self) -> Result<(), Stopped> {
        let start = self.position;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.advance(1);
                return Ok(());
            }
            Some(b'u') => self.advance(1),
            _ => return Err(self.stop(Problem::JsonSyntax)),
        }
        match self.code_unit()? {
            // A high surrogate needs the low one that follows it.
            0xd800..0xdc00 if self.rest().starts_with(b"\\u") => {
                self.advance(2);
                match self.code_unit()? {
                    0xdc00..0xe000 => Ok(()),
                    _ => Err(self.stop_at(start, Problem::JsonSurrogate)),
                }
            }
            0xd800..0xe000 => Err(self.stop_at(start, Problem::JsonSurrogate)),
            _ => Ok(()),
        }
    }

    fn code_unit(&mut self) -> Result<u16, Stopped> {
        let digits = self.text.get(self.position..self.position.saturating_add(4));
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
        let unit = unit.ok_or_else(|| self.stop(Problem::JsonSyntax))?;
        self.advance(4);
        Ok(unit)
    }

    /// The first of these names that is one of those before it.
    fn repeated_since(&mut self, since: usize) -> Option<usize> {
        let text = self.text;
        let names = self.names.since(since);
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
    fn enter(&mut self, depth: usize) -> Result<usize, Stopped> {
        if depth >= MAX_DEPTH {
            return Err(self.stop(Problem::JsonDepth));
        }
        self.advance(1);
        Ok(depth.saturating_add(1))
    }

    fn closes(&mut self, close: u8) -> bool {
        self.space();
        self.take(close)
    }

    fn expect(&mut self, byte: u8) -> Result<(), Stopped> {
        if self.take(byte) { Ok(()) } else { Err(self.stop(Problem::JsonSyntax)) }
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

    fn stop(&mut self, problem: Problem) -> Stopped {
        self.stop_at(self.position, problem)
    }

    #[cold]
    fn stop_at(&mut self, position: usize, problem: Problem) -> Stopped {
        self.fault = Some(at(position, problem));
        Stopped
    }
}

#[cfg(test)]
mod tests {
    use super::{Outline, Problem, at, check};
    use alloc::string::String;
    use alloc::vec::Vec;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// A member: which letters its name has, whether they are escaped, and the members of its value.
    #[derive(Clone, Debug)]
    struct Member(String, bool, Vec<Member>);

    fn members() -> impl Strategy<Value = Vec<Member>> {
        let member = |inner| {
            ("[a-z]{0,2}", any::<bool>(), inner).prop_map(|(name, escaped, inner)| Member(name, escaped, inner))
        };
        let leaves = vec(member(Just(Vec::new()).boxed()), 0..5).boxed();
        leaves.prop_recursive(3, 60, 40, move |inner| vec(member(inner.boxed()), 0..40).boxed())
    }

    /// Writes the members, and says where the name stands that is refused, of the objects that are open there.
    fn write(members: &[Member], text: &mut String) -> Option<usize> {
        let (mut before, mut first) = (Vec::new(), None);
        text.push('{');
        for (place, Member(name, escaped, inner)) in members.iter().enumerate() {
            if place > 0 {
                text.push(',');
            }
            let start = text.len();
            let digits = |letter: char| alloc::format!("\\u{:04x}", u32::from(letter));
            let written = if *escaped { name.chars().map(digits).collect() } else { name.clone() };
            text.extend(["\"", &written, "\":"]);
            let within = write(inner, text);
            if within.is_some() {
                return first.or(within);
            }
            if before.contains(&name) {
                first = first.or(Some(start));
            }
            before.push(name);
        }
        text.push('}');
        first
    }

    proptest! {
        #[test]
        fn the_first_name_that_is_there_twice(members in members()) {
            let mut text = String::new();
            let repeated = write(&members, &mut text);
            let refused = |text: &str| check(text.as_bytes(), &mut Outline::new()).err();
            prop_assert_eq!(refused(&text), repeated.map(|start| at(start, Problem::DuplicateMember)), "{}", text);
        }
    }
}
