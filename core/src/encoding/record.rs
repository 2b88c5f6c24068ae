//! Records as JSON objects: exactly their members, each of its type, and errors that name the member.

use super::json::Value;
use super::time::Timestamp;
use crate::error::{Error, Problem};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Value {
    /// An object of the library's own making.
    pub(crate) fn object<const N: usize>(members: [(&str, Value); N]) -> Self {
        Self::Object(members.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
    }

    /// The canonical form, in a buffer that is not moved as it grows up to `size` bytes: a moved one would leave a copy
    /// of its secrets behind.
    pub(crate) fn canonical_sized(&self, size: usize) -> String {
        let mut text = String::with_capacity(size);
        self.write_canonical(&mut text);
        text
    }

    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::String(text.into())
    }

    /// A counter of the library's own, which never passes 2^53-1.
    pub(crate) fn counter(number: u64) -> Self {
        Self::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// The members of a record, in the order of `names`: no other, none missing.
    pub(crate) fn members<const N: usize>(
        self,
        record: &'static str,
        names: [&'static str; N],
    ) -> Result<[Self; N], Error> {
        let Self::Object(mut members) = self else {
            return Err(Error::malformed(record, Problem::WrongType));
        };
        let mut missing = None;
        let values = names.map(|name| {
            members.remove(name).unwrap_or_else(|| {
                missing.get_or_insert(name);
                Self::Null
            })
        });
        if let Some(name) = members.into_keys().next() {
            return Err(Error::malformed(record, Problem::UnknownMember(name.chars().take(64).collect())));
        }
        missing.map_or(Ok(values), |name| Err(Error::malformed(name, Problem::MissingMember)))
    }

    pub(crate) fn into_text(self, field: &'static str) -> Result<String, Error> {
        match self {
            Self::String(text) => Ok(text),
            _ => Err(Error::malformed(field, Problem::WrongType)),
        }
    }

    pub(crate) fn into_array(self, field: &'static str) -> Result<Vec<Self>, Error> {
        match self {
            Self::Array(items) => Ok(items),
            _ => Err(Error::malformed(field, Problem::WrongType)),
        }
    }

    pub(crate) fn into_counter(self, field: &'static str) -> Result<u64, Error> {
        match self {
            Self::Integer(number) => u64::try_from(number).map_err(|_| Error::malformed(field, Problem::Range)),
            _ => Err(Error::malformed(field, Problem::WrongType)),
        }
    }

    /// `None` for null.
    pub(crate) fn non_null(self) -> Option<Self> {
        match self {
            Self::Null => None,
            value => Some(value),
        }
    }
}

/// A string member that must have one certain value, such as the algorithm.
pub(crate) fn expect_text(value: Value, field: &'static str, expected: &str) -> Result<(), Error> {
    if value.into_text(field)? == expected { Ok(()) } else { Err(Error::malformed(field, Problem::UnknownValue)) }
}

/// A member that is a moment.
pub(crate) fn time_member(value: Value, field: &'static str) -> Result<Timestamp, Error> {
    Timestamp::parse(field, &value.into_text(field)?)
}
