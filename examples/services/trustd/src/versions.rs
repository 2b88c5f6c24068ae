//! Versions of what callers change: an answer has its version as `ETag`, and a change names it in `If-Match`.

use http::{HeaderMap, HeaderValue, header};
use platform::problem::{Problem, kinds};

/// The header of an answer.
pub(crate) fn tagged(version: u64) -> HeaderMap {
    HeaderValue::from_str(&format!("\"{version}\"")).map(|tag| (header::ETAG, tag)).into_iter().collect()
}

/// Whether a change is of the version that stands.
///
/// # Errors
/// [`kinds::IF_MATCH`] where none is named, [`kinds::CONFLICT`] where it is another.
pub(crate) fn matched(headers: &HeaderMap, at: u64) -> Result<(), Problem> {
    let mut sent = headers.get_all(header::IF_MATCH).iter();
    let tag = sent.next().ok_or_else(|| Problem::new(&kinds::IF_MATCH))?;
    let number = tag.to_str().ok().and_then(|text| text.strip_prefix('"')?.strip_suffix('"'));
    let version = number.and_then(|number| number.parse::<u64>().ok().filter(|one| one.to_string() == number));
    match version {
        Some(version) if version > 0 && sent.next().is_none() => stands(version, at),
        _ => Err(Problem::invalid("header/If-Match", "value", "is to be one version, such as \"1\"")),
    }
}

/// The same of a version that a body names.
///
/// # Errors
/// [`kinds::CONFLICT`] where it is another.
pub(crate) fn stands(version: u64, at: u64) -> Result<(), Problem> {
    if version == at {
        return Ok(());
    }
    Err(Problem::new(&kinds::CONFLICT).detail(format!("the version is {at} now")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_version_is_named_in_one_way() {
        let asked = |tags: &[&str]| {
            let headers = tags.iter().map(|tag| (header::IF_MATCH, tag.parse().unwrap())).collect();
            matched(&headers, 7).map_err(|problem| problem.kind().status)
        };
        assert_eq!(asked(&["\"7\""]), Ok(()));
        assert_eq!(asked(&["\"6\""]), Err(409));
        assert_eq!(asked(&[]), Err(428));
        for wrong in ["7", "W/\"7\"", "*", "\"07\"", "\"+7\"", "\"0\"", "\"7\", \"8\""] {
            assert_eq!(asked(&[wrong]), Err(422), "{wrong}");
        }
        assert_eq!(tagged(7)[header::ETAG], "\"7\"");
    }
}
