//! Strict JSON in, canonical JSON (RFC 8785) out.
//!
//! What is hashed or signed as JSON has no fractions and no exponents: strings, integers within ±(2^53-1), booleans,
//! null, arrays and objects only. Nothing that this module depends on reads or writes JSON, so that no feature switched
//! on elsewhere in a build can change what is signed.

mod check;
mod elements;
mod names;
mod raw;
mod scan;
mod text;
mod value;
mod writer;

pub use elements::{Elements, elements};
pub use value::Value;

pub(crate) use raw::{Items, Name, Outline, Raw};
pub(crate) use text::Text;
pub(crate) use writer::{Writer, written};

/// The deepest nesting of arrays and objects that is read or written; `[1]` has depth 1.
pub const MAX_DEPTH: usize = 32;

/// The largest magnitude of an integer, 2^53-1.
pub const MAX_INTEGER: i64 = (1 << 53) - 1;
