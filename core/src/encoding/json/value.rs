//! A JSON value as a tree, for documents of the caller's.

use super::raw::Raw;
use super::writer::{Writer, written};
use super::{MAX_DEPTH, MAX_INTEGER};
use crate::error::{Error, Problem};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// A JSON value without fractions.
///
/// ```
/// use dualseal::encoding::json::Value;
///
/// let value = Value::parse(br#"{ "b": [1, true], "a": "\u20ac" }"#)?;
/// assert_eq!(value.to_canonical()?, r#"{"a":"€","b":[1,true]}"#);
/// assert!(Value::parse(br#"{"a":1,"a":2}"#).is_err());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer within ±(2^53-1).
    Integer(i64),
    /// A string of Unicode scalar values; no normalisation is applied.
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object. Its members have different names and are written in UTF-16 order.
    Object(BTreeMap<String, Value>),
}

impl Value {
    /// Reads one JSON text (RFC 8259) with any spacing and member order.
    ///
    /// The tree takes up to 100 times the memory of its text (`{"":0}` is the worst). Records of this library are read
    /// without one, in less than twice their text and 64 KiB.
    ///
    /// # Errors
    /// Names the byte at which reading stopped. Refused are: invalid UTF-8, a byte order mark, nesting deeper than
    /// [`MAX_DEPTH`], duplicate names (compared after unescaping), lone surrogates, fractions, exponents, `-0`,
    /// integers beyond ±(2^53-1), and anything after the value; [`Problem::Range`](crate::error::Problem::Range) for a
    /// text of 4 GiB or more.
    pub fn parse(text: &[u8]) -> Result<Self, Error> {
        Raw::parse(text).map(Self::of)
    }

    fn of(raw: Raw<'_>) -> Self {
        if let Some(members) = raw.members() {
            return Self::object(members.map(|(name, value)| (name.chars().collect(), Self::of(value))).collect());
        }
        if let Some(items) = raw.items() {
            return Self::Array(items.map(Self::of).collect());
        }
        if let Some(text) = raw.text() {
            return Self::String(text.into_string());
        }
        let other = raw.bool().map(Self::Bool).or_else(|| raw.integer().map(Self::Integer));
        other.unwrap_or(Self::Null)
    }

    /// By itself: what sorts them may have 4 KiB in its frame, which would be there once for each level of nesting.
    #[inline(never)]
    fn object(members: Vec<(String, Self)>) -> Self {
        Self::Object(members.into_iter().collect())
    }

    /// The canonical form (RFC 8785).
    ///
    /// # Errors
    /// `Problem::JsonDepth` and `Problem::JsonNumber`, for values that were not made by [`Value::parse`].
    pub fn to_canonical(&self) -> Result<String, Error> {
        self.check(0)?;
        Ok(self.canonical())
    }

    /// As [`to_canonical`](Self::to_canonical), for values that this crate built or read itself.
    pub(crate) fn canonical(&self) -> String {
        written(|out| self.write(out))
    }

    fn write(&self, out: &mut Writer) {
        match self {
            Self::Null => out.null(),
            Self::Bool(value) => out.bool(*value),
            Self::Integer(number) => out.integer(number),
            Self::String(text) => out.text(text),
            Self::Array(items) => {
                out.open("[");
                for item in items {
                    out.item();
                    item.write(out);
                }
                out.close("]");
            }
            Self::Object(members) => {
                let mut sorted: Vec<_> = members.iter().collect();
                // UTF-16 code units, not code points: they differ beyond the basic plane (RFC 8785, section 3.2.3).
                sorted.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
                out.open("{");
                for (name, item) in sorted {
                    out.name(name);
                    item.write(out);
                }
                out.close("}");
            }
        }
    }

    /// Refuses what the reader would refuse.
    fn check(&self, depth: usize) -> Result<(), Error> {
        let inner = || {
            let inner = depth.saturating_add(1);
            if inner > MAX_DEPTH { Err(Error::malformed("json", Problem::JsonDepth)) } else { Ok(inner) }
        };
        match self {
            Self::Integer(n) if n.unsigned_abs() > MAX_INTEGER.unsigned_abs() => {
                Err(Error::malformed("json", Problem::JsonNumber))
            }
            Self::Array(items) => inner().and_then(|depth| items.iter().try_for_each(|item| item.check(depth))),
            Self::Object(members) => inner().and_then(|depth| members.values().try_for_each(|item| item.check(depth))),
            _ => Ok(()),
        }
    }
}
