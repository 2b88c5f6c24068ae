//! Which pages may call.

use crate::service::{Answer, Service};
use axum::body::Body;
use axum::extract::Request;
use platform::config::Config;

const LISTED: &str = "https://office.example";
const FOREIGN: &str = "https://evil.example";

async fn service() -> Service {
    Service::new(Config { origins: vec![LISTED.parse().unwrap()], ..Config::default() }).await
}

async fn sent(service: &Service, method: &str, path: &str, said: &[(&str, &str)]) -> Answer {
    let mut request = Request::builder().method(method).uri(path).header("x-caller", "ana/native");
    for (name, text) in said {
        request = request.header(*name, *text);
    }
    service.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn pages_of_others_change_nothing() {
    let service = service().await;
    for said in [&[("origin", FOREIGN)], &[("origin", "null")], &[("sec-fetch-site", "cross-site")]] {
        // Changes, a POST that changes nothing, a GET that is answered once, and what no row has.
        for (method, path) in [("POST", "/once"), ("POST", "/public"), ("GET", "/given/x"), ("POST", "/nowhere")] {
            let told = sent(&service, method, path, said).await;
            assert_eq!(told.problem(), (403, "foreign-origin".to_owned()), "{method} {path} {said:?}");
            assert_eq!(told.header("access-control-allow-origin"), "");
        }
        let told = sent(&service, "GET", "/public", said).await;
        assert_eq!((told.status, told.header("access-control-allow-origin")), (200, ""), "{said:?}");
    }
    assert_eq!(service.done(), 0);
    let own: [&[(&str, &str)]; 3] = [&[], &[("origin", "http://localhost:8470")], &[("sec-fetch-site", "same-origin")]];
    for said in own {
        let told = sent(&service, "POST", "/once", said).await;
        assert_eq!((told.status, told.header("access-control-allow-origin")), (200, ""), "{said:?}");
    }
    assert_eq!(service.done(), 3);
}

#[tokio::test]
async fn a_listed_page_calls_and_reads() {
    let service = service().await;
    for (method, path, status) in [("POST", "/once", 200), ("GET", "/public", 200), ("GET", "/nowhere", 404)] {
        let told = sent(&service, method, path, &[("origin", LISTED), ("sec-fetch-site", "cross-site")]).await;
        assert_eq!((told.status, told.header("access-control-allow-origin")), (status, LISTED), "{path}");
        assert_eq!((told.header("access-control-allow-credentials"), told.header("vary")), ("", "origin"), "{path}");
        assert!(told.header("access-control-expose-headers").contains("retry-after"));
    }
    // What is told to nobody in particular says that it may differ all the same.
    assert_eq!(sent(&service, "GET", "/public", &[]).await.header("vary"), "origin");
}

#[tokio::test]
async fn a_browser_asks_first() {
    let service = service().await;
    let asks = |origin| [("origin", origin), ("access-control-request-method", "PATCH")];
    let told = sent(&service, "OPTIONS", "/once", &asks(LISTED)).await;
    assert_eq!((told.status, told.header("access-control-allow-origin")), (204, LISTED));
    assert!(told.header("access-control-allow-methods").split(", ").any(|method| method == "PATCH"));
    for name in ["authorization", "content-type", "idempotency-key", "if-match"] {
        let taken = told.header("access-control-allow-headers");
        assert!(taken.split(", ").any(|one| one == name), "{name}: {taken}");
    }
    assert_eq!(told.header("access-control-allow-credentials"), "");
    for origin in [FOREIGN, "null", "http://office.example"] {
        let told = sent(&service, "OPTIONS", "/once", &asks(origin)).await;
        assert_eq!(told.problem(), (403, "foreign-origin".to_owned()), "{origin}");
        let said: Vec<_> = told.headers.keys().filter(|name| name.as_str().starts_with("access-control-")).collect();
        assert!(said.is_empty(), "{origin}: {said:?}");
    }
}
