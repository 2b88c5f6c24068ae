//! In which form a proof is answered, what people are asked, and how long.

use dualseal::presence::Nonce;
use dualseal::tree::TreeHash;
use dualseal::{Entry, IdentityId};
use http::{HeaderMap, header};
use std::cmp::{Ordering, Reverse};

/// How long a challenge lives, in milliseconds.
pub(super) const CHALLENGE_LIFE: i64 = 300_000;

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Json,
    Pdf,
}

/// What `Accept` asks for: the one of both that it prefers (RFC 9110, section 12.4.2), of two alike the one that it
/// names, and names first; this one where it prefers none, or takes neither.
pub(super) fn form(headers: &HeaderMap, unasked: Form) -> Form {
    let named = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let ranges: Vec<_> = named.flat_map(|value| value.split(',')).map(range).collect();
    let wanted = |kind: &str| {
        let asked = [kind, "application/*", "*/*"].into_iter().enumerate();
        let mut found = asked.filter_map(|(wide, name)| {
            let place = ranges.iter().position(|(range, _)| range == name)?;
            Some((ranges.get(place)?.1, wide, if wide == 0 { place } else { 0 }))
        });
        match found.next() {
            Some((0, ..)) => (-1, Reverse((0, 0))),
            Some((weight, wide, place)) => (weight, Reverse((wide, place))),
            None => (0, Reverse((0, 0))),
        }
    };
    match wanted("application/json").cmp(&wanted("application/pdf")) {
        Ordering::Greater => Form::Json,
        Ordering::Less => Form::Pdf,
        Ordering::Equal => unasked,
    }
}

/// A range of `Accept` with its weight in thousandths; one whose weight does not read is refused.
fn range(text: &str) -> (String, i32) {
    let mut parts = text.split(';').map(str::trim);
    let name = parts.next().unwrap_or_default().to_ascii_lowercase();
    let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    let Some(weight) = weight else { return (name, 1000) };
    let (whole, part) = weight.split_once('.').unwrap_or((weight, ""));
    let is_read = part.len() <= 3 && part.bytes().all(|digit| digit.is_ascii_digit());
    let weight = match whole {
        "0" if is_read => format!("{part:0<3}").parse().unwrap_or(0),
        "1" if is_read => 1000,
        _ => 0,
    };
    (name, weight)
}

/// What a key says that it is present for.
pub(super) fn statement(izazov_id: &str) -> String {
    format!("proof of presence {izazov_id}")
}

/// What a credential answers: by its label nothing else that one is asked.
pub(super) fn challenge(
    domain: &str,
    audience: &str,
    identity_id: &IdentityId,
    statement: &str,
    nonce: &Nonce,
) -> [u8; 32] {
    let said = format!("{domain}-PRESENCE::PROOF::{audience}::{identity_id}::{statement}::{}", nonce.to_hex());
    *TreeHash::of_leaf(said.as_bytes()).as_bytes()
}

/// Whether an entry enrols an authenticator of this identity: another of the same key says the same.
pub(super) fn is_enrolment(entry: &Entry, identity_id: &IdentityId, said: Option<&str>) -> bool {
    entry.identity_id() == identity_id && said == Some(entry.message())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_accepted_first_is_answered() {
        let of = |accept: &str, unasked| {
            let mut headers = HeaderMap::new();
            if !accept.is_empty() {
                headers.insert(header::ACCEPT, accept.parse().unwrap());
            }
            form(&headers, unasked)
        };
        assert_eq!(of("", Form::Pdf), Form::Pdf);
        assert_eq!(of("*/*", Form::Json), Form::Json);
        assert_eq!(of("text/html, application/pdf, application/json", Form::Json), Form::Pdf);
        assert_eq!(of("application/json", Form::Pdf), Form::Json);
        assert_eq!(of("application/pdfx", Form::Json), Form::Json);
        for (accept, form) in [
            ("application/pdf;q=0, application/json", Form::Json),
            ("application/pdf;q=0.9, application/json", Form::Json),
            ("application/pdf; q=0.9,application/json;q=0.123", Form::Pdf),
            ("application/json;q=0, */*", Form::Pdf),
            ("application/*, application/json;q=0.5", Form::Pdf),
            ("*/*, application/json", Form::Json),
            ("application/pdf;q=2, application/json;q=0.001", Form::Json),
            ("Application/PDF;Q=1.000", Form::Pdf),
        ] {
            for unasked in [Form::Json, Form::Pdf] {
                assert_eq!(of(accept, unasked), form, "{accept}");
            }
        }
        assert_eq!(of("application/pdf;q=0", Form::Pdf), Form::Json);
        assert_eq!(of("*/*, application/*;q=0.5", Form::Pdf), Form::Pdf);
    }
}
