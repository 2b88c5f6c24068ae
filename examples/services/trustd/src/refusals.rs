//! What an address may answer beside what it is for, for the documentation.

use platform::problem::Body;
use std::collections::BTreeMap;
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::{Content, Ref, RefOr};
use utoipa::{IntoResponses, ToSchema};

type Refusals = BTreeMap<String, RefOr<Response>>;

const CALLER: [(&str, &str); 3] = [
    ("401", "No token, or one that does not count"),
    ("403", "The tier is too low, or the scope is missing"),
    ("422", "A field breaks a rule; the problem names it"),
];

fn refusals<const N: usize>(rows: [(&str, &str); N]) -> Refusals {
    let refusal = |(status, description): (&str, &str)| {
        let content = Content::new(Some(Ref::from_schema_name(Body::name())));
        let response = ResponseBuilder::new().description(description).content("application/problem+json", content);
        (status.to_owned(), RefOr::T(response.build()))
    };
    rows.into_iter().map(refusal).collect()
}

/// Of what somebody with a token reads.
pub(crate) struct OfReading;

impl IntoResponses for OfReading {
    fn responses() -> Refusals {
        let mut all = refusals(CALLER);
        all.extend(refusals([("404", "There is nothing of this name, or it is not the caller's")]));
        all
    }
}

/// Of what somebody with a token sends.
pub(crate) struct OfSending;

impl IntoResponses for OfSending {
    fn responses() -> Refusals {
        let mut all = OfReading::responses();
        all.extend(refusals([
            ("400", "The body is no JSON, or no form"),
            ("409", "The state of the record or of the identity's key does not allow it"),
            ("413", "The body is larger than the limit"),
            ("415", "The body is of another type than this address takes"),
            ("503", "The service has too much to do, or takes no changes; `Retry-After` says when to come back"),
        ]));
        all
    }
}

/// Of what anybody sends.
pub(crate) struct OfPublic;

impl IntoResponses for OfPublic {
    fn responses() -> Refusals {
        refusals([
            ("400", "The body is no JSON, or no form"),
            ("413", "The body is larger than the limit"),
            ("415", "The body is of another type than this address takes"),
            ("422", "A field breaks a rule; the problem names it"),
            ("429", "Too many requests; `Retry-After` says when to come back"),
            ("503", "The service has too much to do; `Retry-After` says when to come back"),
        ])
    }
}
