//! JSON that may hold a secret, for as long as the library holds it.

use super::Value;
use crate::error::{Error, Problem};
use alloc::string::String;
use zeroize::{Zeroize, Zeroizing};

/// A value whose texts are overwritten when it is dropped, however it comes to that.
pub(crate) struct Wiped(Value);

impl Wiped {
    pub(crate) fn new(value: Value) -> Self {
        Self(value)
    }

    /// As [`Value::parse`].
    pub(crate) fn parse(text: &[u8]) -> Result<Self, Error> {
        Value::parse(text).map(Self)
    }

    pub(crate) fn get(&self) -> &Value {
        &self.0
    }

    /// As [`Value::members`].
    pub(crate) fn members<const N: usize>(
        mut self,
        record: &'static str,
        names: [&'static str; N],
    ) -> Result<[Self; N], Error> {
        let Value::Object(members) = &mut self.0 else {
            return Err(Error::malformed(record, Problem::WrongType));
        };
        let mut missing = None;
        let values = names.map(|name| {
            Self(members.remove(name).unwrap_or_else(|| {
                missing.get_or_insert(name);
                Value::Null
            }))
        });
        if let Some(name) = members.keys().next() {
            return Err(Error::malformed(record, Problem::UnknownMember(name.chars().take(64).collect())));
        }
        missing.map_or(Ok(values), |name| Err(Error::malformed(name, Problem::MissingMember)))
    }

    /// The items of an array of so many.
    pub(crate) fn items<const N: usize>(mut self, record: &'static str) -> Result<[Self; N], Error> {
        let Value::Array(items) = &mut self.0 else {
            return Err(Error::malformed(record, Problem::WrongType));
        };
        if items.len() != N {
            return Err(Error::malformed(record, Problem::Length { expected: N, found: items.len() }));
        }
        let mut items = core::mem::take(items).into_iter();
        Ok([(); N].map(|()| Self(items.next().unwrap_or(Value::Null))))
    }

    /// As [`Value::into_text`].
    pub(crate) fn into_text(mut self, field: &'static str) -> Result<Zeroizing<String>, Error> {
        match &mut self.0 {
            Value::String(text) => Ok(Zeroizing::new(core::mem::take(text))),
            _ => Err(Error::malformed(field, Problem::WrongType)),
        }
    }

    /// As [`Value::canonical_sized`], in a text that is wiped too.
    pub(crate) fn canonical_sized(&self, size: usize) -> Zeroizing<String> {
        Zeroizing::new(self.0.canonical_sized(size))
    }

    /// What it holds, which is nobody's to wipe from here on.
    pub(crate) fn take(&mut self) -> Value {
        core::mem::replace(&mut self.0, Value::Null)
    }

    pub(super) fn get_mut(&mut self) -> &mut Value {
        &mut self.0
    }
}

impl Drop for Wiped {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

/// As deep as the reader goes, and no deeper.
fn wipe(value: &mut Value) {
    match value {
        Value::String(text) => text.zeroize(),
        Value::Array(items) => items.iter_mut().for_each(wipe),
        Value::Object(members) => members.values_mut().for_each(wipe),
        Value::Null | Value::Bool(_) | Value::Integer(_) => {}
    }
}
