//! What `split` writes: shares as text, and dealings. Of a share nothing but what it is may be said.

use super::finding::Inspected;
use crate::context::Context;
use crate::shares::text;
use dualseal::Error;
use dualseal::encoding::json::Value;
use dualseal::field::{Field, Fp521, Gf2_256};
use dualseal::shamir::Dealing;
use zeroize::Zeroizing;

/// The record of a dealing.
pub(crate) const DEALING: &str = "dealing";
const SHARE: &str = "share of a split file";
const SSSS: &str = "share of the program ssss";

/// What kind of share a text holds, if it is one. It may be the beginning of a longer one.
pub(crate) fn share_kind(bytes: &[u8]) -> Option<&'static str> {
    let text = std::str::from_utf8(bytes.get(..16 << 10).unwrap_or(bytes)).ok()?;
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    if lines().any(text::is_share) {
        return Some(SHARE);
    }
    (lines().next().is_some() && lines().all(is_ssss)).then_some(SSSS)
}

/// Whether a kind is one of shares.
pub(super) fn is_share(kind: &str) -> bool {
    [SHARE, SSSS].contains(&kind)
}

/// Whether a JSON text is the record of a dealing, whether or not it is well formed.
pub(crate) fn is_dealing(bytes: &[u8]) -> bool {
    match Value::parse(bytes) {
        Ok(Value::Object(members)) => ["dealing_id", "algoritam"].iter().all(|name| members.contains_key(*name)),
        _ => false,
    }
}

pub(super) fn look(bytes: &[u8], context: &Context) -> Option<Inspected> {
    if let Some(kind) = share_kind(bytes) {
        return Some(share(kind, bytes));
    }
    if !is_dealing(bytes) {
        return None;
    }
    // Its commitments are bound to the domain that it was made under.
    let home = context.home_if_any().ok().flatten();
    let domain = context.domain(None, home.as_ref()).ok()?;
    let binary = match Value::parse(bytes) {
        Ok(Value::Object(members)) => members.get("algoritam") == Some(&Value::String(Gf2_256::ALGORITHM.to_owned())),
        _ => false,
    };
    let read = if binary {
        Dealing::<Gf2_256>::from_json(domain.domain(), bytes).err()
    } else {
        Dealing::<Fp521>::from_json(domain.domain(), bytes).err()
    };
    Some(read.iter().fold(Inspected::new(DEALING), Inspected::with))
}

fn share(kind: &'static str, bytes: &[u8]) -> Inspected {
    let text = Zeroizing::new(String::from_utf8_lossy(bytes).into_owned());
    let shares: Vec<_> = text.lines().map(str::trim).filter(|line| text::is_share(line)).collect();
    let count = u64::try_from(shares.len()).ok().filter(|count| *count > 0);
    let error = shares.iter().find_map(|line| faulty(line));
    // Its check tells a slip of the pen alone.
    let finding =
        |error: Error| (Some(error.code()), format!("{error}: compare it with what was dealt, letter by letter"));
    Inspected { count, findings: error.map(finding).into_iter().collect(), ..Inspected::new(kind) }
}

/// What is wrong with a share's text.
fn faulty(line: &str) -> Option<Error> {
    let share = match text::read(line) {
        Ok(share) => share,
        Err(error) => return Some(error),
    };
    match share.field {
        text::FieldName::P521 => share.share::<Fp521>().err(),
        text::FieldName::Gf256 => share.share::<Gf2_256>().err(),
    }
}

/// `NUMBER-HEX`, after an optional token.
fn is_ssss(line: &str) -> bool {
    let Some((before, value)) = line.rsplit_once('-') else { return false };
    let number = before.rsplit('-').next().unwrap_or_default();
    let is_number = (1..=3).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number && value.len() >= 32 && value.bytes().all(|byte| byte.is_ascii_hexdigit())
}
