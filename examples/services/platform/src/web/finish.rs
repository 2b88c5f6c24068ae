//! The outermost layer: names the request, and writes the body of every problem.

use crate::problem::{Body, Problem, kinds};
use axum::body::Body as HttpBody;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use std::sync::Arc;
use uuid::Uuid;

/// The name of a request, in answers and in the log.
#[derive(Clone, Debug)]
pub struct RequestId(pub Arc<str>);

/// What stays of an answer whose body becomes a problem's.
const KEPT: [header::HeaderName; 4] =
    [header::ALLOW, header::RETRY_AFTER, header::CONNECTION, header::CONTENT_LOCATION];

/// The outermost layer: names the request, and writes the body of every problem, also of those that a library below
/// answers without one.
pub async fn finish(State(base_url): State<Arc<str>>, mut request: Request, next: Next) -> Response {
    let id = RequestId(Uuid::now_v7().to_string().into());
    request.extensions_mut().insert(id.clone());
    let mut response = next.run(request).await;
    let status = response.status();
    let problem = response.extensions_mut().remove::<Problem>();
    if let Some(problem) = problem.or_else(|| of_status(status)) {
        response = written(&problem.body(&base_url, &id.0), &problem, response.headers());
    }
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Ok(id) = HeaderValue::from_str(&id.0) {
        headers.insert("x-request-id", id);
    }
    response
}

/// What was refused below the handlers.
pub(crate) fn of_status(status: StatusCode) -> Option<Problem> {
    let kind = match status {
        StatusCode::NOT_FOUND => &kinds::UNKNOWN_PATH,
        StatusCode::METHOD_NOT_ALLOWED => &kinds::METHOD,
        StatusCode::REQUEST_TIMEOUT => &kinds::TOO_SLOW,
        StatusCode::PAYLOAD_TOO_LARGE => &kinds::TOO_LARGE,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => &kinds::MEDIA_TYPE,
        StatusCode::TOO_MANY_REQUESTS => &kinds::RATE,
        StatusCode::SERVICE_UNAVAILABLE => &kinds::BUSY,
        status if status.is_client_error() => &kinds::BAD_REQUEST,
        status if status.is_server_error() => &kinds::INTERNAL,
        _ => return None,
    };
    Some(Problem::new(kind))
}

fn written(body: &Body, problem: &Problem, before: &HeaderMap) -> Response {
    let text = serde_json::to_vec(body).unwrap_or_default();
    let mut response = (problem.status(), HttpBody::from(text)).into_response();
    let headers = response.headers_mut();
    for name in KEPT {
        if let Some(value) = before.get(&name) {
            headers.insert(name, value.clone());
        }
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    if problem.status() == StatusCode::UNAUTHORIZED {
        let challenge = match problem.kind().code {
            "no-token" => "Bearer realm=\"trustd\"",
            _ => "Bearer realm=\"trustd\", error=\"invalid_token\"",
        };
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
    }
    let waits = matches!(problem.status(), StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
    if let Some(seconds) = problem.comes_back_after().or(waits.then_some(1)) {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
    }
    response
}
