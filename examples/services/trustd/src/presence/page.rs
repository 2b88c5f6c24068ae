//! The page on which people enrol and approve: files of text, style and script, and nothing from elsewhere.

use crate::App;
use crate::page::{HTML, POLICY, SCRIPT, STYLE, Served};
use axum::extract::Path;
use axum::response::Response;
use platform::problem::{Body, Problem};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The page asks the device for a proof, and for nothing else.
const SERVED: Served =
    Served { policy: POLICY, permissions: "publickey-credentials-create=(self), publickey-credentials-get=(self)" };
const PARTS: &[(&str, &str, &str)] = &[
    ("page.js", SCRIPT, include_str!("page/page.js")),
    ("device.js", SCRIPT, include_str!("page/device.js")),
    ("service.js", SCRIPT, include_str!("page/service.js")),
    ("page.css", STYLE, include_str!("page/page.css")),
];

/// The page and its parts.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(text)).routes(routes!(part))
}

/// The page of presence.
#[utoipa::path(get, path = "/presence/", tag = "presence",
    responses((status = 200, description = "The page", content_type = "text/html")))]
async fn text() -> Result<Response, Problem> {
    Ok(SERVED.file(HTML, include_str!("page/index.html")))
}

/// What the page consists of.
#[utoipa::path(get, path = "/presence/{file}", tag = "presence",
    params(("file" = String, Path, description = "A name of a file", example = "page.js", max_length = 64)),
    responses((status = 200, description = "A file",
            content((String = "text/javascript"), (String = "text/css"))),
        (status = 404, body = Body, description = "unknown-path", content_type = "application/problem+json")))]
async fn part(Path(name): Path<String>) -> Result<Response, Problem> {
    SERVED.part(PARTS, &name)
}
