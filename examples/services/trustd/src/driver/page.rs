//! The page of drivers: files of text, style and script, kept by the browser for when there is no connection; and plain
//! pages without any script.

use crate::App;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use platform::problem::{Body, Problem, kinds};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Nothing is loaded but from here, nothing is sent elsewhere, and nobody frames it. The one policy of trusted types
/// names the worker's address.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' blob:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'; trusted-types driver; \
                      require-trusted-types-for 'script'";

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PARTS: &[(&str, &str, &str)] = &[
    ("app.js", SCRIPT, include_str!("page/app.js")),
    ("kept.js", SCRIPT, include_str!("page/kept.js")),
    ("login.js", SCRIPT, include_str!("page/login.js")),
    ("photos.js", SCRIPT, include_str!("page/photos.js")),
    ("queue.js", SCRIPT, include_str!("page/queue.js")),
    ("worker.js", SCRIPT, include_str!("page/worker.js")),
    ("app.css", "text/css; charset=utf-8", include_str!("page/app.css")),
    ("icon.svg", "image/svg+xml", include_str!("page/icon.svg")),
    ("app.webmanifest", "application/manifest+json", include_str!("page/app.webmanifest")),
];

/// The page and its parts.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(text)).routes(routes!(part))
}

fn file(kind: &'static str, content: String) -> Response {
    let mut response = content.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("permissions-policy", HeaderValue::from_static("geolocation=(), microphone=()"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    response
}

/// The page of drivers.
#[utoipa::path(get, path = "/driver/", tag = "driver",
    responses((status = 200, description = "The page", content_type = "text/html")))]
async fn text() -> Result<Response, Problem> {
    Ok(file(HTML, include_str!("page/index.html").to_owned()))
}

/// What the page consists of.
#[utoipa::path(get, path = "/driver/{file}", tag = "driver",
    params(("file" = String, Path, description = "A name of a file", example = "app.js", max_length = 64)),
    responses((status = 200, description = "A file", content((String = "text/javascript"), (String = "text/css"),
            (String = "image/svg+xml"), (String = "application/manifest+json"))),
        (status = 404, body = Body, description = "unknown-path", content_type = "application/problem+json")))]
async fn part(Path(name): Path<String>) -> Result<Response, Problem> {
    let found = PARTS.iter().find(|part| part.0 == name).ok_or_else(|| Problem::new(&kinds::UNKNOWN_PATH))?;
    Ok(file(found.1, found.2.to_owned()))
}

/// How a verdict looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Looks {
    /// It holds.
    Good,
    /// It does not.
    Bad,
    /// Nothing is concluded.
    Open,
}

/// A page without a script: a verdict, and lines of a name and a value.
pub(crate) fn plain(looks: Looks, verdict: &str, lines: &[(&str, String)]) -> Response {
    let class = match looks {
        Looks::Good => "good",
        Looks::Bad => "bad",
        Looks::Open => "open",
    };
    let line = |(name, value): &(&str, String)| format!("<dt>{}</dt><dd>{}</dd>\n", text_of(name), text_of(value));
    let lines: String = lines.iter().map(line).collect();
    let page = include_str!("page/verdict.html");
    let page = page.replace("{class}", class).replace("{verdict}", &text_of(verdict)).replace("{lines}", &lines);
    file(HTML, page)
}

/// Text within a page.
fn text_of(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Answer;

    #[tokio::test]
    async fn what_a_page_says_is_text() {
        let shown = plain(Looks::Bad, "<b>&", &[("a\"", "<script>".to_owned())]);
        let page = String::from_utf8(Answer::read(shown).await.body).unwrap();
        assert!(page.contains("&lt;b&gt;&amp;") && page.contains("&lt;script&gt;") && !page.contains("<script"));
    }
}
