//! How values are written: hexadecimal, timestamps, strict JSON and its canonical form (RFC 8785).

pub mod hex;
pub mod json;
mod label;
mod record;
#[cfg(feature = "serde")]
mod serde;
pub mod time;

pub(crate) use label::{check_label, check_unambiguous};
pub(crate) use record::{expect_text, time_member};
#[cfg(feature = "serde")]
pub(crate) use serde::serde_through_json;

/// A value of fixed length that is 2N characters of lowercase hexadecimal on the wire.
macro_rules! hex_newtype {
    ($(#[$doc:meta])* $name:ident, $bytes:literal, $field:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; $bytes]);

        impl $name {
            #[doc = concat!("From its ", $bytes, " bytes.")]
            #[must_use]
            pub const fn from_bytes(bytes: [u8; $bytes]) -> Self {
                Self(bytes)
            }

            #[doc = concat!("Its ", $bytes, " bytes.")]
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; $bytes] {
                &self.0
            }

            /// Its lowercase hexadecimal.
            #[must_use]
            pub fn to_hex(&self) -> alloc::string::String {
                $crate::encoding::hex::encode(&self.0)
            }

            #[allow(dead_code, reason = "the same set of helpers for every such type")]
            pub(crate) fn from_member(
                value: $crate::encoding::json::Value,
                field: &'static str,
            ) -> Result<Self, $crate::error::Error> {
                value.into_text(field).and_then(|text| $crate::encoding::hex::decode(field, &text)).map(Self)
            }

            #[allow(dead_code, reason = "the same set of helpers for every such type")]
            pub(crate) fn to_member(self) -> $crate::encoding::json::Value {
                $crate::encoding::json::Value::String(self.to_hex())
            }
        }

        impl core::str::FromStr for $name {
            type Err = $crate::error::Error;

            fn from_str(text: &str) -> Result<Self, $crate::error::Error> {
                $crate::encoding::hex::decode($field, text).map(Self)
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(&self.to_hex())
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.to_hex())
            }
        }
    };
}
pub(crate) use hex_newtype;
