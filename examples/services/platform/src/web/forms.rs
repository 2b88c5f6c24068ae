//! What stands in bodies and paths.

use crate::problem::{Problem, kinds};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use utoipa::ToSchema;

/// Bytes as a request has them: base64, of the standard's alphabet, padded, and in no other spelling.
#[derive(Clone, PartialEq, Eq, ToSchema)]
#[schema(value_type = String, format = Byte, example = "b25lIGNvbnRyYWN0")]
pub struct Base64(pub Vec<u8>);

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        STANDARD.decode(text.as_bytes()).map(Self).map_err(|_| D::Error::custom("is not base64, standard and padded"))
    }
}

/// How many, and never which: contents are nobody's but their sender's.
impl fmt::Debug for Base64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Base64({} bytes)", self.0.len())
    }
}

/// A name of the library's in a body: an identity, a hash, a vault, 64 lowercase hexadecimal characters (a hash of the
/// chain has 128); or a time, RFC 3339 in UTC with milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ToSchema)]
#[schema(value_type = String)]
pub struct Name<T>(pub T);

impl<'de, T: FromStr<Err: fmt::Display>> Deserialize<'de> for Name<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map(Self).map_err(D::Error::custom)
    }
}

impl<T: fmt::Display> Serialize for Name<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<T: fmt::Display> fmt::Debug for Name<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How the documentation writes a [`Name`] of 64 characters, where it stands in a list.
#[derive(Clone, Debug, ToSchema)]
#[schema(value_type = String, pattern = "^[0-9a-f]{64}$",
    example = "6f3f7d0a6c1c3c0f5f0a2b1e4d5c6b7a8990a1b2c3d4e5f60718293a4b5c6d7e")]
pub struct Hex64(pub String);

/// Tells a member that is null from one that is not there, of a body that changes something: for `deserialize_with`,
/// beside `default`.
///
/// # Errors
/// As of the member.
#[allow(clippy::option_option, reason = "null takes away, and what is not there stays")]
pub fn given<'de, D, T>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Some)
}

/// A name in a path: where it is malformed there is nothing of that name.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`].
pub fn id_in_path<T: FromStr>(text: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| Problem::new(&kinds::UNKNOWN_ID))
}
