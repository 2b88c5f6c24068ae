//! Base64 as notes have it: standard, with padding, in its one spelling.

use alloc::string::String;
use alloc::vec::Vec;
use base64ct::{Base64, Encoding};

/// The longest text that is looked at: strangers' lines may hold signatures of any scheme, and SLH-DSA's have 49,856
/// bytes.
const LONGEST: usize = 1 << 17;

pub(super) fn encoded(bytes: &[u8]) -> String {
    Base64::encode_string(bytes)
}

/// The bytes, where they would be spelled like this.
pub(super) fn decoded(text: &str) -> Option<Vec<u8>> {
    if text.len() > LONGEST {
        return None;
    }
    let bytes = Base64::decode_vec(text).ok()?;
    (encoded(&bytes) == text).then_some(bytes)
}
