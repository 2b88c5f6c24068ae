//! In which form a proof is answered, what people are asked, and how long.

use dualseal::IdentityId;
use dualseal::presence::Nonce;
use dualseal::tree::TreeHash;
use http::{HeaderMap, header};

/// How long a challenge lives, in milliseconds.
pub(super) const CHALLENGE_LIFE: i64 = 300_000;

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Json,
    Pdf,
}

/// What `Accept` asks for: the first of both that it names, and this one where it names none.
pub(super) fn form(headers: &HeaderMap, unasked: Form) -> Form {
    let named = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut kinds = named.flat_map(|value| value.split(',')).map(|kind| kind.split(';').next().unwrap_or("").trim());
    let found = kinds.find_map(|kind| match kind {
        "application/pdf" => Some(Form::Pdf),
        "application/json" => Some(Form::Json),
        _ => None,
    });
    found.unwrap_or(unasked)
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
        assert_eq!(of("text/html, application/pdf;q=0.9, application/json", Form::Json), Form::Pdf);
        assert_eq!(of("application/json", Form::Pdf), Form::Json);
        assert_eq!(of("application/pdfx", Form::Json), Form::Json);
    }
}
