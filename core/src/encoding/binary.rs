//! The binary forms of what stands in columns and queues by the million: `"DSB1" ‖ kind ‖ flags ‖ fields`, integers
//! big-endian, as short as the values are. A value has one form, and nothing follows it.

use super::json::MAX_INTEGER;
use super::time::Timestamp;
use crate::error::{Error, Problem};
use alloc::vec::Vec;

const MAGIC: [u8; 4] = *b"DSB1";

/// The bytes before the first field.
const HEADER: usize = 6;

/// What the bytes are.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    SignatureRecord = 1,
    Entry = 2,
    DualSeal = 3,
    LegacySeal = 4,
}

/// Whether bytes begin as all forms do.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The form of a value while it is written.
pub(crate) struct Binary(Vec<u8>);

impl Binary {
    /// With room for so many bytes of fields.
    pub(crate) fn new(kind: Kind, flags: u8, fields: usize) -> Self {
        let mut bytes = Vec::with_capacity(HEADER.saturating_add(fields));
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&[kind as u8, flags]);
        Self(bytes)
    }

    pub(crate) fn bytes(mut self, field: &[u8]) -> Self {
        self.0.extend_from_slice(field);
        self
    }

    pub(crate) fn number(self, number: u64) -> Self {
        self.bytes(&number.to_be_bytes())
    }

    pub(crate) fn time(self, time: Timestamp) -> Self {
        // A `Timestamp` is never negative.
        self.number(time.as_millis().unsigned_abs())
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// The fields of a form that is read, one after the other. Lengths in errors are those of all of the bytes.
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
    length: usize,
}

impl<'a> Fields<'a> {
    /// The kind of these bytes, their flags and what follows.
    ///
    /// # Errors
    /// [`Problem::Length`] for what is shorter than a header; `magic` and `kind` that are [`Problem::UnknownValue`].
    pub(crate) fn open(bytes: &'a [u8]) -> Result<(Kind, u8, Self), Error> {
        let mut fields = Self { rest: bytes, length: bytes.len() };
        if fields.take::<4>()? != &MAGIC {
            return Err(Error::malformed("magic", Problem::UnknownValue));
        }
        let &[kind, flags] = fields.take::<2>()?;
        let kind = match kind {
            1 => Kind::SignatureRecord,
            2 => Kind::Entry,
            3 => Kind::DualSeal,
            4 => Kind::LegacySeal,
            _ => return Err(Error::malformed("kind", Problem::UnknownValue)),
        };
        Ok((kind, flags, fields))
    }

    /// The next field, of known length.
    pub(crate) fn take<const N: usize>(&mut self) -> Result<&'a [u8; N], Error> {
        let (field, rest) = self.rest.split_first_chunk().ok_or_else(|| self.length(N))?;
        self.rest = rest;
        Ok(field)
    }

    pub(crate) fn number(&mut self, field: &'static str) -> Result<u64, Error> {
        let number = u64::from_be_bytes(*self.take()?);
        if number > MAX_INTEGER.unsigned_abs() { Err(Error::malformed(field, Problem::Range)) } else { Ok(number) }
    }

    pub(crate) fn time(&mut self, field: &'static str) -> Result<Timestamp, Error> {
        let millis = i64::try_from(self.number(field)?).ok().and_then(Timestamp::within);
        millis.ok_or_else(|| Error::malformed(field, Problem::Range))
    }

    /// The last field, which says how long it is, in four bytes before it.
    pub(crate) fn text(mut self, field: &'static str) -> Result<&'a str, Error> {
        let length = u32::from_be_bytes(*self.take()?);
        if usize::try_from(length) != Ok(self.rest.len()) {
            return Err(self.length(usize::try_from(length).unwrap_or(usize::MAX)));
        }
        core::str::from_utf8(self.rest).map_err(|error| {
            Error::malformed_at(field, u64::try_from(error.valid_up_to()).unwrap_or(u64::MAX), Problem::Utf8)
        })
    }

    /// Nothing follows.
    pub(crate) fn finish(self) -> Result<(), Error> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.length(0)) }
    }

    /// These bytes are so many as it would take to end with a field of this length.
    fn length(&self, field: usize) -> Error {
        let expected = self.length.saturating_sub(self.rest.len()).saturating_add(field);
        Error::malformed("bytes", Problem::Length { expected, found: self.length })
    }
}

/// None of the flags of a kind that has no such.
pub(crate) fn no_flags(flags: u8) -> Result<(), Error> {
    if flags == 0 { Ok(()) } else { Err(Error::malformed("flags", Problem::UnknownValue)) }
}

/// The bytes are of another kind than the one that was asked for.
pub(crate) fn other_kind() -> Error {
    Error::malformed("kind", Problem::UnknownValue)
}
