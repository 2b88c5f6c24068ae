//! Rules for short texts that become a part of what is hashed or signed.

use crate::error::{Error, Problem};

/// With these rules a preimage parses in one way from the right.
pub(crate) fn check_unambiguous(field: &'static str, text: &str) -> Result<(), Error> {
    if text.contains("::") || text.starts_with(':') {
        return Err(Error::malformed(field, Problem::Ambiguous));
    }
    Ok(())
}

/// The rule for origins and types: 1 to 255 bytes, unambiguous, without control characters.
pub(crate) fn check_label(field: &'static str, text: &str) -> Result<(), Error> {
    if text.is_empty() || text.len() > 255 {
        return Err(Error::malformed(field, Problem::Range));
    }
    check_unambiguous(field, text)?;
    if text.chars().any(char::is_control) {
        return Err(Error::malformed(field, Problem::Control));
    }
    Ok(())
}
