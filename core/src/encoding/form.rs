//! The forms of members: how each kind of value is read, checked and written.

use super::hex;
use super::json::{Raw, Text, Writer};
use crate::error::{Error, Problem};
use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;
use zeroize::Zeroizing;

/// How a member is written. Mostly the type of the value itself.
pub(crate) trait Form {
    /// What is read.
    type Value;

    /// What the value holds, where each of that is looked at by itself.
    const INNER: Inner = Inner::Nothing;

    /// Reads a value. Errors name `field`.
    fn read(raw: Raw<'_>, field: &'static str) -> Result<Self::Value, Error>;

    fn write(value: &Self::Value, out: &mut Writer);

    /// Whether a value has this form.
    fn check(raw: Raw<'_>, field: &'static str) -> Result<(), Error> {
        Self::read(raw, field).map(drop)
    }
}

/// What stands in a value.
#[derive(Clone, Copy)]
pub(crate) enum Inner {
    Nothing,
    /// It is an object of these members.
    Members(&'static [Row]),
    /// It is a list of such objects.
    Items(&'static [Row]),
}

/// One member of a record.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// Whether there is only one value. It is looked at first, since a version says what the rest means.
    pub(crate) constant: bool,
    pub(crate) check: fn(Raw<'_>, &'static str) -> Result<(), Error>,
    pub(crate) inner: Inner,
}

/// A string, where it stands.
pub(crate) fn text<'a>(raw: Raw<'a>, field: &'static str) -> Result<Text<'a>, Error> {
    raw.text().ok_or_else(|| Error::malformed(field, Problem::WrongType))
}

/// Reads what is in a string, which mostly has no escape.
pub(crate) fn read_text<T>(
    raw: Raw<'_>,
    field: &'static str,
    read: impl FnOnce(&str) -> Result<T, Error>,
) -> Result<T, Error> {
    if let Some(plain) = raw.plain_text() { read(plain) } else { read(&text(raw, field)?) }
}

/// The form of an enum by the names of the wire, which its `as_str` gives: others are [`Problem::UnknownValue`].
macro_rules! wire_names {
    ($name:ident: $all:expr) => {
        impl $crate::encoding::record::Form for $name {
            type Value = Self;

            fn read(raw: $crate::encoding::json::Raw<'_>, field: &'static str) -> Result<Self, $crate::error::Error> {
                let text = $crate::encoding::record::text(raw, field)?;
                let found = $all.into_iter().find(|value| *text == *value.as_str());
                found.ok_or_else(|| $crate::error::Error::malformed(field, $crate::error::Problem::UnknownValue))
            }

            fn write(value: &Self, out: &mut $crate::encoding::json::Writer) {
                out.text(value.as_str());
            }
        }
    };
}
pub(crate) use wire_names;

/// The form of what is written as a string, by its own reader and writer.
macro_rules! text_form {
    ($name:ident, $read:expr, $write:expr) => {
        impl $crate::encoding::record::Form for $name {
            type Value = Self;

            fn read(raw: $crate::encoding::json::Raw<'_>, field: &'static str) -> Result<Self, $crate::error::Error> {
                $read(&$crate::encoding::record::text(raw, field)?)
            }

            fn write(value: &Self, out: &mut $crate::encoding::json::Writer) {
                out.text(&$write(value));
            }
        }
    };
}
pub(crate) use text_form;

/// The form of what is written as the hexadecimal of its bytes, by its own reader.
macro_rules! hex_form {
    ($name:ident, $read:expr) => {
        impl $crate::encoding::record::Form for $name {
            type Value = Self;

            fn read(raw: $crate::encoding::json::Raw<'_>, field: &'static str) -> Result<Self, $crate::error::Error> {
                $read(&$crate::encoding::record::text(raw, field)?)
            }

            fn write(value: &Self, out: &mut $crate::encoding::json::Writer) {
                out.hex(value.as_bytes());
            }
        }
    };
}
pub(crate) use hex_form;

impl Form for String {
    type Value = Self;

    fn read(raw: Raw<'_>, field: &'static str) -> Result<Self, Error> {
        text(raw, field).map(Text::into_string)
    }

    fn write(value: &Self, out: &mut Writer) {
        out.text(value);
    }

    fn check(raw: Raw<'_>, field: &'static str) -> Result<(), Error> {
        text(raw, field).map(drop)
    }
}

/// Counters, which never pass 2^53-1.
macro_rules! counter_form {
    ($($number:ty),*) => { $(
        impl Form for $number {
            type Value = Self;

            fn read(raw: Raw<'_>, field: &'static str) -> Result<Self, Error> {
                let number = raw.integer().ok_or_else(|| Error::malformed(field, Problem::WrongType))?;
                Self::try_from(number).map_err(|_| Error::malformed(field, Problem::Range))
            }

            fn write(value: &Self, out: &mut Writer) {
                out.integer(value);
            }
        }
    )* };
}

counter_form!(u8, u64);

impl Form for bool {
    type Value = Self;

    fn read(raw: Raw<'_>, field: &'static str) -> Result<Self, Error> {
        raw.bool().ok_or_else(|| Error::malformed(field, Problem::WrongType))
    }

    fn write(value: &Self, out: &mut Writer) {
        out.bool(*value);
    }
}

/// Lowercase hexadecimal.
impl<const N: usize> Form for [u8; N] {
    type Value = Self;

    fn read(raw: Raw<'_>, field: &'static str) -> Result<Self, Error> {
        read_text(raw, field, |text| hex::decode_public(field, text))
    }

    fn write(value: &Self, out: &mut Writer) {
        out.hex(value);
    }
}

/// Lowercase hexadecimal of so many bytes that are secret. An error does not say where in it.
pub(crate) struct SecretText<const BYTES: usize>;

impl<const BYTES: usize> Form for SecretText<BYTES> {
    type Value = Zeroizing<String>;

    fn read(raw: Raw<'_>, field: &'static str) -> Result<Self::Value, Error> {
        text(raw, field).map(|text| Zeroizing::new(text.into_string()))
    }

    fn write(value: &Self::Value, out: &mut Writer) {
        out.text(value);
    }

    fn check(raw: Raw<'_>, field: &'static str) -> Result<(), Error> {
        hex::check(field, &text(raw, field)?, BYTES).map_err(|error| match error {
            Error::Malformed(malformed) => Error::malformed(field, malformed.problem),
            error => error,
        })
    }
}

/// An array that ascends, of `MOST` items at most.
pub(crate) struct Ascending<F, const MOST: u64>(PhantomData<F>);

impl<F: Form<Value: Ord>, const MOST: u64> Form for Ascending<F, MOST> {
    type Value = Vec<F::Value>;

    fn read(raw: Raw<'_>, field: &'static str) -> Result<Self::Value, Error> {
        let mut read = Vec::new();
        for (place, item) in (0..).zip(raw.items().ok_or_else(|| Error::malformed(field, Problem::WrongType))?) {
            if place >= MOST {
                return Err(Error::malformed_at(field, place, Problem::Range));
            }
            let item = F::read(item, field).map_err(|error| match error {
                // An index has a name of its own.
                Error::Malformed(malformed) if malformed.field != field => {
                    Error::malformed_at(field, place, malformed.problem)
                }
                error => error,
            })?;
            if read.last().is_some_and(|last| *last >= item) {
                return Err(Error::malformed_at(field, place, Problem::Order));
            }
            read.push(item);
        }
        Ok(read)
    }

    fn write(value: &Self::Value, out: &mut Writer) {
        Vec::<F>::write(value, out);
    }
}

/// The form. What is not there is written as null, which is not read: only what has no JSON lacks it.
pub(crate) struct Present<F>(PhantomData<F>);

impl<F: Form> Form for Present<F> {
    type Value = Option<F::Value>;

    fn read(raw: Raw<'_>, field: &'static str) -> Result<Self::Value, Error> {
        F::read(raw, field).map(Some)
    }

    fn write(value: &Self::Value, out: &mut Writer) {
        Option::<F>::write(value, out);
    }
}

/// The form, or `null`.
impl<F: Form> Form for Option<F> {
    type Value = Option<F::Value>;

    fn read(raw: Raw<'_>, field: &'static str) -> Result<Self::Value, Error> {
        if raw.is_null() { Ok(None) } else { F::read(raw, field).map(Some) }
    }

    fn write(value: &Self::Value, out: &mut Writer) {
        match value {
            None => out.null(),
            Some(value) => F::write(value, out),
        }
    }
}

/// The form, or `null`; what is wrong with it is told later, where the rest of the record lets it be there at all.
pub(crate) struct Later<F>(PhantomData<F>);

impl<F: Form> Form for Later<F> {
    type Value = Option<Result<F::Value, Error>>;

    fn read(raw: Raw<'_>, field: &'static str) -> Result<Self::Value, Error> {
        Ok((!raw.is_null()).then(|| F::read(raw, field)))
    }

    fn write(value: &Self::Value, out: &mut Writer) {
        match value {
            Some(Ok(value)) => F::write(value, out),
            _ => out.null(),
        }
    }

    fn check(raw: Raw<'_>, field: &'static str) -> Result<(), Error> {
        Option::<F>::check(raw, field)
    }
}

/// An array. Errors name it and not the item, but for a value that is not known.
impl<F: Form> Form for Vec<F> {
    type Value = Vec<F::Value>;

    fn read(raw: Raw<'_>, field: &'static str) -> Result<Self::Value, Error> {
        let items = raw.items().ok_or_else(|| Error::malformed(field, Problem::WrongType))?;
        let read = |(place, item)| {
            F::read(item, field).map_err(|error| match error {
                Error::Malformed(malformed) if malformed.problem == Problem::UnknownValue => {
                    Error::malformed_at(field, place, malformed.problem)
                }
                error => error,
            })
        };
        (0..).zip(items).map(read).collect()
    }

    fn write(value: &Self::Value, out: &mut Writer) {
        out.open("[");
        for item in value {
            out.item();
            F::write(item, out);
        }
        out.close("]");
    }
}
