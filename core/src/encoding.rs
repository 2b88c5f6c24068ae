//! How values are written: hexadecimal, timestamps, strict JSON and its canonical form (RFC 8785).

pub(crate) mod binary;
mod form;
pub mod hex;
pub mod json;
mod label;
pub(crate) mod record;
#[cfg(feature = "serde")]
mod serde;
pub mod time;

pub use label::check_label;
pub(crate) use label::{Label, check_unambiguous};
#[cfg(feature = "serde")]
pub(crate) use serde::{json as serde_json_text, serde_through_json};

/// Whether these are the bytes of a binary form, by how they begin. No text or JSON that the library reads begins so.
#[must_use]
pub fn is_binary(bytes: &[u8]) -> bool {
    binary::begins(bytes)
}

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
                $crate::encoding::hex::encode_public(&self.0)
            }
        }

        impl $crate::encoding::record::Form for $name {
            type Value = Self;

            fn read(
                raw: $crate::encoding::json::Raw<'_>,
                field: &'static str,
            ) -> Result<Self, $crate::error::Error> {
                <[u8; $bytes] as $crate::encoding::record::Form>::read(raw, field).map(Self)
            }

            fn write(value: &Self, out: &mut $crate::encoding::json::Writer) {
                out.hex(&value.0);
            }
        }

        impl core::str::FromStr for $name {
            type Err = $crate::error::Error;

            fn from_str(text: &str) -> Result<Self, $crate::error::Error> {
                $crate::encoding::hex::decode_public($field, text).map(Self)
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
