//! The header, and what names a request.

use crate::access::Caller;
use crate::problem::Problem;
use crate::web::keys::Keys;
use http::request::Parts;
use http::{HeaderMap, header};

/// Its name.
pub(super) const HEADER: &str = "idempotency-key";
/// The most characters of one.
const LONGEST: usize = 255;

/// The key: one header of 1 to 255 printable characters of ASCII.
pub(super) fn of(headers: &HeaderMap) -> Result<Option<&[u8]>, Problem> {
    let mut found = headers.get_all(HEADER).iter();
    let Some(key) = found.next() else { return Ok(None) };
    let wrong = |code, detail| Err(Problem::invalid("header/Idempotency-Key", code, detail));
    if found.next().is_some() {
        return wrong("repeated", "is there more than once");
    }
    match key.as_bytes() {
        [] => wrong("length", "is empty"),
        long if long.len() > LONGEST => wrong("length", "has more than 255 characters"),
        odd if !odd.iter().all(|byte| (0x20..=0x7e).contains(byte)) => {
            wrong("characters", "has characters that are not printable ASCII")
        }
        key => Ok(Some(key)),
    }
}

/// Whose key it is, and for what: the same key of another caller, address or world is another.
pub(super) fn scope(keys: &Keys, parts: &Parts, caller: &Caller, key: &[u8]) -> [u8; 32] {
    let world = [u8::from(caller.world.number() != 0)];
    let method = parts.method.as_str().as_bytes();
    keys.tag(&[b"scope", method, parts.uri.path().as_bytes(), caller.subject.as_bytes(), &world, key])
}

/// What was sent: the query, the type of the body, the body.
pub(super) fn sent(keys: &Keys, parts: &Parts, body: [u8; 32]) -> [u8; 32] {
    let query = parts.uri.query().unwrap_or_default().as_bytes();
    let kind = parts.headers.get(header::CONTENT_TYPE).map_or(&b""[..], |kind| kind.as_bytes());
    keys.tag(&[b"sent", query, kind, &body])
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    #[test]
    fn a_key_is_printable_and_alone() {
        let told = |keys: &[&[u8]]| {
            let mut headers = HeaderMap::new();
            for key in keys {
                headers.append(HEADER, HeaderValue::from_bytes(key).unwrap());
            }
            match of(&headers) {
                Ok(found) => found.map_or("none", |_| "one").to_owned(),
                Err(problem) => problem.fields()[0].code.clone(),
            }
        };
        assert_eq!(told(&[]), "none");
        assert_eq!(told(&[b"7f3a ~"]), "one");
        assert_eq!(told(&[&[b'x'; 255]]), "one");
        assert_eq!(told(&[&[b'x'; 256]]), "length");
        assert_eq!(told(&[b""]), "length");
        assert_eq!(told(&[b"a\tb"]), "characters");
        assert_eq!(told(&["č".as_bytes()]), "characters");
        assert_eq!(told(&[b"a", b"a"]), "repeated");
    }
}
