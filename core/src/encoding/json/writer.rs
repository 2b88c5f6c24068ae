//! The canonical writer of RFC 8785, for values without fractions.

use super::{MAX_DEPTH, MAX_INTEGER, Value};
use crate::encoding::hex;
use crate::error::{Error, Problem};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Refuses what the reader would refuse.
pub(super) fn check(value: &Value, depth: usize) -> Result<(), Error> {
    let inner = || {
        let inner = depth.saturating_add(1);
        if inner > MAX_DEPTH { Err(Error::malformed("json", Problem::JsonDepth)) } else { Ok(inner) }
    };
    match value {
        Value::Integer(n) if n.unsigned_abs() > MAX_INTEGER.unsigned_abs() => {
            Err(Error::malformed("json", Problem::JsonNumber))
        }
        Value::Array(items) => inner().and_then(|depth| items.iter().try_for_each(|item| check(item, depth))),
        Value::Object(members) => inner().and_then(|depth| members.values().try_for_each(|item| check(item, depth))),
        _ => Ok(()),
    }
}

pub(super) fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Integer(number) => out.push_str(&number.to_string()),
        Value::String(text) => write_string(text, out),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            // UTF-16 code units, not code points: they differ beyond the basic plane (RFC 8785, section 3.2.3).
            sorted.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            out.push('{');
            for (index, (name, item)) in sorted.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_string(name, out);
                out.push(':');
                write(item, out);
            }
            out.push('}');
        }
    }
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\x08' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\x0c' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '\0'..='\x1f' => {
                // Four hexadecimal digits, of which a control character needs the last two.
                out.push_str("\\u00");
                out.push_str(&hex::encode(&[u32::from(c).to_le_bytes()[0]]));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}
