//! A value where it stands in a text: nothing is copied, and what it is, is read when it is asked for.

use super::check::check;
use super::scan::before;
use super::text::{Text, Unescape};
use crate::error::Error;

/// A value within a text that was checked as a whole, from its first byte to its last.
#[derive(Clone, Copy)]
pub(crate) struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    pub(crate) const NULL: Self = Self("null");

    /// Checks a text. The memory that this takes stays below twice the text.
    ///
    /// # Errors
    /// As [`Value::parse`](super::Value::parse).
    pub(crate) fn parse(text: &'a [u8]) -> Result<Self, Error> {
        check(text).map(Self::own)
    }

    /// A text that this library wrote, or checked before.
    pub(crate) fn own(text: &'a str) -> Self {
        Self(text.trim_matches(SPACE))
    }

    pub(super) fn as_bytes(self) -> &'a [u8] {
        self.0.as_bytes()
    }

    pub(crate) fn is_null(self) -> bool {
        self.begins(b'n')
    }

    pub(crate) fn is_object(self) -> bool {
        self.begins(b'{')
    }

    pub(crate) fn bool(self) -> Option<bool> {
        match self.0 {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    pub(crate) fn integer(self) -> Option<i64> {
        self.0.parse().ok()
    }

    pub(crate) fn text(self) -> Option<Text<'a>> {
        self.begins(b'"').then(|| Text::new(self.inner()))
    }

    /// The items of an array.
    pub(crate) fn items(self) -> Option<Items<'a>> {
        self.begins(b'[').then(|| Items(self.inner()))
    }

    /// The members of an object, in the order of the text.
    pub(crate) fn members(self) -> Option<Members<'a>> {
        self.begins(b'{').then(|| Members(Items(self.inner())))
    }

    /// The member of an object that has this name.
    pub(crate) fn member(self, name: &str) -> Option<Self> {
        self.members()?.find(|(found, _)| found.is(name)).map(|(_, value)| value)
    }

    fn begins(self, byte: u8) -> bool {
        self.0.as_bytes().first() == Some(&byte)
    }

    /// What stands between the first and the last byte.
    fn inner(self) -> &'a str {
        self.0.get(1..self.0.len().saturating_sub(1)).unwrap_or_default()
    }
}

const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// The name of a member.
#[derive(Clone, Copy)]
pub(crate) struct Name<'a>(&'a str);

impl Name<'_> {
    pub(crate) fn is(&self, name: &str) -> bool {
        self.0 == name || (self.0.contains('\\') && self.chars().eq(name.chars()))
    }

    pub(crate) fn chars(&self) -> Unescape<'_> {
        Unescape::new(self.0)
    }
}

/// The items of an array.
#[derive(Clone, Debug)]
pub(crate) struct Items<'a>(&'a str);

impl<'a> Items<'a> {
    /// Takes the next value, which something other than `end` may precede: a comma, or the colon behind a name.
    fn value(&mut self) -> Option<Raw<'a>> {
        let rest = self.0.trim_start_matches([' ', '\t', '\n', '\r', ',', ':']);
        let (value, rest) = rest.split_at_checked(length(rest.as_bytes()))?;
        self.0 = rest;
        (!value.is_empty()).then_some(Raw(value))
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Raw<'a>;

    fn next(&mut self) -> Option<Raw<'a>> {
        self.value()
    }
}

/// The members of an object.
pub(crate) struct Members<'a>(Items<'a>);

impl<'a> Iterator for Members<'a> {
    type Item = (Name<'a>, Raw<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let name = Name(self.0.value()?.inner());
        Some((name, self.0.value()?))
    }
}

/// The bytes of the value that a checked text begins with.
fn length(text: &[u8]) -> usize {
    let Some(first) = text.first() else { return 0 };
    if !matches!(first, b'"' | b'{' | b'[') {
        let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r');
        return text.iter().position(ends).unwrap_or(text.len());
    }
    let (mut depth, mut position) = (0_usize, 0_usize);
    loop {
        let rest = text.get(position..).unwrap_or_default();
        let Some(next) = rest.iter().position(|byte| matches!(byte, b'"' | b'{' | b'[' | b'}' | b']')) else {
            return text.len();
        };
        position = position.saturating_add(next).saturating_add(1);
        match rest.get(next) {
            Some(b'"') => position = position.saturating_add(quoted(text.get(position..).unwrap_or_default())),
            Some(b'{' | b'[') => depth = depth.saturating_add(1),
            _ => depth = depth.saturating_sub(1),
        }
        if depth == 0 {
            return position;
        }
    }
}

/// The bytes up to the quotation mark that ends a string, and that mark.
fn quoted(text: &[u8]) -> usize {
    let mut position = 0_usize;
    loop {
        let rest = text.get(position..).unwrap_or_default();
        let next = before(rest, *b"\"\\", 0);
        position = text.len().min(position.saturating_add(next).saturating_add(1));
        if !matches!(rest.get(next), Some(b'\\')) {
            return position;
        }
        // What the backslash escapes ends nothing.
        position = position.saturating_add(1);
    }
}
