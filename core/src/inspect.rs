//! Says what a text is, which version, and what is wrong with its form, field by field. It verifies nothing: a text
//! without findings is well-formed, no more.

mod inspection;
mod schema;

pub use inspection::{Inspection, Kind, MOST_FINDINGS};

use crate::encoding::hex;
use crate::encoding::json::{Items, Raw};
use crate::encoding::record::{has_members, rows};
use crate::error::{Error, Problem};
use crate::krunica::{Checker, JsonLines, Line};
use crate::mldsa::SIGNATURE_BYTES;
use crate::seal::{Seal, SealFormat};
use alloc::string::ToString;
use schema::Schema;

/// Inspects a text.
///
/// ```
/// use dualseal::inspect::{Kind, inspect};
///
/// let found = inspect(b"SEAL-L5::00FF");
/// assert_eq!(found.kind, Kind::LegacySeal);
/// assert_eq!(found.findings[0].to_string(), "hmac_hex: must have length 128, has 4");
/// ```
#[must_use]
pub fn inspect(text: &[u8]) -> Inspection {
    if text.starts_with(b"SEAL-") {
        return inspect_seal(text);
    }
    let raw = match Raw::parse(text) {
        Ok(raw) => raw,
        Err(_) if text.split(|byte| *byte == b'\n').next().is_some_and(is_object) => return inspect_lines(text),
        Err(error) => return Inspection::new(Kind::Unknown).with(error),
    };
    // A chain of one line is a JSON text as well.
    if has_members::<Line>(raw) {
        return inspect_lines(text);
    }
    match raw.items() {
        Some(items) => inspect_chain(items),
        None if raw.is_object() => inspect_object(raw),
        None => Inspection::new(Kind::Unknown).with(Error::malformed("json", Problem::WrongType)),
    }
}

fn inspect_seal(text: &[u8]) -> Inspection {
    let Ok(text) = core::str::from_utf8(text) else {
        return Inspection::new(Kind::Unknown).with(Error::malformed("seal", Problem::Utf8));
    };
    let mut parts = text.split("::");
    let format = parts.next().unwrap_or_default();
    let kind = match format {
        _ if format == SealFormat::Dual.as_str() => Kind::DualSeal,
        _ if format == SealFormat::Legacy.as_str() => Kind::LegacySeal,
        _ => return Inspection::new(Kind::Unknown).with(Error::malformed("seal", Problem::UnknownValue)),
    };
    let mut found = Inspection { version: Some(format.to_string()), ..Inspection::new(kind) };
    let lengths: &[(&'static str, usize)] = match kind {
        Kind::DualSeal => &[("hmac_hex", 64), ("signature_hex", SIGNATURE_BYTES)],
        _ => &[("hmac_hex", 64)],
    };
    for (field, bytes) in lengths {
        let checked = match parts.next() {
            Some(part) => hex::check(field, part, *bytes),
            None => Err(Error::malformed(field, Problem::MissingMember)),
        };
        if let Err(finding) = checked {
            found.add(finding);
        }
    }
    // What the fields did not show, such as a part too many, the reader itself does.
    confirm(found, || text.parse::<Seal>().err())
}

fn inspect_object(raw: Raw<'_>) -> Inspection {
    let Some(schema) = Schema::closest(raw) else {
        return Inspection::new(Kind::Unknown).with(Error::malformed("json", Problem::UnknownValue));
    };
    let mut found = Inspection::new(schema.kind);
    found.version = schema::version(schema.kind, raw);
    if matches!(schema.kind, Kind::RingFile | Kind::PublicRing) {
        let keys = raw.member("keys").and_then(Raw::items);
        found.count = keys.and_then(|keys| u64::try_from(keys.count()).ok());
    }
    schema.find(raw, &mut found);
    confirm(found, || (schema.check)(raw, "json").err())
}

/// The first fault of a chain, and the fields of that entry.
fn inspect_chain(items: Items<'_>) -> Inspection {
    let mut found = Inspection::new(Kind::Chain);
    found.count = u64::try_from(items.clone().count()).ok();
    let mut checker = Checker::new();
    for (index, item) in (0..).zip(items) {
        if let Err(fault) = checker.push_line(item) {
            found.add(fault.into());
            schema::find(Kind::Chain.as_str(), rows::<Line>(), item, Some(index), &mut found);
            break;
        }
    }
    found
}

fn is_object(line: &[u8]) -> bool {
    Raw::parse(line).is_ok_and(Raw::is_object)
}

fn inspect_lines(text: &[u8]) -> Inspection {
    let mut found = Inspection::new(Kind::ChainLines);
    let (mut lines, mut checker) = (JsonLines::new(), Checker::new());
    let pushed = lines.push(text, |line| Ok(checker.push_json(line).map(drop)?));
    found.count = Some(checker.head().size());
    match pushed.and_then(|()| lines.finish()) {
        Ok(()) => found,
        Err(fault) => found.with(fault),
    }
}

/// The findings agree with the reader: what it refuses has at least one.
fn confirm(found: Inspection, read: impl FnOnce() -> Option<Error>) -> Inspection {
    match found.findings.is_empty().then(read).flatten() {
        Some(finding) => found.with(finding),
        None => found,
    }
}
