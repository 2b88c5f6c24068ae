//! Rules for short texts that become a part of what is hashed or signed.

use super::json::{Raw, Writer};
use super::record::Form;
use crate::error::{Error, Problem};
use alloc::string::String;

/// The text of an origin or type.
pub(crate) struct Label;

impl Form for Label {
    type Value = String;

    fn read(raw: Raw<'_>, field: &'static str) -> Result<String, Error> {
        let label = String::read(raw, field)?;
        check_label(field, &label)?;
        Ok(label)
    }

    fn write(value: &String, out: &mut Writer) {
        out.text(value);
    }
}

/// With these rules a preimage parses in one way from the right.
pub(crate) fn check_unambiguous(field: &'static str, text: &str) -> Result<(), Error> {
    if text.contains("::") || text.starts_with(':') {
        return Err(Error::malformed(field, Problem::Ambiguous));
    }
    Ok(())
}

/// The rule for origins, types and every other label that becomes a part of what is hashed or signed: 1 to 255 bytes of
/// text that contains no `::`, does not begin with `:` and has no control character.
///
/// # Errors
/// [`Problem::Range`], [`Problem::Ambiguous`] or [`Problem::Control`] for `field`.
pub fn check_label(field: &'static str, text: &str) -> Result<(), Error> {
    if text.is_empty() || text.len() > 255 {
        return Err(Error::malformed(field, Problem::Range));
    }
    check_unambiguous(field, text)?;
    if text.chars().any(char::is_control) {
        return Err(Error::malformed(field, Problem::Control));
    }
    Ok(())
}
