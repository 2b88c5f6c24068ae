//! What a text is, and what is wrong with its form.

use crate::args::{Out, bytes};
use crate::call_error::CallError;
use crate::guard::guard;
use crate::status::StatusValue;
use dualseal_core::Error;
use dualseal_core::encoding::json::Value;
use dualseal_core::inspect;
use std::ffi::c_char;

/// Says what a text is, which version, and what is wrong with its form, as JSON:
/// `{"count","findings":[{"code","field","index","message"}],"kind","omitted","version"}`, with `null` for what there
/// is not. There are at most 500 findings; `omitted` counts the rest. It verifies nothing: a text without findings is
/// well-formed, no more. The text need not be UTF-8.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_text_inspect(
    text: *const u8,
    text_len: usize,
    inspection_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let text = bytes("text", text, text_len)?;
        let out = Out::new("inspection_json", inspection_json)?;
        let found = inspect::inspect(text);
        let json = object([
            ("count", number(found.count)),
            ("findings", Value::Array(found.findings.iter().map(finding).collect())),
            ("kind", Value::String(found.kind.to_string())),
            ("omitted", number(Some(found.omitted))),
            ("version", found.version.map_or(Value::Null, Value::String)),
        ]);
        out.text(&json.to_canonical()?);
        Ok(())
    })
}

fn finding(error: &Error) -> Value {
    let place = error.evidence().place;
    object([
        ("code", Value::Integer(error.code().into())),
        ("field", place.field.map_or(Value::Null, |field| Value::String(field.to_owned()))),
        ("index", number(place.index)),
        ("message", Value::String(error.to_string())),
    ])
}

fn number(number: Option<u64>) -> Value {
    number.and_then(|number| i64::try_from(number).ok()).map_or(Value::Null, Value::Integer)
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}
