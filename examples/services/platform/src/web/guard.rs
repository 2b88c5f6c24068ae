//! What is refused before anybody asks who calls: too often, by another's name or page, an address that names nothing,
//! a change where none is taken.

use super::origins::{self, Sender};
use super::{Matched, Web};
use crate::problem::{Problem, kinds};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, Method, StatusCode, header};
use percent_encoding::percent_decode_str;
use std::sync::Arc;

/// When an operator may have done with what he does.
const READ_ONLY_SECONDS: u64 = 60;

/// The refusal of a request, where it is refused.
pub(crate) fn refuses(web: &Web, request: &Request) -> Option<Response> {
    if let Err(problem) = web.rate.take(request) {
        return Some(problem.into_response());
    }
    if !web.hosts.have(request.uri(), request.headers()) {
        return Some(Problem::new(&kinds::FOREIGN_HOST).into_response());
    }
    if let Some(answer) = of_page(request) {
        return Some(answer);
    }
    // No name has such characters, and one of the databases takes no NUL.
    if !is_text(request.uri().path()) {
        return Some(Problem::new(&kinds::UNKNOWN_ID).into_response());
    }
    if let Some(Matched(row)) = request.extensions().get::<Matched>().copied().filter(|Matched(row)| row.writes) {
        // The router serves it as the GET whose answer is given once, and throws the answer away.
        if request.method() == Method::HEAD {
            let mut response = Problem::new(&kinds::METHOD).into_response();
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(row.method));
            return Some(response);
        }
        if web.read_only {
            return Some(Problem::new(&kinds::READ_ONLY).retry_after(READ_ONLY_SECONDS).into_response());
        }
    }
    None
}

/// Refuses what is asked by another's name, where no other layer is.
pub(crate) async fn named(State(web): State<Arc<Web>>, request: Request, next: Next) -> Response {
    if web.hosts.have(request.uri(), request.headers()) {
        next.run(request).await
    } else {
        StatusCode::MISDIRECTED_REQUEST.into_response()
    }
}

/// What a page of a browser is answered before anything else: what it may, where its origin is listed; where it is not,
/// that it may only read what anybody may, which the browser does not show it.
fn of_page(request: &Request) -> Option<Response> {
    let asks_first = origins::asks_first(request.method(), request.headers());
    match request.extensions().get::<Sender>()? {
        Sender::Own => None,
        Sender::Listed(_) => asks_first.then(origins::may),
        Sender::Foreign => {
            let changes = request.extensions().get::<Matched>().is_some_and(|Matched(row)| row.writes);
            let reads = matches!(*request.method(), Method::GET | Method::HEAD) && !changes;
            (!reads).then(|| Problem::new(&kinds::FOREIGN_ORIGIN).into_response())
        }
    }
}

/// Whether an address is text without control characters, once it is decoded.
fn is_text(path: &str) -> bool {
    let decoded = percent_decode_str(path).decode_utf8();
    decoded.is_ok_and(|path| !path.chars().any(char::is_control))
}

#[cfg(test)]
mod tests {
    use super::is_text;

    #[test]
    fn an_address_is_text() {
        for (path, expected) in [
            ("/a/%C4%8D", true),
            ("/a/b%2Fc", true),
            ("/a/100%", true),
            ("/a/%00", false),
            ("/a/%0a", false),
            ("/a/%FF", false),
            ("/a/%C2%80", false),
        ] {
            assert_eq!(is_text(path), expected, "{path}");
        }
    }
}
