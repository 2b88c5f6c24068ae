//! The page of the office: levels at a glance, each vehicle's clock, and what is added and signed off. Files of text,
//! style and script, and nothing from elsewhere.

use crate::App;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use platform::problem::{Body, Problem, kinds};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Nothing is loaded but from here, nothing is sent elsewhere, and nobody frames it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; trusted-types 'none'; \
                      require-trusted-types-for 'script'";

const SCRIPT: &str = "text/javascript; charset=utf-8";
const PARTS: &[(&str, &str, &str)] = &[
    ("page.js", SCRIPT, include_str!("page/page.js")),
    // The calls are those of the page of presence.
    ("service.js", SCRIPT, include_str!("../presence/page/service.js")),
    ("page.css", "text/css; charset=utf-8", include_str!("page/page.css")),
];

/// The page and its parts.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(text)).routes(routes!(part))
}

fn file(kind: &'static str, content: &'static str) -> Response {
    let mut response = content.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    response
}

/// The page of the office.
#[utoipa::path(get, path = "/fleet/", tag = "fleet",
    responses((status = 200, description = "The page", content_type = "text/html")))]
async fn text() -> Result<Response, Problem> {
    Ok(file("text/html; charset=utf-8", include_str!("page/index.html")))
}

/// What the page consists of.
#[utoipa::path(get, path = "/fleet/{file}", tag = "fleet",
    params(("file" = String, Path, description = "A name of a file", example = "page.js", max_length = 64)),
    responses((status = 200, description = "A file",
            content((String = "text/javascript"), (String = "text/css"))),
        (status = 404, body = Body, description = "unknown-path", content_type = "application/problem+json")))]
async fn part(Path(name): Path<String>) -> Result<Response, Problem> {
    let found = PARTS.iter().find(|part| part.0 == name).ok_or_else(|| Problem::new(&kinds::UNKNOWN_PATH))?;
    Ok(file(found.1, found.2))
}
