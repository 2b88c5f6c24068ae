//! The page of the office: levels at a glance, each vehicle's clock, and what is added and signed off. Files of text,
//! style and script, and nothing from elsewhere.

use crate::App;
use crate::page::{HTML, POLICY, SCRIPT, STYLE, Served};
use axum::extract::Path;
use axum::response::Response;
use platform::problem::{Body, Problem};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

const SERVED: Served = Served { policy: POLICY, permissions: "geolocation=(), microphone=()" };
const PARTS: &[(&str, &str, &str)] = &[
    ("page.js", SCRIPT, include_str!("page/page.js")),
    ("documents.js", SCRIPT, include_str!("page/documents.js")),
    // The calls are those of the page of presence.
    ("service.js", SCRIPT, include_str!("../presence/page/service.js")),
    ("page.css", STYLE, include_str!("page/page.css")),
];

/// The page and its parts.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(text)).routes(routes!(part))
}

/// The page of the office.
#[utoipa::path(get, path = "/fleet/", tag = "fleet",
    responses((status = 200, description = "The page", content_type = "text/html")))]
async fn text() -> Result<Response, Problem> {
    Ok(SERVED.file(HTML, include_str!("page/index.html")))
}

/// What the page consists of.
#[utoipa::path(get, path = "/fleet/{file}", tag = "fleet",
    params(("file" = String, Path, description = "A name of a file", example = "page.js", max_length = 64)),
    responses((status = 200, description = "A file",
            content((String = "text/javascript"), (String = "text/css"))),
        (status = 404, body = Body, description = "unknown-path", content_type = "application/problem+json")))]
async fn part(Path(name): Path<String>) -> Result<Response, Problem> {
    SERVED.part(PARTS, &name)
}
