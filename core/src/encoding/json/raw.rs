//! A value where it stands in a text: nothing is copied, and what it is, is read when it is asked for.

use super::scan::before;
use super::text::{Text, Unescape};
use core::slice;

/// A value within a text that was checked as a whole, from its first byte to its last.
#[derive(Clone, Copy)]
pub(crate) struct Raw<'a> {
    text: &'a str,
    /// Whether it is a string with an escape. Of anything else it is of no account.
    escapes: bool,
    /// Where its members stand, if that is known.
    outline: Option<&'a Outline<'a>>,
}

impl<'a> Raw<'a> {
    pub(crate) const NULL: Self = Self { text: "null", escapes: false, outline: None };

    /// A value that was checked, without the space around it.
    pub(super) fn checked(text: &'a str, escapes: bool) -> Self {
        Self { text, escapes, outline: None }
    }

    /// The same of which an outline was made.
    pub(super) fn outlined(self, outline: &'a Outline<'a>) -> Self {
        Self { outline: Some(outline), ..self }
    }

    /// A text that this library wrote.
    #[cfg(feature = "serde")]
    pub(crate) fn own(text: &'a str) -> Self {
        Self::checked(text, text.contains('\\'))
    }

    pub(super) fn as_bytes(self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// The bytes of its text.
    pub(crate) fn len(self) -> usize {
        self.text.len()
    }

    pub(crate) fn is_null(self) -> bool {
        self.begins(b'n')
    }

    pub(crate) fn is_object(self) -> bool {
        self.begins(b'{')
    }

    pub(crate) fn bool(self) -> Option<bool> {
        match self.text {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    pub(crate) fn integer(self) -> Option<i64> {
        self.text.parse().ok()
    }

    /// A string that has no escape.
    #[inline]
    pub(crate) fn plain_text(self) -> Option<&'a str> {
        (self.begins(b'"') && !self.escapes).then(|| self.inner())
    }

    pub(crate) fn text(self) -> Option<Text<'a>> {
        self.begins(b'"').then(|| Text::new(self.inner(), self.escapes))
    }

    /// The items of an array.
    pub(crate) fn items(self) -> Option<Items<'a>> {
        self.begins(b'[').then(|| Items(self.inner()))
    }

    /// The members of an object, in the order of the text.
    pub(crate) fn members(self) -> Option<Members<'a>> {
        self.begins(b'{').then(|| match self.outline.and_then(Outline::members) {
            Some(known) => Members::Known(known.iter()),
            None => Members::Sought(Items(self.inner())),
        })
    }

    /// The member of an object that has this name.
    pub(crate) fn member(self, name: &str) -> Option<Self> {
        self.members()?.find(|(found, _)| found.is(name)).map(|(_, value)| value)
    }

    fn begins(self, byte: u8) -> bool {
        self.text.as_bytes().first() == Some(&byte)
    }

    /// What stands between the first and the last byte.
    fn inner(self) -> &'a str {
        unquoted(self.text)
    }
}

/// What stands between the first and the last byte.
fn unquoted(text: &str) -> &str {
    text.get(1..text.len().saturating_sub(1)).unwrap_or_default()
}

/// The name of a member.
#[derive(Clone, Copy)]
pub(crate) struct Name<'a> {
    text: &'a str,
    escapes: bool,
}

impl<'a> Name<'a> {
    pub(super) fn of(raw: Raw<'a>) -> Self {
        Self { text: raw.inner(), escapes: raw.escapes }
    }

    pub(crate) fn is(&self, name: &str) -> bool {
        self.text == name || (self.escapes && self.chars().eq(name.chars()))
    }

    /// Whether it is known to stand after another in the order of bytes.
    pub(super) fn is_after(&self, other: &Self) -> bool {
        // Mostly the first bytes tell, for which a call would take longer.
        !self.escapes && !other.escapes && other.text.bytes().lt(self.text.bytes())
    }

    pub(crate) fn chars(&self) -> Unescape<'a> {
        Unescape::new(self.text)
    }
}

/// The items of an array.
#[derive(Clone, Debug)]
pub(crate) struct Items<'a>(&'a str);

impl<'a> Items<'a> {
    /// Takes the next value, which something other than `end` may precede: a comma, or the colon behind a name.
    fn value(&mut self) -> Option<Raw<'a>> {
        let rest = self.0.trim_start_matches([' ', '\t', '\n', '\r', ',', ':']);
        let (length, escapes) = length(rest.as_bytes());
        let (text, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        (!text.is_empty()).then_some(Raw::checked(text, escapes))
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Raw<'a>;

    fn next(&mut self) -> Option<Raw<'a>> {
        self.value()
    }
}

/// The members of an object.
pub(crate) enum Members<'a> {
    /// By an outline.
    Known(slice::Iter<'a, Option<(Name<'a>, Raw<'a>)>>),
    Sought(Items<'a>),
}

impl<'a> Iterator for Members<'a> {
    type Item = (Name<'a>, Raw<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Known(members) => members.next().copied().flatten(),
            Self::Sought(values) => Some((Name::of(values.value()?), values.value()?)),
        }
    }
}

/// As many as any record has. An object with more is read without an outline.
const MOST: usize = 12;

/// The members of the outermost object in the order of the text, noted while that is checked, so that whoever reads it
/// need not look for them once more.
pub(crate) struct Outline<'a> {
    members: [Option<(Name<'a>, Raw<'a>)>; MOST],
    count: usize,
}

impl<'a> Outline<'a> {
    /// The members that it has room for.
    pub(crate) const MOST: usize = MOST;

    pub(crate) const fn new() -> Self {
        Self { members: [None; MOST], count: 0 }
    }

    pub(super) fn push(&mut self, name: Name<'a>, value: Raw<'a>) {
        if let Some(free) = self.members.get_mut(self.count) {
            *free = Some((name, value));
        }
        self.count = self.count.saturating_add(1);
    }

    /// All of them; `None` where they are too many.
    fn members(&self) -> Option<&[Option<(Name<'a>, Raw<'a>)>]> {
        self.members.get(..self.count)
    }
}

/// The bytes of the value that a checked text begins with, and whether it is a string with an escape.
fn length(text: &[u8]) -> (usize, bool) {
    let Some(first) = text.first() else { return (0, false) };
    if !matches!(first, b'"' | b'{' | b'[') {
        let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r');
        return (text.iter().position(ends).unwrap_or(text.len()), false);
    }
    let (mut depth, mut position) = (0_usize, 0_usize);
    loop {
        let rest = text.get(position..).unwrap_or_default();
        let Some(next) = rest.iter().position(|byte| matches!(byte, b'"' | b'{' | b'[' | b'}' | b']')) else {
            return (text.len(), false);
        };
        position = position.saturating_add(next).saturating_add(1);
        let mut escapes = false;
        match rest.get(next) {
            Some(b'"') => {
                let (length, found) = quoted(text.get(position..).unwrap_or_default());
                (position, escapes) = (position.saturating_add(length), found);
            }
            Some(b'{' | b'[') => depth = depth.saturating_add(1),
            _ => depth = depth.saturating_sub(1),
        }
        if depth == 0 {
            return (position, escapes);
        }
    }
}

/// The bytes up to the quotation mark that ends a string, and that mark, and whether there is an escape before it.
fn quoted(text: &[u8]) -> (usize, bool) {
    let (mut position, mut escapes) = (0_usize, false);
    loop {
        let rest = text.get(position..).unwrap_or_default();
        let next = before::<0>(rest);
        position = text.len().min(position.saturating_add(next).saturating_add(1));
        if !matches!(rest.get(next), Some(b'\\')) {
            return (position, escapes);
        }
        // What the backslash escapes ends nothing.
        (position, escapes) = (position.saturating_add(1), true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::json::Value;
    use alloc::string::String;
    use alloc::vec::Vec;
    use proptest::collection::{btree_map, vec};
    use proptest::prelude::*;

    fn string() -> impl Strategy<Value = String> {
        prop_oneof![any::<String>(), "[a-z\"\\\\]{0,40}"]
    }

    fn value() -> impl Strategy<Value = Value> {
        let integer = any::<i32>().prop_map(|number| Value::Integer(number.into()));
        let leaf = prop_oneof![Just(Value::Null), integer, string().prop_map(Value::String)];
        leaf.prop_recursive(3, 12, 4, |inner| {
            prop_oneof![
                vec(inner.clone(), 0..4).prop_map(Value::Array),
                vec((string(), inner), 0..4).prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    fn seen(raw: Raw<'_>) -> Vec<(String, &str, bool)> {
        let members = raw.members().unwrap();
        members.map(|(name, value)| (name.chars().collect(), value.text, value.escapes)).collect()
    }

    proptest! {
        /// Whoever looks for the members finds those that were noted.
        #[test]
        fn the_outline_has_the_members(
            all in btree_map(string(), value(), 0..20),
            space in prop_oneof![Just(""), Just(" "), Just("\r\n\t")],
        ) {
            let member = |(name, value): (&String, &Value)| {
                let [name, value] = [Value::String(name.clone()), value.clone()].map(|value| value.canonical());
                [space, &name, space, ":", space, &value, space].concat()
            };
            let members: Vec<_> = all.iter().rev().map(member).collect();
            let text = [space, "{", &members.join(","), space, "}", space].concat();
            let mut outline = Outline::new();
            let noted = Raw::parse_with(text.as_bytes(), &mut outline).unwrap();
            prop_assert_eq!(noted.outline.and_then(Outline::members).is_some(), members.len() <= 12);
            prop_assert_eq!(seen(noted), seen(Raw::parse(text.as_bytes()).unwrap()));
            for (name, value, _) in seen(noted) {
                prop_assert_eq!(&Value::parse(value.as_bytes()).unwrap(), &all[&name]);
            }
        }
    }
}
