//! Addresses that stand in front of those of the service, as a proxy has them.

use axum::Router;
use axum::extract::Request;
use http::Uri;
use http::uri::PathAndQuery;
use tower::ServiceExt as _;

const API: &str = "/api/v1";

/// Has the first names of paths mean the same below `/api/v1`: one handler, one row of the table, one name in measures.
pub fn proxied(router: Router, names: &'static [&'static str]) -> Router {
    Router::new().fallback_service(router.map_request(move |mut request: Request| {
        if names.iter().any(|name| request.uri().path().starts_with(name))
            && let Some(uri) = below(request.uri())
        {
            *request.uri_mut() = uri;
        }
        request
    }))
}

fn below(uri: &Uri) -> Option<Uri> {
    let mut parts = uri.clone().into_parts();
    let path: PathAndQuery = format!("{API}{}", parts.path_and_query.as_ref()?).parse().ok()?;
    parts.path_and_query = Some(path);
    Uri::from_parts(parts).ok()
}

#[cfg(test)]
mod tests {
    use super::proxied;
    use axum::Router;
    use axum::body::{Body, to_bytes};
    use axum::extract::{Path, RawQuery};
    use axum::routing::get;
    use http::{Request, Uri};
    use tower::ServiceExt as _;

    #[tokio::test]
    async fn both_addresses_have_one_handler() {
        let handler = |Path(id): Path<String>, RawQuery(query): RawQuery, uri: Uri| async move {
            format!("{id} {} {}", query.unwrap_or_default(), uri.path())
        };
        let router = proxied(Router::new().route("/api/v1/vault/{id}", get(handler)), &["/vault/"]);
        for (path, told) in [
            ("/api/v1/vault/7?a=%2F", "7 a=%2F /api/v1/vault/7"),
            ("/vault/7?a=%2F", "7 a=%2F /api/v1/vault/7"),
            ("/vaults/7", ""),
            ("/x/vault/7", ""),
        ] {
            let answer = router.clone().oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();
            let body = to_bytes(answer.into_body(), 1000).await.unwrap();
            assert_eq!(String::from_utf8_lossy(&body), told, "{path}");
        }
    }
}
