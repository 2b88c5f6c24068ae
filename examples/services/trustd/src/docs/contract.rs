//! The document, with what the table and the layers add to every endpoint: who may call it, what it is refused with
//! before its handler begins, and the header that makes it safe to repeat.

use crate::table::TABLE;
use platform::access::{Endpoint, Level, Owner, Repeat};
use platform::problem::{Body, CATALOGUE, Field, Kind, kinds};
use serde_json::{Map, Value, json};
use url::Url;
use utoipa::PartialSchema as _;
use utoipa::openapi::OpenApi;

const ABOUT: &str = "Signing, threshold, shards and vault over HTTP. Bodies are JSON, strict: unknown members are \
    refused. Times are RFC 3339, UTC, with milliseconds. Problems are RFC 9457. What does not verify is an answer, \
    never a problem.";

const TIME: &str = concat!(
    "^(19[7-9]|[2-9][0-9][0-9])[0-9]-",
    "((0[1-9]|1[0-2])-(0[1-9]|[12][0-9])|(0[13-9]|1[0-2])-30|(0[13578]|1[02])-31)",
    r"T([01][0-9]|2[0-3])(:[0-5][0-9]){2}\.[0-9]{3}Z$",
);

/// Makes the document of what the handlers say of themselves.
#[must_use]
pub fn contract(api: &OpenApi, base_url: &Url) -> Value {
    let mut document = serde_json::to_value(api).unwrap_or_default();
    document["info"] = json!({
        "title": "trustd", "version": env!("CARGO_PKG_VERSION"), "description": ABOUT,
        "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
    });
    document["servers"] = json!([{"url": base_url.as_str().trim_end_matches('/')}]);
    let mut problem = serde_json::to_value(Body::schema()).unwrap_or_default();
    problem["properties"]["code"]["enum"] = CATALOGUE.iter().map(|kind| kind.code).collect();
    let components = &mut document["components"];
    components["schemas"]["Problem"] = problem;
    components["schemas"]["ProblemField"] = serde_json::to_value(Field::schema()).unwrap_or_default();
    components["securitySchemes"]["bearer"] = json!({
        "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
        "description": "A token of the service's own, or of an issuer that it is configured for.",
    });
    document["x-problems"] = CATALOGUE
        .iter()
        .map(|kind| json!({"code": kind.code, "status": kind.status, "title": kind.title, "advice": kind.advice}))
        .collect();
    // The router's sign for the rest of a path is none of the document's.
    if let Some(paths) = document["paths"].as_object_mut() {
        *paths = std::mem::take(paths).into_iter().map(|(path, item)| (path.replace("{*", "{"), item)).collect();
    }
    times(&mut document);
    for row in TABLE {
        let (path, method) = (row.path.replace("{*", "{"), row.method.to_ascii_lowercase());
        if let Some(operation) = document["paths"].get_mut(&path).and_then(|item| item.get_mut(&method)) {
            describe(operation, row);
        }
    }
    document
}

/// Of the forms that RFC 3339 leaves, times have one.
fn times(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if members.get("format").and_then(Value::as_str) == Some("date-time") {
                members.entry("pattern").or_insert_with(|| TIME.into());
            }
            members.values_mut().for_each(times);
        }
        Value::Array(items) => items.iter_mut().for_each(times),
        _ => {}
    }
}

fn describe(operation: &mut Value, row: &Endpoint) {
    let (security, tier, scope) = match row.level {
        Level::Public => (json!([]), "public", None),
        Level::Noble(scope) => (json!([{"bearer": []}]), "noble", Some(scope.as_str())),
        Level::Native(scope) => (json!([{"bearer": []}]), "native", Some(scope.as_str())),
        Level::Node => (json!([{"bearer": []}]), "node", Some("node")),
    };
    operation["security"] = security;
    operation["x-tier"] = tier.into();
    if let Some(scope) = scope {
        operation["x-scope"] = scope.into();
    }
    operation["x-owner"] = match row.owner {
        Owner::None => "nobody",
        Owner::Own => "own",
        Owner::Node => "node",
        Owner::Guardian => "guardian",
        Owner::Any => "any",
    }
    .into();
    if row.gone.is_some() {
        operation["deprecated"] = true.into();
    }
    let takes_body = operation.get("requestBody").is_some();
    if takes_body {
        operation["x-most-bytes"] = row.most.into();
    }
    if row.repeat == Repeat::Key {
        let header = json!({
            "name": "Idempotency-Key", "in": "header", "required": false, "example": "7f3a1c52",
            "description": "The same request with the same key is served once, and answered alike for 24 hours.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
        });
        match operation.get_mut("parameters").and_then(Value::as_array_mut) {
            Some(parameters) => parameters.push(header),
            None => operation["parameters"] = json!([header]),
        }
    }
    let responses = &mut operation["responses"];
    for kind in before_the_handler(row, takes_body) {
        add(responses, kind);
    }
    for (status, response) in responses.as_object_mut().into_iter().flatten() {
        if status.starts_with(['4', '5']) && response.get("content").is_none() && response.get("$ref").is_none() {
            response["content"] =
                json!({"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}});
        }
    }
    // Before any of our layers.
    responses["431"] = json!({"description": "The request's head is too long; the answer has no body"});
}

/// What the layers refuse a request with.
fn before_the_handler(row: &Endpoint, takes_body: bool) -> Vec<&'static Kind> {
    let mut found =
        vec![&kinds::BAD_REQUEST, &kinds::FOREIGN_ORIGIN, &kinds::FOREIGN_HOST, &kinds::BUSY, &kinds::INTERNAL];
    match row.level {
        Level::Public => found.push(&kinds::RATE),
        Level::Noble(_) | Level::Native(_) => {
            found.extend([&kinds::NO_TOKEN, &kinds::BAD_TOKEN, &kinds::TIER, &kinds::SCOPE]);
        }
        Level::Node => found.extend([&kinds::NO_TOKEN, &kinds::BAD_TOKEN, &kinds::NOT_NODE]),
    }
    if takes_body {
        found.extend([
            &kinds::NOT_JSON,
            &kinds::TOO_SLOW,
            &kinds::TOO_LARGE,
            &kinds::MEDIA_TYPE,
            &kinds::INVALID_FIELD,
        ]);
    }
    if row.writes {
        found.push(&kinds::READ_ONLY);
    }
    match row.repeat {
        Repeat::Key => found.extend([&kinds::IDEMPOTENCY_RUNNING, &kinds::IDEMPOTENCY_OTHER]),
        Repeat::Plain | Repeat::Refused => found.push(&kinds::IDEMPOTENCY_REFUSED),
    }
    found
}

/// Adds a kind to the answers of its status, beside those that the handler names.
fn add(responses: &mut Value, kind: &Kind) {
    if !responses.is_object() {
        *responses = Value::Object(Map::new());
    }
    let response = &mut responses[kind.status.to_string()];
    let before = response.get("description").and_then(Value::as_str).unwrap_or_default();
    let name = format!("`{}`", kind.code);
    if !before.contains(&name) {
        let joined = if before.is_empty() { name } else { format!("{before}, {name}") };
        response["description"] = joined.into();
    }
    if matches!(kind.status, 429 | 503) {
        response["headers"]["Retry-After"] =
            json!({"description": "Seconds, at least 1", "schema": {"type": "integer", "minimum": 1}});
    }
    if kind.status == 401 {
        response["headers"]["WWW-Authenticate"] =
            json!({"description": "The scheme, `Bearer`", "schema": {"type": "string"}});
    }
}
