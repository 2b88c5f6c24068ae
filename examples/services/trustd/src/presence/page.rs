//! The page on which people enrol and approve: one file each of text, style and script, and nothing from elsewhere.

use crate::App;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use platform::problem::Problem;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Nothing is loaded but from here, nothing is sent elsewhere, and nobody frames it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/// The page and its parts.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(text)).routes(routes!(script)).routes(routes!(style))
}

fn file(kind: &'static str, content: &'static str) -> Response {
    let mut response = content.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("permissions-policy", HeaderValue::from_static("publickey-credentials-get=(self)"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    response
}

/// The page of presence.
#[utoipa::path(get, path = "/presence/", tag = "presence",
    responses((status = 200, description = "The page", content_type = "text/html")))]
async fn text() -> Result<Response, Problem> {
    Ok(file("text/html; charset=utf-8", include_str!("page/index.html")))
}

/// The script of the page of presence.
#[utoipa::path(get, path = "/presence/page.js", tag = "presence",
    responses((status = 200, description = "The script", content_type = "text/javascript")))]
async fn script() -> Result<Response, Problem> {
    Ok(file("text/javascript; charset=utf-8", include_str!("page/page.js")))
}

/// The style of the page of presence.
#[utoipa::path(get, path = "/presence/page.css", tag = "presence",
    responses((status = 200, description = "The style", content_type = "text/css")))]
async fn style() -> Result<Response, Problem> {
    Ok(file("text/css; charset=utf-8", include_str!("page/page.css")))
}
