//! Strict JSON in, canonical JSON (RFC 8785) out.
//!
//! What is hashed or signed as JSON has no fractions and no exponents: strings, integers within ±(2^53-1), booleans,
//! null, arrays and objects only. Nothing that this module depends on reads or writes JSON, so that no feature switched
//! on elsewhere in a build can change what is signed.

mod elements;
mod reader;
mod wiped;
mod writer;

pub use elements::{Elements, elements};
pub(crate) use wiped::Wiped;

use crate::error::Error;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// The deepest nesting of arrays and objects that is read or written; `[1]` has depth 1.
pub const MAX_DEPTH: usize = 32;

/// The largest magnitude of an integer, 2^53-1.
pub const MAX_INTEGER: i64 = (1 << 53) - 1;

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
    /// # Errors
    /// Names the byte at which reading stopped. Refused are: invalid UTF-8, a byte order mark, nesting deeper than
    /// [`MAX_DEPTH`], duplicate names (compared after unescaping), lone surrogates, fractions, exponents, `-0`,
    /// integers beyond ±(2^53-1), and anything after the value.
    pub fn parse(text: &[u8]) -> Result<Self, Error> {
        reader::read(text)
    }

    /// The canonical form (RFC 8785).
    ///
    /// # Errors
    /// `Problem::JsonDepth` and `Problem::JsonNumber`, for values that were not made by [`Value::parse`].
    pub fn to_canonical(&self) -> Result<String, Error> {
        writer::check(self, 0)?;
        Ok(self.canonical())
    }

    /// As [`to_canonical`](Self::to_canonical), for values that this crate built or read itself.
    pub(crate) fn canonical(&self) -> String {
        let mut text = String::new();
        self.write_canonical(&mut text);
        text
    }

    pub(crate) fn write_canonical(&self, text: &mut String) {
        writer::write(self, text);
    }
}
