//! What the service says of itself: the contract (`/openapi.json`), a page to read and try it (`/docs/`), and a page
//! for each problem. Nothing in here loads anything from another host.
//!
//! | file | what it is |
//! |---|---|
//! | `contract` | the document, with what the table and the layers add to every endpoint |
//! | `problems` | the pages of problems |

mod contract;
mod problems;

use crate::App;
use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Router};
use http::{HeaderName, HeaderValue, header};
use platform::problem::{Problem, kinds};
use std::sync::Arc;
use url::Url;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use utoipa_swagger_ui::Config;

pub use contract::contract;

/// The page that tries requests runs its own scripts, and asks this service alone.
const TRYING: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// A page of text.
const READING: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The document, as it is served.
#[derive(Clone, Debug)]
struct Document(Arc<str>);

/// Adds these pages to all that the service serves, over the document of all of it.
pub fn documented(router: OpenApiRouter<App>, base_url: &Url) -> Router<App> {
    let (router, api) = router.merge(routes_of_docs()).split_for_parts();
    let document = Document(contract(&api, base_url).to_string().into());
    router.layer(Extension(document))
}

/// The same document, without anything that is served.
#[must_use]
pub fn printed(base_url: &Url) -> serde_json::Value {
    let mut api = crate::router::document();
    api.merge(routes_of_docs().into_openapi());
    contract(&api, base_url)
}

fn routes_of_docs() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(openapi))
        .routes(routes!(docs))
        .routes(routes!(docs_index))
        .routes(routes!(docs_file))
        .routes(routes!(problem_index))
        .routes(routes!(problem_page))
}

/// This document.
#[utoipa::path(get, path = "/openapi.json", tag = "docs", responses(
    (status = 200, description = "OpenAPI 3.1", content_type = "application/json", body = serde_json::Value),
))]
async fn openapi(Extension(document): Extension<Document>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], document.0.to_string())
}

/// The way to the page of the documentation.
#[utoipa::path(get, path = "/docs", tag = "docs", responses(
    (status = 308, description = "The page is at `/docs/`", headers(("Location" = String, description = "There"))),
))]
async fn docs() -> Redirect {
    Redirect::permanent("/docs/")
}

/// The page of the documentation, on which requests can be tried.
#[utoipa::path(get, path = "/docs/", tag = "docs", responses(
    (status = 200, description = "A page", content_type = "text/html", body = String),
))]
async fn docs_index() -> Result<Response, Problem> {
    file("index.html")
}

/// What the page consists of.
#[utoipa::path(get, path = "/docs/{file}", tag = "docs", params(
    ("file" = String, Path, description = "A name of a file", example = "swagger-ui.css", max_length = 64),
), responses(
    (status = 200, description = "A file", content((String = "text/css"), (String = "text/javascript"),
        (String = "text/html"), (String = "image/png"))),
    (status = 404, description = "`unknown-path`"),
))]
async fn docs_file(Path(name): Path<String>) -> Result<Response, Problem> {
    file(&name)
}

fn file(name: &str) -> Result<Response, Problem> {
    // The way back from an outside login, which this page has not: a script within a page.
    if name == "oauth2-redirect.html" || name.is_empty() || name == "/" {
        return Err(Problem::new(&kinds::UNKNOWN_PATH));
    }
    let config = Config::from("../openapi.json").validator_url("none").try_it_out_enabled(true);
    let found = utoipa_swagger_ui::serve(name, Arc::new(config));
    let found =
        found.map_err(|error| Problem::internal("docs", &error))?.ok_or_else(|| Problem::new(&kinds::UNKNOWN_PATH))?;
    let kind = HeaderValue::try_from(found.content_type).map_err(|error| Problem::internal("docs", &error))?;
    let mut response = found.bytes.into_owned().into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    if found.gzpipped {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Ok(guarded(response, TRYING))
}

/// All problems.
#[utoipa::path(get, path = "/problems/", tag = "docs", responses(
    (status = 200, description = "A page", content_type = "text/html", body = String),
))]
async fn problem_index() -> Response {
    page(problems::index())
}

/// A problem: the address that stands in the member `type` of its body.
#[utoipa::path(get, path = "/problems/{code}", tag = "docs", params(
    ("code" = String, Path, description = "The code of a problem", example = "unknown-id", max_length = 64),
), responses(
    (status = 200, description = "A page", content_type = "text/html", body = String),
    (status = 404, description = "`unknown-path`"),
))]
async fn problem_page(Path(code): Path<String>) -> Result<Response, Problem> {
    problems::page(&code).map(page).ok_or_else(|| Problem::new(&kinds::UNKNOWN_PATH))
}

fn page(html: String) -> Response {
    guarded(([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response(), READING)
}

fn guarded(mut response: Response, policy: &'static str) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn built() -> Value {
        let (_, api) = OpenApiRouter::new().merge(routes_of_docs()).split_for_parts();
        contract(&api, &Url::parse("https://trust.example/").unwrap())
    }

    #[test]
    fn the_contract_names_who_and_every_problem() {
        let document = built();
        assert_eq!(document["openapi"], "3.1.0");
        assert_eq!(document["servers"][0]["url"], "https://trust.example");
        let operation = &document["paths"]["/problems/{code}"]["get"];
        assert_eq!(operation["security"], serde_json::json!([]));
        let limited = &operation["responses"]["429"];
        assert!(limited["description"].as_str().unwrap().contains("rate-limited"));
        assert_eq!(limited["content"]["application/problem+json"]["schema"]["$ref"], "#/components/schemas/Problem");
        let unknown = &operation["responses"]["404"]["content"]["application/problem+json"];
        assert_eq!(unknown["schema"]["$ref"], "#/components/schemas/Problem");
        let schemas = &document["components"]["schemas"];
        assert!(schemas["Problem"]["properties"]["errors"].is_object(), "{schemas}");
        assert!(schemas["ProblemField"]["properties"]["pointer"].is_object(), "{schemas}");
        assert!(
            schemas["Problem"]["properties"]["code"]["enum"].as_array().unwrap().iter().any(|code| code == "too-slow")
        );
    }

    /// Every reference leads somewhere.
    #[test]
    fn references_hold() {
        fn references(value: &Value, found: &mut Vec<String>) {
            match value {
                Value::Object(members) => {
                    found.extend(members.get("$ref").and_then(Value::as_str).map(str::to_owned));
                    members.values().for_each(|value| references(value, found));
                }
                Value::Array(items) => items.iter().for_each(|value| references(value, found)),
                _ => {}
            }
        }
        let (document, mut found) = (built(), Vec::new());
        references(&document, &mut found);
        assert!(!found.is_empty());
        for reference in found {
            let pointer = reference.strip_prefix('#').unwrap();
            assert!(document.pointer(pointer).is_some(), "{reference}");
        }
    }

    #[test]
    fn the_page_loads_from_nowhere_else() {
        let response = file("index.html").unwrap();
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/html");
        assert!(response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().contains("default-src 'none'"));
        let config = Arc::new(Config::from("../openapi.json").validator_url("none"));
        let html = utoipa_swagger_ui::serve("index.html", Arc::clone(&config)).unwrap().unwrap();
        let html = String::from_utf8(html.bytes.into_owned()).unwrap();
        assert!(!html.contains("http"), "{html}");
        let script = utoipa_swagger_ui::serve("swagger-initializer.js", config).unwrap().unwrap();
        let script = String::from_utf8(script.bytes.into_owned()).unwrap();
        assert!(script.contains("../openapi.json") && !script.contains("http"), "{script}");
        for name in ["nothing.js", "../Cargo.toml", "oauth2-redirect.html"] {
            assert_eq!(file(name).unwrap_err().status(), 404, "{name}");
        }
    }
}
